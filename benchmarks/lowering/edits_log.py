"""What coding sessions do to files, read from their raw JSON: what was shown, quoted, replaced, written, how it ended.

Three kinds of logs are read: lines of a session (`claude_code`), the history of a run with messages, and the history of
a run with actions and observations (both `swe`). Where a log states the text of a file beside a result, that is taken,
else the lines with numbers that a tool printed. Nothing here is shared with the product's own readers.
"""

import gzip
import itertools
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

Record = dict[str, Any]

NUMBERED = re.compile(r"[ \t]*(\d+)(?:→|\t|:)(.*)")
FULL = re.compile(r"\[File: (.+?) \((\d+) lines total\)\]")
DONE = re.compile(
    r"has been (?:updated|edited|written)|created successfully|File updated|Text replaced|\[File: |successfully", re.I
)
FAILED = re.compile(r"^(?:ERROR|Error)|<tool_use_error>|Your proposed edit|No replacement|not found|did not appear")
TEXT_EDIT = re.compile(r"edit\s+(\d+):(\d+)\s*\n(.*?)\n?end_of_edit", re.DOTALL)


@dataclass(frozen=True)
class Shown:
    """Lines of a file: their text, the number of the first, whether they are the whole file."""

    text: str
    first: int
    whole: bool


@dataclass(frozen=True)
class Step:
    """One thing done to one file by a call; `call` and `answer` say where in the log both stand.

    `kind` is `read`, `edit` (a quoted text is replaced), `lines` (numbered lines are), `write`, or `other` for a call
    that may have changed any file. `stated` is the whole file before the change, where the log has it.
    """

    kind: str
    call: str
    answer: str
    path: str = ""
    old: str = ""
    new: str = ""
    everywhere: bool = False
    first: int = 0
    end: int = 0
    done: bool = False
    shown: Shown | None = None
    stated: str | None = None


def load(path: Path) -> Any:
    """The content of a gzipped log: one JSON value, or the values of its lines."""
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        text = stream.read()
    try:
        return json.loads(text)
    except ValueError:
        return [value for value in map(_value, text.splitlines()) if value is not None]


def _value(line: str) -> Any:
    try:
        return json.loads(line)
    except ValueError:
        return {}  # a line keeps its number


def steps(content: Any) -> list[Step]:
    """What a log does to files, in the order of its calls' answers; nothing for a log of another kind."""
    if isinstance(content, list) and len(content) == 1 and "history" in content[0]:
        return steps(content[0])
    if isinstance(content, list):
        return list(_session((f"line {n}", line) for n, line in enumerate(content, 1)))
    if "loglines" in content:
        return list(_session((f"/loglines/{n}", line) for n, line in enumerate(content["loglines"])))
    history = content.get("history", [])
    return list(_observed(history) if any("observation" in one for one in history) else _messages(history))


# sessions


def _session(lines: Iterable[tuple[str, Record]]) -> Iterator[Step]:
    """What the calls of a session did, each where its result stands."""
    calls: dict[str, Record] = {}
    for place, line in lines:
        if not isinstance(line, dict):
            continue
        message = line.get("message")
        for block in _blocks(message):
            if block.get("type") == "tool_use":
                calls[block["id"]] = block
            elif block.get("type") == "tool_result" and block.get("tool_use_id") in calls:
                yield from _of_session(calls[block["tool_use_id"]], block, line.get("toolUseResult"), place)


def _blocks(message: Any) -> list[Record]:
    content = message.get("content") if isinstance(message, dict) else None
    return [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []


def _of_session(call: Record, block: Record, stated: Any, answer: str) -> Iterator[Step]:
    arguments, text, told = call["input"], _text(block.get("content")), stated if isinstance(stated, dict) else {}
    done = block.get("is_error") is not True and not FAILED.search(text[:200])
    step = Step("other", call["id"], answer, arguments.get("file_path", ""), done=done, stated=told.get("originalFile"))
    match call["name"]:
        case "Read" if done:
            yield replace(step, kind="read", shown=_file(told.get("file")) or shown(text))
        case "Write":
            yield replace(step, kind="write", new=arguments.get("content", ""))
        case "Edit":
            yield _edit(step, arguments)
        case "MultiEdit":
            yield from (_edit(step, edit) for edit in arguments.get("edits", []))
        case "Bash" | "Task" | "Agent":
            yield step


def _edit(step: Step, arguments: Record) -> Step:
    old, new = arguments.get("old_string", ""), arguments.get("new_string", "")
    everywhere = arguments.get("replace_all") is True
    return replace(step, kind="edit" if old else "write", old=old, new=new, everywhere=everywhere)


def _file(told: Any) -> Shown | None:
    if not isinstance(told, dict) or "content" not in told:
        return None
    whole = told["startLine"] == 1 and told["numLines"] == told["totalLines"]
    return Shown(told["content"], told["startLine"], whole)


# runs


def _messages(history: list[Record]) -> Iterator[Step]:
    """Each message of an assistant has one call, or is an action itself; the next message answers it."""
    opened = ""
    for number, (asked, told) in enumerate(itertools.pairwise(history)):
        if asked.get("role") != "assistant" or told.get("role") not in ("tool", "user") or asked.get("is_demo"):
            continue
        name, arguments = _called(asked)
        text = _text(told.get("content"))
        step = _editor(name, arguments, text, Step("other", f"/history/{number}", f"/history/{number + 1}"), opened)
        opened = step.path if name in ("open", "create") else opened
        yield step


def _called(message: Record) -> tuple[str, Record]:
    for call in message.get("tool_calls") or ():
        written = call["function"]["arguments"]
        arguments = _value(written) if isinstance(written, str) else written
        return call["function"]["name"], arguments if isinstance(arguments, dict) else {}
    action = str(message.get("action") or "").strip()
    edit = TEXT_EDIT.match(action)
    if edit:
        return "edit", {"start_line": edit[1], "end_line": edit[2], "replacement_text": edit[3]}
    name, _, rest = action.partition(" ")
    return name, {"path": rest.split(" ")[0].strip("\"'"), "command": action}


def _observed(history: list[Record]) -> Iterator[Step]:
    """Actions, and the observations that name them as their cause."""
    actions = {one.get("id"): (n, one) for n, one in enumerate(history) if "action" in one}
    for number, one in enumerate(history):
        if "observation" not in one or one.get("cause") not in actions:
            continue
        place, action = actions[one["cause"]]
        arguments = action.get("args") or {}
        name = "str_replace_editor" if action["action"] in ("read", "edit") else action["action"]
        if action["action"] == "read":
            arguments = {"command": "view", **arguments}
        where = Step("other", f"/history/{place}", f"/history/{number}")
        yield _editor(name, arguments, _text(one.get("content")), where, "")


def _editor(name: str, arguments: Record, text: str, step: Step, opened: str) -> Step:
    """What a command of an editor did; any other command may have done anything."""
    path = arguments.get("path") or arguments.get("filename") or opened
    done = bool(DONE.search(text[:300])) and not FAILED.search(text[:200])
    step = replace(step, path=path, done=done, shown=None if FAILED.search(text[:200]) else shown(text))
    command = arguments.get("command") if name == "str_replace_editor" else name
    match command:
        case "view" | "open" | "goto" | "scroll_up" | "scroll_down":
            return replace(step, kind="read" if step.shown else "look")
        case "create":
            return replace(step, kind="write", new=arguments.get("file_text") or "")
        case "str_replace":
            return replace(step, kind="edit", old=arguments.get("old_str", ""), new=arguments.get("new_str") or "")
        case "edit" if "search" in arguments:
            return replace(step, kind="edit", old=arguments["search"], new=arguments.get("replace", ""))
        case "edit" if "start_line" in arguments:
            first, end = int(arguments["start_line"]), int(arguments["end_line"]) + 1
            return replace(step, kind="lines", first=first, end=end, new=arguments.get("replacement_text", ""))
        case "insert":
            return replace(step, kind="insert", new=arguments.get("new_str") or arguments.get("text") or "")
        case "find_file" | "search_file" | "search_dir" | "submit" | "think" | "finish":
            return replace(step, kind="look")
    return replace(step, kind="other", path="", shown=None)


# texts


def _text(content: Any) -> str:
    if isinstance(content, list):
        return "\n".join(str(one.get("text", "")) for one in content if isinstance(one, dict))
    return str(content or "")


def shown(text: str) -> Shown | None:
    """The numbered lines that a tool printed, one after the other."""
    lines = text.replace("\r\n", "\n").removeprefix("OBSERVATION:\n").split("\n")
    found: list[str] = []
    first = 0
    for line in lines:
        match = NUMBERED.match(line)
        if match is None and found:
            break
        if match is not None and (not found or int(match[1]) == first + len(found)):
            first = first or int(match[1])
            found.append(match[2])
    total = FULL.search(text)
    whole = first == 1 and "<response clipped>" not in text and (total is None or int(total[2]) == len(found))
    return Shown("\n".join(found), first, whole) if found else None
