"""Stale quotes planted in copies of real sessions: calls that quote once more what an edit of the session replaced.

Each planted call fails, as it would have: its answer says that the text is not found. Only by that it is known as a
slip; it changes nothing, so that one copy can hold many of them. A *control* is a call that quotes the text that came
in its place, which is there still: to quote that is no slip.
"""

import copy
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from benchmarks.lowering.edits_held import Quote, Replay
from benchmarks.lowering.edits_log import Record, Step, steps

MISSING = "<tool_use_error>String to replace not found in file.</tool_use_error>"
FEWEST = 16
"""What is shorter may well stand elsewhere, so that the rules leave such quotes alone."""
QUOTED, PUT = ("old_string", "old_str", "search"), ("new_string", "new_str", "replace")


@dataclass(frozen=True)
class Planted:
    """A planted call, behind the answer of another, None for the end of the log.

    `others` counts calls since the edit that may have changed any file, `seen` tells whether a view had the text.
    """

    id: str
    quote: str
    edit: Step
    behind: Step | None
    seen: bool
    others: int
    is_control: bool = False


def planted(content: Any, later: int | None) -> tuple[Any, list[Planted]]:
    """A copy with calls planted so many calls behind the edits that replaced their texts; None: at the end."""
    done = steps(content)
    quotes = list(Replay().quotes(done))
    at = _positions(done, quotes)
    found: list[Planted] = []
    for one, position in zip(quotes, at, strict=True):
        end = len(done) - 1 if later is None else min(position + later, len(done) - 1)
        then = [
            other for other, place in zip(quotes, at, strict=True) if other.step.path == one.step.path and place <= end
        ]
        if not _is_replaced(one) or _is_there(one.step.old, then[-1]):
            continue
        others = sum(step.kind == "other" for step in done[position : end + 1])
        behind = None if later is None else done[end]
        base = Planted(f"planted-{len(found)}", one.step.old, one.step, behind, bool(one.holders), others)
        found.append(base)
        if len(one.step.new) >= FEWEST and _is_there(one.step.new, then[-1]):
            found.append(replace(base, id=f"planted-{len(found)}", quote=one.step.new, is_control=True))
    return _with(content, found), found


def _positions(done: Sequence[Step], quotes: Sequence[Quote]) -> list[int]:
    """Where the changes stand among all that was done."""
    at = {id(step): number for number, step in enumerate(done)}
    return [at[id(one.step)] for one in quotes]


def _is_replaced(quote: Quote) -> bool:
    step = quote.step
    return step.kind == "edit" and step.done and (quote.after is not None or bool(quote.results))


def _is_there(text: str, quote: Quote) -> bool:
    """Whether a file holds a text after a change, by all that is known of it."""
    return text in quote.after if quote.after is not None else any(text in one for one in quote.results)


def _with(content: Any, plants: Sequence[Planted]) -> Any:
    if isinstance(content, list):
        return _lines(content, plants)
    return {**content, "history": list(_history(content["history"], plants))}


# sessions


def _lines(lines: list[Record], plants: Sequence[Planted]) -> list[Record]:
    """The lines of a session; what followed a line follows what was planted behind it."""
    inputs, answered = _calls(lines)
    found = list(lines)
    for plant in plants:
        if plant.behind is None:
            at = max(n for n, line in enumerate(found) if _is_spoken(line))
        else:
            at = _last_behind(found, found.index(lines[answered[plant.behind.call]]))
        pair = list(_pair(found[at], plant, inputs[plant.edit.call]))
        behind = [_moved(line, found[at]["uuid"], pair[1]["uuid"]) for line in found[at + 1 :]]
        found[at + 1 :] = [*pair, *behind]
    return found


def _calls(lines: list[Record]) -> tuple[dict[str, Record], dict[str, int]]:
    """The calls of a session by their ids, and the lines of their answers."""
    inputs: dict[str, Record] = {}
    answered: dict[str, int] = {}
    for number, line in enumerate(lines):
        for block in _blocks(line):
            if block.get("type") == "tool_use":
                inputs[block["id"]] = block
            elif block.get("type") == "tool_result":
                answered[block["tool_use_id"]] = number
    return inputs, answered


def _blocks(line: Record) -> list[Record]:
    content = (line.get("message") or {}).get("content")
    return [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []


def _is_spoken(line: Record) -> bool:
    return line.get("type") in ("user", "assistant") and not line.get("isSidechain") and "uuid" in line


def _last_behind(lines: list[Record], answer: int) -> int:
    """The last line before the assistant goes on, so that results of one message stay together."""
    spoken = (n for n in range(answer + 1, len(lines)) if _is_spoken(lines[n]) and lines[n]["type"] == "assistant")
    end = next(spoken, len(lines))
    return max(n for n in range(answer, end) if _is_spoken(lines[n]))


def _moved(line: Record, before: str, now: str) -> Record:
    return {**line, "parentUuid": now} if line.get("parentUuid") == before else line


def _pair(before: Record, plant: Planted, call: Record) -> Iterator[Record]:
    shared = {"sessionId": before.get("sessionId"), "isSidechain": False, "timestamp": before.get("timestamp")}
    asked, told = f"{plant.id}-asked", f"{plant.id}-told"
    use = {**call, "id": plant.id, "input": _quoting(call["input"], plant.quote)}
    said: Record = {"id": asked, "role": "assistant", "content": [use]}
    yield {"type": "assistant", "uuid": asked, "parentUuid": before["uuid"], **shared, "message": said}
    result = {"type": "tool_result", "tool_use_id": plant.id, "content": MISSING, "is_error": True}
    answer: Record = {"role": "user", "content": [result]}
    yield {"type": "user", "uuid": told, "parentUuid": asked, **shared, "message": answer}


# runs


def _history(history: list[Record], plants: Sequence[Planted]) -> Iterator[Record]:
    """The messages of a run whose calls have ids."""
    due: dict[int, list[Planted]] = {}
    for plant in plants:
        behind = len(history) - 1 if plant.behind is None else _place(plant.behind.answer)
        due.setdefault(behind, []).append(plant)
    for number, one in enumerate(history):
        yield one
        for plant in due.get(number, ()):
            yield from _messages(history[_place(plant.edit.call)], plant)


def _place(pointer: str) -> int:
    return int(pointer.rpartition("/")[2])


def _messages(asked: Record, plant: Planted) -> Iterator[Record]:
    again = copy.deepcopy(asked)
    call = again["tool_calls"][0]
    call["id"] = plant.id
    arguments = _quoting(json.loads(call["function"]["arguments"]), plant.quote)
    call["function"]["arguments"] = json.dumps(arguments)
    yield again
    yield {"role": "tool", "content": MISSING, "tool_call_ids": [plant.id], "agent": asked.get("agent")}


def _quoting(arguments: Record, quote: str) -> Record:
    """The arguments of an edit that quotes another text."""
    other = {**dict.fromkeys(QUOTED, quote), **dict.fromkeys(PUT, "planted")}
    return {name: other.get(name, value) for name, value in arguments.items()}
