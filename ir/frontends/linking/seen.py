"""The entities that results have told of so far: what is known of each, and which are one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...cells import Cell
from ...identity import element_key
from ...state import State
from ...values import Value, flatten
from ..domain import Domain
from .distinctive import link_key
from .entities import canonical_arguments
from .layers import Layered

Question = tuple[str, str]
#: An object as it was told, or what a list of objects holds by their ids.
Fields = dict[str, Any]
#: Two results under different ids are taken for one thing only if they agree in so many fields besides.
_FEWEST_AGREED = 3


class SeenEntities:
    """What each entity's results told, by the question that each answered, and listed."""

    def __init__(self, state: State, domain: Domain) -> None:
        self._state = state
        self._domain = domain
        self._answers: Layered[Cell, dict[Question, Fields]] = Layered(dict)
        self._told: Layered[Cell, dict[str, Value]] = Layered(dict)
        self._named: Layered[str, list[Cell]] = Layered(list)

    def copy(self, state: State) -> SeenEntities:
        """The same entities, of which another state tells what is in force."""
        other = SeenEntities(state, self._domain)
        other._answers, other._told, other._named = self._answers.copy(), self._told.copy(), self._named.copy()
        return other

    def remember(self, entity: Cell, tool: str, arguments: dict[str, Any], value: Fields) -> None:
        """Take a result of an entity in; what an answer before told counts on where this one tells little."""
        answers, question = self._answers.owned(entity, dict), self._question(tool, arguments)
        before = answers.get(question, {})
        answers[question] = value if self._answers_again(entity, before, value) else {**before, **value}
        if entity not in self._told:
            self._named.owned(entity.path[-1].text, list).append(entity)
        self._told[entity] = {field: item for field, item in value.items() if not isinstance(item, (dict, list))}

    def fields(self, cell: Cell) -> set[str]:
        """The names of what is in force directly below a cell."""
        depth = len(cell.path)
        return {one.cell.path[depth].text for one in self._state.in_force(cell) if len(one.cell.path) > depth}

    def covers(self, cell: Cell, value: Fields) -> bool:
        """Whether something is known of a cell and a value states all of it; a list says which elements there are."""
        known = self.fields(cell)
        return bool(known) and known <= set(value) and all(self._is_told(cell, field, value[field]) for field in known)

    def _is_told(self, cell: Cell, field: str, item: Any) -> bool:
        """Whether an object in a value states all that is known of it in turn, as do those of a list."""
        if isinstance(item, dict):
            return self.misses_nothing(cell.child(field), field, item)
        parts = parts_of(field, item) or {}
        return all(self.misses_nothing(cell.child(field).at(text), "", part) for text, part in parts.items())

    def misses_nothing(self, cell: Cell, field: str, item: Any) -> bool:
        """Whether what is told anew of a cell takes nothing away: no field, no element, at any depth."""
        parts, known = parts_of(field, item), self.fields(cell)
        if parts is None or not known:
            return True
        if isinstance(item, dict):
            return self.covers(cell, item)
        return known <= set(parts) and all(self.misses_nothing(cell.at(text), "", part) for text, part in parts.items())

    def is_whole(self, entity: Cell, tool: str, arguments: dict[str, Any], value: Fields) -> bool:
        """Rule 3: whether an answer is all there is to an entity.

        It is if nothing was known, if it states all that was, or if all that it lacks is gone by `gone`.
        """
        if not self.fields(entity) or self.covers(entity, value):
            return True
        told = self._told_before(entity, tool, arguments)
        return self._answers_again(entity, told, value) and self._is_all(entity, told, value)

    def gone(self, entity: Cell, tool: str, arguments: dict[str, Any], value: Fields) -> Iterator[Cell]:
        """Rule 3: what an answer before to the same question told and this one lacks, whatever others have told.

        An answer counts as such if it states at least half of what was told then, and not ids alone.
        """
        told = self._told_before(entity, tool, arguments)
        if self._answers_again(entity, told, value):
            yield from filter(self._state.in_force, _lacking(entity, told, value))

    def _told_before(self, entity: Cell, tool: str, arguments: dict[str, Any]) -> Fields:
        return (self._answers.get(entity) or {}).get(self._question(tool, arguments), {})

    def _answers_again(self, entity: Cell, told: Fields, value: Fields) -> bool:
        """Whether an answer states at least half of what is in force of an answer before, and not ids alone."""
        known = self.fields(entity) & set(told)
        again = known & set(value)
        return 2 * len(again) >= len(known) and not again <= set(self._domain.id_fields(value))

    def _is_all(self, entity: Cell, told: Fields, value: Fields) -> bool:
        """Whether nothing is known of an entity but what one of two answers has."""
        spoken, depth = {path for one in (told, value) for path, _ in flatten(one)}, len(entity.path)
        return all(one.cell.path[depth:] in spoken for one in self._state.in_force(entity))

    def was_asked(self, entity: Cell, tool: str, arguments: dict[str, Any]) -> bool:
        """Whether an answer to this very question was met before."""
        return self._question(tool, arguments) in (self._answers.get(entity) or ())

    def other_name(self, entity: Cell, value: Fields) -> Cell | None:
        """Another entity that is this one: each result lists the other's id, and they agree in all they share."""
        if entity in self._told or entity.path[-1].kind != "key":
            return None
        listed = (str(value[field]) for field in self._domain.id_fields(value))
        named = (other for text in listed for other in self._named.get(text) or ())
        return next((other for other in named if self._is_one(entity, value, other)), None)

    def _is_one(self, entity: Cell, value: Fields, other: Cell) -> bool:
        told = self._told.get(other) or {}
        listed = {str(told[field]) for field in self._domain.id_fields(told)}
        return other.scope == entity.scope and entity.path[-1].text in listed and self._agree(told, value)

    def _question(self, tool: str, arguments: dict[str, Any]) -> Question:
        """What makes two calls one question about an entity: the tool, and all arguments that are no ids."""
        ids = self._domain.id_fields(arguments)
        return tool, canonical_arguments({field: value for field, value in arguments.items() if field not in ids})

    def _agree(self, told: dict[str, Value], value: Fields) -> bool:
        """Whether two results are views of one thing: they share several fields, most of each, and differ in none."""
        mine = self._facts(told)
        theirs = self._facts({field: item for field, item in value.items() if not isinstance(item, (dict, list))})
        shared = mine.keys() & theirs.keys()
        most = 3 * len(shared) >= 2 * max(len(mine), len(theirs))
        return len(shared) >= _FEWEST_AGREED and most and all(mine[field] == theirs[field] for field in shared)

    def _facts(self, fields: dict[str, Value]) -> dict[str, object]:
        ids = self._domain.id_fields(fields)
        return {field: link_key(item) for field, item in fields.items() if field not in ids}


def parts_of(field: str, item: Any) -> Fields | None:
    """What an object or a keyed list holds, by the names of its parts; None for a leaf."""
    if isinstance(item, dict):
        return item
    own = element_key(field, item) if isinstance(item, list) else None
    return None if own is None else {str(part[own]): part for part in item}


def _lacking(cell: Cell, told: Fields, value: Fields) -> Iterator[Cell]:
    """The cells of what was told below a cell and is told no more, in objects field by field.

    A field that has another form now is no matter: what is told of it replaces it.
    """
    for field, item in told.items():
        below, now = cell.child(field), value.get(field, {} if isinstance(item, dict) else [])
        parts, left = parts_of(field, item), parts_of(field, now)
        if parts and isinstance(item, dict):
            yield from _lacking(below, item, now) if isinstance(now, dict) else ()
        elif parts and (left is not None or field not in value):
            yield from _without(below, parts, left or {})
        elif not parts and field not in value:
            yield below


def _without(cell: Cell, elements: Fields, left: Fields) -> Iterator[Cell]:
    """The elements that a list had and has no more, and of those that it has still what is told no more."""
    for text, element in elements.items():
        if text in left:
            yield from _lacking(cell.at(text), element, left[text])
        else:
            yield cell.at(text)
