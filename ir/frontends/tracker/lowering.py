"""What each event of a tracker becomes.

A turn of the user, of the bot, and each action is a block. A slot is a cell of the session by its own name; emptied, it
is deleted. Entities are what the user said, keyed by their value; a slot filled with one derives from it. An active
loop is a task. `rewind` and `undo` go back to the block before what they take back, which stays as a branch of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import tzinfo
from typing import Any

import attrs

from ...blocks import SYSTEM
from ...cells import Cell, Scope, key, name
from ...diagnostics import Location, Problem
from ...instructions import Delete, Derive, Enter, Instruction, Leave, Operand, Set, Use
from ...origin import Actor, Origin
from ...program import Program
from ...values import Value, dumps, equal
from .. import fields
from ..linking.calls import inside
from ..linking.distinctive import link_key
from ..opaque import shortened
from ..reader import Record
from .path import MISSING, Node, Path
from .reading import SILENT, Conversation, Counts

LISTEN = "action_listen"
USER, ASSISTANT = Actor("user"), Actor("assistant")


class Lowering:
    """One conversation, event by event."""

    def __init__(
        self, label: str, conversation: Conversation, zone: tzinfo, problems: list[Problem], unknown: Counts
    ) -> None:
        self._label = label
        self._session, self._user = Scope("session", label), Scope("user", conversation.sender)
        self._zone = zone
        self._problems = problems
        self._unknown = unknown
        self._path = Path()
        self._step = 0
        for record in conversation.events:
            self._step += 1
            self._event(record)
        self._compare(conversation)

    def program(self) -> Program:
        """The program of the conversation; without a block where no event was a turn."""
        program = Program(self._label, self._session)
        program.add_scope(self._user)
        program.add_scope(self._session, self._user)
        self._path.write(program, self._session)
        return program

    def _event(self, record: Record) -> None:
        event, location = record
        kind = event.get("event") if isinstance(event, dict) else None
        if not isinstance(kind, str):
            self._warn("FE121", "an event is an object that names its type as 'event'; it is left out", location)
        elif kind in _HANDLERS:
            _HANDLERS[kind](self, event, self._origin(event, location))
        elif kind not in SILENT:
            self._unknown.add(kind, location)

    def _origin(self, event: dict[str, Any], location: Location) -> Origin:
        return Origin(
            event=f"{self._step}",
            file=location.file,
            line=location.line,
            record=location.record,
            pointer=location.pointer,
            recorded=fields.time(event, "timestamp", zone=self._zone),
        )

    # turns

    def _user_turn(self, event: dict[str, Any], origin: Origin) -> None:
        node = self._path.begin("user", USER, self._step, origin)
        self._path.said = {}
        parsed = event.get("parse_data")
        entities = fields.items(parsed, "entities") if isinstance(parsed, dict) else []
        self._mention(node, entities, inside(origin, "parse_data", "entities"))

    def _entities(self, event: dict[str, Any], origin: Origin) -> None:
        self._mention(self._node(origin), fields.items(event, "entities"), inside(origin, "entities"))

    def _mention(self, node: Node, entities: list[Any], origin: Origin) -> None:
        """Set what was said: keyed by its value, so that a second city never replaces the first."""
        for position, entity in enumerate(entities):
            at = inside(origin, str(position))
            kind = fields.text(entity, "entity") if isinstance(entity, dict) else None
            if kind is None or entity.get("value") is None:
                self._warn("FE121", "an entity needs a kind and a value; it is left out", _place(at))
                continue
            value = shortened(entity["value"])
            role = fields.text(entity, "role")
            path = (name("said"), name(kind), *([name(role)] if role else []), key(_text(value)))
            cell = Cell(self._session, path)
            self._path.mention(node, value, cell)
            node.instructions.append(Set(target=cell, value=value, origin=at))

    def _bot_turn(self, event: dict[str, Any], origin: Origin) -> None:
        node = self._path.begin("bot", ASSISTANT, self._step, origin)
        slots = self._path.slots.quoted(fields.text(event, "text") or "")
        if slots:
            at = attrs.evolve(inside(origin, "text"), rule="7 reply", confidence=0.9)
            node.instructions.append(Use(operands=tuple(map(self._operand, slots)), purpose="reply", origin=at))

    def _action(self, event: dict[str, Any], origin: Origin) -> None:
        action = fields.text(event, "name", "action_text") or ""
        kind = "listen" if action == LISTEN else "action"
        self._path.begin(kind, Actor("assistant", action), self._step, origin)

    def _node(self, origin: Origin) -> Node:
        """The turn that something belongs to which is none itself."""
        return self._path.current or self._path.begin("system", SYSTEM, self._step, origin)

    # slots

    def _slot(self, event: dict[str, Any], origin: Origin) -> None:
        slot = fields.text(event, "name")
        if slot is None:
            self._warn("FE123", "a slot event without the name of a slot; it is left out", _place(origin))
            return
        self._set(self._node(origin), slot, event.get("value"), origin)

    def _set(self, node: Node, slot: str, value: Value, origin: Origin) -> None:
        """A slot set to nothing is emptied; one that was empty already is left as it is."""
        cell = Cell(self._session, (name(slot),))
        if value is None:
            if self._path.slots.get(slot) is not MISSING:
                node.instructions.append(Delete(target=cell, origin=origin))
                self._path.set(node, slot, MISSING)
            return
        value = shortened(value)
        known = link_key(value)
        source = None if known is None else self._path.said.get(known)
        node.instructions.append(_assigned(cell, value, source, origin))
        self._path.set(node, slot, value)

    def _reset(self, event: dict[str, Any], origin: Origin) -> None:
        self._empty(self._node(origin), origin)

    def _empty(self, node: Node, origin: Origin) -> None:
        for slot in self._path.slots.names():
            self._set(node, slot, None, origin)

    def _restart(self, event: dict[str, Any], origin: Origin) -> None:
        """Everything is forgotten, and nothing before can be taken back."""
        node = self._path.begin("system", SYSTEM, self._step, origin)
        self._empty(node, origin)
        self._activate(node, None, origin)
        self._path.said = {}
        self._path.keep()

    # loops

    def _loop(self, event: dict[str, Any], origin: Origin) -> None:
        if event.get("name") is not None and fields.text(event, "name") is None:
            self._warn("FE123", "the name of a loop is a text or null; the event is left out", _place(origin))
            return
        self._activate(self._node(origin), fields.text(event, "name"), origin)

    def _activate(self, node: Node, loop: str | None, origin: Origin) -> None:
        before = self._path.loop
        if before == loop:
            return
        if before is not None:
            node.instructions.append(Leave(task=before, ended=True, origin=origin))
        if loop is not None:
            node.instructions.append(Enter(task=loop, kind=loop, origin=origin))
        self._path.activate(loop)

    # taking back

    def _rewind(self, event: dict[str, Any], origin: Origin) -> None:
        """The last turn of the user, what followed it, and the listening just before."""
        if not self._path.take_back("user"):
            self._warn("FE124", "there is no turn of the user to rewind; the event is left out", _place(origin))
            return
        if self._path.stands_at("listen"):
            self._path.take_back("listen")
        self._path.begin("system", SYSTEM, self._step, origin)

    def _undo(self, event: dict[str, Any], origin: Origin) -> None:
        """The last action, and what followed it."""
        if not self._path.take_back("action", "listen"):
            self._warn("FE124", "there is no action to undo; the event is left out", _place(origin))
            return
        self._path.begin("system", SYSTEM, self._step, origin)

    # the dump

    def _compare(self, conversation: Conversation) -> None:
        """What the dump says its slots hold, which is their first value where no event set them."""
        at = conversation.location.below("slots")
        origin = Origin(file=at.file, line=at.line, record=at.record, pointer=at.pointer, rule="dump")
        differing = [item for item in conversation.slots.items() if not self._holds(*item)]
        if not differing:
            return
        self._step += 1
        node = self._path.begin("system", SYSTEM, self._step, origin)
        self._path.said = {}
        for slot, value in differing:
            if self._path.slots.get(slot) is not MISSING:
                message = f"the tracker holds another value for slot {slot!r} than its events; the tracker's is taken"
                self._warn("FE125", message, _place(inside(origin, slot)))
            self._set(node, slot, value, inside(origin, slot))

    def _holds(self, slot: str, value: Value) -> bool:
        held = self._path.slots.get(slot)
        return value is None if held is MISSING else equal(held, shortened(value))

    def _operand(self, slot: str) -> Operand:
        return Operand(Cell(self._session, (name(slot),)))

    def _warn(self, code: str, message: str, location: Location) -> None:
        self._problems.append(fields.warning(code, message, location))


_HANDLERS: dict[str, Callable[[Lowering, dict[str, Any], Origin], None]] = {
    "action": Lowering._action,
    "active_loop": Lowering._loop,
    "bot": Lowering._bot_turn,
    "entities": Lowering._entities,
    "form": Lowering._loop,
    "reset_slots": Lowering._reset,
    "restart": Lowering._restart,
    "rewind": Lowering._rewind,
    "session_started": Lowering._restart,
    "slot": Lowering._slot,
    "undo": Lowering._undo,
    "user": Lowering._user_turn,
}


def _assigned(cell: Cell, value: Value, source: Cell | None, origin: Origin) -> Instruction:
    if source is None:
        return Set(target=cell, value=value, origin=origin)
    return Derive(target=cell, value=value, premises=(Operand(source),), origin=attrs.evolve(origin, rule="said"))


def _text(value: Value) -> str:
    return value if isinstance(value, str) else dumps(value)


def _place(origin: Origin) -> Location:
    return Location(file=origin.file, line=origin.line, record=origin.record, pointer=origin.pointer)
