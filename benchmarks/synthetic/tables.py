"""Grids as text, a row a system, no wider than a screen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import floor

from rich.cells import cell_len

from statemem.report.layout import pad, plural, wrapped

from . import argued
from .figures import Grid, breakdowns, kinds, overview, stories, why_missed
from .running import Outcome
from .tallies import Tally
from .wrongs import Wrong

WIDTH = 120
_GAP = "  "
_MOST_WRONGS = 5
LEGEND = (
    "recall/precision in %, rounded down, and !n for n answers that are wrong;",
    "— cannot be asked of the system (counts as missed), · nothing was to be told",
)


def report(outcome: Outcome, *, brief: bool) -> list[str]:
    """All that is printed of a run; a brief one has no table a suite and no breakdowns."""
    grids = [overview(outcome), *kinds(outcome)]
    if not brief:
        grids += (grid for suite in outcome.suites for grid in kinds(outcome, suite))
        grids += breakdowns(outcome)
    lines = [*LEGEND]
    for grid in grids:
        lines += _spaced(table(grid, outcome))
    lines += _spaced([] if brief else _by_story(outcome))
    for more in (_argued(outcome), _causes(outcome), _wrongs(outcome)):
        lines += _spaced(more)
    return lines


def _spaced(lines: Sequence[str]) -> list[str]:
    return ["", *lines] if lines else []


# grids


def table(grid: Grid, outcome: Outcome) -> list[str]:
    """A grid, in as many parts as its columns need; nothing if it has none."""
    lines: list[str] = []
    for part in _parts(grid, outcome):
        lines += _table(grid.title if not lines else "", part, grid, outcome)
    return lines


def _parts(grid: Grid, outcome: Outcome) -> Iterator[list[str]]:
    """The columns of a grid in parts that fit."""
    part: list[str] = []
    left = WIDTH - _first(outcome)
    for column in grid.columns:
        width = _width(column, grid, outcome) + len(_GAP)
        if part and width > left:
            yield part
            part, left = [], WIDTH - _first(outcome)
        part.append(column)
        left -= width
    if part:
        yield part


def _table(title: str, columns: Sequence[str], grid: Grid, outcome: Outcome) -> Iterator[str]:
    widths = {one: _width(one, grid, outcome) for one in columns}
    if title:
        yield title
    yield (pad("system", _first(outcome)) + "".join(_GAP + pad(one, widths[one]) for one in columns)).rstrip()
    for system in outcome.systems:
        if system in outcome.absent:
            yield pad(system, _first(outcome)) + _GAP + outcome.absent[system]
            continue
        cells = (_GAP + pad(cell(grid.of(system, one)), widths[one]) for one in columns)
        yield (pad(system, _first(outcome)) + "".join(cells)).rstrip()


def _first(outcome: Outcome) -> int:
    return max(map(cell_len, ("system", *outcome.systems)))


def _width(column: str, grid: Grid, outcome: Outcome) -> int:
    return max(cell_len(one) for one in (column, *(cell(grid.of(system, column)) for system in outcome.systems)))


def cell(tally: Tally) -> str:
    """A tally in a few signs.

    >>> cell(Tally(right=9, missed=1, wrong=3)), cell(Tally(missed=2, unanswered=2)), cell(Tally())
    ('90/75 !3', '—', '·')
    """
    if tally.is_beyond:
        return "—"
    if not tally.right + tally.missed + tally.wrong:
        return "·"
    wrong = f" !{tally.wrong}" if tally.wrong else ""
    return f"{_percent(tally.recall)}/{_percent(tally.precision)}{wrong}"


def _percent(share: float | None) -> str:
    return "·" if share is None else str(floor(share * 100))


# what else is to be said


def _by_story(outcome: Outcome) -> list[str]:
    """A row a story, for there are many, and a column a system of those that are statemem."""
    grid = stories(outcome)
    systems = [one for one in outcome.systems if one.startswith("statemem/")]
    if not systems:
        return []
    first = max(map(cell_len, ("by story", *grid.columns)))
    lines = [pad("by story", first) + "".join(_GAP + pad(one, 16) for one in systems)]
    for story in grid.columns:
        cells = "".join(_GAP + pad(cell(grid.of(one, story)), 16) for one in systems)
        lines.append((pad(story, first) + cells).rstrip())
    return lines


def _argued(outcome: Outcome) -> list[str]:
    """What the structured forms miss for a reason that is known; it is counted above."""
    found = argued.short(outcome, argued=True)
    lines = [
        line
        for story, why in argued.ARGUED.items()
        for line in wrapped(f"argued, counted above: {story}: {why}", WIDTH)
    ]
    for (story, system, kind), tally in found.items():
        lines.append(f"  {story}, {system}, {kind}: {tally.missed} missed, {tally.wrong} wrong")
    return lines if found else []


def _causes(outcome: Outcome) -> list[str]:
    lines: list[str] = []
    for system, found in why_missed(outcome).items():
        lines.append(f"{system} missed, by cause:")
        lines += (f"{count:6}  {cause}" for cause, count in found.items())
    return lines


def _wrongs(outcome: Outcome) -> list[str]:
    """The first of what statemem did not answer as it had to, by system, those that tell what is not so first."""
    lines: list[str] = []
    for system in outcome.systems:
        own = [one for one in _unargued(outcome, system) if system.startswith("statemem/")]
        if own:
            lines.append(
                f"{system}: {plural(len(own), 'question')} with something missed or wrong; have one explained by"
            )
        lines += (f"  {_brief(one)}" for one in sorted(own, key=lambda one: not one.wrong)[:_MOST_WRONGS])
    return lines


def _unargued(outcome: Outcome, system: str) -> Iterator[Wrong]:
    wrongs = (wrong for one in outcome.readings if one.system == system for wrong in one.wrongs)
    return (one for one in wrongs if not argued.is_argued(one))


def _brief(wrong: Wrong) -> str:
    return f"{wrong.command}  # {wrong.kind}: {len(wrong.missed)} missed, {len(wrong.wrong)} wrong"
