"""Where conversations stand in the records of a log: the records themselves, a list in each, or lists in a list."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import attrs

from ...diagnostics import Location, Problem
from .. import fields
from ..reader import Document, Record

#: The fields in which a record may hold its messages, and those in which it may hold records in turn.
_MESSAGES = ("messages", "traj", "items", "conversation", "question", "turns", "history")
_RECORDS = ("simulations", "conversations")

IsPart = Callable[[Any], bool]


@attrs.frozen
class Held:
    """The messages of one conversation as they stand in the log."""

    label: str
    user: str | None
    messages: Iterable[Record]


def holds(value: Any, is_part: IsPart) -> bool:
    """Whether a record holds the messages of a conversation, or such records."""
    if isinstance(value, dict):
        inner = next((value[field] for field in _RECORDS if isinstance(value.get(field), list)), None)
        if inner is not None and any(_field(item, is_part) for item in inner):
            return True
    return _field(value, is_part) is not None or _is_conversation(value, is_part)


def conversations_in(document: Document, is_part: IsPart, problems: list[Problem]) -> Iterator[Held]:
    """The conversations of a document: all records as one where they are messages, else one a record."""
    if any(is_part(value) for value, _ in document.head):
        yield Held(document.stem, None, _placed(document))
        return
    for number, record in enumerate(_records(document), 1):
        found = _held(record, document.stem, number, is_part)
        if found is None:
            message = "no list of messages is in this record; it is left out"
            problems.append(fields.warning("FE040", message, record.location))
        else:
            yield found


def _is_conversation(value: Any, is_part: IsPart) -> bool:
    return isinstance(value, list) and any(is_part(item) or _is_turn(item, is_part) for item in value)


def _is_turn(value: Any, is_part: IsPart) -> bool:
    """Whether a value is the messages of one turn: some logs hold a list of those."""
    return isinstance(value, list) and bool(value) and all(map(is_part, value))


def _field(value: Any, is_part: IsPart) -> str | None:
    if not isinstance(value, dict):
        return None
    return next((field for field in _MESSAGES if _is_conversation(value.get(field), is_part)), None)


def _records(document: Document) -> Iterator[Record]:
    for record in document.records:
        value, location = record
        field = next((f for f in _RECORDS if isinstance(value, dict) and isinstance(value.get(f), list)), None)
        if field is None:
            yield record
            continue
        for position, item in enumerate(value[field]):
            yield Record(item, location.below(f"{field}/{position}"))


def _held(record: Record, stem: str, number: int, is_part: IsPart) -> Held | None:
    value, location = record
    if _is_conversation(value, is_part):
        return Held(f"{stem}-{number}", None, inside(value, location))
    field = _field(value, is_part)
    if field is None:
        return None
    at = location.below(field)
    return Held(label_of(value, stem, number), fields.text(value, "user_id", "user"), inside(value[field], at))


def _placed(document: Document) -> Iterator[Record]:
    """Messages that are records of their own: by line where each has one, else by their place in the array."""
    if document.layout == "lines":
        yield from document.records
        return
    for position, (value, _) in enumerate(document.records):
        yield Record(value, Location(file=document.name, pointer=f"/{position}"))


def inside(messages: list[Any], location: Location) -> Iterator[Record]:
    """The messages of a list, and of the lists in it, each with its JSON pointer."""
    for number, one in enumerate(messages):
        at = location.below(str(number))
        if isinstance(one, list):
            yield from inside(one, at)
        else:
            yield Record(one, at)


def label_of(value: dict[str, Any], stem: str, number: int) -> str:
    """The conversation's own name; a mere number is told apart by the file it stands in."""
    own = fields.text(value, "conversation_id", "thread_id", "session_id")
    if own is None:
        task, trial = fields.text(value, "task_id", "id"), fields.text(value, "trial")
        own = f"{task}-{trial}" if task and trial else task
    if own is None:
        return f"{stem}-{number}"
    return f"{stem}-{own}" if own.replace("-", "").isdecimal() else own
