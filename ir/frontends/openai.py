"""`openai`: chat messages with tool calls, alone or in records that hold them, of every generation met so far.

A conversation is a list of messages, or an object that holds one; a file holds one, several, or an object with
`simulations`. Arguments may be a JSON text or an object, calls may lack ids, results may name their call by
`tool_call_id` or `id`. Items of the Responses interface, told apart by their `type`, may stand among the messages.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..diagnostics import Problem
from ..program import Program
from .chat import is_message, message_of
from .conversation import programs
from .holders import Held, conversations_in, holds
from .messages import Conversation, Message
from .reader import Document
from .responses import is_item, item_of


class OpenAI:
    """The frontend of chat messages."""

    name = "openai"
    title = "chat messages with tool calls (OpenAI chat and Responses, τ-bench trajectories)"
    example = '{"messages": [{"role": "user", "content": "Where is order W15?"}]}'

    def recognises(self, document: Document) -> bool:
        """Whether the first records are messages or hold some."""
        return any(_is_part(value) or holds(value, _is_part) for value, _ in document.head)

    def lower(self, document: Document, problems: list[Problem]) -> Iterator[Program]:
        """One program a conversation."""
        found = conversations_in(document, _is_part, problems)
        yield from programs((_conversation(held, document, problems) for held in found), document, problems)


def _is_part(value: Any) -> bool:
    return is_message(value) or is_item(value)


def _conversation(held: Held, document: Document, problems: list[Problem]) -> Conversation:
    return Conversation(label=held.label, user=held.user, messages=_messages(held, document, problems))


def _messages(held: Held, document: Document, problems: list[Problem]) -> Iterator[Message]:
    """The messages of a conversation, read as they are needed."""
    calls: set[str] = set()
    for record in held.messages:
        read = item_of if is_item(record.value) else message_of
        message = read(record, calls, document.zone, problems)
        if message is not None:
            yield message
