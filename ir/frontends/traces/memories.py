"""What an agent did to its memory, as spans state it: a record is a cell of its store, in the scope of the user."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from ...cells import Cell, key, name
from ...instructions import Delete, Instruction, Operand, Set, Use
from ...values import UNKNOWN, Value, is_value
from .. import fields
from ..linking.entities import Scopes
from ..messages import Message, Stated
from .spans import Span

_WRITING = frozenset(("create_memory", "update_memory", "upsert_memory"))
#: The operations on a memory that change or read records.
OPERATIONS = _WRITING | {"search_memory", "delete_memory"}


def memory_message(span: Span, operation: str) -> Message | None:
    """What was done to records; None where the span names none, or tells that it failed."""
    if span.failed or span.text("error.type") is not None:
        return None
    store = span.text("gen_ai.memory.store.id", "gen_ai.memory.store.name")
    stated = tuple(Stated(build) for build in _built(span, operation, store))
    if not stated:
        return None
    actor = span.text("gen_ai.agent.name") or ""
    return Message(role="assistant", name=actor, parts=stated, location=span.location, time=span.end)


def _built(span: Span, operation: str, store: str | None) -> Iterator[partial[Instruction]]:
    own = span.text("gen_ai.memory.record.id")
    records = [one for one in _records(span) if isinstance(one, dict)]
    ids = [record for one in records if (record := fields.text(one, "id")) is not None]
    if operation == "delete_memory":
        yield partial(_deleted, store, own)
    elif operation == "search_memory":
        if ids:
            yield partial(_searched, store, tuple(ids))
    else:
        if not records and own is not None:
            yield partial(_written, store, own, UNKNOWN)  # what was written there was not captured
        for number, one in enumerate(records):
            record = fields.text(one, "id") or own or f"record {number + 1}"
            content = one.get("content")
            yield partial(_written, store, record, content if is_value(content) else str(content))


def _place(scopes: Scopes, store: str | None, record: str | None) -> Cell:
    path = (name("memory"), *(key(part) for part in (store, record) if part is not None))
    return Cell(scopes.user, path)


def _deleted(store: str | None, record: str | None, scopes: Scopes) -> Instruction:
    return Delete(target=_place(scopes, store, record))


def _searched(store: str | None, records: tuple[str, ...], scopes: Scopes) -> Instruction:
    return Use(operands=tuple(Operand(_place(scopes, store, one)) for one in records), purpose="search")


def _written(store: str | None, record: str, content: Value, scopes: Scopes) -> Instruction:
    return Set(target=_place(scopes, store, record), value=content)


def _records(span: Span) -> list[Any]:
    found = span.structure("gen_ai.memory.records")
    return found if isinstance(found, list) else [found] if found is not None else []
