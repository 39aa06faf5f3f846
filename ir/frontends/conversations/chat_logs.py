"""Logs of chat messages to programs, in which the shapes of several vendors may stand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ...diagnostics import Problem
from ...program import Program
from ..messages import Conversation, Message
from ..messages.chat import is_message, message_of
from ..messages.holders import conversations_in
from ..messages.responses import is_item, item_of
from ..reader import Document, Record
from .programs import programs


def is_part(value: Any) -> bool:
    """Whether a value is a message, or an item that stands among messages."""
    return is_message(value) or is_item(value)


def lower_chat(document: Document, problems: list[Problem]) -> Iterator[Program]:
    """One program a conversation."""
    held = conversations_in(document, is_part, problems)
    found = (
        Conversation(label=one.label, user=one.user, messages=messages_in(one.messages, document, problems))
        for one in held
    )
    yield from programs(found, document, problems)


def messages_in(records: Iterable[Record], document: Document, problems: list[Problem]) -> Iterator[Message]:
    """The messages of records, read as they are needed."""
    calls: set[str] = set()
    for record in records:
        read = item_of if is_item(record.value) else message_of
        message = read(record, calls, document.zone, problems)
        if message is not None:
            yield message
