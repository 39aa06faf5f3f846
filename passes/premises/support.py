"""Which conclusions are supported, given what they rest on: the least set, in which none supports itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any

from .facts import Born, Broken, Clause, Fact, Kept, Key, Link, Made, Sources, Told

#: What would have to be as if it had not been, so that a conclusion is fresh: instructions, each the own one of some
#: conclusion above; None where nothing helps.
Needed = frozenset[int] | None
FRESH: frozenset[int] = frozenset()


class Support:
    """Support of all conclusions that were made, from what `freshness` found at a point.

    `withdrawn` are entries that are taken not to be there. A conclusion is fresh where nothing it read was broken, and
    every fact it read has a fresh source. One that the fact had when it was read came before and cannot rest on the
    conclusion, but in a loop on what this was the time before. One that came later might: it counts only once it is
    known to be fresh without. So the first are taken to be fresh until shown otherwise, the second the other way round,
    and both again until nothing changes.

    What a conclusion's own write has ended is no change for it, however far below that lies. So of a conclusion that
    something later ended a premise of it is told which: it is fresh for the one that this was the own write of.
    """

    def __init__(self, told: Mapping[Any, Told], *, withdrawn: Iterable[Key] = ()) -> None:
        self.made: dict[int, tuple[str, ...]] = {}
        self.clauses: dict[int, list[Clause]] = {}
        self._told = told
        self._withdrawn = frozenset(withdrawn)
        self._read()
        self._order = sorted(self.clauses)
        self._first_user = self._first_users()
        self._needed: dict[int, Needed] = {}
        self._before: dict[int, Needed] = dict.fromkeys(self.clauses)
        self._settle()

    @property
    def fresh(self) -> frozenset[int]:
        """The instructions that made fresh conclusions."""
        return frozenset(number for number in self.clauses if self._needed[number] == FRESH)

    # what is known

    def _read(self) -> None:
        for key, value in self._told.items():
            if isinstance(key, int) and not isinstance(value, Sources) and value:
                ids = {one for made in value if isinstance(made, Made) for one in made.ids}
                self.made[key] = tuple(sorted(ids))
                self.clauses.setdefault(key, [])
            elif isinstance(key, Link) and not isinstance(value, Sources):
                self.clauses.setdefault(key.reader, []).extend(value)

    def _first_users(self) -> dict[int, int]:
        """Of each conclusion the first in the program that had it as a source when it was drawn."""
        found: dict[int, int] = {}
        seen: set[Sources] = set()
        for number in self._order:
            for one in (one for clause in self.clauses[number] for one in clause if not isinstance(one, Broken)):
                sources = self._born(number, one)
                for source, _ in () if sources in seen else sources.some:
                    found.setdefault(source, number)
                seen.add(sources)
        return found

    def sources(self, one: Fact | Kept) -> Sources:
        """The sources of a fact now, or those it had when it ended."""
        return self._sources(one)

    def _born(self, number: int, one: Fact | Kept) -> Sources:
        return self._sources(Born(number, one if isinstance(one, Fact) else one.fact))

    def _sources(self, key: Any) -> Sources:
        found = self._told.get(key)
        return found if isinstance(found, Sources) else Sources()

    # what follows

    def _settle(self) -> None:
        while True:
            self._needed = dict.fromkeys(self.clauses, FRESH)
            while self._sweep():
                pass
            if self._needed == self._before or None not in self._needed.values():
                return
            self._before = self._needed

    def _sweep(self) -> bool:
        """Look at every conclusion once; whether one that was looked at before may now need more."""
        again = False
        for number in self._order:
            known, found = self._needed[number], self._needs(number)
            if known is not None and (found is None or not found <= known):
                self._needed[number] = None if found is None else known | found
                again = again or self._first_user.get(number, number + 1) <= number
        return again

    def _needs(self, number: int) -> Needed:
        """All that its clauses need, but for what it ended itself; what came before it is past help."""
        found: set[int] = set()
        for clause in self.clauses[number]:
            needed = self._of_clause(number, clause)
            if needed is None or any(one < number for one in needed):
                return None
            found |= needed
        return frozenset(found)

    def _of_clause(self, number: int, clause: Clause) -> Needed:
        """What the alternative needs that needs least."""
        found = (self._of(number, one) for one in clause)
        known = [one - {number} for one in found if one is not None]
        return min(known, key=_size, default=None)

    def _of(self, number: int, one: Fact | Kept | Broken) -> Needed:
        if isinstance(one, Broken):
            return frozenset([one.by]) if one.by in self.clauses else None
        born = self._born(number, one)
        found = _least(self._of_key(key, self._needed) for key in born.sure)
        if found != FRESH and born.some != born.sure:
            found = _least([found, _all(self._of_key(key, self._needed) for key in born.some)])
        if found == FRESH:
            return found
        later = (key for key in self._sources(one).sure if key not in born.some)
        return _least([found, *(self._of_key(key, self._before) for key in later)])

    def _of_key(self, key: Key, known: Mapping[int, Needed]) -> Needed:
        return None if key in self._withdrawn else known.get(key[0], FRESH)

    # why not

    def lacking(self, number: int) -> Iterator[Clause]:
        """What a stale conclusion needs and has not."""
        for clause in self.clauses[number]:
            if self._of_clause(number, clause) != FRESH:
                yield clause

    def below(self, clause: Clause) -> Iterator[Broken | Key]:
        """Why a clause is not met: what broke it, or the sources that are not fresh, in order."""
        for one in clause:
            if isinstance(one, Broken):
                yield one
            else:
                yield from sorted(key for key in self.sources(one).some if self._of_key(key, self._needed) != FRESH)

    def roots(self, number: int) -> set[Broken]:
        """All that ended a premise of a stale conclusion, however far below."""
        return {way[-1] for way in self.ways(number) if isinstance(way[-1], Broken)}

    def way(self, number: int) -> list[Broken | Key]:
        """A shortest way from a stale conclusion down to what ended a premise."""
        way: list[Broken | Key] = []
        at: int | None = number
        while at is not None and at in self._downward:
            way.append(self._downward[at])
            at = None if isinstance(way[-1], Broken) else way[-1][0]
        passed = {number, *(one[0] for one in way)}
        is_own = isinstance(way[-1], Broken) and way[-1].by in passed
        return next(self.ways(number)) if is_own else way

    @cached_property
    def _downward(self) -> dict[int, Broken | Key]:
        """Of each stale conclusion the next step down, those that were broken or lost a root first."""
        found: dict[int, Broken | Key] = {}
        above: dict[int, list[tuple[int, Key]]] = {}
        work: list[int] = []
        for number in self._order:
            below = sorted((one for clause in self.lacking(number) for one in self.below(clause)), key=_order)
            ends = [one for one in below if self._is_end(one) and not (isinstance(one, Broken) and one.by == number)]
            if ends:
                found[number] = ends[0]
                work.append(number)
            for one in below:
                if not isinstance(one, Broken):
                    above.setdefault(one[0], []).append((number, one))
        for number in work:
            for reader, key in above.get(number, ()):
                if reader not in found:
                    found[reader] = key
                    work.append(reader)
        return found

    def _is_end(self, one: Broken | Key) -> bool:
        return isinstance(one, Broken) or one in self._withdrawn or one[0] not in self.clauses

    def ways(self, number: int) -> Iterator[list[Broken | Key]]:
        """The ways from a stale conclusion down to what ended a premise, the shortest first, to each place one."""
        steps: list[tuple[int, int | None, Key | None]] = [(number, None, None)]
        seen = {number}
        for place, (at, _, _) in enumerate(steps):
            for one in sorted((one for clause in self.lacking(at) for one in self.below(clause)), key=_order):
                if self._is_end(one):
                    way = [*_back(steps, place), one]
                    if not (isinstance(one, Broken) and one.by in {number, *(step[0] for step in way)}):
                        yield way
                elif not isinstance(one, Broken) and one[0] not in seen:
                    seen.add(one[0])
                    steps.append((one[0], place, one))


def _back(steps: list[tuple[int, int | None, Key | None]], place: int | None) -> list[Broken | Key]:
    """The way that led to a step."""
    way: list[Broken | Key] = []
    while place is not None:
        _, before, key = steps[place]
        way += [] if key is None else [key]
        place = before
    return way[::-1]


def _order(one: Broken | Key) -> tuple[int, int, int]:
    return (one.by, *one.premise) if isinstance(one, Broken) else (one[0], one[1], -1)


def _least(ways: Iterable[Needed]) -> Needed:
    """The way that needs least."""
    known = []
    for one in ways:
        if one == FRESH:
            return FRESH
        known += [] if one is None else [one]
    return min(known, key=_size, default=None)


def _all(ways: Iterable[Needed]) -> Needed:
    """What all of them need; None where there are none."""
    known = list(ways)
    return None if None in known or not known else FRESH.union(*(one for one in known if one is not None))


def _size(needed: frozenset[int]) -> tuple[int, list[int]]:
    return len(needed), sorted(needed)
