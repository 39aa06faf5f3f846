"""What the counts come to: grids of a row a system, by suite, by kind of question, and by how hard it is."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Collection
from typing import Any

import attrs

from .levels import LEVELS
from .questions import ABOUT_ONE, FINDINGS
from .running import Outcome
from .tallies import NO_STORY, Place, Tally, summed

#: The upper ends of the bins in which depths, and distances and lengths in turns, are counted.
DEPTHS = (1, 2, 4)
DISTANCES = (3, 15, 60, 250, 1_000)
LENGTHS = (100, 250, 1_000, 10_000)


@attrs.frozen
class Grid:
    """Tallies by system and column. A column that nothing was counted in is left out."""

    title: str
    by: str
    columns: tuple[str, ...]
    cells: dict[tuple[str, str], Tally]

    def of(self, system: str, column: str) -> Tally:
        """What a system made of a column."""
        return self.cells.get((system, column), Tally())

    def record(self, systems: tuple[str, ...]) -> dict[str, Any]:
        """It as JSON types."""
        rows = {
            one: {column: _record(self.of(one, column)) for column in self.columns if (one, column) in self.cells}
            for one in systems
        }
        return {"title": self.title, "by": self.by, "rows": rows}


def _record(tally: Tally) -> dict[str, Any]:
    return attrs.asdict(tally) | {"precision": _rounded(tally.precision), "recall": _rounded(tally.recall)}


def _rounded(share: float | None) -> float | None:
    return None if share is None else round(share, 4)


def overview(outcome: Outcome) -> Grid:
    """All kinds of questions together, by suite."""
    return _grid(outcome, "all questions, by suite", "suite", lambda place: place.suite, outcome.suites)


def kinds(outcome: Outcome, suite: str | None = None) -> list[Grid]:
    """What is asked of one cell or entry, and what is found, each by kind; of one suite or of all."""
    name = suite or "all suites"
    return [
        _grid(
            outcome,
            f"{name}: {what}",
            "kind",
            lambda place: place.kind,
            tuple(columns),
            lambda place: suite in (None, place.suite),
        )
        for what, columns in (("questions", ABOUT_ONE), ("findings", FINDINGS))
    ]


def breakdowns(outcome: Outcome, kinds: Collection[str] | None = None) -> list[Grid]:
    """All kinds of questions together, or some of them, by how hard they are; what is of no story has no depth."""
    scales: tuple[tuple[str, str, Callable[[Place], str], tuple[str, ...]], ...] = (
        ("level", "by level", lambda place: place.level, tuple(LEVELS)),
        ("depth", "by depth of the story", lambda place: bin_of(place.depth, DEPTHS), bins(DEPTHS)),
        ("distance", "by turns a story spans", lambda place: bin_of(place.distance, DISTANCES), bins(DISTANCES)),
        ("turns", "by turns of the dialogue", lambda place: bin_of(place.turns, LENGTHS), bins(LENGTHS)),
    )
    return [
        _grid(
            outcome,
            title,
            by,
            column,
            columns,
            lambda one: one.story != NO_STORY and (kinds is None or one.kind in kinds),
        )
        for by, title, column, columns in scales
    ]


def stories(outcome: Outcome) -> Grid:
    """All kinds of questions together, by kind of story."""
    known = tuple(dict.fromkeys(place.story for one in outcome.readings for place in one.counts))
    return _grid(outcome, "by story", "story", lambda place: place.story, known)


def bins(ends: tuple[int, ...]) -> tuple[str, ...]:
    """What bins are called by their ends: `1`, `2`, `3-4`, `>4`."""
    starts = (0, *(end + 1 for end in ends[:-1]))
    return (*(_named(*each) for each in zip(starts, ends, strict=True)), f">{ends[-1]}")


def _named(start: int, end: int) -> str:
    return str(end) if (start in (0, end) and end <= 1) or start == end else f"{start}-{end}"


def bin_of(number: int, ends: tuple[int, ...]) -> str:
    """The bin of a number."""
    return bins(ends)[bisect_left(ends, number)]


def _grid(
    outcome: Outcome,
    title: str,
    by: str,
    column: Callable[[Place], str],
    columns: tuple[str, ...],
    counts: Callable[[Place], bool] = lambda _: True,
) -> Grid:
    readings = (one.counts for one in outcome.readings)
    cells = summed(readings, lambda place: (place.system, column(place)) if counts(place) else None)
    there = {name for _, name in cells}
    return Grid(title, by, tuple(one for one in columns if one in there), cells)


def why_missed(outcome: Outcome) -> dict[str, dict[str, int]]:
    """By system that reads chats, how often each cause let an answer be missed, the most frequent first."""
    found: dict[str, Counter[str]] = {}
    for reading in outcome.readings:
        for wrong in reading.wrongs:
            if wrong.causes:
                found.setdefault(reading.system, Counter()).update(wrong.causes.values())
    return {system: dict(sorted(causes.items(), key=lambda one: (-one[1], one[0]))) for system, causes in found.items()}
