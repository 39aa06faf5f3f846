"""Timelines of the members of packed sets: for each the segments that put it in or take it out, as numbers.

As `timelines`, but of truth values alone: one number says the segment and, in its last bit, whether the member is in
behind it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from .numbering import Numbering


class Lines:
    """The changes of every member, by segment; `begin` are the members that are in where facts begin to flow."""

    def __init__(self, begin: Iterable[int], numbering: Numbering, *, forward: bool) -> None:
        self.numbering = numbering
        self.begin = frozenset(begin)
        self._forward = forward
        self._lines: dict[int, list[int]] = {}
        self._touched: list[tuple[int, ...]] = []  # of each segment: the members it changes

    def __len__(self) -> int:
        """How many segments were put in."""
        return len(self._touched)

    def put(self, changes: Mapping[int, bool]) -> None:
        """The changes of the next segment."""
        segment = len(self._touched) << 1
        self._touched.append(tuple(changes))
        lines = self._lines
        for number, holds in changes.items():
            line = lines.get(number)
            if line is None:
                lines[number] = [segment | holds]
            else:
                line.append(segment | holds)

    def cut(self, first: int) -> None:
        """Forget the segments from one on."""
        while len(self._touched) > first:
            for number in self._touched.pop():
                self._lines[number].pop()
                if not self._lines[number]:
                    del self._lines[number]

    def holds(self, number: int, segment: int) -> bool | None:
        """Whether a member is in where facts come into a segment; None where nothing was ever said of it."""
        line = self._lines.get(number, ())
        place = bisect_left(line, segment << 1) - 1 if self._forward else bisect_left(line, segment + 1 << 1)
        if 0 <= place < len(line):
            return bool(line[place] & 1)
        return True if number in self.begin else None

    def __iter__(self) -> Iterator[int]:
        """The members of which something is said."""
        yield from self._lines
        yield from (number for number in self.begin if number not in self._lines)

    def of(self, segment: int) -> dict[int, bool]:
        """What a segment changes, by number."""
        beyond = segment + 1 if self._forward else segment - 1
        return {number: self.holds(number, beyond) is True for number in self._touched[segment]}

    def changes(self, segment: int) -> dict[Any, bool]:
        """What a segment changes."""
        return self.numbering.named(self.of(segment))

    @property
    def boundary(self) -> dict[Any, bool]:
        """What holds where facts begin to flow."""
        return self.numbering.named(dict.fromkeys(self.begin, True))

    def at(self, segment: int) -> LinesView:
        """What holds where facts come into a segment, for a state to lie over."""
        return LinesView(self, segment)


class LinesView:
    """What holds at one place, looked up member by member."""

    __slots__ = ("_lines", "_segment")

    def __init__(self, lines: Lines, segment: int) -> None:
        self._lines = lines
        self._segment = segment

    def get(self, member: Any, default: Any) -> Any:
        """Whether a member is in."""
        number = self._lines.numbering.known(member)
        found = None if number is None else self._lines.holds(number, self._segment)
        return default if found is None else found

    def items(self) -> Iterator[tuple[Any, bool]]:
        """All members of which something is known there, with whether they are in."""
        for number in self._lines:
            found = self._lines.holds(number, self._segment)
            if found is not None:
                yield self._lines.numbering.member(number), found
