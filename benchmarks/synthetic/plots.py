"""Plots of how much each system told of what was to be told, by how hard it is. They need the extra `bench`."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from statemem.ir.diagnostics import UsageError

from .figures import Grid, breakdowns
from .questions import ABOUT_ONE, FINDINGS
from .running import Outcome

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_SCALES = {
    "depth": "how deep a story goes",
    "distance": "turns that a story spans",
    "turns": "turns of the dialogue",
}
_PANELS: Mapping[str, Collection[str]] = {"questions about one cell or entry": ABOUT_ONE, "findings": FINDINGS}
_MARKS = "osD^vP*X"
#: statemem is drawn in full lines of one family of colours, what people have instead in broken ones.
_OWN, _OTHERS = ("#08306b", "#2171b5", "#4da3d8", "#238b45"), ("#e6550d", "#a63603", "#9e0142", "#756bb1", "#636363")
#: Lines that lie upon each other are told apart by being drawn thinner and thinner.
_WIDEST, _THINNER = 5.0, 0.6


def available() -> None:
    """Raises `UsageError` where plots cannot be drawn."""
    try:
        import matplotlib  # noqa: F401  # whether it is there
    except ImportError:
        raise UsageError("plots need matplotlib: pip install 'statemem[bench]'") from None


def draw(outcome: Outcome, folder: Path) -> list[Path]:
    """Draw the plots into a folder, as SVG. Raises `UsageError` where that cannot be done."""
    available()
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is a file; name a folder")
    folder.mkdir(parents=True, exist_ok=True)
    by_kinds = {what: breakdowns(outcome, kinds) for what, kinds in _PANELS.items()}
    return [
        _drawn({what: grids[number] for what, grids in by_kinds.items()}, outcome, folder / f"by_{grid.by}.svg")
        for number, grid in enumerate(breakdowns(outcome))
        if grid.by in _SCALES
    ]


def _drawn(panels: Mapping[str, Grid], outcome: Outcome, path: Path) -> Path:
    from matplotlib import rc_context
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    figure = figure_of(panels, outcome)
    FigureCanvasSVG(figure)
    with rc_context({"svg.hashsalt": "statemem"}):  # so that the same figures make the same file
        figure.savefig(path, metadata={"Date": None})
    return path


def figure_of(panels: Mapping[str, Grid], outcome: Outcome) -> Figure:
    """One grid a panel, side by side, with one legend."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(12, 4.8), layout="constrained")
    for (what, grid), axes in zip(panels.items(), figure.subplots(1, len(panels), sharey=True), strict=True):
        axes.set_title(what)
        _lines(axes, grid, outcome)
    handles, labels = figure.axes[0].get_legend_handles_labels()
    figure.supylabel("told of what was to be told, %")
    figure.legend(handles, labels, loc="outside right center", frameon=False)
    return figure


def _lines(axes: Axes, grid: Grid, outcome: Outcome) -> None:
    present = [one for one in outcome.systems if one not in outcome.absent]
    for number, system in enumerate(present):
        _line(axes, grid, system, number, [one for one in present if _is_own(one) == _is_own(system)].index(system))
    axes.set_xticks(range(len(grid.columns)), grid.columns)
    axes.set_ylim(-3, 103)
    axes.set_xlabel(_SCALES[grid.by])
    axes.grid(axis="y", color="#dddddd")
    axes.spines[["top", "right"]].set_visible(False)


def _line(axes: Axes, grid: Grid, system: str, number: int, of_its_kind: int) -> None:
    shares = [(at, grid.of(system, column).recall) for at, column in enumerate(grid.columns)]
    points = [(at, share * 100) for at, share in shares if share is not None]
    colours = _OWN if _is_own(system) else _OTHERS
    axes.plot(
        [at for at, _ in points],
        [share for _, share in points],
        label=system,
        color=colours[of_its_kind % len(colours)],
        linestyle="-" if _is_own(system) else "--",
        linewidth=max(1.0, _WIDEST - _THINNER * number),
        marker=_MARKS[number % len(_MARKS)],
    )


def _is_own(system: str) -> bool:
    return system.startswith("statemem/")
