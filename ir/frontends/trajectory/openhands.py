"""Runs of OpenHands: a list of events, in which an observation names the action that caused it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...diagnostics import Location, Problem
from .. import fields
from ..messages import Conversation, Message, Opaque, Part, Text, ToolCall, ToolResult
from ..reader import Document, Record
from ..reading.literals import decoded_arguments

#: Arguments that tell of the run and not of what was asked for.
_BOOKKEEPING = frozenset(
    ("thought", "is_input", "blocking", "is_static", "hidden", "confirmation_state", "security_risk", "impl_source")
)
_SETTINGS = frozenset(("system", "recall", "change_agent_state", "agent_state_changed", "null", "condensation_request"))
_COMPACTION = "condensation"


def is_run(value: dict[str, Any]) -> bool:
    """Whether a record is a run: a history of events with sources."""
    history = value.get("history")
    return isinstance(history, list) and any(_is_event(one) for one in history[:3])


def _is_event(one: Any) -> bool:
    return isinstance(one, dict) and "source" in one and ("action" in one or "observation" in one)


def conversation(record: Record, label: str, document: Document, problems: list[Problem]) -> Conversation:
    """The conversation of a run."""
    value, location = record
    return Conversation(
        label=fields.text(value, "instance_id") or label,
        messages=_messages(value["history"], location, document, problems),
    )


def _messages(history: list[Any], location: Location, document: Document, problems: list[Problem]) -> Iterator[Message]:
    for number, event in enumerate(history):
        at = location.below(f"history/{number}")
        if not _is_event(event):
            problems.append(fields.warning("FE081", "this is no event of a run; it is left out", at))
            continue
        yield _told(event, at, document) if "observation" in event else _done(event, at, document)


def _done(event: dict[str, Any], location: Location, document: Document) -> Message:
    action = fields.text(event, "action") or ""
    arguments = event.get("args") if isinstance(event.get("args"), dict) else {}
    assert isinstance(arguments, dict)
    by_person = event.get("source") == "user"
    parts: list[Part] = []
    words = fields.text(arguments, "thought", "final_thought")
    if action == "message":
        words = fields.text(arguments, "content") or fields.text(event, "message")
    if words is not None:
        parts.append(Text(words, "args"))
    if action == _COMPACTION:
        parts = [Opaque("compaction", fields.text(arguments, "summary") or arguments, "args", sees_all=True)]
    elif action not in ("message", "finish", "think", *_SETTINGS):
        parts.append(_call(event, action, arguments))
    return Message(
        role="system" if action in (_COMPACTION, *_SETTINGS) else "user" if by_person else "assistant",
        parts=tuple(parts) if action not in _SETTINGS else (),
        location=location,
        id=fields.text(event, "id"),
        time=fields.time(event, "timestamp", zone=document.zone),
    )


def _call(event: dict[str, Any], action: str, arguments: dict[str, Any]) -> ToolCall:
    """A call as the model made it; where that is not kept, as the run carried it out."""
    named = event.get("tool_call_metadata")
    made = _made(named) if isinstance(named, dict) else None
    own = fields.text(named, "tool_call_id") if isinstance(named, dict) else None
    tool = (fields.text(named, "function_name") if isinstance(named, dict) else None) or action
    carried = {
        name: value for name, value in arguments.items() if name not in _BOOKKEEPING and value not in (None, "", [])
    }
    return ToolCall(tool, made or carried, own or fields.text(event, "id"), "args")


def _made(metadata: dict[str, Any]) -> dict[str, Any] | None:
    """The arguments of a call in the answer of the model that made it."""
    response = metadata.get("model_response")
    choices = fields.items(response, "choices") if isinstance(response, dict) else []
    message = choices[0].get("message") if choices and isinstance(choices[0], dict) else None
    for call in fields.items(message, "tool_calls") if isinstance(message, dict) else []:
        function = call.get("function") if isinstance(call, dict) else None
        if isinstance(function, dict) and call.get("id") == metadata.get("tool_call_id"):
            found = decoded_arguments(str(function.get("arguments")))
            return found if isinstance(found, dict) else None
    return None


def _told(event: dict[str, Any], location: Location, document: Document) -> Message:
    kind = fields.text(event, "observation") or ""
    metadata = event.get("tool_call_metadata")
    call = fields.text(metadata, "tool_call_id") if isinstance(metadata, dict) else None
    content = event.get("content")
    failed = kind == "error" or (isinstance(content, str) and content.startswith("ERROR:"))
    result = ToolResult(content or "", call or fields.text(event, "cause"), None, failed)
    is_setting = kind in _SETTINGS or kind == "think"
    return Message(
        role="system" if is_setting else "tool",
        parts=() if is_setting else (result,),
        location=location,
        id=fields.text(event, "id"),
        time=fields.time(event, "timestamp", zone=document.zone),
    )
