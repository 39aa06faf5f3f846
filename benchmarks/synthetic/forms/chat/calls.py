"""Calls of tools and their results: which tool is asked for a cell, with what arguments, and what it answers.

There is a tool for each field of an entity, and a fact that is told again is the answer to the same question.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, NamedTuple

from statemem.ir import Cell

Message = dict[str, Any]
#: The argument by which an act on the world is told from another.
KEY = "request_id"


class Call(NamedTuple):
    """A call and its result."""

    tool: str
    arguments: dict[str, Any]
    result: Any

    def messages(self, own: str) -> list[Message]:
        """The message of the call, under an id of its own, and the message of the result."""
        function = {"name": self.tool, "arguments": json.dumps(self.arguments, ensure_ascii=False)}
        result = self.result if isinstance(self.result, str) else json.dumps(self.result, ensure_ascii=False)
        return [
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [{"id": own, "type": "function", "function": function}],
            },
            {"role": "tool", "tool_call_id": own, "content": result},
        ]


def lookup(cell: Cell, value: Any, tool: str) -> Call:
    """A tool is asked for what a cell holds; of an entity, or of a text such as a page, it tells that one field."""
    *owner, field = (part.text for part in cell.path)
    if len(owner) < 2:
        return Call(f"get_{field}", {}, {field: value})
    kind, own = owner[0], {id_of(owner[0]): owner[1]}
    if field == "text":
        return Call(tool if tool.endswith(f"_{kind}") else f"get_{kind}", own, own | {field: value})
    return Call(f"get_{kind}_{field}", own, own | {field: value})


def conclusion(cell: Cell, value: Any, read: dict[str, Any]) -> Call:
    """A tool makes of what it is given what a cell is to hold."""
    *owner, field = (part.text for part in cell.path)
    if len(owner) < 2:
        return Call(f"update_{field}", read, {field: value})
    own = {id_of(owner[0]): owner[1]}
    return Call(concluding(owner[0]).replace("*", field), read | own, own | {field: value})


def concluding(kind: str) -> str:
    """The names of the tools that conclude something of a kind, `*` standing for the field."""
    return f"update_{kind}_*"


def removal(cell: Cell) -> Call:
    """A tool takes away what a cell holds, or a whole entity."""
    if cell.path[-1].kind == "key":
        kind, own = cell.path[0].text, cell.path[-1].text
        return Call(f"delete_{kind}", {id_of(kind): own}, {"ok": True})
    return lookup(cell, None, "")


def action(effect: str, read: dict[str, Any], key: str | None) -> Call:
    """Something is done to the world."""
    return Call(effect, read | ({} if key is None else {KEY: key}), {"ok": True})


def use(purpose: str, read: dict[str, Any]) -> Call:
    """Values are passed on."""
    tool = "".join(sign if sign.isalnum() else "_" for sign in purpose).strip("_")
    return Call(tool if "_" in tool else f"send_{tool}", read, "ok")


def arguments(read: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """Values by the names of their fields; a name that comes again has a number: `status_2`."""
    found: dict[str, Any] = {}
    for field, value in read:
        number = 1 + sum(1 for one in found if one == field or one.startswith(f"{field}_"))
        found[field if field not in found else f"{field}_{number}"] = value
    return found


def id_of(kind: str) -> str:
    """The field that names an entity of a kind."""
    return f"{kind}_id"
