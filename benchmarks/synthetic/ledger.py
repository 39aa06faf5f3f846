"""The generator's own book-keeping: what is in force, what ended what, what rests on what.

It is kept while stories are told, shares no code with `ir` and `passes`, and knows only what it needs to: cells are
keys, an entry replaces those of its cell unless it states the same or is outranked, and a conclusion is as good as what
it was concluded from.
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

import attrs

from statemem.ir import Cell, Scope

from .dialogue import Entry


@attrs.define
class Conflict:
    """Two entries that contradict each other, which stays so while `open` of them are in force."""

    left: str
    right: str
    open: tuple[str, ...]


@attrs.define
class Ledger:
    """Entries by id, and what is in force at each cell, the oldest first, under the first of its names."""

    entries: dict[str, Entry] = attrs.field(factory=dict)
    _there: dict[Cell, list[Entry]] = attrs.field(factory=dict)
    #: The cells that are kept of each entity, and of each scope.
    _cells: dict[Cell, list[Cell]] = attrs.field(factory=lambda: defaultdict(list))
    _of_scope: dict[Scope, list[Cell]] = attrs.field(factory=lambda: defaultdict(list))
    #: The first name of an entity that has several, by each of the others.
    _names: dict[Cell, Cell] = attrs.field(factory=dict)
    #: By what an entry rested on, the entries of the fact as it was when it was read.
    _sources: dict[tuple[str, str], tuple[str, ...]] = attrs.field(factory=dict)
    #: What was concluded from each entry.
    _above: dict[str, list[str]] = attrs.field(factory=lambda: defaultdict(list))
    _of_cell: dict[Cell, list[str]] = attrs.field(factory=lambda: defaultdict(list))
    conflicts: list[Conflict] = attrs.field(factory=list)

    # what happens

    def write(self, entry: Entry) -> None:
        """An entry is written: it confirms, replaces, contradicts, or is outranked."""
        for one in entry.premises:
            self._sources[entry.id, one] = tuple(other.id for other in self.fact(self.entries[one]))
            self._above[one].append(entry.id)
            self.use(self.entries[one], entry.turn)
        self._keep(entry)
        before = self.there(entry.cell)
        if any(_outranks(old, entry) and not _equal(old.value, entry.value) for old in before):
            entry.outranked = True
            return
        for old in before:
            if _contradicts(old, entry):
                self.conflicts.append(Conflict(old.id, entry.id, (old.id, entry.id)))
            elif not _equal(old.value, entry.value):
                self._end(old, entry.turn, entry.id)
        self._at(self._named(entry.cell)).append(entry)

    def empty(self, cell: Cell, turn: int) -> None:
        """What is in force at a cell is withdrawn."""
        for old in self.there(cell):
            self._end(old, turn, None)

    def end_scope(self, scope: Scope, turn: int) -> list[Entry]:
        """The cells of a scope end with it; what was in force there is returned."""
        ended = [one for cell in self._of_scope[scope] for one in self._there[cell]]
        for one in ended:
            self._end(one, turn, None)
            one.released = True
        return ended

    def use(self, entry: Entry, turn: int) -> None:
        """An entry is used; others that state the same are not."""
        entry.uses.append(turn)

    def part(self, entry: Entry, beside: Iterable[Entry], over: Entry) -> None:
        """An entry of one arm replaces what was before the fork, and contradicts what the other arms wrote.

        Of several that replaced it the last written is named.
        """
        if over.ended is None:
            self._end(over, entry.turn, entry.id)
        over.by = entry.id
        self._keep(entry)
        self._at(self._named(entry.cell)).append(entry)
        self.conflicts += (Conflict(one.id, entry.id, (one.id, entry.id)) for one in beside)

    def may_be(self, entry: Entry, known: Iterable[Entry]) -> None:
        """An entry that may be of any of some cells stands beside what is known there, and contradicts it."""
        self._keep(entry)
        for one in known:
            self._at(self._named(one.cell)).append(entry)
            self.disagree(one, entry, open=(one.id, entry.id))

    def unite(self, left: Cell, right: Cell) -> None:
        """Two names are those of one entity from here on: what is known under both contradicts itself if it differs."""
        for cell in self._cells.pop(right, ()):
            moved = self._there.pop(cell)
            kept = self._at(left.below(cell.path[2:]))
            self.conflicts += (
                Conflict(one.id, two.id, (one.id, two.id))
                for one in kept
                for two in moved
                if not _equal(one.value, two.value)
            )
            kept += moved
        self._names[right] = left

    def disagree(self, left: Entry, right: Entry, *, open: tuple[str, ...]) -> None:
        """Two entries contradict each other for a reason of their own."""
        self.conflicts.append(Conflict(left.id, right.id, open))

    def _at(self, cell: Cell) -> list[Entry]:
        """Where what is in force at a cell is kept."""
        if cell not in self._there:
            self._there[cell] = []
            self._cells[entity_of(cell)].append(cell)
            self._of_scope[cell.scope].append(cell)
        return self._there[cell]

    def _keep(self, entry: Entry) -> None:
        self.entries[entry.id] = entry
        self._of_cell[entry.cell].append(entry.id)

    def _end(self, entry: Entry, turn: int, by: str | None) -> None:
        entry.ended, entry.by = turn, by
        self._there[self._named(entry.cell)].remove(entry)

    # what holds

    def there(self, cell: Cell) -> list[Entry]:
        """The entries in force at a cell, under whatever name of its entity they were written."""
        return list(self._there.get(self._named(cell), ()))

    def _named(self, cell: Cell) -> Cell:
        """A cell under the first name of its entity."""
        entity = entity_of(cell)
        return self._names[entity].below(cell.path[2:]) if entity in self._names else cell

    def in_force(self) -> Iterator[Entry]:
        """All entries in force, cell by cell."""
        return (one for there in self._there.values() for one in there)

    def is_open(self, conflict: Conflict) -> bool:
        """Whether a conflict has not been settled since."""
        return all(self.entries[one].ended is None for one in conflict.open)

    def facts(self) -> Iterator[list[Entry]]:
        """The facts in force: the entries of one cell that state the same."""
        for there in self._there.values():
            told: list[list[Entry]] = []
            for one in there:
                fact = next((each for each in told if _are_same(each[0], one)), None)
                if fact is None:
                    told.append([one])
                else:
                    fact.append(one)
            yield from told

    def of_cell(self, cell: Cell) -> list[Entry]:
        """All entries that a cell ever had, under this name."""
        return [self.entries[one] for one in self._of_cell.get(cell, ())]

    def fact(self, entry: Entry) -> list[Entry]:
        """The entries in force that state what an entry does, at its cell."""
        return [one for one in self.there(entry.cell) if _equal(one.value, entry.value)]

    # what rests on what

    def is_fresh(self, entry: Entry) -> bool:
        """Whether all an entry rests on still holds; what was stated without a reason does by itself."""
        return self._is_fresh(entry, {})

    def _is_fresh(self, entry: Entry, known: dict[str, bool]) -> bool:
        """Looked up from the bottom: a chain of conclusions may be deeper than calls can be nested."""
        work = [entry]
        asked: set[str] = set()
        while work:
            one = work[-1]
            waiting = [each for each in self._support(one) if each.id not in known and each.id not in asked]
            asked.add(one.id)
            if waiting:
                work += waiting
                continue
            work.pop()
            known[one.id] = all(
                not self.entries[premise].is_lost and self._is_supported(one, premise, known)
                for premise in one.premises
            )
        return known[entry.id]

    def _support(self, entry: Entry) -> list[Entry]:
        return [one for premise in entry.premises for one in self._stating(entry, premise)]

    def _stating(self, entry: Entry, premise: str) -> list[Entry]:
        """The entries that state a premise, when it was read and now."""
        then = [self.entries[one] for one in self._sources[entry.id, premise]]
        now = [one for one in self.fact(self.entries[premise]) if one not in then and one.id != entry.id]
        return then + now

    def _is_supported(self, entry: Entry, premise: str, known: dict[str, bool]) -> bool:
        """Whether something that states a premise is fresh; of what is still being asked about, nothing is known."""
        return any(known.get(one.id, False) for one in self._stating(entry, premise))

    def stale(self) -> Iterator[Entry]:
        """The conclusions in force that have lost their ground, one for each fact that no source holds up."""
        known: dict[str, bool] = {}
        for fact in self.facts():
            if any(one.premises for one in fact) and not any(self._is_fresh(one, known) for one in fact):
                yield fact[0]

    def resting_on(self, entry: Entry) -> set[str]:
        """All that rests on an entry, however far above."""
        return _closure(entry.id, lambda one: self._above[one])


def entity_of(cell: Cell) -> Cell:
    """The entity that a cell tells something of: `order["W15"]` of `order["W15"].status`."""
    return Cell(cell.scope, cell.path[:2])


def _closure(start: str, step: Any) -> set[str]:
    found: set[str] = set()
    work = [start]
    while work:
        for one in step(work.pop()):
            if one not in found:
                found.add(one)
                work.append(one)
    return found


def _equal(left: Any, right: Any) -> bool:
    """Whether two values state the same: numbers by value, texts but for how letters are composed and space around."""
    if isinstance(left, str) and isinstance(right, str):
        return unicodedata.normalize("NFC", left).strip() == unicodedata.normalize("NFC", right).strip()
    return bool(left == right) and isinstance(left, bool) == isinstance(right, bool)


def _are_same(left: Entry, right: Entry) -> bool:
    """Whether two entries state the same of one cell by the same name."""
    return left.cell == right.cell and _equal(left.value, right.value)


def _outranks(old: Entry, new: Entry) -> bool:
    return old.rank is not None and new.rank is not None and old.rank > new.rank


def _contradicts(old: Entry, new: Entry) -> bool:
    """Whether two entries state one version and different content."""
    return old.rank is not None and old.rank == new.rank and not _equal(old.value, new.value)
