"""`anthropic`: messages whose content is blocks, calls and results among them.

What a tool answered stands in a message of the person's; it becomes a block of the tool's. Thinking is kept as an entry
that nothing reads, a compaction as one made from all that was shown before.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..diagnostics import Problem
from ..program import Program
from . import fields
from .conversations.chat_logs import lower_chat
from .messages.chat import is_message
from .messages.holders import holds
from .reader import Document

_TELLING = frozenset(
    ("tool_use", "tool_result", "thinking", "redacted_thinking", "server_tool_use", "compaction", "container_upload")
)


class Anthropic:
    """The frontend of messages with content blocks."""

    name = "anthropic"
    title = "messages with content blocks (Anthropic)"
    example = (
        '{"messages": [{"role": "assistant", "content": '
        '[{"type": "tool_use", "id": "t1", "name": "get_order", "input": {"order_id": "W15"}}]}]}'
    )

    def recognises(self, document: Document) -> bool:
        """Whether a message among the first records has a block that only such messages have."""
        return any(_is_telling(value) or holds(value, _is_telling) for value, _ in document.head)

    def lower(self, document: Document, problems: list[Problem]) -> Iterator[Program]:
        """One program a conversation."""
        yield from lower_chat(document, problems)


def _is_telling(value: Any) -> bool:
    content = value.get("content") if is_message(value) else None
    blocks = content if isinstance(content, list) else []
    return any(isinstance(block, dict) and fields.text(block, "type") in _TELLING for block in blocks)
