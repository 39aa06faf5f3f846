"""What an annotated dialogue holds at a point, and the instructions that change it.

A slot is the cell `SERVICE.SLOT` of the session, so that every service sees it; a service is a task, which is entered
and left as the talk turns to it. What the system told is keyed by its value, `SERVICE.told.SLOT["VALUE"]`, so that a
second hotel never replaces the first.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from datetime import tzinfo
from typing import Any

import attrs

from ...blocks import Block
from ...cells import Cell, Scope, name
from ...diagnostics import Location, Problem
from ...instructions import Delete, Derive, Enter, Instruction, Leave, Operand, Set, Use
from ...origin import Actor, Origin
from ...program import Program
from ...values import Value, dumps
from .. import fields
from ..linking.distinctive import link_key
from ..linking.entities import Scopes
from ..opaque import shortened

USER, ASSISTANT = Actor("user"), Actor("assistant")
TOLD = "told"
_SHORTEST = 2
_COMMON = frozenset(["dontcare", "don't care", "none", "yes", "no", "true", "false", "free"])


class Ledger:
    """One dialogue being lowered: its program, the slots in force, what else is known by its value."""

    def __init__(self, label: str, location: Location, zone: tzinfo, problems: list[Problem]) -> None:
        session, user = Scope("session", label), Scope("user", label)
        self.program = Program(label, session)
        self.program.add_scope(user)
        self.program.add_scope(session, user)
        self.scopes = Scopes(user, session)
        self.location = location
        self.zone = zone
        self.task: str | None = None
        self._problems = problems
        self._forms: dict[Cell, tuple[Hashable, ...]] = {}
        self._by_form: dict[Hashable, dict[Cell, None]] = {}
        self._by_service: dict[str, dict[Cell, None]] = {}

    # where things stand

    def origin(self, pointer: str, **given: Any) -> Origin:
        """An origin at a pointer below the dialogue."""
        at = self.place(pointer)
        return Origin(file=at.file, line=at.line, record=at.record, pointer=at.pointer, **given)

    def place(self, pointer: str) -> Location:
        """A location at a pointer below the dialogue."""
        return attrs.evolve(self.location, pointer=f"{self.location.pointer or ''}{pointer}")

    def warn(self, code: str, message: str, pointer: str) -> None:
        """A warning at a pointer below the dialogue."""
        self._problems.append(fields.warning(code, message, self.place(pointer)))

    def objects(self, record: dict[str, Any], field: str, pointer: str) -> Iterator[tuple[str, dict[str, Any]]]:
        """The objects of a list with their pointers; what is none is left out with a warning."""
        for position, item in enumerate(fields.items(record, field)):
            at = f"{pointer}/{field}/{position}"
            if isinstance(item, dict):
                yield at, item
            else:
                self.warn("FE131", f"an element of {field!r} is no object; it is left out", at)

    def object(self, record: dict[str, Any], field: str, pointer: str) -> dict[str, Any]:
        """A field that should be an object: a missing one is empty, another value is left out with a warning."""
        value = record.get(field)
        if value is not None and not isinstance(value, dict):
            self.warn("FE132", f"{field!r} is no object; it is left out", below(pointer, field))
        return value if isinstance(value, dict) else {}

    # slots

    def slot(self, *names: str) -> Cell:
        """The cell of a slot: its service, then its name."""
        return Cell(self.scopes.session, tuple(map(name, names)))

    def told(self, service: str, slot: str, value: Value) -> Cell:
        """The cell of what the system told, the same in capitals and small letters."""
        return self.slot(service, TOLD, slot).at(as_text(value).casefold())

    def put(
        self, cell: Cell, value: Value, origin: Origin, source: Cell | None = None, forms: Iterable[Value] = ()
    ) -> Instruction:
        """Set a cell, or derive it from another; `forms` are further ways in which its value is written."""
        value = shortened(value)
        self._forget(cell)
        keys = dict.fromkeys(map(form_of, (value, *forms)))
        self._forms[cell] = tuple(keys)
        for form in keys:
            self._by_form.setdefault(form, {})[cell] = None
        if is_slot(cell):
            self._by_service.setdefault(cell.path[0].text, {})[cell] = None
        if source is None:
            return Set(target=cell, value=value, origin=origin)
        return Derive(target=cell, value=value, premises=(Operand(source),), origin=origin)

    def result(self, cell: Cell, value: Value, asked: tuple[Operand, ...], origin: Origin, service: str) -> Instruction:
        """What a service answered: it was looked up with what was asked, and is no less true when that changes."""
        told = attrs.evolve(origin, rule="result", actor=Actor("tool", service))
        if asked:
            return Derive(target=cell, value=shortened(value), premises=asked, origin=told)
        return Set(target=cell, value=shortened(value), origin=told)

    def drop(self, cell: Cell, origin: Origin) -> Instruction:
        """Delete a cell."""
        self._forget(cell)
        return Delete(target=cell, origin=origin)

    def holds(self, cell: Cell) -> bool:
        """Whether a slot has a value."""
        return cell in self._forms

    def slots_of(self, service: str) -> list[Cell]:
        """The slots of a service that have a value."""
        return list(self._by_service.get(service, ()))

    def states(self, cell: Cell, *values: Value) -> bool:
        """Whether a slot has one of some values."""
        return not {*map(form_of, values)}.isdisjoint(self._forms.get(cell, ()))

    def elsewhere(self, cell: Cell, values: Sequence[Value], *, any_value: bool = False) -> Cell | None:
        """A slot of another service that has one of some values: one of the same name first, then the latest.

        Under another name a value must be telling, and a word such as yes is no value to carry; but any is with
        `any_value`, where nothing else can be its source.
        """
        if not any_value and any(as_text(value).casefold() in _COMMON for value in values):
            return None
        known = [self._by_form.get(form_of(value), {}) for value in values]
        others = [other for cells in known for other in cells if other.path[0] != cell.path[0] and is_slot(other)]
        named = [other for other in others if other.path[-1] == cell.path[-1]]
        telling = others if any_value or all(map(is_telling, values)) else []
        return next(reversed(named or telling), None)

    def earlier(self, cell: Cell, domain: str, slot: str, value: Value) -> tuple[Cell | None, str]:
        """Where a value comes from that the user did not name: the system told it, or another service has it."""
        told = self.told(domain, slot, value)
        if self.holds(told):
            return told, "told"
        carried = self.elsewhere(cell, [value])
        return carried, "state" if carried is None else "carried"

    def _forget(self, cell: Cell) -> None:
        for form in self._forms.pop(cell, ()):
            del self._by_form[form][cell]
        if is_slot(cell):
            self._by_service.get(cell.path[0].text, {}).pop(cell, None)

    # turns

    def move(self, task: str | None, kind: str | None, origin: Origin) -> list[Instruction]:
        """The talk turns to a task, or to none: leave the one it was at, enter the other."""
        if task == self.task:
            return []
        marks: list[Instruction] = [] if self.task is None else [Leave(task=self.task, origin=origin)]
        if task is not None:
            self.program.add_scope(Scope("task", task), self.scopes.session)
            marks.append(Enter(task=task, kind=kind, origin=origin))
        self.task = task
        return marks

    def add(self, label: str, actor: Actor, step: int, instructions: Iterable[Instruction], origin: Origin) -> None:
        """A turn, or a part of one, within the task the talk is at once its instructions are made."""
        made = tuple(instructions)
        self.program.extend(Block(label, actor, step, self.task, made, origin=origin))


def below(pointer: str, field: str) -> str:
    """The JSON pointer to a field whose name is data.

    >>> below("/turns/3", "n/a")
    '/turns/3/n~1a'
    """
    return f"{pointer}/{field.replace('~', '~0').replace('/', '~1')}"


def used(cells: Iterable[Cell | None], purpose: str, origin: Origin) -> list[Instruction]:
    """One Use of some cells, none where there are none."""
    operands = tuple(Operand(cell) for cell in dict.fromkeys(cells) if cell is not None)
    return [Use(operands=operands, purpose=purpose, origin=origin)] if operands else []


def form_of(value: Value) -> Hashable:
    """What a value is compared by: a scalar by what it states, everything else by its JSON text."""
    scalar = link_key(value)
    return ("json", dumps(value)) if scalar is None else scalar


def is_telling(value: Value) -> bool:
    """Whether equality with a slot of another name means anything: of a word for yes or no, or a digit, it does not."""
    return not isinstance(value, bool) and len(as_text(value)) >= _SHORTEST and as_text(value).casefold() not in _COMMON


def is_slot(cell: Cell) -> bool:
    """Whether a cell is that of a slot: a service and a name."""
    return len(cell.path) == 2 and cell.path[1].kind == "name"


def as_text(value: Value) -> str:
    """A value as the key of what has that value."""
    return value if isinstance(value, str) else dumps(value)


__all__ = ["ASSISTANT", "TOLD", "USER", "Ledger", "as_text", "below", "form_of", "is_slot", "is_telling", "used"]
