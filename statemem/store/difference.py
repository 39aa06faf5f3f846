"""Where a log departs from what the store holds of it, told so that one can find the place; values are masked."""

from __future__ import annotations

from typing import Any

from statemem.ir import PathError, Program, Scope, parse_cell
from statemem.ir.diagnostics import InputError, Location
from statemem.ir.values import Value, dumps
from statemem.masking import Masker

from .events import Draft, Event, Kind, Record
from .preamble import Item
from .problems import refusal

_ANY = Scope("session", "")
_MISSING = object()
_HINT = "nothing was written; apply the log it continues, give the conversation another name, or use another store"


def log_differs(program: Program, event: Event, draft: Draft) -> InputError:
    """The refusal of a log whose event at some position is not the one stored."""
    masker = Masker.of(program)
    step = draft.step if draft.step == event.step else f"{draft.step} (the store has step {event.step} there)"
    told = _told(event.record, draft.record, masker)
    where = f", {masker.text(draft.cell)}" if draft.cell else ""
    message = f"conversation {program.name!r} differs from the store at step {step}{where}: {told}"
    return refusal("ST020", message, location=_location(program, draft), hint=_HINT)


def statement_differs(program: Program, item: Item, held: Any) -> InputError:
    """The refusal of a log that states something else of a scope, body, cell or entry than the store holds."""
    masker = Masker.of(program)
    told = f"the store has {masker.text(dumps(held))}, the log says {masker.text(dumps(item.content))}"
    message = (
        f"conversation {program.name!r} differs from the store in what it states of {item.kind} {item.subject}: {told}"
    )
    return refusal("ST020", message, hint=_HINT)


def statement_missing(program: Program, item: Item) -> InputError:
    """The refusal of a log that no longer states what the store holds."""
    told = f"the store has {Masker.of(program).text(dumps(item.content))}, the log says nothing"
    message = (
        f"conversation {program.name!r} differs from the store in what it states of {item.kind} {item.subject}: {told}"
    )
    return refusal("ST020", message, hint=_HINT)


def end_differs(program: Program, number: int, held: Record, said: Record) -> InputError:
    """The refusal of a log in which control goes another way after an earlier block."""
    step = program.step_of(number)
    told = f"after block {program.blocks[number].name} the store has {dumps(held)}, the log says {dumps(said)}"
    return refusal("ST020", f"conversation {program.name!r} differs from the store at step {step}: {told}", hint=_HINT)


def _location(program: Program, draft: Draft) -> Location:
    if draft.instruction is None:
        return Location()
    origin = program.instructions[draft.instruction].origin
    return Location(file=origin.file, line=origin.line, record=origin.record, pointer=origin.pointer)


def _told(held: Record, said: Record, masker: Masker) -> str:
    """The first field that differs, or both as wholes where they are not of one kind or at one cell."""
    for field in ("block", "op", "name"):
        if held.get(field) != said.get(field):
            return f"the store has {_whole(held, masker)}, the log says {_whole(said, masker)}"
    path = _first_difference(held, said)
    return f"the store has {_field(held, path, masker)}, the log says {_field(said, path, masker)}"


def _first_difference(held: Record, said: Record) -> tuple[str, ...]:
    for name in sorted(held.keys() | said.keys(), key=lambda name: (name == "with", name)):
        left, right = held.get(name, _MISSING), said.get(name, _MISSING)
        if name == "with" and isinstance(left, dict) and isinstance(right, dict) and left != right:
            return (name, *_first_difference(left, right))
        if left != right:
            return (name,)
    return ()


def _field(record: Record, path: tuple[str, ...], masker: Masker) -> str:
    value: Any = record
    for name in path:
        value = value.get(name, _MISSING)
    if value is _MISSING:
        return f"no {path[-1]}"
    return f"{path[-1]} {_shown(record, path, value, masker)}" if path else "the same"


def _shown(record: Record, path: tuple[str, ...], value: Value, masker: Masker) -> str:
    if path != ("value",):
        return masker.text(dumps(value))
    try:
        return masker.shown(parse_cell(record["name"], _ANY), value)
    except PathError:
        return masker.text(dumps(value))


def _whole(record: Record, masker: Masker) -> str:
    if "block" in record:
        return f"{Kind.BLOCK} {masker.text(record['block'])} of {masker.text(record['actor'])}"
    name = record["name"] if isinstance(record["name"], str) else dumps(record["name"])
    value = f" {_shown(record, ('value',), record['value'], masker)}" if "value" in record else ""
    return f"{record['op']} {masker.text(name)}{value}"
