"""What happens at every place, segment by segment, whatever analysis asks: made once, and grown with the program."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from itertools import chain as joined
from typing import Any, Final

from statemem.ir import ControlFlow
from statemem.ir.flow.segments import Segments

from .accesses import Accesses
from .stretches import Stretches
from .words import EMPTY, Kind, Words

#: Stands for the word of a place in a segment of several blocks, which has one for each stretch of it.
SEVERAL: Final = -1


class Line:
    """What happens to one place: the segments that speak of it, in order, and its word in each."""

    __slots__ = ("segments", "words")

    def __init__(self) -> None:
        self.segments = array("l")
        self.words = array("l")


class Summary:
    """The words of all places, by segment and by place. Places are numbers, in the order they are met."""

    def __init__(self, flow: ControlFlow, segments: Segments, accesses: Accesses) -> None:
        self._flow = flow
        self._segments = segments
        self._accesses = accesses
        self.words = Words()
        self.cells: list[Any] = []
        self.lines: list[Line] = []
        #: Of each segment of several blocks its stretches.
        self.regions: dict[int, Stretches] = {}
        #: The places that the last growth changed something at.
        self.touched: set[int] = set()
        self._number: dict[Any, int] = {}
        self._spoken: list[array[int]] = []  # of each segment: the places it speaks of, each followed by its word
        self._extend()

    def __len__(self) -> int:
        """How many segments are summed up."""
        return len(self._spoken)

    def known(self, member: Any) -> int | None:
        """The number of a place, if it has one."""
        return self._number.get(member)

    def number(self, member: Any) -> int:
        """The number of a place; one at which nothing happens is given one too."""
        number = self._number.get(member)
        if number is None:
            number = self._number[member] = len(self.cells)
            self.cells.append(member)
            self.lines.append(Line())
        return number

    def spoken(self, segment: int) -> Iterator[tuple[int, int]]:
        """The places that a segment speaks of, each with its word."""
        flat = iter(self._spoken[segment])
        return zip(flat, flat, strict=True)

    def grow(self, first: int) -> None:
        """Take in that a program has grown and is as it was before a segment."""
        self.touched = set()
        while len(self._spoken) > first:
            self.regions.pop(len(self._spoken) - 1, None)
            gone = self._spoken.pop()[::2]
            self.touched.update(gone)
            for place in gone:
                self.lines[place].segments.pop()
                self.lines[place].words.pop()
        known = len(self._spoken)
        self._extend()
        self.touched.update(place for spoken in self._spoken[known:] for place in spoken[::2])

    def _extend(self) -> None:
        for segment in range(len(self._spoken), len(self._segments)):
            nodes = self._segments.nodes(segment)
            if self._segments.is_straight(segment):
                spoken = self.spell(nodes)
            else:
                beyond = self._segments.first(segment + 1)
                region = self.regions[segment] = Stretches(self._flow, nodes, beyond, self.spell)
                spoken = dict.fromkeys(region.places, SEVERAL)
            self._spoken.append(array("l", joined.from_iterable(spoken.items())))
            for place, word in spoken.items():
                self.lines[place].segments.append(segment)
                self.lines[place].words.append(word)

    def spell(self, nodes: list[int]) -> dict[int, int]:
        """The word of each place along nodes that follow one another."""
        found: dict[int, int] = {}
        words = self.words
        for node in nodes:
            for number in self._flow.executed(node):
                for place, kind in self._events(number):
                    found[place] = words.longer(found.get(place, EMPTY), kind)
        return found

    def _events(self, number: int) -> list[tuple[int, int]]:
        """The events of an instruction in order: the number of the place, and that of the kind."""
        accesses, kind, place = self._accesses, self.words.kind, self.number
        actor = accesses.actor(number)
        found = [
            (place(read.place), kind(Kind(read.how, read.definite, actor, False), read.place))
            for read in accesses.reads(number)
        ]
        for write in accesses.writes(number):
            outrankable = not accesses.is_unranked() and accesses.may_be_outranked(write)
            found.append((place(write.place), kind(Kind(write.mode, write.definite, actor, outrankable), write.place)))
        return found
