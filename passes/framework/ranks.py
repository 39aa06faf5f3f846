"""Which writes may be outranked where they stand: by a definition of the place that may have come before."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple, TypeVar

from statemem.ir import Cell
from statemem.ir.origin import Origin

R = TypeVar("R", int, datetime)


class _Strongest(NamedTuple):
    """The highest version and the latest dates among the definitions of a place up to a segment."""

    segment: int
    version: int | None = None
    date: datetime | None = None
    date_without_version: datetime | None = None

    def with_another(self, segment: int, origin: Origin) -> _Strongest:
        without = origin.observed if origin.version is None else None
        return _Strongest(
            segment,
            _greater(self.version, origin.version),
            _greater(self.date, origin.observed),
            _greater(self.date_without_version, without),
        )


class Ranks:
    """The strongest origins at every place, segment by segment.

    All that may come before a write lies in its segment or an earlier one, so later definitions change no answer.
    """

    def __init__(self) -> None:
        self._strongest: dict[Cell, list[_Strongest]] = {}
        self._versions: dict[tuple[Cell, int], list[int]] = {}
        self._places: list[list[tuple[Cell, Origin]]] = []

    def __len__(self) -> int:
        """How many segments were put in."""
        return len(self._places)

    def put(self, written: Iterable[tuple[Cell, Origin]]) -> None:
        """The writes with a version or a date of the next segment."""
        segment = len(self._places)
        self._places.append(list(written))
        for place, origin in self._places[-1]:
            known = self._strongest.setdefault(place, [])
            known.append((known[-1] if known else _Strongest(segment)).with_another(segment, origin))
            if origin.version is not None:
                self._versions.setdefault((place, origin.version), []).append(segment)

    def cut(self, first: int) -> None:
        """Forget the segments from one on."""
        while len(self._places) > first:
            for place, origin in self._places.pop():
                self._strongest[place].pop()
                if origin.version is not None:
                    self._versions[place, origin.version].pop()

    def resist(self, place: Cell, own: Origin, segment: int) -> bool:
        """Whether a definition up to a segment may stay in force against one of this origin.

        Versions decide where both have one, dates where not; of one version neither wins.
        """
        known = self._strongest.get(place, [])
        upto = bisect_right(known, segment, key=lambda one: one.segment)
        if upto == 0:
            return False
        strongest = known[upto - 1]
        if own.version is None:
            return _is_later(strongest.date, own.observed)
        if strongest.version is not None and strongest.version > own.version:
            return True
        same = self._versions.get((place, own.version), [])
        return bisect_right(same, segment) > 1 or _is_later(strongest.date_without_version, own.observed)


def _is_later(date: datetime | None, own: datetime | None) -> bool:
    return own is not None and date is not None and date > own


def _greater(left: R | None, right: R | None) -> R | None:
    if left is None or right is None:
        return right if left is None else left
    return max(left, right)
