"""The places of a program, kept up with it as it grows, and which instructions spoke of what."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from statemem.ir import Cell, Program, Scope
from statemem.ir.instructions import Bind, Same
from statemem.ir.meaning.places import Places
from statemem.ir.meaning.resolve import Denoted, all_names, ended_scope, named_only, universe, written


class Universe:
    """Every place that a program names; a place is a leaf, and what it is depends on what else is named.

    A leaf that is named later belongs to what earlier instructions spoke of: to a whole object it lies in, say. Those
    are found by `grow`, which gives up where places would have to go.
    """

    def __init__(self, program: Program) -> None:
        self._program = program
        self._seen = len(program.instructions)
        self._spoken: _Spoken | None = None
        self._names = set(self._names_given(range(self._seen)))
        self.places: Places = universe(program)

    def prepare(self) -> None:
        """Take down what instructions spoke of, which a first growth would else do."""
        self._spoken = self._spoken or _Spoken(self._program, self._seen, self.places)

    def grow(self) -> set[int] | None:
        """Take in new instructions; the earlier ones that now speak of more places, None where that is not enough."""
        numbers = range(self._seen, len(self._program.instructions))
        if not self._names.issuperset(self._names_given(numbers)):
            return None
        self.prepare()
        spoken = self._spoken
        assert spoken is not None
        found = [place for place in written(self._program, numbers, spoken.denoted) if place not in spoken.written]
        if any(spoken.displaces(place) for place in found):
            return None
        spoken.written.update(found)
        added = [place for place in found if self.places.add(place)]
        for cell in named_only(self._program, numbers, spoken.denoted, self.places):
            self.places.add(cell)
            spoken.named.add(cell)
            added.append(cell)
        affected = {number for place in added for number in spoken.of(place)}
        affected.update(number for one in numbers for number in spoken.naming(one))
        spoken.take_down(numbers)
        self._seen = numbers.stop
        return affected

    def _names_given(self, numbers: range) -> Iterator[tuple[object, Cell]]:
        """What may be named by what: bindings and unions."""
        for number in numbers:
            instruction = self._program.instructions[number]
            if isinstance(instruction, Bind):
                yield instruction.reference, instruction.target
            elif isinstance(instruction, Same):
                yield instruction.left, instruction.right


class _Spoken:
    """Which instructions speak of a place: what they read and write, and what ends with them."""

    def __init__(self, program: Program, count: int, places: Places) -> None:
        self._program = program
        self.denoted: Denoted = cache(all_names(program).denoted)
        self._cells = Places()
        self._numbers: dict[Cell, list[int]] = {}
        self._ended: dict[Scope, list[int]] = {}
        self._seen: dict[str, list[int]] = {}
        self.written = set(written(program, range(count), self.denoted))
        #: The places that are named without being written, or were so before.
        self.named = _without(places, self.written)
        self.take_down(range(count))

    def take_down(self, numbers: range) -> None:
        """What some instructions speak of."""
        for number in numbers:
            instruction = self._program.instructions[number]
            named = [read.place for read in instruction.reads()] + [write.place for write in instruction.writes()]
            for target in (target for place in named for target in self.denoted(place)):
                self._cells.add(target.cell)
                self._numbers.setdefault(target.cell, []).append(number)
            for read in instruction.reads():
                if read.was is not None:
                    self._seen.setdefault(read.was, []).append(number)
            for scope in self._ends(number):
                self._ended.setdefault(scope, []).append(number)

    def _ends(self, number: int) -> Iterator[Scope]:
        block = self._program.block_of(number)
        ended = ended_scope(self._program.instructions[number])
        if ended is not None:
            yield ended
        if number == self._program.executed(block).stop - 1:
            yield self._program.blocks[block].turn

    def of(self, place: Cell) -> Iterator[int]:
        """The instructions that speak of a place."""
        for cell in self._cells.overlapping(place):
            yield from self._numbers[cell]
        yield from self._ended.get(place.scope, ())

    def naming(self, number: int) -> Iterator[int]:
        """The instructions that named an entry of an instruction as seen, before there was one of that name."""
        for entry in self._program.entries_of(number):
            for name in self._program.names_of(number, entry.leaf):
                yield from self._seen.get(name, ())

    def displaces(self, place: Cell) -> bool:
        """Whether a place that was only read or deleted is none any more, now that one above or below it is written."""
        return any(other != place and other not in self.written for other in self.named.overlapping(place))


def _without(places: Places, taken: set[Cell]) -> Places:
    """The places that are not among those taken."""
    found = Places()
    for place in places:
        if place not in taken:
            found.add(place)
    return found
