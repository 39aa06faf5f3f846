"""What holds of each place along the segments of a program, for one packed analysis; drawn when it is asked for."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from typing import Any, Final

from .bits import Bits
from .deltas import Root
from .meanings import Meanings
from .summary import SEVERAL, Summary

#: Behind every segment.
_NEVER: Final = 1 << 62


class Lines:
    """The segments that put a place in or take it out, place by place.

    A line is drawn from the words of the place when it is first asked for, and carried on when the program grows. Each
    of its numbers says a segment and, in its last bit, whether the place is in behind it.
    """

    def __init__(self, summary: Summary, meanings: Meanings, blocks: Mapping[int, Bits], *, forward: bool) -> None:
        self.summary = summary
        #: The members that are in where facts begin to flow, and those that the last end expects.
        self.begin: frozenset[int] = frozenset()
        self.expected: frozenset[int] = frozenset()
        #: What holds of a place of which nothing is said: True behind a segment without end where everything is true.
        self.unknown: bool | None = None
        self._meanings = meanings
        self._blocks = blocks
        self._forward = forward
        self._drawn: dict[int, tuple[list[int], int]] = {}  # of each place: its line, and how many words are in it
        #: What ends within regions say of places that these do not speak of, and the regions behind which nothing else
        #: of what comes is left, each in the order of the segments.
        self._told: dict[int, list[int]] = {}
        self._walls: list[int] = []

    def __len__(self) -> int:
        """How many segments there are."""
        return len(self.summary)

    def effect(self, place: int, word: int, segment: int) -> bool | None:
        """Whether a place is in behind a segment that speaks of it; None where it is as before."""
        return self._blocks[segment].passing(place) if word == SEVERAL else self._meanings.of(word)

    def take(self, segment: int, block: Bits) -> None:
        """Take in a region that was solved, the next one in order."""
        for place in block.told_by_ends:
            holds = block.passing(place)
            if holds is not None:
                self._told.setdefault(place, []).append(segment << 1 | holds)
        if block.root is not Root.BASE:
            self._walls.append(segment)

    def is_wall(self, segment: int) -> bool:
        """Whether of what comes into a segment nothing is left behind it that it does not speak of."""
        block = self._blocks.get(segment)
        return block is not None and block.root is Root.BOUNDARY

    def passed_by(self, segment: int) -> list[int]:
        """The places of which what comes into a wall is left behind it."""
        block = self._blocks[segment]
        return [place for place in block.places if block.passing(place) is None]

    def holds(self, place: int, segment: int) -> bool | None:
        """Whether a place is in where facts come into a segment; None where nothing was ever said of it."""
        line = self._line(place)
        if self._forward:
            at = bisect_left(line, segment << 1) - 1
            return bool(line[at] & 1) if at >= 0 else self._begins(place, segment)
        found = min(_behind(line, segment), _behind(self._told.get(place, []), segment))
        for wall in self._walls[bisect_left(self._walls, segment + 1) :]:
            if wall < found >> 1 and self._blocks[wall].stops(place):
                return self.unknown if self._blocks[wall].root is Root.LEAST else place in self.begin
        return bool(found & 1) if found != _NEVER else self._begins(place, segment)

    def _begins(self, place: int, segment: int) -> bool | None:
        is_expected = place in self.expected and segment < len(self) - 1
        return True if is_expected or place in self.begin else self.unknown

    def _line(self, place: int) -> list[int]:
        words = self.summary.lines[place]
        line, known = self._drawn.get(place, ([], 0))
        if known < len(words.segments):
            for segment, word in zip(words.segments[known:], words.words[known:], strict=True):
                holds = self.effect(place, word, segment)
                if holds is not None:
                    line.append(segment << 1 | holds)
            self._drawn[place] = line, len(words.segments)
        return line

    def grow(self, first: int) -> None:
        """Forget what was drawn of the segments from one on."""
        for place in self.summary.touched:
            if place in self._drawn:
                line, known = self._drawn[place]
                del line[bisect_left(line, first << 1) :]
                self._drawn[place] = line, min(known, bisect_left(self.summary.lines[place].segments, first))
        for told in self._told.values():
            del told[bisect_left(told, first << 1) :]
        del self._walls[bisect_left(self._walls, first) :]

    def of(self, segment: int) -> Iterator[tuple[int, bool]]:
        """What a segment changes."""
        for place, word in self.summary.spoken(segment):
            holds = self.effect(place, word, segment)
            if holds is not None:
                yield place, holds
        block = self._blocks.get(segment)
        for place in block.told_by_ends if block is not None else ():
            holds = block.passing(place) if block is not None else None
            if holds is not None:
                yield place, holds

    def changes(self, segment: int) -> dict[Any, bool]:
        """What a segment changes, by member; the last one with what its end expects."""
        cells = self.summary.cells
        found = dict.fromkeys((cells[place] for place in self.expected), True) if segment == len(self) - 1 else {}
        return found | {cells[place]: holds for place, holds in self.of(segment)}

    @property
    def boundary(self) -> dict[Any, bool]:
        """What holds where facts begin to flow; behind a segment without end that may be everything there is."""
        members = range(len(self.summary.cells)) if self.unknown else self.begin
        return dict.fromkeys((self.summary.cells[place] for place in members), True)

    def at(self, segment: int) -> LinesView:
        """What holds where facts come into a segment, for a state to lie over."""
        return LinesView(self, segment)


def _behind(told: list[int], segment: int) -> int:
    """The first of a line's numbers that lies behind a segment."""
    at = bisect_left(told, segment + 1 << 1)
    return told[at] if at < len(told) else _NEVER


class LinesView:
    """What holds at one place of a program, looked up member by member."""

    __slots__ = ("_lines", "_segment")

    def __init__(self, lines: Lines, segment: int) -> None:
        self._lines = lines
        self._segment = segment

    def get(self, member: Any, default: Any) -> Any:
        """Whether a member is in."""
        place = self._lines.summary.known(member)
        found = None if place is None else self._lines.holds(place, self._segment)
        return default if found is None else found

    def items(self) -> Iterator[tuple[Any, bool]]:
        """All members of which something is known there, with whether they are in."""
        for place, cell in enumerate(self._lines.summary.cells):
            found = self._lines.holds(place, self._segment)
            if found is not None:
                yield cell, found
