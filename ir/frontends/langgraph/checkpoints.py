"""The checkpoints of one thread, parents first, with what each state holds."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from typing import Any

import attrs

from ...diagnostics import Location, Problem
from .. import fields
from ..reading.json_text import JSONError, decode
from .serialized import Unreadable, deserialized

#: Channels in which the graph keeps what it is about to do.
_INNER = ("branch:", "__", "join:", "start:")


@attrs.frozen
class Checkpoint:
    """One state of a thread: the values of its channels, the names of all ever written, and what its nodes had seen."""

    id: str
    parent: str | None
    values: dict[str, Any]
    written: frozenset[str]
    seen: dict[str, Any]
    time: str | None
    source: str
    location: Location


def threads(database: sqlite3.Connection) -> list[tuple[str, str]]:
    """The threads and, within each, the namespaces of its graphs, in the order in which they began."""
    query = (
        "SELECT thread_id, checkpoint_ns FROM checkpoints GROUP BY thread_id, checkpoint_ns ORDER BY MIN(checkpoint_id)"
    )
    return [(str(thread), str(space or "")) for thread, space in database.execute(query)]


def children(database: sqlite3.Connection, thread: str, space: str) -> dict[str, int]:
    """How many checkpoints go on from each."""
    query = (
        "SELECT parent_checkpoint_id, COUNT(*) FROM checkpoints "
        "WHERE thread_id = ? AND checkpoint_ns = ? GROUP BY parent_checkpoint_id"
    )
    return {str(parent): count for parent, count in database.execute(query, (thread, space)) if parent is not None}


def checkpoints(
    database: sqlite3.Connection, thread: str, space: str, file: str, problems: list[Problem]
) -> Iterator[Checkpoint]:
    """The checkpoints of a thread in the order of their ids, which is that of time."""
    query = (
        "SELECT checkpoint_id, parent_checkpoint_id, type, checkpoint, metadata, rowid FROM checkpoints "
        "WHERE thread_id = ? AND checkpoint_ns = ? ORDER BY checkpoint_id"
    )
    for own, parent, kind, data, metadata, row in database.execute(query, (thread, space)):
        location = Location(file=file, record=row, pointer=f"/checkpoints/{own}")
        state = _state(kind, data, location, problems)
        if state is not None:
            seen, versions = state.get("versions_seen"), state.get("channel_versions")
            written = versions if isinstance(versions, dict) else {}
            yield Checkpoint(
                id=str(own),
                parent=None if parent is None else str(parent),
                values=_values(state),
                written=frozenset(str(one) for one in written if not is_inner(str(one))),
                seen=seen if isinstance(seen, dict) else {},
                time=fields.text(state, "ts"),
                source=fields.text(_metadata(metadata), "source") or "",
                location=location,
            )


def pending(
    database: sqlite3.Connection, thread: str, space: str, checkpoint: Checkpoint, problems: list[Problem]
) -> dict[str, Any]:
    """What was written on top of a checkpoint and is in no later one, by channel."""
    query = (
        "SELECT channel, type, value FROM writes "
        "WHERE thread_id = ? AND checkpoint_ns = ? AND checkpoint_id = ? ORDER BY task_id, idx"
    )
    found: dict[str, Any] = {}
    for channel, kind, data in database.execute(query, (thread, space, checkpoint.id)):
        if is_inner(str(channel)):
            continue
        try:
            found[str(channel)] = deserialized(kind, data if isinstance(data, bytes) else b"")
        except Unreadable as error:
            message = f"what was written to {str(channel)!r} is left out: {error}"
            problems.append(fields.warning("FE105", message, checkpoint.location))
    return found


def is_inner(channel: str) -> bool:
    """Whether a channel is the graph's own."""
    return channel.startswith(_INNER)


def _state(kind: Any, data: Any, location: Location, problems: list[Problem]) -> dict[str, Any] | None:
    try:
        state = deserialized(kind, data if isinstance(data, bytes) else b"")
    except Unreadable as error:
        problems.append(fields.warning("FE105", f"this checkpoint is left out: {error}", location))
        return None
    return state if isinstance(state, dict) else {}


def _values(state: dict[str, Any]) -> dict[str, Any]:
    values = state.get("channel_values")
    found = values if isinstance(values, dict) else {}
    return {str(channel): value for channel, value in found.items() if not is_inner(str(channel))}


def _metadata(data: Any) -> dict[str, Any]:
    try:
        found = decode(data.decode() if isinstance(data, bytes) else str(data))
    except (JSONError, UnicodeDecodeError):
        return {}
    return found if isinstance(found, dict) else {}
