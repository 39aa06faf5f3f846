"""Reading fields of records that people wrote: every one may be missing or of another type."""

from __future__ import annotations

import re
from datetime import UTC, datetime, tzinfo
from typing import Any

from ..diagnostics import Location, Problem
from ..times import read_time

_WHOLE = re.compile(r"-?[0-9]{1,15}")


def text(record: dict[str, Any], *names: str) -> str | None:
    """The first of the fields that holds a text or a whole number, as text."""
    for name in names:
        value = record.get(name)
        if isinstance(value, str) and value:
            return value
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
    return None


def number(record: dict[str, Any], *names: str) -> int | None:
    """The first of the fields that holds a whole number."""
    for name in names:
        value = record.get(name)
        if isinstance(value, float) and value.is_integer():
            return int(value)
        if isinstance(value, int) and not isinstance(value, bool):
            return value
        if isinstance(value, str) and _WHOLE.fullmatch(value.strip()):
            return int(value)
    return None


def items(record: dict[str, Any], name: str) -> list[Any]:
    """A field that should be a list: a missing one is empty, a lone value a list of one."""
    value = record.get(name)
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


def time(record: dict[str, Any], *names: str, zone: tzinfo = UTC) -> datetime | None:
    """The first of the fields that holds a time: ISO 8601, or seconds since 1970.

    A time that names no zone is taken as one of `zone`, never of the machine that reads it.

    >>> time({"time": "2026-03-29T23:30:00"}, "time")
    datetime.datetime(2026, 3, 29, 23, 30, tzinfo=datetime.timezone.utc)
    """
    for name in names:
        moment = _moment(record.get(name), zone)
        if moment is not None:
            return moment
    return None


def _moment(value: Any, zone: tzinfo) -> datetime | None:
    try:
        if isinstance(value, str):
            return read_time(value, zone)
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return datetime.fromtimestamp(value, UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return None


def warning(code: str, message: str, location: Location, hint: str | None = None) -> Problem:
    """A located warning about a record."""
    return Problem(code=code, message=message, severity="warning", location=location, hint=hint)
