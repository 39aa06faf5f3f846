"""Commands over a store: `store apply`, `store state`, `store history`."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, Any

import click
import msgspec

from statemem.analysis import analyze_all
from statemem.ir import Cell, PathError, Program, parse_cell
from statemem.ir.cells import Scope
from statemem.ir.diagnostics import UsageError
from statemem.ir.meaning.resolve import universe
from statemem.ir.values import encoded
from statemem.masking import Masker
from statemem.report import Report
from statemem.report.layout import cut, pad, plural
from statemem.selectors import select

from .options import policy_of, reading, showing
from .shell import BAD_INPUT, say, show, warn, width
from .sources import Sources

if TYPE_CHECKING:
    from statemem.store import Applied, Change, Fact, Store

in_file = click.option("--store", "file", required=True, metavar="FILE", help="The file of the store.")
as_json = click.option("--json", "as_json", is_flag=True, help="A line of JSON each.")
_NOWHERE = Scope("session", "")


@click.group()
def store() -> None:
    """Keep memory in an event-sourced store: apply logs to it, read back what is in force and how it came to be."""


@store.command()
@click.argument("logs", nargs=-1, required=True, metavar="LOG...")
@in_file
@reading
@click.option("--policy", metavar="FILE", help="Thresholds from a TOML file.")
@click.option("--yes", is_flag=True, help="Do not ask.")
def apply(logs: tuple[str, ...], file: str, only: str | None, policy: str | None, yes: bool, **options: Any) -> None:
    """Write what logs say, and the plan made at their end, to a store.

    The same log again adds nothing, a longer one only what is new; one whose earlier part differs is refused at the
    first difference. Each conversation is written as a whole or not at all, after a copy of the store was made.
    """
    from statemem.store import Store

    if not yes and not sys.stdin.isatty():
        raise UsageError("nobody can be asked here; say --yes to write, or run it in a terminal")
    chosen = policy_of(policy)
    reports = Sources(logs, partial(analyze_all, policy=chosen, **options), only)
    opened: Store | None = None
    try:
        for report in reports:
            warn(report.problems)
            opened = opened or Store.open(file, create=True)
            _apply(opened, report, yes)
    finally:
        if opened is not None:
            opened.close()
    sys.exit(BAD_INPUT if reports.failed else 0)


def _apply(opened: Store, report: Report, yes: bool) -> None:
    name = report.masker.text(report.name)
    expected = opened.preview(report.program, report.actions, now=report.now)
    if not expected.changed:
        behind = f", which holds {plural(expected.behind, 'event')} more than this log" if expected.behind else ""
        show(f"{name}: nothing new for the store{behind}")
        return
    show(f"{name}: {_told(expected, report)}")
    if not (yes or click.confirm(f"Write this to {opened.path}?", err=True)):
        show(f"{name}: left as it was")
        return
    applied = opened.apply(report.program, report.actions, now=report.now)
    show(f"{name}: written, {plural(len(applied.events), 'event')}")
    if applied.backup is not None:
        say(f"the store as it was is kept in {applied.backup}")


def _told(applied: Applied, report: Report) -> str:
    kinds = Counter(action.kind.value for action in report.actions)
    plan = ", ".join(f"{kind} {number}" for kind, number in kinds.items())
    new = f"{plural(applied.blocks, 'block')}, {plural(applied.operations, 'operation')}"
    return f"{new} and {plural(applied.actions, 'action')} are new; the plan: {plan or 'nothing'}"


@store.command()
@in_file
@click.option("--at", metavar="STEP", help="As it was: after a step ('5'), an event by number ('#17') or by id.")
@click.option("--scope", metavar="SCOPE", help="Only this scope, such as user:7.")
@as_json
@showing
def state(file: str, at: str | None, scope: str | None, as_json: bool, show_values: bool) -> None:
    """Show what is in force, by cell."""
    from statemem.store import Store

    with Store.open(file) as opened:
        masker = _masker(opened, show_values)
        found = opened.state(at=at, scope=scope)
        marks = opened.doubts(found) if at is None else {}
    if as_json:
        _lines({**_fact_record(fact, masker), "marks": marks.get(fact.cell, [])} for fact in found)
        return
    wide = max((len(masker.text(str(fact.cell))) for fact in found), default=0)
    for fact in found:
        doubts = "".join(f", {mark}" for mark in marks.get(fact.cell, ()))
        told = f"step {fact.step}, {masker.text(fact.conversation)}, version {fact.version}{doubts}"
        cell = pad(masker.text(str(fact.cell)), min(wide, 60))
        show(cut(f"{cell}  {masker.shown(fact.cell, fact.value)}   {told}", max(width(), 80)))
    if not found:
        show("nothing is in force")


@store.command()
@click.argument("cell")
@in_file
@as_json
@showing
def history(cell: str, file: str, as_json: bool, show_values: bool) -> None:
    """Show everything that happened to a cell, oldest first, with what was in force afterwards."""
    from statemem.store import Store

    with Store.open(file) as opened:
        masker = _masker(opened, show_values)
        cells = _cells(opened, cell)
        changes = {one: opened.history(one) for one in cells}
    if not any(changes.values()):
        raise UsageError(f"nothing ever happened to a cell called {cell!r}")
    for one, found in changes.items():
        if as_json:
            _lines(_change_record(one, change, masker) for change in found)
            continue
        show(masker.text(str(one)))
        for change in found:
            show(f"  {_changed(one, change, masker)}")


def _cells(opened: Store, text: str) -> list[Cell]:
    """The cells a text names: in full, or as any unique end of one that some conversation of the store knows."""
    try:
        cell = parse_cell(text, _NOWHERE)
    except PathError:
        cell = None
    if cell is not None and cell.scope != _NOWHERE:
        return [cell]
    programs = [opened.program(name) for name in opened.conversations()]
    places = {place for program in programs for place in universe(program)}
    whole = Program("store", _NOWHERE)
    for program in programs:
        whole.scopes.update(program.scopes)
    return select(whole, places, text)


def _changed(cell: Cell, change: Change, masker: Masker) -> str:
    event = change.event
    held = ", ".join(masker.shown(cell, value) for value in change.held.values()) or "nothing in force"
    who = f"{event.actor}" + (f", event {masker.text(event.event)}" if event.event else "")
    operation = event.record.get("op", event.kind)
    return f"step {event.step}  #{event.sequence}  {operation} by {who}: {held}"


def _masker(opened: Store, show_values: bool) -> Masker:
    """Knows what any conversation of the store declares sensitive."""
    declared = [one for name in opened.conversations() for one in opened.program(name).declarations if one.sensitive]
    return Masker(tuple(declared), show_values)


def _fact_record(fact: Fact, masker: Masker) -> dict[str, Any]:
    return {
        "cell": masker.text(str(fact.cell)),
        "value": masker.value(fact.cell, fact.value),
        "version": fact.version,
        "step": fact.step,
        "time": fact.time,
        "conversation": masker.text(fact.conversation),
        "event": fact.event,
        "entries": [masker.text(entry) for entry in fact.entries],
    }


def _change_record(cell: Cell, change: Change, masker: Masker) -> dict[str, Any]:
    return {
        "cell": masker.text(str(cell)),
        "event": change.event.id,
        "sequence": change.event.sequence,
        "conversation": masker.text(change.event.conversation),
        "step": change.event.step,
        "actor": change.event.actor,
        "operation": change.event.record.get("op"),
        "in_force": [masker.value(cell, value) for value in change.held.values()],
        "entries": [masker.text(entry) for entry in change.entries],
    }


def _lines(records: Iterable[dict[str, Any]]) -> None:
    for record in records:
        show(msgspec.json.encode(record, enc_hook=encoded).decode())
