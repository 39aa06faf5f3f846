"""Values that one service carries over to another, as the product's links of arguments, against the annotation.

A link is found where the argument of a service's call is a use of what another service's call was given or returned.
It is right where the annotation says that this slot was carried. An argument counts once for each value it has.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from benchmarks.lowering.slots_found import Found, found_in, lowered, scalars
from benchmarks.lowering.slots_log import Carried, Dialogue
from benchmarks.lowering.tallies import Counts
from statemem.ir import Cell

MISSED = {
    "no_call": "no call was given it",
    "new": "linked to nothing: no call or result before had it, or it was written otherwise",
    "said": "linked to what the user wrote",
    "own": "linked to a call or result of the same service",
}
SURPLUS = {
    "stated": "the user stated it for this service as well, or chose it there",
    "result": "a result of the other service has it; the annotation tells of slots alone",
    "other": "the annotation says nothing of it",
}


@dataclass
class Links(Counts):
    """Counts of carried slots and of links between services."""

    called: int = 0


def measure(dialogues: Iterable[Dialogue]) -> Links:
    """The figures of some dialogues together."""
    links = Links()
    for dialogue in dialogues:
        links.dialogues += 1
        links.gold += len(dialogue.carried)
        _count(dialogue, links)
    return links


def _count(dialogue: Dialogue, links: Links) -> None:
    met: set[Carried] = set()
    for one, source in _arguments(dialogue):
        service = dialogue.services[one.message]
        gold = _gold(dialogue, one, service)
        across = source not in ("new", "said", service)
        links.found += across
        links.called += gold is not None
        if gold is not None:
            met.add(gold)
        if gold is not None and across:
            links.right += 1
        elif gold is not None:
            links.missed["own" if source == service else source] += 1
        elif across:
            links.surplus[_cause(dialogue, one, service, source)] += 1
    links.missed["no_call"] += len(set(dialogue.carried) - met)


def _cause(dialogue: Dialogue, one: Found, service: str, source: str) -> str:
    """Why a link is no carried slot."""
    if ((service, one.name), one.value) in dialogue.stated:
        return "stated"
    return "result" if any(one.value in values for values in _returned(dialogue, source, one.message)) else "other"


def _returned(dialogue: Dialogue, service: str, until: int) -> Iterator[set[str]]:
    """The values of the results of a service before a message."""
    for number, message in enumerate(dialogue.messages[:until]):
        if message["role"] == "tool" and dialogue.services[number] == service:
            yield scalars(json.loads(message["content"]))


def _arguments(dialogue: Dialogue) -> list[tuple[Found, str]]:
    """Every argument once for each value, with the service of what it is linked to, `said` or `new`."""
    program = lowered(dialogue)
    made: dict[Cell, int] = {}
    found: dict[tuple[str, str, str], tuple[Found, str]] = {}
    for block in range(len(program.blocks)):
        for one in found_in(program, dialogue, block):
            if one.tool:
                source = dialogue.services.get(made.get(one.cell, -1), "said") if one.linked else "new"
                found.setdefault((dialogue.services[block], one.name, one.value), (one, source))
        for number, _ in program.numbered(block):
            made |= {entry.cell: block for entry in program.entries_of(number) if isinstance(entry.cell, Cell)}
    return list(found.values())


def _gold(dialogue: Dialogue, one: Found, service: str) -> Carried | None:
    slot = service, one.name
    met = (gold for gold in dialogue.carried if gold.slot == slot and gold.messages <= one.message)
    return next((gold for gold in met if one.value in gold.forms), None)
