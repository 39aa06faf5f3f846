"""Applying a log and the plan made at its end: the events they add."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import attrs
from sqlalchemy import Connection

from statemem.actions import Action
from statemem.actions import Kind as ActionKind
from statemem.ir import Program
from statemem.ir.diagnostics import UsageError
from statemem.ir.terminators import OF_WORKFLOWS

from . import log
from .events import Draft, Event, Kind, Record, canonical, event_id
from .growth import Growth
from .problems import refusal
from .tiers import MARKING, Shelf, Shelves, action_record


@attrs.frozen(kw_only=True)
class Applied:
    """What an apply added: new blocks and operations of the log, actions, and statements that stand beside the log.

    `events` are all of them in order. `behind` counts the blocks and operations the store holds beyond the log given:
    such a log adds nothing, its plan neither. `backup` is the copy made of the store before it changed.
    """

    conversation: str
    blocks: int = 0
    operations: int = 0
    actions: int = 0
    statements: int = 0
    behind: int = 0
    events: tuple[Event, ...] = ()
    backup: Path | None = None

    @property
    def changed(self) -> bool:
        """Whether anything was new."""
        return self.blocks + self.operations + self.actions + self.statements > 0


def new_drafts(
    connection: Connection, program: Program, actions: Sequence[Action], now: int
) -> tuple[list[Draft], int]:
    """The events a log and a plan add to the store, and by how many positions the store is ahead of the log."""
    if not program.is_trace:
        raise UsageError(f"{program.name!r} is a workflow: a store keeps logs, what happened and not what may happen")
    lost = next((block for block in program.blocks if isinstance(block.terminator, OF_WORKFLOWS)), None)
    if lost is not None:
        word = type(lost.terminator).__name__.lower()
        raise refusal("ST016", f"block {lost.name!r} ends with `{word}`, which no log has", hint="verify the program")
    held = log.stored(connection, program.name)
    growth = Growth(program, held)
    growth.check(connection)
    if growth.behind:
        return [], growth.behind
    return [*growth.drafts(), *_plan(program, actions, now, growth.length, held)], 0


def _plan(program: Program, actions: Sequence[Action], now: int, position: int, held: log.Stored) -> list[Draft]:
    """The actions of a plan made at the end of the log, but for what the plan before said of an entry already."""
    shelves = Shelves(event.record for event in held.plans)
    known = {event.id for event in held.plans}
    drafts: list[Draft] = []
    said = _verdicts((event.position, event.record) for event in held.plans)
    ordered = sorted(actions, key=lambda one: one.kind in MARKING)  # what moves an entry would take its mark off
    new = [_action(program, action, now, position) for action in ordered]
    verdicts = _verdicts((draft.position, draft.record) for draft in new)
    for draft in new:
        subject, entry = _subject(draft.record), draft.record["entry"]
        if draft.id in known or said.get(subject) == verdicts[subject]:
            continue
        known.add(draft.id)
        before = shelves[entry]
        shelves.put(draft.record)
        drafts.append(attrs.evolve(draft, before=_told(before), after=_told(shelves[entry])))
    return drafts


def _subject(record: Record) -> str:
    """What an action is about: its entry; else the cell, task or effect that it asks about, or tells of."""
    if record["entry"] is not None:
        return str(record["entry"])
    return canonical([record["code"], record["cell"], record.get("task"), record["instruction"]])


Verdict = tuple[str, str, str | None]


def _verdicts(records: Iterable[tuple[int, Record]]) -> dict[str, list[Verdict]]:
    """What the latest plan said of each subject: kinds, codes and the entries pointed to, whatever its words were."""
    latest: dict[str, tuple[int, list[Verdict]]] = {}
    for position, record in records:
        for subject, other in _sides(record):
            at, verdicts = latest.get(subject, (position, []))
            verdict = (record["kind"], record["code"], other)
            latest[subject] = (position, [*verdicts, verdict] if at == position else [verdict])
    return {subject: verdicts for subject, (_, verdicts) in latest.items()}


def _sides(record: Record) -> Iterator[tuple[str, str | None]]:
    """What an action speaks of, each with the entry that it points to: a conflict speaks of both sides."""
    entry, other = record["entry"], record["other"]
    yield _subject(record), other
    if record["kind"] == ActionKind.FLAG_CONFLICT.value and entry is not None and other is not None:
        yield other, entry


def _action(program: Program, action: Action, now: int, position: int) -> Draft:
    if action.entry is not None and program.entry_named(action.entry) is None:
        raise UsageError(
            f"the plan speaks of entry {action.entry!r}, which conversation {program.name!r} does not have"
        )
    record = action_record(action, now)
    return Draft(
        id=event_id(program.name, position, Kind.PLAN, record),
        position=position,
        kind=Kind.PLAN,
        record=record,
        actor="planner",
        step=now,
        cell=str(action.cell),
        reason=action.reason,
    )


def _told(shelf: Shelf) -> str:
    return canonical({name: value for name, value in attrs.asdict(shelf).items() if value is not None})
