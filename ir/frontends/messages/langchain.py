"""Messages as LangChain writes them: `dumpd`, `message_to_dict`, and the plain form with a `type` for a role."""

from __future__ import annotations

from datetime import tzinfo
from typing import Any

import attrs

from ...diagnostics import Problem
from .. import fields
from ..reader import Record
from .chat import ROLES, message_of
from .model import Message, Removal

_TYPES = {
    "human": "user",
    "HumanMessage": "user",
    "ai": "assistant",
    "AIMessage": "assistant",
    "system": "system",
    "SystemMessage": "system",
    "developer": "system",
    "tool": "tool",
    "ToolMessage": "tool",
    "function": "tool",
    "FunctionMessage": "tool",
    "remove": "remove",
    "RemoveMessage": "remove",
}
_CHATS = frozenset(("chat", "ChatMessage"))
#: The id that stands for all messages in a removal.
_ALL = "__remove_all__"


def is_langchain_message(value: Any) -> bool:
    """Whether a value is a message in one of these forms."""
    return _opened(value) is not None


def _opened(value: Any) -> tuple[str, dict[str, Any], str] | None:
    """The type of a message, its fields, and where they stand in it."""
    if not isinstance(value, dict):
        return None
    kind, inner, at = value.get("type"), value, ""
    if "role" in value and not (isinstance(kind, str) and kind in _CHATS):
        return None
    if value.get("lc") == 1 and isinstance(value.get("kwargs"), dict):
        names = fields.items(value, "id")
        kind, inner, at = (names[-1] if names else None), value["kwargs"], "kwargs"
    elif isinstance(value.get("data"), dict):
        inner, at = value["data"], "data"
    kind = kind.removesuffix("Chunk") if isinstance(kind, str) else ""
    is_message = kind in _TYPES or kind in _CHATS
    return (kind, inner, at) if is_message and ("content" in inner or kind in ("remove", "RemoveMessage")) else None


def langchain_message(
    record: Record, calls: set[str], keys: list[str], zone: tzinfo, problems: list[Problem]
) -> Message | None:
    """The message of a record; `keys` are those of the messages so far, which a removal may name all together."""
    opened = _opened(record.value)
    if opened is None:
        return message_of(record, calls, zone, problems)
    kind, inner, at = opened
    location = record.location.below(at)
    own = fields.text(inner, "id")
    if _TYPES.get(kind) == "remove":
        gone = tuple(keys) if own == _ALL else (own,) if own is not None else ()
        return Message(role="system", parts=(Removal(gone),), location=location, id=own)
    message = message_of(Record(_as_chat(kind, inner), location), calls, zone, problems)
    if message is None or own is None:
        return message
    keys.append(own)
    return attrs.evolve(message, key=own)


def _as_chat(kind: str, inner: dict[str, Any]) -> dict[str, Any]:
    """The message with a role; calls whose arguments could not be read stand with the others.

    The role of a chat message may be any: whom the log calls `critic` is an agent of that name.
    """
    role = _TYPES.get(kind) or fields.text(inner, "role") or "user"
    if role not in ROLES:
        inner, role = {**inner, "name": role}, "assistant"
    broken = [one for one in fields.items(inner, "invalid_tool_calls") if isinstance(one, dict)]
    calls = inner.get("tool_calls") or _older_calls(inner) or []
    if broken and isinstance(calls, list):
        calls = [*calls, *({**one, "arguments": one.get("args")} for one in broken)]
    return {**inner, "role": role, "tool_calls": calls}


def _older_calls(inner: dict[str, Any]) -> Any:
    more = inner.get("additional_kwargs")
    return more.get("tool_calls") if isinstance(more, dict) else None
