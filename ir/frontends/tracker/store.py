"""The SQL table in which trackers are kept: rows of events, read a sender at a time."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from ...diagnostics import Location
from ..reader import Document, Record
from ..reading.database import opened

TABLE = "events"
_NEEDED = frozenset(["id", "sender_id", "type_name", "data"])
_FURTHER = ("timestamp", "action_name")


def is_store(document: Document) -> bool:
    """Whether a document is a database with that table."""
    return document.layout == "database" and _columns(document).issuperset(_NEEDED)


def stored(document: Document) -> Iterator[tuple[str, list[Record]]]:
    """The rows of each sender, in the order in which they were written."""
    columns = [*sorted(_NEEDED), *(one for one in _FURTHER if one in _columns(document))]
    query = f"SELECT {', '.join(columns)} FROM {TABLE} ORDER BY sender_id, id"
    with opened(document.name or "") as connection:
        rows = (dict(zip(columns, row, strict=True)) for row in connection.execute(query))
        for sender, own in groupby(rows, lambda row: row["sender_id"]):
            yield str(sender), [Record(row, _place(document, row)) for row in own]


def _place(document: Document, row: dict[str, Any]) -> Location:
    number = row["id"] if isinstance(row["id"], int) else None
    return Location(file=document.name, record=number, pointer=f"/{TABLE}")


def _columns(document: Document) -> set[str]:
    value = document.head[0].value if document.head else None
    tables = value.get("tables") if isinstance(value, dict) else None
    columns = tables.get(TABLE) if isinstance(tables, dict) else None
    return set(columns) if isinstance(columns, list) else set()
