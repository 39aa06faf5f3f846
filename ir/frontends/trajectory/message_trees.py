"""Open-Assistant: trees of messages that people wrote and ranked, each reply inside the message it replies to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...diagnostics import Location, Problem
from .. import fields
from ..messages import Conversation, Message, Text
from ..reader import Document, Record


def is_tree(value: dict[str, Any]) -> bool:
    """Whether a record is a tree: a prompt with replies."""
    prompt = value.get("prompt")
    return isinstance(prompt, dict) and "text" in prompt and isinstance(prompt.get("replies"), list)


def conversation(record: Record, label: str, document: Document, problems: list[Problem]) -> Conversation:
    """The conversation of a tree."""
    value, location = record
    messages = list(_messages(value["prompt"], location.below("prompt"), document))
    return Conversation(label=fields.text(value, "message_tree_id") or label, messages=messages, is_tree=True)


def _messages(prompt: dict[str, Any], location: Location, document: Document) -> Iterator[Message]:
    work: list[tuple[dict[str, Any], Location, str | None]] = [(prompt, location, None)]
    while work:
        one, at, before = work.pop()
        key = at.pointer or ""
        yield Message(
            role="assistant" if one.get("role") == "assistant" else "user",
            parts=(Text(fields.text(one, "text") or "", "text"),),
            location=at,
            id=fields.text(one, "message_id"),
            time=fields.time(one, "created_date", zone=document.zone),
            key=key,
            follows=before,
        )
        replies = list(enumerate(fields.items(one, "replies")))
        work.extend(
            (reply, at.below(f"replies/{number}"), key)
            for number, reply in reversed(replies)
            if isinstance(reply, dict)
        )
