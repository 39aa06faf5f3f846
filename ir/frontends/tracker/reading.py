"""From records to the events of each sender: dumps, lines of events, rows of the SQL table or the table itself.

Lines of several senders may be mixed, so that their events are held until the last line is read; dumps are not.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import attrs

from ...diagnostics import Location, Problem
from .. import fields
from ..reader import Document, Record
from ..reading.json_text import JSONError, decode
from .store import is_store, stored

#: Events that tell nothing of memory: they are known and leave no instruction.
SILENT = frozenset(
    [
        "action_execution_rejected",
        "agent",
        "cancel_reminder",
        "export",
        "followup",
        "form_validation",
        "loop_interrupted",
        "pause",
        "reminder",
        "resume",
        "user_featurization",
    ]
)
TELLING = frozenset(
    [
        "action",
        "active_loop",
        "bot",
        "entities",
        "form",
        "reset_slots",
        "restart",
        "rewind",
        "session_started",
        "slot",
        "undo",
        "user",
    ]
)
KNOWN = SILENT | TELLING
_FIRST = 20


@attrs.frozen
class Conversation:
    """The events of one sender, and the dump they come from."""

    sender: str
    events: list[Record]
    location: Location
    slots: dict[str, Any] = attrs.field(factory=dict)


class Counts:
    """Types of events that nobody knows, each counted and said once for a document."""

    def __init__(self) -> None:
        self._first: dict[str, Location] = {}
        self._count: dict[str, int] = {}

    def add(self, kind: str, location: Location) -> None:
        """One more of a type."""
        self._first.setdefault(kind, location)
        self._count[kind] = self._count.get(kind, 0) + 1

    def warnings(self) -> Iterator[Problem]:
        """A warning a type, where its first event stands."""
        for kind, count in self._count.items():
            many = "one event" if count == 1 else f"{count:,} events"
            message = f"{many} of the unknown type {kind!r}; they are left out"
            yield fields.warning("FE122", message, self._first[kind])


def is_tracker(value: Any) -> bool:
    """Whether a record is a dump, an event or a row of this format."""
    if not isinstance(value, dict):
        return False
    return _is_dump(value) or is_event(value) or _is_row(value)


def is_event(value: Any) -> bool:
    """Whether something is an event of a type that trackers have."""
    return isinstance(value, dict) and _is_known(value.get("event")) and "timestamp" in value


def _is_known(kind: Any) -> bool:
    return isinstance(kind, str) and kind in KNOWN


def _is_dump(value: dict[str, Any]) -> bool:
    events = value.get("events")
    if isinstance(events, list) and events:
        return any(isinstance(one, dict) and _is_known(one.get("event")) for one in events[:_FIRST])
    return "sender_id" in value and isinstance(value.get("slots"), dict)


def _is_row(value: dict[str, Any]) -> bool:
    return _is_known(value.get("type_name")) and "sender_id" in value and "data" in value


def conversations(document: Document, problems: list[Problem]) -> Iterator[Conversation]:
    """The conversations of a document: dumps as they come, then those of loose events; of a database a sender each."""
    if is_store(document):
        yield from _of_store(document, problems)
        return
    loose: dict[str, Conversation] = {}
    for value, location in document.records:
        if isinstance(value, dict) and _is_dump(value):
            yield _of_dump(value, document.stem, location)
            continue
        event = _loose_event(value, location, problems)
        if event is None:
            continue
        sender = fields.text(value, "sender_id") or document.stem
        loose.setdefault(sender, Conversation(sender, [], location)).events.append(Record(event, location))
    yield from loose.values()


def _of_store(document: Document, problems: list[Problem]) -> Iterator[Conversation]:
    for sender, rows in stored(document):
        found = (Record(_loose_event(row, location, problems), location) for row, location in rows)
        events = [event for event in found if event.value is not None]
        yield Conversation(sender, events, rows[0].location)


def _of_dump(value: dict[str, Any], stem: str, location: Location) -> Conversation:
    pointer = f"{location.pointer or ''}/events"
    listed = enumerate(fields.items(value, "events"))
    events = [Record(one, attrs.evolve(location, pointer=f"{pointer}/{n}")) for n, one in listed]
    sender = fields.text(value, "sender_id") or f"{stem}-{location.record or 1}"
    slots = value.get("slots")
    return Conversation(sender, events, location, slots if isinstance(slots, dict) else {})


def _loose_event(value: Any, location: Location, problems: list[Problem]) -> dict[str, Any] | None:
    """The event of a line, which may be the row of a table that holds it as JSON text."""
    if isinstance(value, dict) and isinstance(value.get("event"), str):
        return value
    if not isinstance(value, dict) or not isinstance(value.get("type_name"), str):
        message = "neither a tracker nor an event of one; it is left out"
        problems.append(fields.warning("FE120", message, location))
        return None
    data = _data(value.get("data"))
    if data is None:
        message = "the row's data is no JSON object; what its other columns say is kept"
        problems.append(fields.warning("FE126", message, location))
    return {"event": value["type_name"], "timestamp": value.get("timestamp"), **_columns(value), **(data or {})}


def _columns(row: dict[str, Any]) -> dict[str, Any]:
    return {"name": row["action_name"]} if row["type_name"] == "action" and "action_name" in row else {}


def _data(data: Any) -> dict[str, Any] | None:
    if isinstance(data, str):
        try:
            data = decode(data)
        except JSONError:
            return None
    return data if isinstance(data, dict) else None
