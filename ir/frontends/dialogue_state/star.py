"""STAR: events of a user, a wizard who queries interfaces, and a knowledge base that returns items.

The constraints of a query are slots of its interface; a query with another value overwrites it, what a query leaves out
stays as it is. An item is an entity of the interface by its `id` or `Name`, else it is kept under its query. A query
that books is an effect. What a reply quotes of the item the wizard looks at is used, the rest stood before the wizard.
What only guided the crowd workers is no part of the log: instructions to the user, suggestions that were asked for.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterator
from typing import Any

import attrs

from ...cells import Cell
from ...instructions import EXPOSURE, Effect, Instruction, Operand, Use
from ...origin import Actor, Origin
from ...values import Value, dumps
from .. import fields
from ..linking.distinctive import is_quotable
from ..opaque import shortened
from ..reading.json_text import JSONError, decode
from .ledger import ASSISTANT, USER, Ledger, as_text, form_of, is_telling, used

REQUEST, BOOK = "RequestType", "Book"
#: The knowledge base is the system's own.
TRUSTED = "trusted"
SILENT = frozenset(["instruct", "request_suggestions", "select_primary", "select_secondary", "select_topic"])
_IDENTITY = ("id", "Name")
_EQUAL_TO = "is_equal_to("
_WORD = re.compile(r"\w+")


class STAR:
    """The family of STAR."""

    @staticmethod
    def takes(value: dict[str, Any]) -> bool:
        """Whether a record is a dialogue of this family."""
        events = value.get("Events")
        first = events[0] if isinstance(events, list) and events else None
        return isinstance(first, dict) and "Agent" in first and "Action" in first

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._items: dict[str, Cell] = {}
        self._returned: dict[tuple[str, Hashable], Cell] = {}
        self._queries: dict[str, tuple[dict[str, Value], tuple[Operand, ...]]] = {}
        self._words: set[str] = set()  # that the user wrote since the last query
        self._before: set[str] = set()  # and before that
        self._unknown: Counter[str] = Counter()
        self._step = 0

    def lower(self, dialogue: dict[str, Any]) -> None:
        """Every event that tells something."""
        for pointer, event in self._ledger.objects(dialogue, "Events", ""):
            self._step += 1
            self._event(fields.text(event, "Action") or "", pointer, event)
        for action, count in self._unknown.items():
            many = "one event" if count == 1 else f"{count:,} events"
            self._ledger.warn("FE133", f"{many} of the unknown action {action!r}; they are left out", "/Events")

    def _event(self, action: str, pointer: str, event: dict[str, Any]) -> None:
        recorded = fields.time(event, "UnixTime", zone=self._ledger.zone)
        origin = self._ledger.origin(pointer, event=f"t{self._step}", recorded=recorded)
        if action in ("utter", "pick_suggestion"):
            self._utter(event, origin)
        elif action == "query":
            self._query(pointer, event, origin)
        elif action == "return_item":
            self._item(event, origin)
        elif action in ("select_task", "complete"):
            actor = USER if action == "complete" else ASSISTANT
            task = fields.text(event, "Task")
            self._add(actor, self._ledger.move(task, task, origin), origin)
        elif action not in SILENT:
            self._unknown[action] += 1

    def _add(self, actor: Actor, instructions: list[Instruction], origin: Origin) -> None:
        self._ledger.add(f"t{self._step}", actor, self._step, instructions, origin)

    # what is said

    def _utter(self, event: dict[str, Any], origin: Origin) -> None:
        text = fields.text(event, "Text") or ""
        if fields.text(event, "Agent") == "User":
            self._words.update(_words(text))
            self._add(USER, [], origin)
        else:
            self._add(ASSISTANT, list(self._reply(text, event.get("PrimaryItem"), origin)), origin)

    def _reply(self, text: str, item: Value, origin: Origin) -> Iterator[Instruction]:
        """What a reply quotes of the item it relies on; the whole of it was in view."""
        cell = self._items.get(dumps(item)) if isinstance(item, dict) else None
        if cell is None:
            return
        quoted = [cell.child(field) for field, value in _told(item).items() if _is_quoted(value, text)]
        yield Use(operands=(Operand(cell),), purpose=EXPOSURE, origin=origin)
        yield from used(quoted, "reply", origin)

    # queries

    def _query(self, pointer: str, event: dict[str, Any], origin: Origin) -> None:
        interface = fields.text(event, "APIName") or "query"
        constraints = self._constraints(pointer, event)
        slots = {slot: value for slot, value in constraints.items() if slot != REQUEST}
        made: list[Instruction] = []
        for slot, value in slots.items():
            cell = self._ledger.slot(interface, slot)
            if not self._ledger.states(cell, value):
                source, rule = self._source(cell, value)
                at = self._ledger.origin(f"{pointer}/Constraints", recorded=origin.recorded, rule=rule)
                made.append(self._ledger.put(cell, value, at, source))
        operands = tuple(Operand(self._ledger.slot(interface, slot)) for slot in slots)
        if constraints.get(REQUEST) == BOOK:
            made.append(Effect(action=interface, arguments=operands, origin=origin))
        else:
            made += [Use(operands=(one,), purpose=_purpose(interface, one), origin=origin) for one in operands]
        self._queries[interface] = constraints, operands
        self._before |= self._words
        self._words = set()
        self._add(ASSISTANT, made, origin)

    def _constraints(self, pointer: str, event: dict[str, Any]) -> dict[str, Value]:
        found: dict[str, Value] = {}
        for _, constraint in self._ledger.objects(event, "Constraints", pointer):
            found.update((slot, shortened(constraint_value(written))) for slot, written in constraint.items() if slot)
        return found

    def _source(self, cell: Cell, value: Value) -> tuple[Cell | None, str]:
        """Where a new constraint comes from: the user's words, another interface's slot, an item that was returned."""
        words = _words(as_text(value))
        if words and self._words.issuperset(words):
            return None, "stated"
        carried = self._ledger.elsewhere(cell, [value])
        if carried is not None:
            return carried, "carried"
        known = (self._returned.get((field, form_of(value))) for field in (cell.path[-1].text, ""))
        returned = next((one for one in known if one is not None), None)
        if returned is not None:
            return returned, "returned"
        return None, "stated before" if words and self._before.issuperset(words) else "state"

    # items

    def _item(self, event: dict[str, Any], origin: Origin) -> None:
        interface = fields.text(event, "APIName") or "query"
        constraints, operands = self._queries.get(interface, ({}, ()))
        item = event.get("Item")
        cell = self._cell(interface, item, constraints)
        value = _told(item) if isinstance(item, dict) else None
        made = self._ledger.result(cell, value, operands, origin, interface)
        if isinstance(item, dict) and value is not None:
            self._items[dumps(item)] = cell
            self._learn(cell, value)
        self._add(Actor("tool", interface), [made], attrs.evolve(origin, trust=TRUSTED))

    def _learn(self, cell: Cell, item: dict[str, Value]) -> None:
        """The values of an item by the names of their fields, telling ones by any name."""
        for field, value in item.items():
            self._returned[field, form_of(value)] = cell.child(field)
            if is_quotable(value):
                self._returned["", form_of(value)] = cell.child(field)

    def _cell(self, interface: str, item: Value, constraints: dict[str, Value]) -> Cell:
        """The entity an item is about, else the query it answers; so is the answer that nothing was found."""
        own = fields.text(item, *_IDENTITY) if isinstance(item, dict) else None
        if own is not None:
            return self._ledger.scopes.entity(interface, own)
        return self._ledger.scopes.of_call(f"{interface} answer", constraints)


def constraint_value(written: Value) -> Value:
    """The value that a constraint compares with, as text, number or truth value; another comparison as it is written.

    >>> [constraint_value(text) for text in ('"Rome"', "97", 'api.is_equal_to("Rome")', "api.is_at_most(3)", "0314")]
    ['Rome', 97, 'Rome', 'is_at_most(3)', '0314']
    """
    if not isinstance(written, str):
        return written
    text = written.strip().removeprefix("api.")
    if text.startswith(_EQUAL_TO) and text.endswith(")"):
        text = text[len(_EQUAL_TO) : -1]
    try:
        value = decode(text)
    except JSONError:
        return {"True": True, "False": False}.get(text, text)
    return value if isinstance(value, (str, int, float)) else text


def _told(item: dict[str, Any]) -> dict[str, Value]:
    """What an item tells, without the interface that returned it."""
    return {field: value for field, value in item.items() if field != "APIName"}


def _purpose(interface: str, operand: Operand) -> str:
    return f"{interface}({operand.place.path[-1].text})"


def _is_quoted(value: Value, text: str) -> bool:
    if not isinstance(value, (str, int, float)) or not is_telling(value):
        return False
    return re.search(rf"(?<!\w){re.escape(str(value))}(?!\w)", text) is not None


def _words(text: str) -> set[str]:
    return {word.casefold() for word in _WORD.findall(text)}
