"""The materialised tables: what is in force and where entries stand, written down for reading without a replay."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import attrs
from sqlalchemy import Connection, Table, delete, insert, select

from statemem.ir import Program, Scope, parse_cell, parse_scope
from statemem.ir.cells import path_text

from . import log, schema
from .events import Event, Kind, canonical, load
from .facts import Fact, StoredEntry, connected, facts, stored_entries
from .replay import program_of, shared_scopes
from .tiers import Shelves

Row = dict[str, Any]


@attrs.frozen
class Conversation:
    """A conversation as its events tell it."""

    program: Program
    operations: list[Event]
    shelves: Shelves

    @classmethod
    def of(cls, name: str, events: Sequence[Event]) -> Conversation:
        """The conversation of these events."""
        return cls.applied(program_of(name, events), events)

    @classmethod
    def applied(cls, program: Program, events: Sequence[Event]) -> Conversation:
        """The conversation of these events, whose program is at hand."""
        operations = [event for event in events if event.kind == Kind.OPERATION]
        plans = (event.record for event in events if event.kind == Kind.PLAN)
        return cls(program, operations, Shelves(plans))


def conversation(connection: Connection, name: str) -> Conversation:
    """One conversation, replayed from the log."""
    return Conversation.of(name, _events(connection, name))


def _events(connection: Connection, name: str) -> list[Event]:
    return list(log.events(connection, schema.events.c.conversation == name))


def naming(connection: Connection, scope: Scope) -> list[Conversation]:
    """The conversations that bear on a scope, in the order in which they were first applied."""
    named = _scopes_by_conversation(connection)
    found = connected([name for name, scopes in named.items() if str(scope) in scopes], named)
    return [conversation(connection, name) for name in log.conversation_names(connection) if name in found]


def in_force(conversations: Sequence[Conversation]) -> list[Fact]:
    """What is in force after some conversations, one after the other."""
    operations = [event for one in conversations for event in one.operations]
    return facts([one.program for one in conversations], operations)


# writing


def refresh(connection: Connection, program: Program, *, cells: bool) -> None:
    """Bring the tables up to date after a program was applied; `cells` says whether more than its plan was new."""
    own = Conversation.applied(program, _events(connection, program.name))
    _replace(connection, schema.entries, program.name, _entry_rows(own))
    if cells:
        _replace(connection, schema.scopes, program.name, _scope_rows(program))
        _refresh_cells(connection, own)


def _refresh_cells(connection: Connection, own: Conversation) -> None:
    """The cells of the conversation and of all that share a scope with it."""
    name = own.program.name
    together = connected([name], _scopes_by_conversation(connection))
    conversations = [
        own if other == name else conversation(connection, other)
        for other in log.conversation_names(connection)
        if other in together
    ]
    named = {str(scope) for one in conversations for scope in shared_scopes(one.program)}
    _delete_cells(connection, sorted(named))
    _insert(connection, schema.cells, map(_cell_row, in_force(conversations)))


def rebuild(connection: Connection) -> None:
    """Throw the tables away and make them again from the log."""
    for table, rows in replayed(connection).items():
        connection.execute(delete(table))
        _insert(connection, table, rows)


def replayed(connection: Connection) -> dict[Table, list[Row]]:
    """The rows that the log says the tables hold, in order."""
    conversations = [conversation(connection, name) for name in log.conversation_names(connection)]
    return {
        schema.scopes: [row for one in conversations for row in _scope_rows(one.program)],
        schema.entries: [row for one in conversations for row in _entry_rows(one)],
        schema.cells: [_cell_row(fact) for fact in in_force(conversations)],
    }


def _replace(connection: Connection, table: Table, name: str, rows: Iterable[Row]) -> None:
    connection.execute(delete(table).where(table.c.conversation == name))
    _insert(connection, table, rows)


def _delete_cells(connection: Connection, scopes: list[str]) -> None:
    for scope in scopes:
        connection.execute(delete(schema.cells).where(schema.cells.c.scope == scope))


def _insert(connection: Connection, table: Table, rows: Iterable[Row]) -> None:
    found = list(rows)
    if found:
        connection.execute(insert(table), found)


def _scope_rows(program: Program) -> list[Row]:
    return [{"conversation": program.name, "scope": str(scope)} for scope in sorted(shared_scopes(program))]


def _entry_rows(one: Conversation) -> list[Row]:
    found = stored_entries(one.program, one.operations, one.shelves)
    return [
        {**attrs.asdict(entry, recurse=False), "number": number, "value": canonical(entry.value)}
        for number, entry in enumerate(found)
    ]


def _cell_row(fact: Fact) -> Row:
    row = attrs.asdict(fact, recurse=False)
    cell = row.pop("cell")
    return {
        **row,
        "scope": str(cell.scope),
        "path": path_text(cell.path),
        "value": canonical(fact.value),
        "entries": canonical(list(fact.entries)),
    }


# reading


def current(connection: Connection) -> list[Fact]:
    """What is in force now."""
    return sorted(map(_read_fact, rows(connection, schema.cells)), key=lambda fact: fact.cell)


def _read_fact(row: Row) -> Fact:
    cell = parse_cell(row.pop("path"), parse_scope(row.pop("scope")))
    value, entries = load(row.pop("value")), tuple(load(row.pop("entries")))
    return Fact(cell=cell, value=value, entries=entries, **row)


def current_entries(connection: Connection, name: str | None = None) -> Iterator[StoredEntry]:
    """The entries of all conversations, or of one."""
    order = {known: number for number, known in enumerate(log.conversation_names(connection))}
    found = [row for row in rows(connection, schema.entries) if name in (None, row["conversation"])]
    for row in sorted(found, key=lambda row: (order[row["conversation"]], row["number"])):
        del row["number"]
        yield StoredEntry(**{**row, "value": load(row["value"])})


def rows(connection: Connection, table: Table) -> list[Row]:
    """The rows of a table, ordered by its key."""
    return [dict(row._mapping) for row in connection.execute(select(table).order_by(*table.primary_key))]


def _scopes_by_conversation(connection: Connection) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for row in rows(connection, schema.scopes):
        found.setdefault(row["conversation"], []).append(row["scope"])
    return found
