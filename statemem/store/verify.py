"""Checking a store: that no event was changed, left out or cut off, and that the tables say what the log says."""

from __future__ import annotations

import attrs
from sqlalchemy import Connection

from statemem.ir.diagnostics import InputError

from . import log
from .events import GENESIS, Event, hash_of
from .problems import refusal
from .tables import replayed, rows

_RESTORE = "restore a backup; the events before it are as they were written"


@attrs.frozen
class Verified:
    """A sound store: how many events it holds and the hash of the last one.

    Whoever keeps the hash elsewhere can show later that the log still begins with these events.
    """

    events: int
    hash: str


def verify(connection: Connection) -> Verified:
    """Check the chain and the tables. Raises `InputError` at the first event that is not as it was written."""
    sequence, previous = 0, GENESIS
    for event in log.events(connection):
        sequence += 1
        _check_event(event, sequence, previous)
        previous = event.hash
    _check_head(connection, sequence, previous)
    _check_tables(connection)
    return Verified(sequence, previous)


def _check_event(event: Event, sequence: int, previous: str) -> None:
    if event.sequence != sequence:
        raise _broken(f"event {sequence} is missing: event {event.sequence} comes in its place")
    if event.previous != previous:
        raise _broken(f"event {sequence} does not follow the event before it")
    if event.hash != hash_of(event):
        raise _broken(f"event {sequence} ({event.kind} of conversation {event.conversation!r}) was changed")


def _check_head(connection: Connection, sequence: int, previous: str) -> None:
    try:
        stated = log.head(connection)
    except ValueError:
        raise _broken("the record of the last event cannot be read") from None
    if stated[0] > sequence:
        raise _broken(f"the log was cut off: it ends at event {sequence}, the store has written {stated[0]}")
    if stated != (sequence, previous):
        raise _broken(f"the last event, {sequence}, is not the one the store wrote last")


def _check_tables(connection: Connection) -> None:
    for table, expected in replayed(connection).items():
        wanted = sorted(map(_comparable, expected))
        if sorted(map(_comparable, rows(connection, table))) != wanted:
            message = f"table {table.name!r} does not say what the log says"
            raise refusal("ST032", message, hint="Store.rebuild makes it again; the log itself is sound")


def _comparable(row: dict[str, object]) -> list[tuple[str, str]]:
    return sorted((name, repr(value)) for name, value in row.items())


def _broken(message: str) -> InputError:
    return refusal("ST030", message, hint=_RESTORE)
