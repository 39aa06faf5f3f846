"""What each operation found and left at its cell, along the way of the log that leads to it.

Only what came before is looked at, so that an event says the same however long the log was when it was written.
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from statemem.ir import ControlFlow, Fork, Instruction, Program, State
from statemem.ir.cells import Place
from statemem.ir.flow.routes import path_to
from statemem.ir.meaning.walk import Walk

from .events import canonical
from .replay import standing

Effect = tuple[str | None, str | None]


def effects(program: Program, first: int) -> dict[int, Effect]:
    """Before and after of the operations from number `first` on; those that write nothing have none."""
    if first >= len(program.instructions):
        return {}
    found = _Effects(program)
    return {
        number: effect
        for block in range(program.block_of(first), len(program.blocks))
        for number, effect in found.of(block)
        if number >= first
    }


@attrs.define
class _Forked:
    """A fork that has not come to its join: its block, the arm it is in, and the last block so far of every arm."""

    block: int
    fork: Fork
    arm: str | None = None
    ends: dict[str, int] = attrs.field(factory=dict)

    def went_through(self, block: int, name: str) -> None:
        """One block more, with which an arm may begin."""
        if name in self.fork.arms:
            self.arm = name
        if self.arm is not None:
            self.ends[self.arm] = block


class _Effects:
    """Executes blocks in the order they were added, each from the end of its first predecessor, a join from its arms.

    One walk goes on from block to block, and from arm to arm of a fork, as long as that is the way to the next; where
    control comes from elsewhere a walk begins anew, along a shortest way from the start.
    """

    def __init__(self, program: Program) -> None:
        self._program = program
        self._flow = ControlFlow(program)
        self._walk = Walk(program, State(program))
        self._last: int | None = None
        self._forks: list[_Forked] = []

    def of(self, block: int) -> Iterator[tuple[int, Effect]]:
        """The effects of one block, operation by operation."""
        self._go_before(block)
        self._walk.arrive(block)
        targets = {number: _target(instruction) for number, instruction in self._program.numbered(block)}
        before = self._held(next(iter(targets.values()), None))
        for number in self._walk.steps(block):
            target = targets.pop(number, None)
            if target is not None:
                yield number, (before, self._held(target))
            before = self._held(next(iter(targets.values()), None))
        self._went_through(block)

    def _held(self, target: Place | None) -> str | None:
        """What is in force at a cell, as JSON: its value, or what is below it by cell; None if nothing is."""
        if target is None:
            return None
        found = standing(self._program, self._walk.state, target)
        if not found:
            return None
        own = str(target)
        return canonical(found[own] if list(found) == [own] else found)

    def _go_before(self, block: int) -> None:
        """To where a block begins; the walk starts anew if control comes there from elsewhere."""
        if self._is_before(block):
            return
        self._walk, self._forks = Walk(self._program, State(self._program)), []
        for earlier in path_to(self._program, self._flow, block)[:-1]:
            self._walk.through(earlier)
            self._went_through(earlier)

    def _is_before(self, block: int) -> bool:
        """Whether the walk has come to a block: behind the one before it, or to an arm or the join of its fork."""
        name, predecessors = self._program.blocks[block].name, self._flow.predecessors[block]
        forked = self._forks[-1] if self._forks else None
        if forked is not None and name == forked.fork.join:
            return set(forked.ends.values()) == {one for one in predecessors if one < block}
        if forked is not None and name in forked.fork.arms:
            return name not in forked.ends and predecessors[:1] == [forked.block]
        return predecessors[:1] == ([] if self._last is None else [self._last])

    def _went_through(self, block: int) -> None:
        self._last = block
        name, terminator = self._program.blocks[block].name, self._program.blocks[block].terminator
        if self._forks and name == self._forks[-1].fork.join:
            self._forks.pop()
        if self._forks:
            self._forks[-1].went_through(block, name)
        if isinstance(terminator, Fork):
            self._forks.append(_Forked(block, terminator))


def _target(instruction: Instruction) -> Place | None:
    return next((write.place for write in instruction.writes()), None)
