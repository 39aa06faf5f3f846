"""The fields of origins as JSON values, as the text form and records write them: `{"file": "log.jsonl", "line": 3}`.

What is inherited from a block need not be stated again; a field that is inherited but lacking is stated as `null`.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from operator import attrgetter
from typing import Any

import attrs

from .diagnostics import near
from .origin import NOWHERE, Actor, Origin
from .times import read_time, write_time
from .values import Value

FIELDS = tuple(field.name for field in attrs.fields(Origin))
_values = attrgetter(*FIELDS)


class FieldError(ValueError):
    """A field of an origin that cannot be read."""

    def __init__(self, name: str, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.name, self.hint = name, hint


def to_fields(origin: Origin, inherited: Origin = NOWHERE) -> dict[str, Value]:
    """What an origin states beyond what it inherits, as JSON values.

    >>> to_fields(Origin(file="a.jsonl", actor=Actor("tool", "find")), Origin(file="a.jsonl", line=3))
    {'line': None, 'actor': 'tool:find'}
    """
    if origin is inherited:
        return {}
    triples = zip(FIELDS, _values(origin), _values(inherited), strict=True)
    return {name: _written(own) for name, own, other in triples if own is not other and _differ(own, other)}


def from_fields(fields: dict[str, Value], inherited: Origin = NOWHERE) -> Origin:
    """The origin that states `fields` and inherits the rest.

    >>> from_fields({"line": 4}, Origin(file="a.jsonl", line=3)).file
    'a.jsonl'
    >>> from_fields({"line": "4"})
    Traceback (most recent call last):
    ...
    statemem.ir.origin_fields.FieldError: the origin field 'line' must be a whole number
    """
    return attrs.evolve(inherited, **{name: _read(name, value) for name, value in fields.items()})


def _differ(own: Any, other: Any) -> bool:
    """Whether two values are written differently: equal instants may have different offsets."""
    if own == other and isinstance(own, datetime):
        return bool(own.utcoffset() != other.utcoffset())
    return bool(own != other)


def _written(value: Any) -> Value:
    if isinstance(value, Actor):
        return str(value)
    if isinstance(value, datetime):
        return write_time(value)
    return value


def _read(name: str, value: Value) -> Any:
    if name not in FIELDS:
        raise _unknown(name)
    if value is None:
        return None
    expected, accepts, convert = _KINDS.get(name, _TEXT)
    wrong = FieldError(name, f"the origin field {name!r} must be {expected}")
    if not accepts(value):
        raise wrong
    try:
        return convert(value)
    except (ValueError, OverflowError):
        raise wrong from None


def _unknown(name: str) -> FieldError:
    hint = near(name, FIELDS) or "the fields are " + ", ".join(FIELDS)
    return FieldError(name, f"an origin has no field {name!r}", hint)


def _actor(text: str) -> Actor:
    kind, _, name = text.partition(":")
    return Actor(kind, name)


def _same(value: Any) -> Any:
    return value


def _is_text(value: Value) -> bool:
    return isinstance(value, str)


def _is_count(value: Value) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: Value) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


_Kind = tuple[str, Callable[[Value], bool], Callable[[Any], Any]]
_TEXT: _Kind = ("a string", _is_text, _same)
_COUNT: _Kind = ("a whole number", _is_count, _same)
_TIME: _Kind = ('a time with its zone, such as "2025-01-31T09:30:00Z"', _is_text, read_time)
_KINDS: dict[str, _Kind] = {
    "line": _COUNT,
    "record": _COUNT,
    "tokens": _COUNT,
    "cached": _COUNT,
    "version": _COUNT,
    "count": _COUNT,
    "confidence": ("a number", _is_number, float),
    "actor": ('an actor, such as "tool:get_order"', _is_text, _actor),
    "observed": _TIME,
    "recorded": _TIME,
}
