"""The report as JSON, `statemem.report/1`: the typed records it is made of, and their JSON Schema.

Fields are only ever added within one version. Values are masked unless the report shows them.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, Literal

import attrs
import msgspec

from statemem.actions import Action, Basis, Kind
from statemem.ir.diagnostics import Problem
from statemem.masking import mask_text
from statemem.passes import Ending, Standing, Word

from .model import Findings

#: The kinds of finding beside stale uses and conflicts, in the order in which they are told.
OTHERS = (Kind.FLAG_REPEAT, Kind.QUARANTINE, Kind.REVALIDATE, Kind.CONFIRM, Kind.ASK)

SCHEMA: Literal["statemem.report/1"] = "statemem.report/1"


@attrs.frozen
class CarriedRecord:
    """Token-steps carried, and those of them before a last use."""

    token_steps: int
    before_last_use: int


@attrs.frozen
class EntryRecord:
    """One memory entry. `ended_by` is the id of its successor, or null where none took its place."""

    id: str
    cell: str
    value: Any
    word: str
    created: int
    last_used: int | None
    tokens: int
    observed: bool
    ended_at: int | None
    ended_by: str | None
    event: str | None


@attrs.frozen
class ActionRecord:
    """One action of the plan. `entry` is null where it is about a cell, a task or an effect."""

    kind: str
    code: str
    entry: str | None
    cell: str
    other: str | None
    task: str | None
    step: int
    basis: Basis
    reason: str
    unless: str
    candidates: list[str]
    proof: list[str]


@attrs.frozen
class ProblemRecord:
    """One warning about the input."""

    code: str
    severity: str
    message: str
    where: str


@attrs.frozen
class ReportRecord:
    """The report on one conversation.

    `counts` has every word of standing and every kind of finding; `hidden` are the findings that are not told.
    """

    schema: Literal["statemem.report/1"]
    conversation: str
    horizon: str
    now: int
    blocks: int
    tool_results: int
    tokens: int
    counts: dict[str, int]
    hidden: int
    carried: CarriedRecord
    entries: list[EntryRecord]
    actions: list[ActionRecord]
    problems: list[ProblemRecord]


def to_dict(report: Findings) -> dict[str, Any]:
    """The report as JSON types."""
    return attrs.asdict(to_record(report))


def json_schema() -> dict[str, Any]:
    """The JSON Schema of a report."""
    return msgspec.json.schema(ReportRecord)


def to_record(report: Findings) -> ReportRecord:
    """The report as typed records."""
    return ReportRecord(
        schema=SCHEMA,
        conversation=report.masker.text(report.name),
        horizon=report.end,
        now=report.now,
        blocks=len(report.blocks),
        tool_results=report.tool_results,
        tokens=report.tokens_of(report.entries),
        counts=counts(report),
        hidden=report.hidden,
        carried=CarriedRecord(report.carried.token_steps, report.carried.before_last_use),
        entries=[_entry(report, standing) for standing in report.entries],
        actions=[_action(report, action) for action in report.actions],
        problems=[_problem(problem) for problem in report.problems],
    )


def counts(report: Findings) -> dict[str, int]:
    """How many stale uses, open conflicts, other findings by kind, and entries of each word."""
    kinds = Counter(action.kind for action in report.actions)
    others = {kind.value.lower().removeprefix("flag"): kinds[kind] for kind in OTHERS}
    words = {word.value: len(report.of(word)) for word in Word}
    return {"stale_use": len(report.stale_uses), "conflict": len(report.conflicts), **others, **words}


def _entry(report: Findings, standing: Standing) -> EntryRecord:
    entry = standing.entry
    ended_at, ended_by = _end(report, standing.ending)
    return EntryRecord(
        id=report.masker.text(entry.id),
        cell=report.masker.text(str(standing.cell)),
        value=report.masker.value(standing.cell, _plain(entry.value)),
        word=standing.word.value,
        created=standing.created,
        last_used=standing.last_used,
        tokens=report.tokens_of([standing]),
        observed=standing.observed,
        ended_at=ended_at,
        ended_by=ended_by,
        event=_masked(report, report.program.instructions[entry.instruction].origin.event),
    )


def _masked(report: Findings, text: str | None) -> str | None:
    return None if text is None else report.masker.text(text)


def _end(report: Findings, ending: Ending | None) -> tuple[int | None, str | None]:
    if ending is None:
        return None, None
    step = report.program.step_of(report.program.block_of(ending.by.instruction))
    successor = report.program.entry_of(ending.by)
    return step, report.masker.text(successor.id) if successor else None


def _action(report: Findings, action: Action) -> ActionRecord:
    return ActionRecord(
        kind=action.kind.value,
        code=action.code,
        entry=_masked(report, action.entry),
        cell=report.masker.text(str(action.cell)),
        other=_masked(report, action.other),
        task=_masked(report, action.task),
        step=action.step,
        basis=action.basis,
        reason=action.reason,
        unless=action.unless,
        candidates=list(action.candidates),
        proof=list(action.proof),
    )


def _problem(problem: Problem) -> ProblemRecord:
    return ProblemRecord(problem.code, problem.severity, mask_text(problem.message), str(problem.location))


def _plain(value: Any) -> Any:
    from statemem.ir import UNKNOWN

    return None if value is UNKNOWN else value
