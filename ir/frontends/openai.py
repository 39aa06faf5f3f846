"""`openai`: chat messages with tool calls, alone or in records that hold them, of every generation met so far.

A conversation is a list of messages, or an object that holds one; a file holds one, several, or an object with
`simulations`. Arguments may be a JSON text or an object, calls may lack ids, results may name their call by
`tool_call_id` or `id`. Items of the Responses interface, told apart by their `type`, may stand among the messages.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..diagnostics import Problem
from ..program import Program
from .conversations.chat_logs import is_part, lower_chat
from .messages.holders import holds
from .reader import Document


class OpenAI:
    """The frontend of chat messages."""

    name = "openai"
    title = "chat messages with tool calls (OpenAI chat and Responses, τ-bench trajectories)"
    example = '{"messages": [{"role": "user", "content": "Where is order W15?"}]}'

    def recognises(self, document: Document) -> bool:
        """Whether the first records are messages or hold some."""
        return any(is_part(value) or holds(value, is_part) for value, _ in document.head)

    def lower(self, document: Document, problems: list[Problem]) -> Iterator[Program]:
        """One program a conversation."""
        yield from lower_chat(document, problems)
