"""`reachability`: which entries in force the current tasks and the profile lead to, and which nothing leads to."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from statemem.ir import Cell, Definition, Derive, Enter, Instruction, Leave, Program, Reference, Scope
from statemem.ir.entries import Entry
from statemem.ir.values import Value

from ..chains import use_def_chains
from ..framework import Analysis, At, BlockEnd, Derivation, Manager, Point, Powerset, register
from ..framework.points import node_of
from ..premises.facts import Key
from ..program_ends import shown_at_ends, told_ends
from ..reaching import Reaching
from .generations import PROFILE, generation
from .in_force import in_force_at, names_at


class Why(enum.Enum):
    """Why an entry is marked: because it is a root, or because of another one that is marked."""

    PROFILE = "of the profile"
    TASK = "of the open"
    PINNED = "pinned by"
    REFERENCE = "meant by"
    PREMISE = "premise of"
    ENTITY = "of the entity named by"
    NAME = "second name of the cell of"


class Mark(NamedTuple):
    """One step of the way by which an entry is marked; `by` is a scope, a declared cell, a reference, or an entry."""

    why: Why
    by: Scope | Cell | Reference | Entry

    def __str__(self) -> str:
        by = self.by.id if isinstance(self.by, Entry) else self.by
        return f"{self.why.value} {by}"


class Reached(NamedTuple):
    """An entry in force at a point, with the shortest way by which it is marked, back to a root; () if it is not.

    A way may lead through entries that are not in force any more: what is in force rests on them.
    """

    entry: Entry
    cell: Cell
    way: tuple[Mark, ...]

    @property
    def is_collectable(self) -> bool:
        """Whether nothing leads to it."""
        return not self.way


class UnendedTasks(Analysis):
    """Tasks that may be open or put aside: entered, and not ended since."""

    facts = Powerset[str]()

    def transfer(self, instruction: Instruction, state: Any, at: At) -> None:
        """Enter opens, or takes up again; only Leave with `ended` ends."""
        if isinstance(instruction, Enter):
            state.gen(instruction.task)
        elif isinstance(instruction, Leave) and instruction.ended:
            state.kill(instruction.task)

    def on_join(self, before: bool, arms: Sequence[bool], at: At) -> bool:
        """What an arm opened is open; what was open before, if no arm ended it."""
        return all(arms) if before else any(arms)


@register
class Reachability(Derivation):
    """What the profile, the tasks that are not ended and pinned cells lead to; the rest in force is collectable.

    Entries are marked along premises, references, the entities that values and paths name, and second names. Told at
    the current end of a log and at every end of a workflow; of any other point `reachable_at` tells. (McCarthy,
    "Recursive functions of symbolic expressions", 1960, section 4c.)
    """

    needs = (Reaching,)

    def derive(self, program: Program, manager: Manager) -> dict[int, list[Reached]]:
        """The entries by the block that ends."""
        return {block: reachable_at(manager, BlockEnd(block)) for block in told_ends(manager)}

    def show(self, found: dict[int, list[Reached]], program: Program) -> list[str]:
        """`e3 premise of e5 of the open session:1/`, `e4 collectable`."""
        return shown_at_ends(found, program, lambda one: f"{one.entry.id} {_way(one)}")


def _way(one: Reached) -> str:
    return " ".join(map(str, one.way)) or "collectable"


def reachable_at(manager: Manager, point: Point) -> list[Reached]:
    """The entries in force at a point, in the order of the program, each with the way by which it is marked.

    >>> from statemem.ir import build
    >>> builder = build(parent="user:7/").set("current", "W15").set('user:7/order["W15"].color', "red")
    >>> program = builder.set('user:7/order["W16"].color', "blue").program
    >>> for one in reachable_at(Manager(program), BlockEnd(0)):
    ...     print(one.entry.id, *one.way, sep=", ")
    e1, of the open session:1/
    e2, of the entity named by e1, of the open session:1/
    e3
    """
    return _Marking(manager, point).reached()


class _Marking:
    """Marks entries, told by instruction and leaf, those next to the roots first."""

    def __init__(self, manager: Manager, point: Point) -> None:
        self._program = manager.program
        self._names = names_at(manager, point)
        self._cells: dict[Key, list[Cell]] = {}
        self._at: dict[Cell, list[Key]] = {}
        self._with_key: dict[str, list[Key]] = {}
        for one in in_force_at(manager, point):
            self._take(one)
        self._premises = premises(manager)
        self._ways: dict[Key, tuple[Mark, Key | None]] = {}
        self._work: list[Key] = []
        self._named: set[str] = set()
        self._mark_roots(manager, point)
        for key in self._work:
            self._mark_from(key)

    def _take(self, one: Definition) -> None:
        key = one.instruction, one.leaf
        self._cells.setdefault(key, []).append(one.cell)
        self._at.setdefault(one.cell, []).append(key)
        for text in dict.fromkeys(part.text for part in one.cell.path if part.kind == "key"):
            self._with_key.setdefault(text, []).append(key)

    def reached(self) -> list[Reached]:
        return [Reached(self._entry(key), cells[0], self._way(key)) for key, cells in sorted(self._cells.items())]

    def _entry(self, key: Key) -> Entry:
        return self._program.entries_of(key[0])[key[1]]

    def _way(self, key: Key | None) -> tuple[Mark, ...]:
        marks = []
        while key is not None and key in self._ways:
            mark, key = self._ways[key]
            marks.append(mark)
        return tuple(marks)

    def _mark(self, key: Key, mark: Mark, came: Key | None = None) -> None:
        if key not in self._ways:
            self._ways[key] = mark, came
            self._work.append(key)

    # roots

    def _mark_roots(self, manager: Manager, point: Point) -> None:
        scopes = open_scopes(manager, point)
        for key, cells in self._cells.items():
            root = next((mark for cell in cells for mark in self._as_root(key, cell, scopes)), None)
            if root is not None:
                self._mark(key, root)
        for name, targets in sorted(self._names.references.items()):
            for cell in sorted(one for one in targets if one is not None):
                for key in self._within(cell):
                    self._mark(key, Mark(Why.REFERENCE, Reference(name)))

    def _as_root(self, key: Key, cell: Cell, scopes: frozenset[Scope]) -> Iterator[Mark]:
        for declared in self._program.declarations:
            if declared.pinned and declared.pattern.overlaps(cell):
                yield Mark(Why.PINNED, declared.pattern)
        if cell.scope in scopes:
            yield Mark(Why.TASK, cell.scope)
        if generation(self._program, self._entry(key), cell) is PROFILE:
            yield Mark(Why.PROFILE, cell.scope)

    # from one to another

    def _mark_from(self, key: Key) -> None:
        own = self._entry(key)
        for premise in self._premises.get(key[0], ()):
            self._mark(premise, Mark(Why.PREMISE, own), key)
        for cell in self._cells.get(key, ()):
            for target in self._names.denoted(cell) if self._names.may_be_one else ():
                for other in self._at.get(target.cell, ()):
                    self._mark(other, Mark(Why.NAME, own), key)
        if key in self._cells:
            self._mark_entities(key, own)

    def _mark_entities(self, key: Key, own: Entry) -> None:
        keys = [part.text for cell in self._cells[key] for part in cell.path if part.kind == "key"]
        for text in (*keys, *_texts(own.value)):
            if text not in self._named:
                self._named.add(text)
                for other in self._with_key.get(text, ()):
                    self._mark(other, Mark(Why.ENTITY, own), key)

    def _within(self, cell: Cell) -> Iterator[Key]:
        """The entries at, below and above what a reference points to, under whichever of its names."""
        for target in self._names.denoted(cell):
            yield from (key for place, keys in self._at.items() if target.cell.overlaps(place) for key in keys)


def _texts(value: Value) -> Iterator[str]:
    """What may be the key of an entity: a text or a whole number, or such a one in a list."""
    if isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool)):
        yield str(value)
    elif isinstance(value, list):
        yield from (text for item in value for text in _texts(item))


def premises(manager: Manager) -> dict[int, list[Key]]:
    """The entries that each conclusion, by its instruction, saw when it was drawn."""
    chains, found = use_def_chains(manager), dict[int, dict[Key, None]]()
    for chain in chains:
        if isinstance(manager.program.instructions[chain.instruction], Derive):
            found.setdefault(chain.instruction, {}).update(dict.fromkeys(chains.seen_by(*chain)))
    return {number: sorted(keys) for number, keys in found.items()}


def open_scopes(manager: Manager, point: Point) -> frozenset[Scope]:
    """The scopes of the tasks that are not ended at a point, and those in which its block stands."""
    program = manager.program
    block = manager.graph.flow.block_of(node_of(point, manager.graph.flow))
    own = program.tasks[program.body[block]].scope, program.scope_of(block), program.blocks[block].turn
    tasks: Iterable[str] = manager.solve(UnendedTasks).fact(point)
    return frozenset([*own, *(_scope_of(program, task) for task in tasks)])


def _scope_of(program: Program, task: str) -> Scope:
    return program.tasks[task].scope if task in program.tasks else Scope("task", task)
