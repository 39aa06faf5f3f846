"""People who change their minds: repeated queries of STAR, of which some constraints differ from the query before.

The log has what was said, the queries as calls and the items as their results; the instructions that made people change
their minds are hidden. A changed constraint is *overwritten* where the old value is no longer in force where it rested.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.lowering.slots_found import Found, found_in, in_force, lowered, states
from benchmarks.lowering.slots_log import Dialogue, Record, norm
from statemem.ir import Program

MISSED = {
    "argument": "the old value stays in force as what the earlier call was given",
    "said": "the old value stays in force as what the user wrote",
    "result": "the old value stays in force in a result",
}


class Again(NamedTuple):
    """A constraint of a repeated query: its value before and now."""

    message: int
    tool: str
    slot: str
    before: str
    now: str


@dataclass
class Requeries:
    """Counts of constraints of repeated queries that changed or stayed."""

    dialogues: int = 0
    queries: int = 0
    repeated: int = 0
    changed: int = 0
    overwritten: int = 0
    stayed: int = 0
    overwritten_wrongly: int = 0
    restated: int = 0
    missed: Counter[str] = field(default_factory=Counter)

    @property
    def recall(self) -> float | None:
        """How many of the changed constraints are overwritten."""
        return self.overwritten / self.changed if self.changed else None

    @property
    def precision(self) -> float | None:
        """How many of the overwritten constraints had changed."""
        found = self.overwritten + self.overwritten_wrongly
        return self.overwritten / found if found else None


def measure(records: Iterable[Record], domain: Path | None = None) -> Requeries:
    """The figures of some dialogues together, by what a domain file says of their calls."""
    figures = Requeries()
    for record in records:
        dialogue = star(record)
        again = list(repeated(dialogue))
        figures.dialogues += 1
        figures.queries += sum("tool_calls" in message for message in dialogue.messages)
        figures.repeated += _repeated_calls(dialogue)
        _count(lowered(dialogue, domain), dialogue, again, figures)
    return figures


def star(record: Record) -> Dialogue:
    """A dialogue of STAR as a log: what guided the crowd is not in it."""
    found = Dialogue(str(record["DialogueID"]))
    events = [event for event in record["Events"] if event["Action"] != "instruct"]
    items = iter([event.get("Item") for event in events if event["Action"] == "return_item"])
    for event in events:
        if event["Action"] in ("utter", "pick_suggestion"):
            found.say("user" if event["Agent"] == "User" else "assistant", event["Text"])
        elif event["Action"] == "query":
            item = next(items, None)
            found.call(event["APIName"], event["APIName"], _constraints(event), {} if item is None else item)
    return found


def _constraints(event: Record) -> Record:
    written = [pair for constraint in event["Constraints"] for pair in constraint.items()]
    return {slot: _plain(text) for slot, text in written}


def _plain(text: str) -> Any:
    """`"x"` and `api.is_equal_to("x")` are x; another comparison is a text of its own."""
    inner = text.removeprefix("api.is_equal_to(").removesuffix(")") if text.startswith("api.is_equal_to(") else text
    try:
        return json.loads(inner)
    except ValueError:
        return inner


def repeated(dialogue: Dialogue) -> Iterator[Again]:
    """The constraints of queries that their interface was asked before with the same slot."""
    before: dict[str, Record] = {}
    for number, tool, arguments in _calls(dialogue):
        known = before.get(tool, {})
        for slot, value in arguments.items():
            if slot in known and slot != "RequestType":
                yield Again(number, tool, slot, norm(known[slot]), norm(value))
        before[tool] = arguments


def _repeated_calls(dialogue: Dialogue) -> int:
    asked = Counter(tool for _, tool, _ in _calls(dialogue))
    return sum(asked.values()) - len(asked)


def _calls(dialogue: Dialogue) -> Iterator[tuple[int, str, Record]]:
    for number, message in enumerate(dialogue.messages):
        for call in message.get("tool_calls", ()):
            yield number, call["function"]["name"], json.loads(call["function"]["arguments"])


def _count(program: Program, dialogue: Dialogue, again: list[Again], figures: Requeries) -> None:
    due: dict[int, list[Again]] = {}
    for one in again:
        due.setdefault(one.message, []).append(one)
    rests: dict[tuple[str, str], Found] = {}
    for block, state in states(program):
        found = {(one.tool, one.name): one for one in found_in(program, dialogue, block) if one.tool}
        for one in due.get(block, ()):
            old, new = rests[one.tool, one.slot], found.get((one.tool, one.slot))
            gone = not in_force(state, old)
            _tally(figures, one, gone=gone, restated=new is not None and new.linked, role=_role(dialogue, old))
        rests |= found


def _role(dialogue: Dialogue, one: Found) -> str:
    """Where an argument rests: on what a call was given, on a result, on what was said."""
    path = one.cell.path[0].text
    if path == "call":
        return "argument"
    tools = set(dialogue.services.values())
    return "result" if one.cell.scope.kind == "user" or path in tools else "said"


def _tally(figures: Requeries, one: Again, *, gone: bool, restated: bool, role: str) -> None:
    if one.before == one.now:
        figures.stayed += 1
        figures.overwritten_wrongly += gone
        figures.restated += restated
        return
    figures.changed += 1
    figures.overwritten += gone
    if not gone:
        figures.missed[role] += 1
