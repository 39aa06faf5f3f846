"""Annotated dialogues as plain chat logs, and what their annotation says of each point: an independent reading.

The log has what was said, and the calls of services with their results where there are any; the annotation is not in
it. The gold are the slots in force after each exchange, with all the ways in which their values are written, and which
of them were carried from one service to another. Nothing here is shared with the product's own reader of these files.
"""

import gzip
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Record = dict[str, Any]
Forms = frozenset[str]
Slot = tuple[str, str]
"""A service and the name of its slot."""

UNDEFINED = ("", "not mentioned")


@dataclass(frozen=True)
class Point:
    """The end of an exchange: so many messages of the log, and the slots in force there."""

    messages: int
    turn: int
    slots: Mapping[Slot, Forms]


@dataclass(frozen=True)
class Carried:
    """A slot that came to a service from another one, and where in the log."""

    slot: Slot
    forms: Forms
    messages: int


@dataclass
class Dialogue:
    """One dialogue: its messages, the service that each call or result is of, and the gold."""

    id: str
    messages: list[Record] = field(default_factory=list)
    services: dict[int, str] = field(default_factory=dict)
    points: list[Point] = field(default_factory=list)
    carried: list[Carried] = field(default_factory=list)
    stated: set[tuple[Slot, str]] = field(default_factory=set)

    def say(self, role: str, text: str) -> None:
        """One message of plain text."""
        self.messages.append({"role": role, "content": text})

    def call(self, service: str, tool: str, arguments: Record, result: Any) -> None:
        """A call and its answer, two messages."""
        own = f"c{len(self.messages)}"
        function = {"name": tool, "arguments": json.dumps(arguments, ensure_ascii=False)}
        self.services |= {len(self.messages): service, len(self.messages) + 1: service}
        calls = [{"id": own, "type": "function", "function": function}]
        self.messages.append({"role": "assistant", "content": None, "tool_calls": calls})
        text = json.dumps(result, ensure_ascii=False)
        self.messages.append({"role": "tool", "tool_call_id": own, "content": text})

    def as_record(self) -> Record:
        """The log as the product reads it."""
        return {"conversation_id": self.id, "messages": self.messages}


def norm(value: Any) -> str:
    """What two values are compared by: text without case and blanks around it, numbers by value."""
    text = str(value).strip().casefold()
    try:
        return repr(float(text))
    except ValueError:
        return text


def forms_of(values: list[Any], canonical: Mapping[str, str]) -> Forms:
    """All ways to write the one value of a slot."""
    written = {norm(value) for value in values}
    return frozenset(written | {canonical[one] for one in written if one in canonical})


def data_directory() -> Path:
    """The folder of the logs, which are not part of the repository."""
    default = Path(__file__).parents[2] / ".." / "shared" / "data"
    return Path(os.environ.get("STATEMEM_DATA", default))


def load(name: str) -> Any:
    """The content of a gzipped JSON file below that folder."""
    with gzip.open(data_directory() / name, "rt", encoding="utf-8") as stream:
        return json.load(stream)


def sgd(dialogue: Record) -> Dialogue:
    """A dialogue of SGD: utterances, and the calls of services with their results."""
    found, state, canonical = Dialogue(dialogue["dialogue_id"]), _State(), _canonical(dialogue)
    for number, turn in enumerate(dialogue["turns"]):
        if turn["speaker"] == "USER":
            found.say("user", turn["utterance"])
            for frame in turn["frames"]:
                state.take(found, frame, canonical)
            continue
        for frame in turn["frames"]:
            if "service_call" in frame:
                call = frame["service_call"]
                found.call(frame["service"], call["method"], call["parameters"], frame["service_results"])
        found.say("assistant", turn["utterance"])
        found.points.append(Point(len(found.messages), number, dict(state.slots)))
    return found


class _State:
    """The slots of all services so far."""

    def __init__(self) -> None:
        self.slots: dict[Slot, Forms] = {}

    def take(self, found: Dialogue, frame: Record, canonical: Mapping[str, str]) -> None:
        """The state of one service; a new value that the user does not state and another service has is carried."""
        service = frame["service"]
        acts = {act["slot"] for act in frame["actions"] if act["act"] in ("INFORM", "SELECT")}
        for slot, values in frame["state"]["slot_values"].items():
            forms, place = forms_of(values, canonical), (service, slot)
            plain = {norm(value) for value in values}
            others = [held for (other, _), held in self.slots.items() if other != service and plain & held]
            if slot in acts:
                found.stated |= {(place, form) for form in forms}
            elif place not in self.slots and others:
                found.carried.append(Carried(place, forms, len(found.messages)))
            self.slots[place] = forms


def _canonical(dialogue: Record) -> dict[str, str]:
    """How services write what people said."""
    acts = (act for turn in dialogue["turns"] for frame in turn["frames"] for act in frame["actions"])
    pairs = (zip(act["values"], act["canonical_values"], strict=False) for act in acts)
    return {norm(said): norm(written) for pair in pairs for said, written in pair}


def multiwoz(name: str, dialogue: Record) -> Dialogue:
    """A dialogue of MultiWOZ: utterances alone, for its log holds no calls."""
    found = Dialogue(name)
    for number, turn in enumerate(dialogue["log"]):
        found.say("assistant" if number % 2 else "user", turn["text"])
        if number % 2:
            found.points.append(Point(len(found.messages), number, dict(_slots(turn["metadata"]))))
    return found


def _slots(metadata: Record) -> Iterator[tuple[Slot, Forms]]:
    for domain, state in metadata.items():
        for slot, value in (state["semi"] | state["book"]).items():
            if slot != "booked" and value not in UNDEFINED:
                yield (domain, slot), frozenset([norm(value)])
