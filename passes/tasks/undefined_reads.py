"""Reads of cells that no path to them has defined, with what stands under the same path in other scopes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from statemem.ir import Cell, Definition, How, Scope
from statemem.ir.entries import Entry

from ..framework import At, Manager
from ..reaching import Reaching


class UndefinedRead(NamedTuple):
    """A read of a cell at which nothing is in force on any path: use before definition.

    `read` numbers the reads of the instruction. `near` are the entries in force there under the same path in another
    scope, of another task say, which the reader cannot mean; `ended_by` are the instructions that emptied the cell,
    none where nothing was ever written to it.
    """

    instruction: int
    read: int
    cell: Cell
    near: tuple[Entry, ...]
    ended_by: tuple[int, ...]


def undefined_reads(manager: Manager) -> list[UndefinedRead]:
    """The reads of cells that are surely undefined, in the order of the program.

    >>> from statemem.ir import build
    >>> tasks = build().enter("a").block(task="a").set("cwd", "/x").block().leave("a").enter("b")
    >>> (found,) = undefined_reads(Manager(tasks.block(task="b").use("cwd").open()))
    >>> str(found.cell), [(str(entry.cell), entry.value) for entry in found.near]
    ('task:b/cwd', [('task:a/cwd', '/x')])
    """
    scopes = sorted({cell.scope for cell in manager.accesses.places})
    found = (
        one
        for at, state in manager.solve(Reaching).walk()
        if at.number is not None
        for one in _undefined(manager, at, state, scopes)
    )
    return sorted(found, key=lambda one: (one.instruction, one.read))


def _undefined(manager: Manager, at: At, state: Any, scopes: list[Scope]) -> Iterator[UndefinedRead]:
    assert at.number is not None
    places: dict[int, list[Cell]] = {}
    for one in at.accesses.reads(at.number):
        places.setdefault(one.read, []).append(one.place)
    for number, read in enumerate(at.program.instructions[at.number].reads()):
        if not isinstance(read.place, Cell) or read.how is How.CARRIED or number not in places:
            continue
        there = [one for place in places[number] for one in at.judge.in_force(state[place])]
        if all(one.is_tombstone for one in there):
            others = [Cell(scope, read.place.path) for scope in scopes if scope != read.place.scope]
            cells = (cell for other in others for cell in manager.accesses.places.overlapping(other))
            near = _entries(manager, (one for cell in cells for one in at.judge.in_force(state[cell])))
            ended = tuple(sorted({one.instruction for one in there if one.instruction >= 0}))
            yield UndefinedRead(at.number, number, read.place, near, ended)


def _entries(manager: Manager, definitions: Iterable[Definition]) -> tuple[Entry, ...]:
    found = (manager.program.entry_of(one) for one in sorted(definitions))
    return tuple(one for one in found if one is not None)
