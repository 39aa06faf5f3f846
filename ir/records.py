"""Instructions as records, `{"op": "set", "name": "color", "value": "white"}`, and back.

The `ops` frontend reads this shape from people's logs and the event log keeps every operation in it, so that a replay
is a reading. A record made from an instruction gives that instruction back, origin included.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .cells import Place, Scope
from .instructions import (
    Add,
    Append,
    Bind,
    Default,
    Delete,
    Derive,
    Effect,
    Enter,
    Instruction,
    Leave,
    Operand,
    Same,
    Set,
    Use,
)
from .origin import NOWHERE, Origin
from .origin_fields import FIELDS, FieldError, from_fields, to_fields
from .paths import parse_cell, parse_place
from .values import UNKNOWN

Op = dict[str, Any]
_UNKNOWN = {"?": None}


class RecordError(ValueError):
    """A record that is no operation; `field` is the one at fault."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


# from a record


def from_record(op: Op, scope: Scope, origin: Origin = NOWHERE) -> Instruction:
    """The instruction a record states; bare names lie in `scope`.

    Raises `RecordError` for a record that is none, and `PathError` for a name that is no cell.

    >>> str(from_record({"op": "set", "name": "order.color", "value": "white"}, Scope("session", "1")).target)
    'session:1/order.color'
    """
    kind = op.get("op")
    reader = _READERS.get(kind) if isinstance(kind, str) else None
    if reader is None:
        raise RecordError("op", f"unknown operation {kind!r}; known are {', '.join(_READERS)}")
    entry = op.get("id")
    common = {
        "id": None if entry is None else str(entry),
        "origin": read_origin(op.get("with"), origin),
        "maybe": op.get("maybe") is True,
    }
    return reader(op, scope, common)


def _text(op: Op, field: str) -> str:
    value = op.get(field)
    if not isinstance(value, str) or not value:
        raise RecordError(field, f"{op['op']} needs a text as {field!r}")
    return value


def _text_or_none(op: Op, field: str) -> str | None:
    return None if op.get(field) is None else _text(op, field)


def _value(op: Op) -> Any:
    if "value" not in op:
        raise RecordError("value", f"{op['op']} needs a 'value'")
    return UNKNOWN if op["value"] == _UNKNOWN else op["value"]


def _place(op: Op, scope: Scope) -> Place:
    return parse_place(_text(op, "name"), scope)


def _operands(value: Any, scope: Scope) -> tuple[Operand, ...]:
    """Names, or objects `{"name": …, "was": …}`."""
    found = []
    for item in value if isinstance(value, list) else [value]:
        name, was = (item.get("name"), item.get("was")) if isinstance(item, dict) else (item, None)
        if not isinstance(name, str):
            raise RecordError("from", "a cell is named by a text")
        found.append(Operand(parse_place(name, scope), None if was is None else str(was)))
    return tuple(found)


def _read_set(op: Op, scope: Scope, common: Op) -> Instruction:
    return Set(target=_place(op, scope), value=_value(op), **common)


def _read_derive(op: Op, scope: Scope, common: Op) -> Instruction:
    premises = _operands(op.get("from", []), scope)
    return Derive(target=_place(op, scope), value=_value(op), premises=premises, **common)


def _read_append(op: Op, scope: Scope, common: Op) -> Instruction:
    return Append(target=_place(op, scope), value=_value(op), **common)


def _read_add(op: Op, scope: Scope, common: Op) -> Instruction:
    amount = _value(op)
    if isinstance(amount, bool) or not isinstance(amount, (int, float)):
        raise RecordError("value", "add needs a number")
    return Add(target=_place(op, scope), value=amount, **common)


def _read_default(op: Op, scope: Scope, common: Op) -> Instruction:
    return Default(target=_place(op, scope), value=_value(op), **common)


def _read_delete(op: Op, scope: Scope, common: Op) -> Instruction:
    return Delete(target=_place(op, scope), **common)


def _read_use(op: Op, scope: Scope, common: Op) -> Instruction:
    operands = _operands(op.get("name"), scope)
    was = op.get("was")
    if was is not None:
        operands = tuple(operand._replace(was=str(was)) for operand in operands)
    return Use(operands=operands, purpose=_text_or_none(op, "for"), **common)


def _read_bind(op: Op, scope: Scope, common: Op) -> Instruction:
    return Bind(reference=_text(op, "name").removeprefix("@"), target=parse_cell(_text(op, "to"), scope), **common)


def _read_same(op: Op, scope: Scope, common: Op) -> Instruction:
    return Same(left=parse_cell(_text(op, "name"), scope), right=parse_cell(_text(op, "to"), scope), **common)


def _read_effect(op: Op, scope: Scope, common: Op) -> Instruction:
    arguments = _operands(op.get("args", []), scope)
    return Effect(action=_text(op, "name"), arguments=arguments, key=op.get("key"), **common)


def _read_enter(op: Op, scope: Scope, common: Op) -> Instruction:
    return Enter(task=_text(op, "name"), kind=_text_or_none(op, "kind"), **common)


def _read_leave(op: Op, scope: Scope, common: Op) -> Instruction:
    return Leave(task=_text(op, "name"), ended=op.get("ended") is True, **common)


_READERS: dict[str, Callable[[Op, Scope, Op], Instruction]] = {
    "set": _read_set,
    "derive": _read_derive,
    "append": _read_append,
    "add": _read_add,
    "default": _read_default,
    "delete": _read_delete,
    "use": _read_use,
    "bind": _read_bind,
    "same": _read_same,
    "effect": _read_effect,
    "enter": _read_enter,
    "leave": _read_leave,
}


def read_origin(given: Any, base: Origin = NOWHERE) -> Origin:
    """The origin with the fields of a record's `with`; unknown fields are left out, as the format may grow."""
    if not isinstance(given, dict):
        return base
    try:
        return from_fields({name: value for name, value in given.items() if name in FIELDS}, base)
    except FieldError as error:
        raise RecordError("with", str(error)) from None


# to a record


def to_record(instruction: Instruction) -> Op:
    """The record of an instruction, cells with their scope, JSON types only.

    >>> from statemem.ir import Cell, name
    >>> to_record(Set(target=Cell(Scope("session", "1"), (name("color"),)), value="white", id="e1"))
    {'op': 'set', 'name': 'session:1/color', 'value': 'white', 'id': 'e1'}
    """
    op: Op = {"op": type(instruction).__name__.lower(), **_own_fields(instruction)}
    if instruction.id is not None:
        op["id"] = instruction.id
    if instruction.maybe:
        op["maybe"] = True
    origin = to_fields(instruction.origin)
    return {**op, "with": origin} if origin else op


def _own_fields(instruction: Instruction) -> Op:
    match instruction:
        case Derive(target=target, value=value, premises=premises):
            return {"name": str(target), "value": _json(value), "from": [_operand(one) for one in premises]}
        case Set(target=target, value=value) | Append(target=target, value=value) | Add(target=target, value=value):
            return {"name": str(target), "value": _json(value)}
        case Default(target=target, value=value):
            return {"name": str(target), "value": _json(value)}
        case Delete(target=target):
            return {"name": str(target)}
        case Use(operands=operands, purpose=purpose):
            return {"name": [_operand(one) for one in operands], **_given(**{"for": purpose})}
        case Bind(reference=reference, target=target):
            return {"name": f"@{reference}", "to": str(target)}
        case Same(left=left, right=right):
            return {"name": str(left), "to": str(right)}
        case Effect(action=action, arguments=arguments, key=key):
            return {"name": action, "args": [_operand(one) for one in arguments], **_given(key=key)}
        case Enter(task=task, kind=kind):
            return {"name": task, **_given(kind=kind)}
        case Leave(task=task, ended=ended):
            return {"name": task, **_given(ended=ended or None)}
    raise TypeError(f"{type(instruction).__name__} has no record")


def _given(**fields: Any) -> Op:
    return {name: value for name, value in fields.items() if value is not None}


def _json(value: Any) -> Any:
    return _UNKNOWN if value is UNKNOWN else value


def _operand(operand: Operand) -> Any:
    return str(operand.place) if operand.was is None else {"name": str(operand.place), "was": operand.was}
