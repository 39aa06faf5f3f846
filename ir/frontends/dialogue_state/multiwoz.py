"""MultiWOZ 2.0 and 2.1: a log of turns by user and system in turn, the state with each turn of the system.

The state of a system turn says what the user's turn before it changed, so that is where it is put. Empty values and
"not mentioned" are none. A booking is a fact of the user that outlasts the talk, known by its reference.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from ...cells import Cell
from ...instructions import Instruction, Operand
from ...origin import Origin
from ...values import Value, equal
from .. import fields
from ..linking.entities import canonical_arguments
from .ledger import ASSISTANT, USER, Ledger, below, used

UNDEFINED = ("", "not mentioned")
BOOKED = "booked"
#: How the slots of dialogue acts are called in the state, where it is not by the same name in small letters.
SLOTS = {
    "addr": "address",
    "arrive": "arriveBy",
    "depart": "departure",
    "dest": "destination",
    "fee": "entrance fee",
    "id": "trainID",
    "leave": "leaveAt",
    "post": "postcode",
    "price": "pricerange",
    "ref": "reference",
}
#: Acts of no domain, and values of acts that name none.
_GENERAL = frozenset(["general", "booking"])
_NO_VALUES = frozenset(["", "?", "none"])
_TELLING = frozenset(["inform", "recommend", "select", "book", "offerbook", "offerbooked"])


class _Act(NamedTuple):
    domain: str
    intent: str
    slot: str
    value: str


class MultiWOZ:
    """The family of MultiWOZ."""

    @staticmethod
    def takes(value: dict[str, Any]) -> bool:
        """Whether a record is a dialogue of this family."""
        log = value.get("log")
        first = log[0] if isinstance(log, list) and log else None
        return isinstance(first, dict) and "text" in first and ("metadata" in first or "dialog_act" in first)

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._bookings: dict[str, Cell] = {}

    def lower(self, dialogue: dict[str, Any]) -> None:
        """Every turn, that of the user with the state of the one after it."""
        turns = list(self._ledger.objects(dialogue, "log", ""))
        for step, (pointer, turn) in enumerate(turns, 1):
            if not _is_system(step, turn):
                following = turns[step] if step < len(turns) else None
                self._user(step, pointer, turn, following)
            else:
                self._system(step, pointer, turn)

    # the user

    def _user(
        self, step: int, pointer: str, turn: dict[str, Any], following: tuple[str, dict[str, Any]] | None
    ) -> None:
        acts = list(self._acts(pointer, turn))
        origin = self._ledger.origin(pointer, event=f"t{step}")
        made = self._turned(acts, origin)
        if following is not None:
            made += self._state(*following, acts)
        self._ledger.add(f"t{step}", USER, step, made, origin)

    def _turned(self, acts: list[_Act], origin: Origin) -> list[Instruction]:
        domains = list(dict.fromkeys(act.domain for act in acts if act.domain not in _GENERAL))
        if not domains:
            return []
        new = next((domain for domain in domains if domain != self._ledger.task), domains[0])
        return self._ledger.move(new, new, origin)

    def _state(self, pointer: str, turn: dict[str, Any], acts: list[_Act]) -> Iterator[Instruction]:
        metadata = self._ledger.object(turn, "metadata", pointer)
        for domain in metadata:
            state = self._ledger.object(metadata, domain, f"{pointer}/metadata")
            for part in ("semi", "book"):
                at = below(f"{pointer}/metadata", domain)
                values = self._ledger.object(state, part, at)
                for slot, value in values.items():
                    if slot != BOOKED:
                        yield from self._changed(domain, slot, value, acts, below(f"{at}/{part}", slot))

    def _changed(self, domain: str, slot: str, value: Value, acts: list[_Act], at: str) -> Iterator[Instruction]:
        cell = self._ledger.slot(domain, slot)
        if value is None or value in UNDEFINED:
            if self._ledger.holds(cell):
                yield self._ledger.drop(cell, self._ledger.origin(at))
        elif not self._ledger.states(cell, value):
            source, rule = self._source(cell, domain, slot, value, acts)
            yield self._ledger.put(cell, value, self._ledger.origin(at, rule=rule), source)

    def _source(self, cell: Cell, domain: str, slot: str, value: Value, acts: list[_Act]) -> tuple[Cell | None, str]:
        """Where a value comes from that no act of the user names, and the name of the reason."""
        if any(act.slot == slot or equal(act.value, value) for act in acts if act.domain in (domain, "booking")):
            return None, "stated"
        return self._ledger.earlier(cell, domain, slot, value)

    # the system

    def _system(self, step: int, pointer: str, turn: dict[str, Any]) -> None:
        origin = self._ledger.origin(pointer, event=f"t{step}")
        made = [*self._booked(pointer, turn), *self._reply(pointer, turn)]
        self._ledger.add(f"t{step}", ASSISTANT, step, made, origin)

    def _booked(self, pointer: str, turn: dict[str, Any]) -> Iterator[Instruction]:
        metadata = self._ledger.object(turn, "metadata", pointer)
        for domain in metadata:
            state = self._ledger.object(metadata, domain, f"{pointer}/metadata")
            book = self._ledger.object(state, "book", below(f"{pointer}/metadata", domain))
            for at, booking in self._ledger.objects(book, BOOKED, f"{below(f'{pointer}/metadata', domain)}/book"):
                yield from self._booking(domain, booking, self._ledger.origin(at))

    def _booking(self, domain: str, booking: dict[str, Any], origin: Origin) -> Iterator[Instruction]:
        """A booking that was not there before: it derives from what was asked for."""
        own = fields.text(booking, "reference") or canonical_arguments(booking)
        cell = self._ledger.scopes.entity(f"{domain} booking", own)
        if not booking or self._bookings.get(own) == cell:
            return
        self._bookings[own] = cell
        asked = tuple(map(Operand, self._ledger.slots_of(domain)))
        yield self._ledger.result(cell, booking, asked, origin, domain)

    def _reply(self, pointer: str, turn: dict[str, Any]) -> Iterator[Instruction]:
        """What the system told: of a slot, or something new that is known by its value."""
        origin = self._ledger.origin(f"{pointer}/dialog_act")
        cells: list[Cell] = []
        acts = (act for act in self._acts(pointer, turn) if act.intent in _TELLING and act.value not in _NO_VALUES)
        for act in dict.fromkeys(acts):
            domain = (self._ledger.task or act.domain) if act.domain == "booking" else act.domain
            held = self._known(domain, act)
            if held is not None:
                cells.append(held)
                continue
            told = self._ledger.told(domain, act.slot, act.value)
            yield self._ledger.put(told, act.value, self._ledger.origin(f"{pointer}/dialog_act", rule="told"))
        yield from used(cells, "reply", origin)

    def _known(self, domain: str, act: _Act) -> Cell | None:
        """The cell that holds what an act tells: a booking's reference, what was told before, or a slot."""
        if act.slot == "reference" and act.value in self._bookings:
            return self._bookings[act.value].child("reference")
        told, cell = self._ledger.told(domain, act.slot, act.value), self._ledger.slot(domain, act.slot)
        if self._ledger.holds(told):
            return told
        return cell if self._ledger.states(cell, act.value) else None

    def _acts(self, pointer: str, turn: dict[str, Any]) -> Iterator[_Act]:
        """The acts of a turn, their slots called as in the state; a text in their place says that there are none."""
        acts = turn.get("dialog_act")
        for kind, pairs in acts.items() if isinstance(acts, dict) else ():
            domain, _, intent = kind.casefold().partition("-")
            for pair in pairs if isinstance(pairs, list) else [pairs]:
                if isinstance(pair, list) and len(pair) == 2 and all(isinstance(one, str) for one in pair):
                    slot: str = pair[0].casefold()
                    yield _Act(domain, intent, SLOTS.get(slot) or slot, pair[1])
                else:
                    at = below(f"{pointer}/dialog_act", kind)
                    self._ledger.warn("FE135", "an act is a slot and a value; what is none is left out", at)


def _is_system(step: int, turn: dict[str, Any]) -> bool:
    """Whether the system speaks: every second turn, and every one with a state."""
    return bool(turn.get("metadata")) or step % 2 == 0
