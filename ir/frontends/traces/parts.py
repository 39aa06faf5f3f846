"""Messages of the GenAI conventions, whose parts have types of their own, as chat messages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .. import fields
from ..messages.chat import is_message
from ..reading.literals import decoded_arguments


def chats(value: Any) -> list[dict[str, Any]]:
    """Messages with parts as messages with content, calls and results."""
    found = value if isinstance(value, list) else [value] if isinstance(value, dict) else []
    return [chat for one in found if isinstance(one, dict) for chat in _chat(one)]


def _chat(message: dict[str, Any]) -> Iterator[dict[str, Any]]:
    if not isinstance(message.get("parts"), list):
        if is_message(message):
            yield message
        return
    answers = [part for part in message["parts"] if isinstance(part, dict) and part.get("type") == "tool_call_response"]
    for part in answers:
        told = part.get("response", part.get("result"))
        yield {"role": "tool", "tool_call_id": fields.text(part, "id"), "content": told}
    rest = [part for part in message["parts"] if part not in answers]
    if rest or not answers:
        chat = {
            "role": message.get("role"),
            "content": content_of(rest),
            "name": message.get("name"),
        }
        calls = [part for part in rest if isinstance(part, dict) and part.get("type") == "tool_call"]
        chat["tool_calls"] = [{"id": part.get("id"), "function": part} for part in calls]
        if is_message(chat):
            yield chat


def content_of(parts: Any) -> list[Any]:
    """The parts of a message that are no calls, as blocks."""
    found = parts if isinstance(parts, list) else [parts]
    return [_block(part) for part in found if not (isinstance(part, dict) and part.get("type") == "tool_call")]


def _block(part: Any) -> Any:
    if isinstance(part, dict) and part.get("type") == "text":
        return {"type": "text", "text": part.get("content", part.get("text", ""))}
    return part


def data_of(value: Any) -> Any:
    """A value as data, where it is written as JSON text."""
    if not isinstance(value, str) or value[:1] not in ("{", "["):
        return value
    found = decoded_arguments(f'{{"data": {value}}}')
    return found["data"] if isinstance(found, dict) else value
