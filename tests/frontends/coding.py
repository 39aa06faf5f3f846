"""Small logs of a coding agent: a file of one's own, and calls that show and change it."""

import json
from typing import Any

from statemem import analyze, lower
from statemem.ir import Scope, run

Turn = tuple[str, dict[str, Any], str | None]
PATH = "/shop/tea.py"
TEA = "def tea():\n    cup = take('blue')\n    return pour(cup, 80)\n\n\ndef coffee():\n    return brew(3)"
UPDATED = f"The file {PATH} has been updated successfully."
NOT_FOUND = "<tool_use_error>String to replace not found in file.</tool_use_error>"


def messages(*turns):
    """The messages of calls `(tool, arguments, result)`; a call whose result is None has no answer."""
    found = []
    for number, (tool, arguments, result) in enumerate(turns, 1):
        function = {"name": tool, "arguments": json.dumps(arguments)}
        found.append({"role": "assistant", "tool_calls": [{"id": f"c{number}", "function": function}]})
        if result is not None:
            found.append({"role": "tool", "tool_call_id": f"c{number}", "content": result})
    return found


def told(*turns):
    return analyze(messages(*turns))


def held(*turns):
    """The texts of files in force at the end, by path."""
    found = run(lower(messages(*turns))).snapshot(Scope("user", "log"))
    return {path: value for path, value in found.items() if path.startswith("file")}


def numbered(text, first=1, mark="→"):
    return "\n".join(f"{n:>6}{mark}{line}" for n, line in enumerate(text.split("\n"), first))


def read(text=TEA, path=PATH) -> Turn:
    return ("Read", {"file_path": path}, numbered(text))


def read_lines(first, last, text=TEA) -> Turn:
    lines = "\n".join(text.split("\n")[first - 1 : last])
    return ("Read", {"file_path": PATH, "offset": first, "limit": last - first + 1}, numbered(lines, first))


def edit(old, new, result: str | None = UPDATED, **more) -> Turn:
    return ("Edit", {"file_path": PATH, "old_string": old, "new_string": new, **more}, result)


def bash(command, result="ok"):
    return ("Bash", {"command": command}, result)


WHOLE = 'file["/shop/tea.py"].text'
HOTTER = edit("return pour(cup, 80)", "return pour(cup, 90)")
HOTTEST = edit("return pour(cup, 80)", "return pour(cup, 95)", NOT_FOUND)
