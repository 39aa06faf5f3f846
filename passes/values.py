"""`values`: what each cell may hold, value by value."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

from statemem.ir import Add, Append, Cell, Definition, Instruction, Mode, Program
from statemem.ir.entries import never_assigned
from statemem.ir.meaning.force import is_held
from statemem.ir.meaning.resolve import PlaceWrite
from statemem.ir.origin import NOWHERE, Origin
from statemem.ir.values import Value, dumps

from .framework import ANYTHING, Analysis, At, BoundedSet, MapOf, register


class Source(NamedTuple):
    """A definition in force, with its value as JSON; a tombstone has none. `extends` says that it adds to others."""

    definition: Definition
    text: str = ""
    extends: bool = False


#: What is in force at a cell along some paths, all of it together.
Way = frozenset[Source]
Ways = frozenset[Way]


def _never(cell: Cell) -> Ways:
    return frozenset([frozenset([Source(never_assigned(cell))])])


@register
class Values(Analysis):
    """The values that may be in force at each cell: one is definite, several are candidates.

    Constants and copies of them along every path, as far as there are not too many: sets of constants in place of the
    single one of constant propagation (Kildall, "A unified approach to global program optimization", 1973). A value is
    a base and what was appended or added to it. What was outranked when it came is not among them; of several sources
    of a value the strongest stands for it. More than `most` ways to come to a value are anything.
    """

    most: int = 8
    facts = MapOf(BoundedSet[Way](), _never)

    def __attrs_post_init__(self) -> None:
        if self.most < 1:
            raise ValueError(f"most must be at least 1, not {self.most}")

    def boundary(self, program: Program) -> dict[Cell, Ways]:
        """Nothing was ever assigned."""
        return {}

    def transfer(self, instruction: Instruction, state: Any, at: At) -> None:
        """Every write, way by way, as `ir.state` executes it."""
        assert at.number is not None
        writes = at.accesses.writes(at.number)
        held = _held(state, at) if any(write.mode is Mode.FILL for write in writes) else False
        for write in writes:
            if write.mode is not Mode.FILL:
                self._perform(write, state, at)
            elif not held:
                self._fill(write, held, state, at)

    def _fill(self, write: PlaceWrite, held: bool | None, state: Any, at: At) -> None:
        """What is surely empty is filled; what may be empty is so on the ways on which it is."""
        assert at.number is not None
        replacing, ways = write._replace(mode=Mode.REPLACE), state[write.place]
        if held is False:
            self._perform(replacing, state, at)
        elif ways is not ANYTHING and all(read.place == write.place for read in at.accesses.reads(at.number)):
            kept = [way for way in ways if not all(one.definition.is_tombstone for one in way)]
            empty = [way for way in ways if any(one.definition.is_tombstone for one in way)]
            filled = [_after(way, replacing, at) for way in empty]
            self._put(write, [*kept, *filled], state)
        else:
            self._perform(replacing._replace(definite=False), state, at)

    def _perform(self, write: PlaceWrite, state: Any, at: At) -> None:
        ways = state[write.place]
        settles = write.mode is Mode.END or (write.mode is not Mode.EXTEND and at.accesses.is_unranked())
        if ways is ANYTHING and not settles:
            return
        known = _never(write.place) if ways is ANYTHING else ways
        self._put(write, [_after(way, write, at) for way in known], state)

    def _put(self, write: PlaceWrite, ways: Iterable[Way], state: Any) -> None:
        before = state[write.place]
        found = frozenset(ways)
        if not write.definite:
            found = found if before is ANYTHING else before | found
        is_bounded = (write.definite or before is not ANYTHING) and len(found) <= self.most
        state[write.place] = found if is_bounded else ANYTHING

    def on_join(self, before: Any, arms: Sequence[Any], at: At) -> Any:
        """What each arm made holds beside what every arm left, in all the ways in which the arms may have gone."""
        known = [before, *arms]
        if any(one is ANYTHING for one in known) or math.prod(map(len, known)) > self.most**3:
            return ANYTHING
        found = frozenset(_joined(way, went) for way in before for went in product(*arms))
        return found if len(found) <= self.most else ANYTHING

    def show(self, fact: Any) -> list[str]:
        """`a = "red" | "blue"`, `notes = "first" + "second"`; cells that surely hold nothing are left out."""
        told = {cell: " | ".join(_texts(ways, self.most)) for cell, ways in (fact or {}).items()}
        return sorted(f"{cell} = {text}" for cell, text in told.items() if text != _NOTHING)


_NOTHING = "nothing"


def candidates(fact: Mapping[Cell, Any], cell: Cell) -> list[tuple[Definition, ...]] | None:
    """What a cell may hold, given what the pass found at a point: each candidate a base and what was added to it.

    An empty candidate says that it may hold nothing. None where it may be anything.
    """
    ways = fact.get(cell, _never(cell))
    if ways is ANYTHING:
        return None
    return [tuple(one.definition for one in reading) for way in _in_order(ways) for reading in _readings(way)]


def _held(state: Any, at: At) -> bool | None:
    """Whether something is in force where an instruction fills: surely, surely not, or perhaps."""
    assert at.number is not None
    reads = at.accesses.reads(at.number)
    unsure = [read for read in reads if state[read.place] is ANYTHING]
    known = (
        (read.definite, [one.definition for way in state[read.place] for one in way])
        for read in reads
        if read not in unsure
    )
    found = is_held(known)
    return None if unsure and not found else found


def _after(way: Way, write: PlaceWrite, at: At) -> Way:
    """A way after a write that happens: what it does not restate or cannot outrank goes."""
    known, made = {one.definition: one for one in way}, write.made
    after = frozenset(one for one in at.judge.after(frozenset(known), write) if not one.yields)
    if made in after and not made.is_tombstone:
        after -= {one for one in after if one != made and at.judge.equal(one, made) and _is_weaker(one, made, at)}
    elif made in after and not write.by.is_tombstone and _covers(NOWHERE, _origin(made, at)):
        after = after - {made} or after  # under its second name a value is confirmed or added to, not emptied
    return frozenset(known.get(one) or _source(one, at.program) for one in after)


def _is_weaker(one: Definition, other: Definition, at: At) -> bool:
    """Whether `other` yields to nothing to which `one` would not, so that it can stand for both."""
    return _covers(_origin(other, at), _origin(one, at))


def _origin(one: Definition, at: At) -> Origin:
    return at.program.instructions[one.instruction].origin


def _covers(stronger: Origin, weaker: Origin) -> bool:
    versions, dates = (weaker.version, stronger.version), (weaker.observed, stronger.observed)
    version_fits = versions[0] is None or (versions[1] is not None and versions[0] <= versions[1])
    date_fits = dates[0] is None or (dates[1] is not None and dates[0] <= dates[1])
    return version_fits and date_fits


def _source(definition: Definition, program: Program) -> Source:
    entry = program.entry_of(definition)
    if entry is None:
        return Source(definition)
    extends = isinstance(program.instructions[definition.instruction], (Append, Add))
    return Source(definition, dumps(_plain(entry.value)), extends)


def _plain(value: Value) -> Value:
    """The value that stands for all that are equal to it (2-ir, Meaning 4)."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, str):
        return unicodedata.normalize("NFC", value).strip()
    if isinstance(value, dict):
        return {name: _plain(value[name]) for name in sorted(value)}
    return [_plain(item) for item in value] if isinstance(value, list) else value


def _joined(before: Way, arms: Sequence[Way]) -> Way:
    return before.intersection(*arms).union(*(arm - before for arm in arms))


def _in_order(ways: Ways) -> list[Way]:
    return sorted(ways, key=sorted)


def _readings(way: Way) -> list[tuple[Source, ...]]:
    """What one way comes to: a base with what was added behind it, one reading for each value of several bases."""
    there = sorted(one for one in way if not one.definition.is_tombstone)
    last = {one.text: number for number, one in enumerate(there) if not one.extends}
    readings = [(there[base], *(one for one in there[base:] if one.extends)) for base in last.values()]
    if not readings:
        return [tuple(there)]
    return [*readings, ()] if len(there) < len(way) else readings


def _texts(ways: Any, most: int) -> list[str]:
    if ways is ANYTHING or len(ways) > most:
        return ["anything"]
    found = (_text(reading) for way in _in_order(ways) for reading in _readings(way))
    return list(dict.fromkeys(found))


def _text(reading: tuple[Source, ...]) -> str:
    begin = [_NOTHING] if not reading or reading[0].extends else []
    return " + ".join([*begin, *(one.text for one in reading)])
