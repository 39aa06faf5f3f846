"""What is in force in a store, and where its entries stand: computed by replay."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import attrs

from statemem.ir import Cell, Program
from statemem.ir.meaning.facts import fold
from statemem.ir.values import Value

from .events import Event
from .replay import PASSING, Counted, Joined
from .tiers import Shelves


@attrs.frozen(kw_only=True)
class Fact:
    """What is in force at one cell.

    `version` counts how often the cell was written or ended; step, time, conversation and event are those of the latest
    entry in force. `entries` names all of them, oldest first: several where they confirm, extend or contradict.
    """

    cell: Cell
    value: Value
    version: int
    step: int
    time: str | None
    conversation: str
    event: str
    entries: tuple[str, ...]


@attrs.frozen(kw_only=True)
class StoredEntry:
    """One memory entry: what it wrote, where plans have put it, and the event it came with.

    `mark` says what the last plan thought of it, `superseded` or `quarantined` say; `successor` names the entry that
    stands in its place, against it, or below it.
    """

    conversation: str
    entry: str
    cell: str
    value: Value
    event: str
    tier: str
    mark: str | None
    successor: str | None


def facts(programs: Sequence[Program], operations: Sequence[Event]) -> list[Fact]:
    """What is in force after some programs, by cell; `operations` are the events of their instructions in order.

    The cells of turns are left out: a turn is a conversation's own, and nothing of it is meant to last.
    """
    joined = Joined(programs)
    state = joined.run()
    found = (_fact(joined, state, cell, operations) for cell in state.cells() if cell.scope.kind != PASSING)
    return sorted(found, key=lambda fact: fact.cell)


def _fact(joined: Joined, state: Counted, cell: Cell, operations: Sequence[Event]) -> Fact:
    entries = state.held(cell)
    source = operations[entries[-1].instruction]
    assert source.step is not None
    return Fact(
        cell=cell,
        value=fold(joined.program, entries),
        version=state.versions[cell],
        step=source.step,
        time=source.time,
        conversation=source.conversation,
        event=source.id,
        entries=tuple(entry.id for entry in entries),
    )


def stored_entries(program: Program, operations: Sequence[Event], shelves: Shelves) -> Iterator[StoredEntry]:
    """The entries of a conversation in order of creation."""
    for entry in program.entries:
        shelf = shelves[entry.id]
        yield StoredEntry(
            conversation=program.name,
            entry=entry.id,
            cell=str(entry.cell),
            value=entry.value,
            event=operations[entry.instruction].id,
            tier=shelf.tier,
            mark=shelf.mark,
            successor=shelf.successor,
        )


def connected(start: Iterable[str], scopes: Mapping[str, Iterable[str]]) -> set[str]:
    """The conversations that share a scope with some, directly or through others, and these themselves."""
    sharing: dict[str, list[str]] = {}
    for name, named in scopes.items():
        for scope in named:
            sharing.setdefault(scope, []).append(name)
    found = set(start)
    work = list(found)
    while work:
        for scope in scopes.get(work.pop(), ()):
            fresh = [name for name in sharing.pop(scope, ()) if name not in found]
            found.update(fresh)
            work += fresh
    return found
