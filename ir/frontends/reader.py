"""From a source to records: files plain or packed, standard input, JSON or JSON Lines, databases, or Python values.

Records come as a stream: of an array or of JSON Lines no more than the record at hand is held, and the first few, by
which a format is recognised. One JSON object is one record and is held whole.

A file that is one JSON value must parse. In JSON Lines a bad line is located, counted and skipped; with `strict`
it is an error. No readable record at all is an error. What is wrong far down in a file shows only when reading has
come there, after the records before it have been handed on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, tzinfo
from pathlib import Path
from typing import Any

import attrs

from ..diagnostics import InputError, Location, Problem
from .domain import UNKNOWN, Domain
from .reading.database import tables
from .reading.json_text import is_deeper, mended
from .reading.records import Reading, Record, Records
from .reading.refusals import empty, too_deep
from .reading.source import goes_on_after_a_line, is_database, pieces

__all__ = ["Document", "Record", "Records", "parse", "read", "read_text"]


def _as_records(records: Iterable[Record]) -> Records:
    return records if isinstance(records, Records) else Records(records)


@attrs.frozen
class Document:
    """A source as read: its records, and whether they are one JSON `value`, an `array`, `lines`, or a `database`.

    `records` can be gone through once; `head`, the first few of them, stays. `zone` is that of times which name none,
    `domain` what is known of tools and entities.
    Of a database the one record says `{"tables": {table: [columns]}}`, and `reading.database.opened` opens it.
    """

    name: str | None
    records: Records = attrs.field(converter=_as_records)
    layout: str
    zone: tzinfo = UTC
    domain: Domain = UNKNOWN

    @property
    def head(self) -> tuple[Record, ...]:
        """The first records, by which a format is recognised."""
        return self.records.head

    @property
    def stem(self) -> str:
        """The file's name up to its first dot, for naming conversations that have no name."""
        return Path(self.name).name.split(".")[0] if self.name and self.name != "-" else "log"


def read(source: Any, problems: list[Problem], *, strict: bool = False) -> Document:
    """Read a path, `-`, or a list or object of records; problems that do not stop the reading are added to `problems`.

    Raises `InputError` where nothing can be read: missing, a directory, empty, cut short, not text, nested too deeply.
    """
    if not isinstance(source, (str, Path)):
        return _of_values(source)
    name = str(source)
    if is_database(name):
        return Document(name, (Record({"tables": tables(name)}, Location(file=name, record=1)),), "database")
    reading = Reading(pieces(name), name, problems, strict, lambda: goes_on_after_a_line(name))
    return Document(name, reading.records, reading.layout)


def read_text(name: str) -> str:
    """The text of a file or of standard input, unpacked where it is packed. Raises `InputError` as `read` does."""
    return "".join(pieces(name))


def parse(text: str, name: str, problems: list[Problem], *, strict: bool = False) -> Document:
    """The records of a text: one JSON value, or JSON Lines."""
    reading = Reading(iter([text]), name, problems, strict, lambda: True)
    return Document(name, reading.records, reading.layout)


def _of_values(source: Any) -> Document:
    values = source if isinstance(source, (list, tuple)) else [source]
    if not values:
        raise empty(None, "the list holds no record")
    return Document(None, _placed(values), "array" if values is source else "value")


def _placed(values: Iterable[Any]) -> Iterator[Record]:
    for number, value in enumerate(values, 1):
        location = Location(record=number)
        if is_deeper(value):
            raise InputError(too_deep(location))
        yield Record(mended(value), location)
