"""Read tau-bench and tau2-bench trajectories as they are, with the standard library alone.

The older format is a list of runs, each with a `traj`; the newer one an object with `simulations`, each with
`messages`. Either becomes a `Conversation`. A message keeps its position in that raw list, so that a finding
can be looked up in the file.
"""

import ast
import gzip
import json
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

Record = dict[str, Any]

NUMBER = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?")  # a leading zero makes a zip code or an id, not a number


@dataclass(frozen=True)
class Call:
    """A tool call: the tool's name and its arguments as parsed."""

    tool: str
    arguments: Record


@dataclass(frozen=True)
class Message:
    """One raw message; `answers` is the call whose result a tool message carries."""

    index: int
    role: str
    text: str
    calls: tuple[Call, ...]
    answers: Call | None


@dataclass(frozen=True)
class Conversation:
    """One run of one task; `position` is its 0-based place in the file."""

    id: str
    file: str
    position: int
    messages: tuple[Message, ...]


def read(path: Path) -> list[Conversation]:
    """Every run of a file, in the file's order."""
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        content = json.load(stream)
    runs = content["simulations"] if isinstance(content, dict) else content
    return [_conversation(path.name, position, run) for position, run in enumerate(runs)]


def leaves(value: object, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str]]:
    """Every scalar of a JSON value in canonical form, with the field names that lead to it."""
    if isinstance(value, dict):
        for name, part in value.items():
            yield from leaves(part, (*path, name))
    elif isinstance(value, list):
        for part in value:
            yield from leaves(part, path)
    else:
        yield path, canonical(value)


def canonical(value: object) -> str:
    """The form in which scalars compare: numbers by value, text after NFC and trimming.

    >>> canonical(561.0), canonical(" 561 "), canonical("02134"), canonical(None)
    ('561', '561', '02134', 'null')
    """
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    text = unicodedata.normalize("NFC", str(value)).strip()
    return f"{Decimal(text).normalize():f}" if NUMBER.fullmatch(text) else text


def _conversation(file: str, position: int, run: Record) -> Conversation:
    name = f"{file.removesuffix('.json.gz')}/{run['task_id']}-{run['trial']}"
    records = run["messages"] if "messages" in run else run["traj"]
    return Conversation(name, file, position, tuple(_messages(records)))


def _messages(records: list[Record]) -> Iterator[Message]:
    made: dict[str, Call] = {}
    for index, record in enumerate(records):
        calls = {call["id"]: _call(call) for call in record.get("tool_calls") or []}
        made |= calls
        answers = made[record.get("tool_call_id") or record["id"]] if record["role"] == "tool" else None
        yield Message(index, record["role"], record["content"] or "", tuple(calls.values()), answers)


def _call(raw: Record) -> Call:
    function = raw.get("function", raw)
    arguments = function["arguments"]
    return Call(function["name"], _parsed(arguments) if isinstance(arguments, str) else arguments)


def _parsed(arguments: str) -> Record:
    """The arguments of a call; one agent wrote some of them as a Python literal."""
    try:
        parsed: Record = json.loads(arguments)
    except ValueError:
        parsed = ast.literal_eval(arguments)
    return parsed
