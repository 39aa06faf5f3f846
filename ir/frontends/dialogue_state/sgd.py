"""SGD, and MultiWOZ 2.2 which has its shape: a state after each turn of the user, calls and results of services.

A slot's list holds several ways to write one value, so a slot changes only where the lists share none. A new slot that
the user did not state is taken from a result that was offered, from a slot of another service, or from what the system
asked to confirm, and derives from it.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any, NamedTuple

from ...cells import Cell, Segment, key, name
from ...instructions import Instruction, Operand, Set, Use
from ...origin import Actor, Origin
from ...values import Value, equal, is_entity_key
from .. import fields
from ..linking.distinctive import is_quotable
from ..linking.entities import canonical_arguments
from ..opaque import shortened
from .ledger import ASSISTANT, USER, Ledger, below, form_of, used

NO_INTENT = "NONE"
STATED = frozenset(["INFORM", "SELECT"])
TELLING = frozenset(["INFORM", "OFFER", "CONFIRM", "REQUEST"])
_NAMING = ("name", "title", "id", "address")


class _Act(NamedTuple):
    """One value of a slot that a turn speaks of, in its own words and in those of the service."""

    act: str
    slot: str
    said: Value
    canonical: Value

    @property
    def forms(self) -> tuple[Value, Value]:
        """Both ways to write it."""
        return self.said, self.canonical


class _Result(NamedTuple):
    """One object that a service returned, and the cell it is kept in; a part of a list has no cell of its own."""

    cell: Cell
    fields: dict[str, Value]
    own: bool

    def states(self, act: _Act) -> bool:
        """Whether a field has the name and the value of an act."""
        return act.slot in self.fields and any(equal(self.fields[act.slot], form) for form in act.forms)

    def leaf(self, slot: str) -> Cell:
        """The cell of a field."""
        return self.cell.child(slot) if self.own else self.cell


class SGD:
    """The family of SGD."""

    @staticmethod
    def takes(value: dict[str, Any]) -> bool:
        """Whether a record is a dialogue of this family."""
        turns = value.get("turns")
        first = turns[0] if isinstance(turns, list) and turns else None
        return isinstance(first, dict) and "speaker" in first and "utterance" in first

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._results: dict[str, list[_Result]] = {}
        self._offered: dict[tuple[str, str], tuple[_Act, Cell]] = {}
        self._returned: dict[Hashable, Cell] = {}

    def lower(self, dialogue: dict[str, Any]) -> None:
        """Every turn; one in which a service is called is three blocks: the call, its result, the reply."""
        for step, (pointer, turn) in enumerate(self._ledger.objects(dialogue, "turns", ""), 1):
            frames = [frame for frame in self._ledger.objects(turn, "frames", pointer) if _service(frame[1])]
            if fields.text(turn, "speaker") == "USER":
                self._user(step, pointer, frames)
            else:
                self._system(step, pointer, frames)

    # the user

    def _user(self, step: int, pointer: str, frames: list[tuple[str, dict[str, Any]]]) -> None:
        origin = self._ledger.origin(pointer, event=f"t{step}")
        made = list(self._turned(frames, origin))
        for at, frame in frames:
            made += self._state(at, frame)
        self._ledger.add(f"t{step}", USER, step, made, origin)

    def _turned(self, frames: list[tuple[str, dict[str, Any]]], origin: Origin) -> list[Instruction]:
        """To which service the talk turns: a new one first, else the one it is at, if that has an intent still."""
        active = {_service(frame): intent for _, frame in frames if (intent := _intent(frame)) is not None}
        if not active and not any("state" in frame for _, frame in frames):
            return []
        new = next((service for service in active if service != self._ledger.task), None)
        task = new or (self._ledger.task if self._ledger.task in active else None)
        return self._ledger.move(task, active.get(task or ""), origin)

    def _state(self, pointer: str, frame: dict[str, Any]) -> Iterator[Instruction]:
        """What the state of a service says that it did not say before."""
        if "state" not in frame:
            return
        service, ledger = _service(frame), self._ledger
        state = ledger.object(frame, "state", pointer)
        values = ledger.object(state, "slot_values", f"{pointer}/state")
        acts = {act.slot: act for act in self._acts(pointer, frame) if act.act in STATED}
        for slot in values:
            forms = fields.items(values, slot)
            if forms and not ledger.states(ledger.slot(service, slot), *forms):
                yield self._assigned(service, slot, forms, acts.get(slot), below(f"{pointer}/state/slot_values", slot))
        for cell in [cell for cell in ledger.slots_of(service) if cell.path[1].text not in values]:
            yield ledger.drop(cell, ledger.origin(f"{pointer}/state/slot_values"))

    def _assigned(self, service: str, slot: str, forms: list[Value], act: _Act | None, at: str) -> Instruction:
        cell = self._ledger.slot(service, slot)
        source, rule = (None, "stated") if act is not None else self._source(cell, service, slot, forms)
        further = forms[1:] if act is None else [*forms[1:], *act.forms]
        return self._ledger.put(cell, forms[0], self._ledger.origin(at, rule=rule), source, further)

    def _source(self, cell: Cell, service: str, slot: str, forms: list[Value]) -> tuple[Cell | None, str]:
        """Where a value comes from that the user did not state, and the name of the reason."""
        offered = self._offered.get((service, slot))
        if offered is not None and any(equal(one, form) for one in offered[0].forms for form in forms):
            return offered[1], "offered"
        carried = self._ledger.elsewhere(cell, forms, any_value=True)
        if carried is not None:
            return carried, "carried"
        told = next((c for c in (self._ledger.told(service, slot, f) for f in forms) if self._ledger.holds(c)), None)
        if told is not None:
            return told, "told"
        returned = next((self._returned[form] for form in map(form_of, forms) if form in self._returned), None)
        return returned, "state" if returned is None else "returned"

    # the system

    def _system(self, step: int, pointer: str, frames: list[tuple[str, dict[str, Any]]]) -> None:
        label = f"t{step}"
        for position, (at, frame) in enumerate(frames):
            if "service_call" in frame or "service_results" in frame:
                self._called(f"{label}-{position + 1}" if position else label, step, at, frame)
        made = [one for at, frame in frames for one in self._reply(at, frame)]
        own = f"{label}-reply" if self._ledger.program.block_named(label) is not None else label
        self._ledger.add(own, ASSISTANT, step, made, self._ledger.origin(pointer, event=label))

    def _called(self, label: str, step: int, pointer: str, frame: dict[str, Any]) -> None:
        """A call, which uses slots, and its results, which derive from them."""
        ledger, service = self._ledger, _service(frame)
        call = ledger.object(frame, "service_call", pointer)
        at = f"{pointer}/service_call"
        parameters = ledger.object(call, "parameters", at)
        method = fields.text(call, "method") or "call"
        arguments = [self._argument(label, service, method, one, parameters[one], at) for one in parameters]
        ledger.add(label, ASSISTANT, step, [one for one, _ in arguments], ledger.origin(at, event=label))
        premises = tuple(dict.fromkeys(Operand(cell) for _, cell in arguments))
        cell = ledger.slot(service, method)
        if parameters:
            cell = cell.at(canonical_arguments(parameters))
        results = [one for _, one in ledger.objects(frame, "service_results", pointer)]
        made = self._found(service, cell, results, premises, f"{pointer}/service_results")
        ledger.add(f"{label}-result", Actor("tool", method), step, [made], ledger.origin(pointer, event=label))

    def _argument(
        self, label: str, service: str, method: str, slot: str, value: Value, at: str
    ) -> tuple[Instruction, Cell]:
        """An argument uses the slot of its name; one that no slot holds is new."""
        cell = self._ledger.slot(service, slot)
        origin = self._ledger.origin(below(f"{at}/parameters", slot))
        told = self._ledger.told(service, slot, value)
        held = next((one for one in (cell, told) if self._ledger.holds(one)), None)
        if held is not None:
            return Use(operands=(Operand(held),), purpose=f"{method}({slot})", origin=origin), held
        new = self._ledger.scopes.of_argument(label).below((name(slot),))
        return Set(target=new, value=shortened(value), origin=origin), new

    def _found(
        self, service: str, cell: Cell, results: list[dict[str, Any]], premises: tuple[Operand, ...], pointer: str
    ) -> Instruction:
        """The objects that were returned, each by what names it; several that nothing tells apart are one list."""
        naming = _naming(results)
        if len(results) == 1:
            value: Value = results[0]
            self._results[service] = [_Result(cell, value, own=True)]
        elif naming is None:
            value = results
            self._results[service] = [_Result(cell, one, own=False) for one in results]
        else:
            value = {one[naming]: one for one in results}
            self._results[service] = [_Result(cell.below((_segment(n, one),)), one, True) for n, one in value.items()]
        self._learn(self._results[service])
        return self._ledger.result(cell, value, premises, self._ledger.origin(pointer), service)

    def _learn(self, results: list[_Result]) -> None:
        """The telling values of results, by which another service may be asked later."""
        for result in results:
            told = ((slot, value) for slot, value in result.fields.items() if is_quotable(value))
            self._returned.update((form_of(value), result.leaf(slot)) for slot, value in told)

    def _reply(self, pointer: str, frame: dict[str, Any]) -> Iterator[Instruction]:
        """What the system told: of a result, of a slot, or something new."""
        service, ledger = _service(frame), self._ledger
        acts = [act for act in self._acts(pointer, frame) if act.act in TELLING]
        focus = self._focus(service, acts)
        cells: list[Cell] = []
        for act in acts:
            source = self._told_of(service, act, focus)
            if source is not None:
                cells.append(source)
                continue
            told = ledger.told(service, act.slot, act.canonical)
            origin = ledger.origin(f"{pointer}/actions", rule="told")
            yield ledger.put(told, act.canonical, origin, forms=(act.said,))
        yield from used(cells, "reply", ledger.origin(f"{pointer}/actions"))

    def _focus(self, service: str, acts: list[_Act]) -> _Result | None:
        """The result of the last call that states most of what is told, the first of several."""
        results = self._results.get(service, [])
        return max(results, key=lambda one: sum(map(one.states, acts)), default=None)

    def _told_of(self, service: str, act: _Act, focus: _Result | None) -> Cell | None:
        cell = self._ledger.slot(service, act.slot)
        if act.act != "CONFIRM" and focus is not None and focus.states(act):
            self._offered[service, act.slot] = act, focus.leaf(act.slot)
            return focus.leaf(act.slot)
        if self._ledger.states(cell, *act.forms):
            return cell
        told = self._ledger.told(service, act.slot, act.canonical)
        known = self._offered.get((service, act.slot))
        if known is not None and equal(known[0].canonical, act.canonical):
            return known[1]
        if self._ledger.holds(told):
            return told
        return self._ledger.elsewhere(cell, act.forms) if act.act == "CONFIRM" else None

    def _acts(self, pointer: str, frame: dict[str, Any]) -> Iterator[_Act]:
        """The values that a frame speaks of; an act without a slot names none."""
        for _, action in self._ledger.objects(frame, "actions", pointer):
            slot = fields.text(action, "slot")
            canonical = fields.items(action, "canonical_values")
            for position, said in enumerate(fields.items(action, "values") if slot else ()):
                written = canonical[position] if position < len(canonical) else said
                yield _Act(fields.text(action, "act") or "", slot or "", said, written)


def _service(frame: dict[str, Any]) -> str:
    return fields.text(frame, "service") or ""


def _intent(frame: dict[str, Any]) -> str | None:
    state = frame.get("state")
    intent = fields.text(state, "active_intent") if isinstance(state, dict) else None
    return None if intent == NO_INTENT else intent


def _naming(results: list[dict[str, Any]]) -> str | None:
    """The field that names each of several results: one whose name says so, else the first; None where none does."""
    if len(results) < 2:
        return None
    telling = [field for field in results[0] if _tells_apart(field, results)]
    named = (field for word in _NAMING for field in telling if field.casefold().split("_")[-1] == word)
    return next(named, None)


def _segment(field: str, item: Value) -> Segment:
    """The segment that a field of an object falls into."""
    return key(field) if is_entity_key(field, item) else name(field)


def _tells_apart(field: str, results: list[dict[str, Any]]) -> bool:
    found = [one.get(field) for one in results]
    return all(isinstance(one, str) and one for one in found) and len(set(found)) == len(found)
