"""Times of logs: instants that keep the zone in which they were given.

Two times are compared as instants, whatever their zones. A time without a zone is read in one that the reader declares,
never in that of the machine.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo

from .diagnostics import UsageError

_OFFSET = re.compile(r"([+-])(\d{2}):?(\d{2})")


def read_time(text: str, zone: tzinfo | None = None) -> datetime:
    """The instant of an ISO 8601 text with the offset it had; `zone` is that of a text which names none.

    Raises ValueError for what is no time, and for one without a zone where none is declared.

    >>> read_time("2026-03-29T23:30:00+09:00").isoformat()
    '2026-03-29T23:30:00+09:00'
    >>> read_time("2026-07-01T12:00:00", zone_named("Europe/Paris")).isoformat()
    '2026-07-01T12:00:00+02:00'
    """
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        if zone is None:
            raise ValueError(f"{text} names no zone")
        moment = moment.replace(tzinfo=zone)
    offset = moment.utcoffset() or timedelta()
    moment.astimezone(UTC)  # raises OverflowError at the ends of the calendar
    return moment.replace(tzinfo=timezone(offset) if offset else UTC)


def write_time(moment: datetime) -> str:
    """An instant as it is written down: with its offset, `Z` for UTC."""
    return moment.isoformat().replace("+00:00", "Z")


def zone_named(name: str) -> tzinfo:
    """A zone by its name or offset: `Europe/Paris`, `UTC`, `+02:00`. Raises `UsageError` for another."""
    match = _OFFSET.fullmatch(name)
    try:
        if match is None:
            return ZoneInfo(name)
        size = timedelta(hours=int(match[2]), minutes=int(match[3]))
        return timezone(size if match[1] == "+" else -size)
    except (ValueError, OSError, LookupError):
        raise UsageError(f"unknown time zone {name!r}; a zone is named like Europe/Paris, UTC or +02:00") from None
