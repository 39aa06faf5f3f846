"""Runs of SWE-agent and of its kin: a history of messages, or steps of thought, action and observation.

Older runs have no tool calls: an action is a line of text in the answer, and what came of it is the next message of the
user. Both become what they are, a call and its result.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from typing import Any

import attrs

from ...diagnostics import Location, Problem
from .. import fields
from ..messages import Conversation, Message, Part, Text, ToolCall, ToolResult
from ..messages.chat import is_message, message_of
from ..reader import Document, Record

#: The editor's commands that are no programs of the shell, with what their words are called.
_COMMANDS = {
    "open": ("path", "line_number"),
    "create": ("filename",),
    "goto": ("line_number",),
    "scroll_up": (),
    "scroll_down": (),
    "find_file": ("file_name", "dir"),
    "search_dir": ("search_term", "dir"),
    "search_file": ("search_term", "file"),
    "submit": (),
}
#: What the messages of such a run have besides those of any chat.
_TELLING = frozenset(("agent", "action", "thought", "message_type", "is_demo"))
_EDIT = re.compile(r"edit\s+(\d+):(\d+)\s*\n(.*?)\n?end_of_edit", re.DOTALL)
_FENCED = re.compile(r"```[a-z]*\n(.*?)```", re.DOTALL)


def is_run(value: dict[str, Any]) -> bool:
    """Whether a record is a run: steps with observations, or a history whose messages name agents or actions."""
    history, steps = value.get("history"), value.get("trajectory")
    if isinstance(history, list) and any(is_message(one) and _TELLING & one.keys() for one in history):
        return True
    return isinstance(steps, list) and any(isinstance(one, dict) and "observation" in one for one in steps[:3])


def conversation(record: Record, label: str, document: Document, problems: list[Problem]) -> Conversation:
    """The conversation of a run."""
    value, location = record
    has_history = isinstance(value.get("history"), list) and any(map(is_message, value["history"]))
    found = _of_history(value["history"], location, document, problems) if has_history else _of_steps(value, location)
    return Conversation(label=fields.text(value, "instance_id") or label, messages=found)


def _of_history(
    history: list[Any], location: Location, document: Document, problems: list[Problem]
) -> Iterator[Message]:
    calls: set[str] = set()
    waits = False
    for number, one in enumerate(history):
        at = location.below(f"history/{number}")
        message = message_of(Record(_answering(one), at), calls, document.zone, problems)
        if message is None:
            continue
        action = fields.text(one, "action")
        if one.get("is_demo") is True:  # an example of a run, which nobody carried out
            parts = tuple(part for part in message.parts if isinstance(part, Text))
            yield attrs.evolve(message, role="system", parts=parts)
        elif message.role == "assistant" and not any(isinstance(part, ToolCall) for part in message.parts):
            call = _call(action or _fenced(message), "action" if action else "content")
            waits = call is not None
            thought = Text(fields.text(one, "thought") or "", "thought")
            yield message if call is None else attrs.evolve(message, parts=(thought, call))
        elif message.role == "user" and waits:
            waits = False
            words = "\n".join(part.text for part in message.parts if isinstance(part, Text))
            yield attrs.evolve(message, role="tool", parts=(ToolResult(words),))
        else:
            yield message


def _answering(one: Any) -> Any:
    """A result that names its call in a list names it as others do."""
    calls = one.get("tool_call_ids") if isinstance(one, dict) else None
    return {**one, "tool_call_id": calls[0]} if isinstance(calls, list) and calls else one


def _fenced(message: Message) -> str:
    """The last block of code in an answer, which is its action."""
    found = [code for part in message.parts if isinstance(part, Text) for code in _FENCED.findall(part.text)]
    return found[-1] if found else ""


def _of_steps(value: dict[str, Any], location: Location) -> Iterator[Message]:
    task = fields.text(value, "problem_statement", "task", "instruction")
    if task is not None:
        yield Message(role="user", parts=(Text(task, ""),), location=location)
    for number, step in enumerate(value["trajectory"]):
        if not isinstance(step, dict):
            continue
        at = location.below(f"trajectory/{number}")
        call = _call(fields.text(step, "action") or "", "action")
        thought = Text(fields.text(step, "thought", "response") or "", "thought")
        parts: tuple[Part, ...] = (thought,) if call is None else (thought, call)
        yield Message(role="assistant", parts=parts, location=at)
        if call is not None:
            result = ToolResult(step.get("observation") or "", pointer="observation")
            yield Message(role="tool", parts=(result,), location=at)


def _call(action: str, pointer: str) -> ToolCall | None:
    """The call that an action is: a command of the editor with its words, anything else a line of the shell."""
    text = action.strip()
    if not text:
        return None
    edit = _EDIT.match(text)
    if edit is not None:
        lines = {"start_line": int(edit[1]), "end_line": int(edit[2]), "replacement_text": edit[3]}
        return ToolCall("edit", lines, pointer=pointer)
    words = _words(text)
    names = _COMMANDS.get(words[0]) if words else None
    if names is None:
        return ToolCall("bash", {"command": text}, pointer=pointer)
    return ToolCall(words[0], dict(zip(names, words[1:], strict=False)), pointer=pointer)


def _words(text: str) -> list[str]:
    try:
        return shlex.split(text) if "\n" not in text else []
    except ValueError:
        return []
