"""The tree that the events of a tracker make: turns that were taken back stay in it as ends of their own.

A turn is a node. To take turns back is to stand at the node before them again; what comes next begins a new branch
there. Each node keeps what it changed, so that standing before it restores what was known then, in as many steps.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable

import attrs

from ...blocks import SYSTEM, Block
from ...cells import Cell, Scope
from ...instructions import Instruction
from ...origin import Actor, Origin
from ...program import Program
from ...terminators import OPEN, Arm, Branch, Goto, Terminator
from ...values import Value
from ..linking.distinctive import link_key
from .slots import MISSING, Slots

#: What a person's last turn stated: the cells of its entities by what their values are looked up by.
Said = dict[Hashable, Cell]


@attrs.define
class Node:
    """A turn: the block it becomes, and what held before it."""

    kind: str
    name: str
    actor: Actor
    step: int
    origin: Origin
    loop: str | None
    said: Said
    instructions: list[Instruction] = attrs.field(factory=list)
    following: list[Node] = attrs.field(factory=list)
    changed: list[tuple[str, Value]] = attrs.field(factory=list)
    mentioned: list[tuple[Hashable, Cell | None]] = attrs.field(factory=list)


class Path:
    """Where a tracker stands: the turns that led there, the slots in force, the loop that is active."""

    def __init__(self) -> None:
        self.slots = Slots()
        self.loop: str | None = None
        self.said: Said = {}
        self.current: Node | None = None
        self._nodes: list[Node] = []
        self._roots: list[Node] = []
        self._back: list[Node] = []  # the turns that can be taken back, the last one last
        self._kinds: Counter[str] = Counter()  # how many of each kind can be
        self._before: dict[str, Node | None] = {}
        self._loops: dict[str, None] = {}

    def begin(self, kind: str, actor: Actor, step: int, origin: Origin) -> Node:
        """A new turn after the current one."""
        node = Node(kind, f"t{step}", actor, step, origin, self.loop, self.said)
        (self._roots if self.current is None else self.current.following).append(node)
        self._before[node.name] = self.current
        self._nodes.append(node)
        self._back.append(node)
        self._kinds[kind] += 1
        self.current = node
        return node

    def set(self, node: Node, slot: str, value: Value) -> None:
        """A slot is set in a turn, or emptied where the value is MISSING."""
        node.changed.append((slot, self.slots.put(slot, value)))

    def mention(self, node: Node, value: Value, cell: Cell) -> None:
        """An entity is stated in a turn; a later one of the same value is the one that is meant."""
        known = link_key(value)
        if known is not None:
            node.mentioned.append((known, self.said.get(known)))
            self.said[known] = cell

    def activate(self, loop: str | None) -> None:
        """A loop is active from here on, or none."""
        self.loop = loop
        if loop is not None:
            self._loops[loop] = None

    def take_back(self, *kinds: str) -> bool:
        """Take back the last turn of one of some kinds and all that followed it; False where there is none."""
        if not any(self._kinds[kind] for kind in kinds):
            return False
        kind = ""
        while kind not in kinds:
            kind = self._take_back_last()
        return True

    def stands_at(self, kind: str) -> bool:
        """Whether the last turn that can be taken back is of a kind."""
        return bool(self._back) and self._back[-1].kind == kind

    def keep(self) -> None:
        """From here on nothing that came before can be taken back."""
        self._back.clear()
        self._kinds.clear()

    def _take_back_last(self) -> str:
        node = self._back.pop()
        self._kinds[node.kind] -= 1
        for slot, before in reversed(node.changed):
            self.slots.put(slot, before)
        for known, cell in reversed(node.mentioned):
            if cell is None:
                del self.said[known]
            else:
                self.said[known] = cell
        self.loop, self.said = node.loop, node.said
        self.current = self._before[node.name]
        return node.kind

    def write(self, program: Program, session: Scope) -> None:
        """Append the blocks to a program; where several turns begin the log, they branch from one that says nothing."""
        if len(self._roots) > 1:
            program.append(Block("start", SYSTEM, 0, terminator=_onward(self._roots)))
        for loop in self._loops:
            program.add_scope(Scope("task", loop), session)
        for node in self._nodes:
            program.append(_block(node))


def _block(node: Node) -> Block:
    onward = _onward(node.following)
    return Block(node.name, node.actor, node.step, node.loop, tuple(node.instructions), onward, node.origin)


def _onward(following: list[Node]) -> Terminator:
    if not following:
        return OPEN
    if len(following) == 1:
        return Goto(following[0].name)
    return Branch(tuple(Arm(node.name) for node in following))


__all__ = ["MISSING", "Node", "Path", "Said"]
