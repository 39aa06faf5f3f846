"""One chat message: its role, its words, and its calls with their arguments, wherever a vendor puts them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import tzinfo
from typing import Any

from ...diagnostics import Location, Problem
from .. import fields
from ..reader import Record
from ..reading.literals import decoded_arguments
from .content import parts_of, result_of
from .model import Message, Part, Role, Text, ToolCall

#: Who speaks, by the names that vendors give them.
ROLES: dict[str, Role] = {
    "system": "system",
    "developer": "system",
    "user": "user",
    "human": "user",
    "assistant": "assistant",
    "ai": "assistant",
    "model": "assistant",
    "tool": "tool",
    "function": "tool",
}
_TIMES = ("timestamp", "created_at", "create_time")


def is_message(value: Any) -> bool:
    """Whether a value is a message: an object with a role."""
    role = value.get("role") if isinstance(value, dict) else None
    return isinstance(role, str) and role in ROLES


def message_of(record: Record, calls: set[str], zone: tzinfo, problems: list[Problem]) -> Message | None:
    """The message of a record; None, and a warning, where it is none. `calls` are the ids of those made so far."""
    value, location = record
    if not is_message(value):
        problems.append(fields.warning("FE041", f"{_what(value)}; it is left out", location))
        return None
    role = ROLES[value["role"]]
    parts = tuple(_parts(value, role, location, calls, problems))
    calls.update(part.id for part in parts if isinstance(part, ToolCall) and part.id is not None)
    return Message(
        role=role,
        parts=parts,
        location=location,
        name=(fields.text(value, "name") or "") if role in ("user", "assistant") else "",
        id=fields.text(value, "id", "tool_call_id"),
        time=fields.time(value, *_TIMES, zone=zone),
    )


def _what(value: Any) -> str:
    """What stands in the place of a message."""
    if not isinstance(value, dict):
        return "this is no message"
    kind = fields.text(value, "type")
    if "role" not in value and kind is not None:
        return f"an item of type {kind!r} is not known"
    return f"a message of role {value.get('role')!r} is not known"


def _parts(
    value: dict[str, Any], role: Role, location: Location, calls: set[str], problems: list[Problem]
) -> Iterator[Part]:
    if role == "tool":
        yield from result_of(_naming(value, calls), value.get("content"), "", tool=fields.text(value, "name"))
        return
    content = list(parts_of(value.get("content")))
    yield from content
    refusal = fields.text(value, "refusal")
    if refusal is not None:
        yield Text(refusal, "refusal")
    if role == "assistant":
        known = {part.id for part in content if isinstance(part, ToolCall)}
        yield from (call for call in calls_of(value, location, problems) if call.id is None or call.id not in known)


def _naming(value: dict[str, Any], calls: set[str]) -> dict[str, Any]:
    """A result that names its call by `id` names it as others do."""
    own = fields.text(value, "id")
    if "tool_call_id" in value or own not in calls:
        return value
    return {**value, "tool_call_id": own}


def calls_of(value: dict[str, Any], location: Location, problems: list[Problem]) -> Iterator[ToolCall]:
    """The calls of a message in `tool_calls` or, as once was, in `function_call`."""
    calls = value.get("tool_calls") or []
    if isinstance(value.get("function_call"), dict):
        calls = [*calls, {"function": value["function_call"]}] if isinstance(calls, list) else calls
    if not isinstance(calls, list):
        at = location.below("tool_calls")
        problems.append(fields.warning("FE042", "tool_calls is not a list; it is left out", at))
        return
    for position, call in enumerate(calls):
        found = call_of(call, f"tool_calls/{position}", location, problems)
        if found is not None:
            yield found


def call_of(call: Any, pointer: str, location: Location, problems: list[Problem]) -> ToolCall | None:
    """One call; None, and a warning, where it has no name."""
    body = _body(call)
    tool = fields.text(body, "name")
    if tool is None:
        at = location.below(pointer)
        problems.append(fields.warning("FE043", "a tool call without a name; it is left out", at))
        return None
    inside = f"{pointer}/{_arguments_at(call)}" if pointer else _arguments_at(call)
    arguments = _arguments(body, location.below(inside), problems)
    return ToolCall(tool, arguments, fields.text(call, "id", "call_id"), inside)


def _arguments(body: dict[str, Any], location: Location, problems: list[Problem]) -> Any:
    """Arguments as an object; what is no JSON is kept as it stands."""
    raw = next((body[field] for field in ("arguments", "args", "input") if field in body), None)
    if not isinstance(raw, str):
        return raw
    found = decoded_arguments(raw) if raw.strip() else {}
    if found is not None:
        return found
    if "input" not in body:
        problems.append(fields.warning("FE044", "the arguments are not JSON; they are kept as text", location))
    return {"arguments": raw}


def _arguments_at(call: Any) -> str:
    """The JSON pointer to the arguments of a call; behind `#` it goes on within their JSON text."""
    body = _body(call)
    parent = next((f"{field}/" for field in ("function", "custom") if body is not call and body is call.get(field)), "")
    name = next((field for field in ("arguments", "args", "input") if field in body), "arguments")
    return f"{parent}{name}{'#' if isinstance(body.get(name), str) else ''}"


def _body(call: Any) -> dict[str, Any]:
    """The part of a call that holds its name and arguments."""
    if not isinstance(call, dict):
        return {}
    return next((call[field] for field in ("function", "custom") if isinstance(call.get(field), dict)), call)
