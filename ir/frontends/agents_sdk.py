"""`agents_sdk`: sessions of the OpenAI Agents SDK in their SQLite database, with branches where it keeps them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from typing import Any

import attrs

from ..diagnostics import Location, Problem
from ..program import Program
from . import fields
from .conversations.chat_logs import messages_in
from .conversations.programs import programs
from .messages import Conversation, Message
from .reader import Document, Record
from .reading.database import opened
from .reading.json_text import JSONError, decode

_MESSAGES, _STRUCTURE = "agent_messages", "message_structure"
#: What an encrypted session keeps instead of an item.
_SEALED = "__enc__"
_ROW = f"/{_MESSAGES}/"


class AgentsSDK:
    """The frontend of session databases."""

    name = "agents_sdk"
    title = "sessions of the OpenAI Agents SDK (SQLite), opened for reading only"
    example = '{"tables": {"agent_messages": ["id", "session_id", "message_data", "created_at"]}}'

    def recognises(self, document: Document) -> bool:
        """Whether this is a database with the table of messages."""
        return document.layout == "database" and any(_MESSAGES in value["tables"] for value, _ in document.head)

    def lower(self, document: Document, problems: list[Problem]) -> Iterator[Program]:
        """One program a session."""
        if document.layout == "database" and document.name is not None:
            with opened(document.name) as database:
                yield from programs(_sessions(database, document, problems), document, problems)


def _sessions(database: sqlite3.Connection, document: Document, problems: list[Problem]) -> Iterator[Conversation]:
    tables = next(value["tables"] for value, _ in document.head)
    if _MESSAGES not in tables:
        return
    order = f"SELECT session_id FROM {_MESSAGES} GROUP BY session_id ORDER BY MIN(id)"
    for (session,) in database.execute(order).fetchall():
        messages = _messages(database, session, document, problems)
        if _STRUCTURE not in tables:
            yield Conversation(label=str(session), messages=messages)
            continue
        before, current = _branches(database, session)
        known = [
            attrs.evolve(one, follows=before.get(one.key or ""), continues=one.key not in before) for one in messages
        ]
        yield Conversation(label=str(session), messages=known, is_tree=True, current=current)


def _messages(
    database: sqlite3.Connection, session: Any, document: Document, problems: list[Problem]
) -> Iterator[Message]:
    """The items of a session, keyed by the numbers of their rows."""
    query = f"SELECT id, message_data, created_at FROM {_MESSAGES} WHERE session_id = ? ORDER BY id"
    found = database.execute(query, (session,))
    rows = (_row(number, data, time, document, problems) for number, data, time in found)
    items = (record for record in rows if record is not None)
    for message in messages_in(items, document, problems):
        yield attrs.evolve(message, key=_key(message.location))


def _key(location: Location) -> str:
    """The number of a row; in a table of another's making it may be anything."""
    return (location.pointer or "").removeprefix(_ROW) if location.record is None else str(location.record)


def _place(number: Any, document: Document) -> Location:
    if isinstance(number, int):
        return Location(file=document.name, record=number)
    return Location(file=document.name, pointer=f"{_ROW}{number}")


def _row(number: Any, data: Any, time: Any, document: Document, problems: list[Problem]) -> Record | None:
    location = _place(number, document)
    try:
        value = decode(data if isinstance(data, str) else "")
    except JSONError:
        problems.append(fields.warning("FE100", "the item in this row is not JSON; it is left out", location))
        return None
    if isinstance(value, dict) and _SEALED in value:
        value = {"role": "system", "content": [{"type": "encrypted item", **value}]}
    if isinstance(value, dict) and isinstance(time, str):
        value = {"timestamp": time, **value}
    return Record(value, location)


def _branches(database: sqlite3.Connection, session: Any) -> tuple[dict[str, str | None], str | None]:
    """Which row follows which, over all branches, and the last row of the branch that was written last.

    The first row of a branch follows none: branches that go on from a turn begin with copies of the rows before it.
    """
    query = f"SELECT branch_id, message_id FROM {_STRUCTURE} WHERE session_id = ? ORDER BY sequence_number, id"
    last: dict[Any, str] = {}
    before: dict[str, str | None] = {}
    current: str | None = None
    for branch, row in database.execute(query, (session,)):
        current = str(row)
        if before.get(current) is None:
            before[current] = last.get(branch)
        last[branch] = current
    return before, current
