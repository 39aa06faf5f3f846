"""Runs of mini-SWE-agent: plain messages, an answer with one line of shell in it, and what came of it from the user."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

import attrs

from ...diagnostics import Problem
from ..messages import Conversation, Message, Text, ToolCall, ToolResult
from ..messages.chat import is_message, message_of
from ..messages.holders import inside, label_of
from ..reader import Document, Record

_ACTION = re.compile(r"```(?:mswea_bash_command|bash|sh)\s*\n(.*?)\n?```", re.DOTALL)
_RESULT = re.compile(r"\s*<returncode>(-?\d+)</returncode>\s*(?:<output>\n?)?(.*?)(?:\n?</output>)?\s*\Z", re.DOTALL)


def is_result(value: Any) -> bool:
    """Whether a value is a message that tells what came of a command."""
    return is_message(value) and isinstance(value.get("content"), str) and bool(_RESULT.match(value["content"]))


def is_run(value: dict[str, Any]) -> bool:
    """Whether a record is a run: an object that says so, or messages of which one tells what came of a command."""
    messages = value.get("messages")
    said = value.get("trajectory_format")
    if not isinstance(messages, list):
        return False
    return (isinstance(said, str) and said.startswith("mini-swe-agent")) or any(map(is_result, messages))


def conversation(record: Record, label: str, document: Document, problems: list[Problem]) -> Conversation:
    """The conversation of a run."""
    value, location = record
    records = inside(value["messages"], location.below("messages"))
    return Conversation(label=label_of(value, label, 1), messages=messages_of(records, document, problems))


def messages_of(records: Iterable[Record], document: Document, problems: list[Problem]) -> Iterator[Message]:
    """The messages of a run, its commands as calls of a shell and what came of them as results."""
    calls: set[str] = set()
    waits = False
    for record in records:
        message = message_of(record, calls, document.zone, problems)
        if message is None:
            continue
        words = "\n".join(part.text for part in message.parts if isinstance(part, Text))
        actions = _ACTION.findall(words) if message.role == "assistant" else []
        result = _RESULT.match(words) if waits and message.role == "user" else None
        if result is not None:
            told = ToolResult(result[2], failed=result[1] != "0")
            yield attrs.evolve(message, role="tool", parts=(told,))
        elif len(actions) == 1:
            thought = _ACTION.sub("", words).strip()
            call = ToolCall("bash", {"command": actions[0]}, pointer="content")
            yield attrs.evolve(message, parts=(Text(thought), call))
        else:
            yield message
        waits = len(actions) == 1
