"""Items of the Responses interface: calls, their outputs, and reasoning stand beside the messages, told by `type`."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import tzinfo
from typing import Any

from ...diagnostics import Location, Problem
from .. import fields
from ..reader import Record
from .chat import call_of
from .content import result_of
from .model import Message, Opaque, Part, Prompt, Role, ToolCall, ToolResult

#: Calls that the service answers itself, and the fields of what they were given and of what came of it.
_SERVED = {
    "mcp_call": ("arguments", "output"),
    "file_search_call": ("queries", "results"),
    "web_search_call": ("action", "results"),
    "code_interpreter_call": ("code", "outputs"),
    "image_generation_call": ("prompt", "result"),
}
#: Calls that the caller answers, and the field of what they are given, where it is not called arguments.
_ASKED = {
    "function_call": "arguments",
    "custom_tool_call": "input",
    "shell_call": "action",
    "local_shell_call": "action",
    "computer_call": "action",
    "apply_patch_call": "operation",
    "tool_search_call": "arguments",
    "program": "code",
}
_SEALED = frozenset(("reasoning", "compaction"))
_SEALED_FIELDS = ("id", "encrypted_content", "summary")
#: Items that set up a request and say nothing of what anybody knows.
_SETTINGS = frozenset(
    ("compaction_trigger", "mcp_list_tools", "mcp_approval_request", "mcp_approval_response", "configuration_update")
)


def is_item(value: Any) -> bool:
    """Whether a value is an item that is no message."""
    kind = value.get("type") if isinstance(value, dict) and "role" not in value else None
    if not isinstance(kind, str):
        return False
    is_known = kind in _ASKED or kind in _SERVED or kind in _SETTINGS or kind == "item_reference"
    return is_known or _is_output(kind) or (kind in _SEALED and any(field in value for field in _SEALED_FIELDS))


def _is_output(kind: str) -> bool:
    return kind.endswith("_call_output") or kind in ("program_output", "tool_search_output")


def item_of(record: Record, calls: set[str], zone: tzinfo, problems: list[Problem]) -> Message:
    """The message of an item."""
    value, location = record
    own = fields.text(value, "id")
    parts = tuple(_parts(value, value["type"], location, problems))
    calls.update(part.id for part in parts if isinstance(part, ToolCall) and part.id is not None)
    refers = value["type"] == "item_reference" and own is not None
    return Message(
        role=_role(parts),
        parts=parts,
        location=location,
        id=fields.text(value, "id", "call_id"),
        time=fields.time(value, "created_at", zone=zone),
        key=None if refers else own,
        prompt=Prompt(shown=(own,)) if refers and own is not None else None,
    )


def _role(parts: tuple[Part, ...]) -> Role:
    if any(isinstance(part, ToolCall | Opaque) for part in parts):
        return "assistant"
    return "tool" if parts else "system"


def _parts(value: dict[str, Any], kind: str, location: Location, problems: list[Problem]) -> Iterator[Part]:
    if _is_output(kind):
        inner = next((field for field in ("output", "result", "tools") if field in value), "output")
        yield from result_of(value, value.get(inner), "", inner=inner)
    elif kind in _SEALED:
        yield Opaque(kind, value, "", sees_all=bool(value.get("encrypted_content")))
    elif kind in _SERVED:
        given, told = _SERVED[kind]
        call = _call(value, kind, given, location, problems)
        yield call
        if value.get(told) is not None:
            failed = value.get("error") is not None or value.get("status") == "failed"
            yield ToolResult(value[told], call.id, call.tool, failed, told)
    elif kind in _ASKED:
        yield _call(value, kind, _ASKED[kind], location, problems)


def _call(value: dict[str, Any], kind: str, given: str, location: Location, problems: list[Problem]) -> ToolCall:
    name = fields.text(value, "name") or kind.removesuffix("_call")
    own = fields.text(value, "call_id", "id")
    arguments = value.get(given)
    if isinstance(arguments, str) and given in ("arguments", "input"):
        read = call_of({"name": name, "id": own, given: arguments}, "", location, problems)
        if read is not None:
            return read
    return ToolCall(name, _given(arguments) if isinstance(arguments, dict) else {given: arguments}, own, given)


def _given(arguments: dict[str, Any]) -> dict[str, Any]:
    """What a call of a shell is given under the name that others give it: its commands as one line."""
    commands = arguments.get("commands")
    if not isinstance(commands, list) or not all(isinstance(one, str) for one in commands):
        return arguments
    return {
        **{field: value for field, value in arguments.items() if field != "commands"},
        "command": " && ".join(commands),
    }
