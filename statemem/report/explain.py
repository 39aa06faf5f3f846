"""Explaining a cell: what it held and holds, who made and used each entry, what the plan does with it, and why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from statemem.actions import Action
from statemem.ir import Cell
from statemem.ir.diagnostics import UsageError
from statemem.ir.instructions import Derive, How
from statemem.ir.origin import Origin
from statemem.passes import Aliases, Standing, Word
from statemem.passes.endings import How as EndedBy
from statemem.planning import purpose_of
from statemem.selectors import select

from .layout import plural
from .model import Findings

_MOST_CELLS = 12


def explain(report: Findings, cell: str | Cell) -> str:
    """The explanation of a cell, or of each cell below an entity, at the report's point."""
    told = (cell for action in report.actions if action.entry is None for cell in (action.cell, *action.others))
    about = [cell for cell in told if cell.path]
    places = dict.fromkeys([*report.manager.accesses.places, *about])
    cells = [cell] if isinstance(cell, Cell) else _named(report, places, cell)
    explainer = _Explainer(report, set(cells))
    blocks = ["\n".join(explainer.cell(one)) for one in cells[:_MOST_CELLS]]
    if len(cells) > _MOST_CELLS:
        blocks.append(f"… and {len(cells) - _MOST_CELLS} more cells below it; name one of them")
    return "\n\n".join(blocks)


def _named(report: Findings, places: Iterable[Cell], text: str) -> list[Cell]:
    """The places that a text names; what is said of others where it names none is masked too."""
    try:
        return select(report.program, places, text)
    except UsageError as error:
        raise UsageError(report.masker.text(str(error))) from None


class _Explainer:
    def __init__(self, report: Findings, cells: set[Cell]) -> None:
        self._report = report
        self._program = report.program
        self._standings: dict[Cell, list[Standing]] = {}
        for standing in report.entries:
            if standing.cell in cells:
                self._standings.setdefault(standing.cell, []).append(standing)
        self._reads = self._collect_reads(cells)
        self._actions: dict[str, list[Action]] = {}
        self._of_cells: dict[Cell, list[Action]] = {}
        for action in report.actions:
            if action.entry is None:
                for about in (action.cell, *action.others):
                    self._of_cells.setdefault(about, []).append(action)
            else:
                self._actions.setdefault(action.entry, []).append(action)

    def _collect_reads(self, cells: set[Cell]) -> dict[Cell, list[str]]:
        found: dict[Cell, list[str]] = {}
        for number in range(len(self._program.instructions)):
            step = self._program.step_of(self._program.block_of(number))
            for read in self._report.manager.accesses.reads(number):
                if read.place in cells and read.how is How.USED:
                    found.setdefault(read.place, []).append(f"step {step}: {self._use(number, read.was)}")
        return found

    def _use(self, number: int, was: str | None) -> str:
        """How an instruction used what it read."""
        instruction = self._program.instructions[number]
        named = f" as {self._text(was)}" if was else ""
        purpose = purpose_of(self._program, number)
        what = f" for {self._text(purpose)}" if purpose else ""
        return f"used{named}{what}{_rule(instruction.origin)}"

    def cell(self, cell: Cell) -> Iterator[str]:
        """Everything about one cell."""
        yield self._text(str(cell))
        standings = self._standings.get(cell, [])
        current = [one for one in standings if one.in_force]
        yield f"  now, step {self._report.now}: {self._current(cell, current)}"
        for standing in standings:
            yield from self._entry(standing)
        for action in self._about(cell):
            yield from (f"  {line}" for line in _told(action))
        reads = self._reads.get(cell, [])
        yield f"  {plural(len(reads), 'use')} in the log" + (":" if reads else "")
        yield from (f"    {read}" for read in reads)

    def _current(self, cell: Cell, current: list[Standing]) -> str:
        if not current:
            return self._elsewhere(cell) or "nothing is in force"
        return ", ".join(dict.fromkeys(self._report.masker.shown(cell, one.entry.value) for one in current))

    def _elsewhere(self, cell: Cell) -> str:
        """What is in force under another name of the entity."""
        point = self._report.point
        names = None if point is None else self._report.manager.solve(Aliases).fact(point)
        others = {target.cell for target in names.denoted(cell)} - {cell} if names is not None else set()
        found = [one for one in self._report.entries if one.cell in others and one.in_force]
        shown = self._report.masker.shown
        return ", ".join(f"{shown(one.cell, one.entry.value)} under {self._text(str(one.cell))}" for one in found)

    def _entry(self, standing: Standing) -> Iterator[str]:
        entry = standing.entry
        block = self._program.blocks[entry.block]
        origin = self._program.instructions[entry.instruction].origin
        shown = self._report.masker.shown(standing.cell, entry.value)
        yield f"  {self._text(entry.id)} = {shown}: {standing.word.value}{self._because(standing)}"
        event = f", event {self._text(origin.event)}" if origin.event else ""
        by = f"{self._text(str(block.actor))}{event}{self._text(_rule(origin))}"
        yield f"    made at step {standing.created} by {by}{_place(origin)}"
        yield from self._premises(standing)
        for action in self._actions.get(entry.id, ()):
            yield from (f"    {line}" for line in _told(action))

    def _premises(self, standing: Standing) -> Iterator[str]:
        instruction = self._program.instructions[standing.entry.instruction]
        if isinstance(instruction, Derive):
            named = (f"{place}{f' ({was})' if was else ''}" for place, was in instruction.premises)
            yield f"    derived from {self._text(', '.join(named))}"

    def _because(self, standing: Standing) -> str:
        if standing.ending is not None:
            step = self._program.step_of(self._program.block_of(standing.ending.by.instruction))
            successor = self._program.entry_of(standing.ending.by)
            by = f" by {self._text(successor.id)}" if successor is not None else ""
            how = {EndedBy.LACKING: "gone with the whole object set"}.get(
                standing.ending.how, standing.ending.how.value
            )
            return f", {how} at step {step}{by}"
        if standing.word is Word.LIVE:
            return ", by observation: the log uses it later" if standing.observed else ", by expectation of the horizon"
        if standing.word is Word.UNKNOWN:
            return ", for the horizon does not speak of its cell"
        return ""

    def _about(self, cell: Cell) -> Iterator[Action]:
        """The actions about a cell, or what it belongs to, and not about an entry."""
        for about, actions in self._of_cells.items():
            if about.path and (about.covers(cell) or cell.covers(about)):
                yield from actions

    def _text(self, text: str) -> str:
        return self._report.masker.text(text)


def _told(action: Action) -> Iterator[str]:
    """An action with its proof, what may answer it, and what would change it."""
    yield f"{action.kind.value} ({action.code}): {action.reason}"
    yield from (f"  {line}" for line in action.proof)
    yield from (f"  may be: {candidate}" for candidate in action.candidates)
    yield f"  rests on {action.basis}; would change if {action.unless}"


def _rule(origin: Origin) -> str:
    if origin.rule is None:
        return ""
    sure = "" if origin.confidence is None else f", confidence {origin.confidence:g}"
    return f" (linked by rule {origin.rule}{sure})"


def _place(origin: Origin) -> str:
    parts = [Path(origin.file).name] if origin.file else []
    parts += [f"line {origin.line}"] if origin.line else []
    parts += [f"record {origin.record}"] if origin.record and not origin.line else []
    parts += [origin.pointer.removesuffix("#")] if origin.pointer else []
    return f", from {' '.join(parts)}" if parts else ""
