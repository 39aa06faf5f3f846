"""Messages as older exports write them: in numbered attributes, in an event each, or in one attribute for all."""

from __future__ import annotations

import re
from typing import Any

from .. import fields
from ..messages.chat import is_message
from .parts import chats, data_of
from .spans import Span

_NUMBERED = re.compile(r"gen_ai\.(prompt|completion)\.(\d+)\.(.+)")
_CALL = re.compile(r"tool_calls\.(\d+)\.(id|name|arguments)")
_EVENTS = {
    "gen_ai.system.message": "system",
    "gen_ai.user.message": "user",
    "gen_ai.assistant.message": "assistant",
    "gen_ai.tool.message": "tool",
}
Chats = list[dict[str, Any]]


def asked_and_answered(span: Span) -> tuple[Chats, Chats]:
    """What a model was given and what it answered, as chat messages."""
    asked, answered = _numbered(span, "prompt"), _numbered(span, "completion")
    for event, attributes in span.events:
        if event in _EVENTS:
            asked.append({**_told(attributes), "role": _EVENTS[event]})
        elif event == "gen_ai.choice":
            answered.append({"role": "assistant", **_told(attributes)})
        else:
            asked.extend(chats(data_of(attributes.get("gen_ai.prompt"))))
            answered.extend(chats(data_of(attributes.get("gen_ai.completion"))))
    asked = asked or chats(span.structure("gen_ai.prompt"))
    return asked, answered or chats(span.structure("gen_ai.completion"))


def _told(attributes: dict[str, Any]) -> dict[str, Any]:
    """The message of an event, whose parts are often written as JSON text."""
    inner = data_of(attributes.get("message"))
    body = {**attributes, **inner} if isinstance(inner, dict) else attributes
    calls = data_of(body.get("tool_calls"))
    told = {field: body[field] for field in ("content", "name") if body.get(field) is not None}
    own = fields.text(body, "id", "tool_call_id")
    return {
        **told,
        "tool_calls": calls if isinstance(calls, list) else [],
        **({"tool_call_id": own} if own else {}),
    }


def _numbered(span: Span, kind: str) -> list[dict[str, Any]]:
    messages: dict[int, dict[str, Any]] = {}
    calls: dict[tuple[int, int], dict[str, Any]] = {}
    for attribute, value in span.attributes.items():
        match = _NUMBERED.fullmatch(attribute)
        if match is None or match[1] != kind:
            continue
        number, field = int(match[2]), match[3]
        call = _CALL.fullmatch(field)
        message = messages.setdefault(number, {})
        if call is not None:
            calls.setdefault((number, int(call[1])), {})[call[2]] = value
        else:
            message[field] = value
    for (number, _), call_fields in sorted(calls.items()):
        messages[number].setdefault("tool_calls", []).append({"id": call_fields.get("id"), "function": call_fields})
    role = "assistant" if kind == "completion" else "user"
    found = [{"role": role, **messages[number]} for number in sorted(messages)]
    return [message for message in found if is_message(message)]
