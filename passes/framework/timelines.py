"""What holds of each key along the segments of a program: the live intervals of facts.

A fact that a segment does not change passes through it, so only changes are kept, key by key. What holds at a place is
the change next to it on the side from which facts come.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Hashable, Iterator, Mapping
from typing import Generic, NamedTuple, TypeVar

K = TypeVar("K", bound=Hashable)
F = TypeVar("F")


class _Line(NamedTuple, Generic[F]):
    """The changes of one key: the segments that change it, in order, and what each leaves."""

    segments: list[int]
    values: list[F]


class Timelines(Generic[K, F]):
    """The changes of every key, by segment; `boundary` is what holds where facts begin to flow.

    A segment's change is what holds behind it: for facts that flow `forward` after it, else before it.
    """

    def __init__(self, boundary: Mapping[K, F], *, forward: bool) -> None:
        self.boundary = boundary
        self._forward = forward
        self._lines: dict[K, _Line[F]] = {}
        self._keys: list[tuple[K, ...]] = []  # of each segment: what it changed

    def __len__(self) -> int:
        """How many segments were put in."""
        return len(self._keys)

    def put(self, changes: Mapping[K, F]) -> None:
        """The changes of the next segment."""
        segment = len(self._keys)
        self._keys.append(tuple(changes))
        lines = self._lines
        for key, value in changes.items():
            if key in lines:
                segments, values = lines[key]
                segments.append(segment)
                values.append(value)
            else:
                lines[key] = _Line([segment], [value])

    def cut(self, first: int) -> None:
        """Forget the segments from one on."""
        while len(self._keys) > first:
            for key in self._keys.pop():
                line = self._lines[key]
                line.segments.pop()
                line.values.pop()
                if not line.segments:
                    del self._lines[key]

    def turn(self) -> None:
        """Number the segments from the other end; they were put in from the last to the first."""
        last = len(self._keys) - 1
        self._keys.reverse()
        for key, (segments, values) in self._lines.items():
            self._lines[key] = _Line([last - segment for segment in reversed(segments)], values[::-1])

    def value(self, key: K, segment: int, default: F) -> F:
        """What holds of a key where facts come into a segment."""
        line = self._lines.get(key)
        if line is None:
            return self.boundary.get(key, default)
        segments, values = line
        place = bisect_left(segments, segment) - 1 if self._forward else bisect_right(segments, segment)
        return values[place] if 0 <= place < len(values) else self.boundary.get(key, default)

    def keys_of(self, segment: int) -> tuple[K, ...]:
        """The keys that a segment changes."""
        return self._keys[segment]

    def is_wall(self, segment: int) -> bool:
        """Never: what is left behind a segment is told key by key."""
        return False

    def at(self, segment: int) -> View[K, F]:
        """What holds where facts come into a segment, for a state to lie over."""
        return View(self, segment)

    def __iter__(self) -> Iterator[K]:
        """The keys that were changed anywhere, and those of the boundary."""
        yield from self._lines
        yield from (key for key in self.boundary if key not in self._lines)

    def changes(self, segment: int) -> dict[K, F]:
        """What one segment changes."""
        beyond = segment + 1 if self._forward else segment - 1
        return {key: self.value(key, beyond, self._lines[key].values[0]) for key in self._keys[segment]}


class View(Generic[K, F]):
    """What holds at one place of timelines, looked up key by key."""

    __slots__ = ("_segment", "_timelines")

    def __init__(self, timelines: Timelines[K, F], segment: int) -> None:
        self._timelines = timelines
        self._segment = segment

    def get(self, key: K, default: F) -> F:
        """The value of a key."""
        return self._timelines.value(key, self._segment, default)

    def items(self) -> Iterator[tuple[K, F]]:
        """All keys that hold a value of their own there, with it."""
        nothing = object()
        for key in self._timelines:
            found = self._timelines.value(key, self._segment, nothing)  # type: ignore[arg-type]
            if found is not nothing:
                yield key, found
