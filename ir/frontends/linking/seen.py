"""The entities that results have told of so far: what is known of each, and which are one."""

from __future__ import annotations

from typing import Any

from ...cells import Cell
from ...state import State
from ...values import Value
from ..domain import Domain
from .distinctive import link_key
from .entities import canonical_arguments
from .layers import Layered

Question = tuple[str, str]
#: Two results under different ids are taken for one thing only if they agree in so many fields besides.
_FEWEST_AGREED = 3


class SeenEntities:
    """What each entity's results asked and listed."""

    def __init__(self, state: State, domain: Domain) -> None:
        self._state = state
        self._domain = domain
        self._asked: Layered[Cell, set[Question]] = Layered(set)
        self._told: Layered[Cell, dict[str, Value]] = Layered(dict)
        self._named: Layered[str, list[Cell]] = Layered(list)

    def copy(self, state: State) -> SeenEntities:
        """The same entities, of which another state tells what is in force."""
        other = SeenEntities(state, self._domain)
        other._asked, other._told, other._named = self._asked.copy(), self._told.copy(), self._named.copy()
        return other

    def remember(self, entity: Cell, tool: str, arguments: dict[str, Any], value: dict[str, Any]) -> None:
        """Take a result of an entity in."""
        self._asked.owned(entity, set).add(self._question(tool, arguments))
        if entity not in self._told:
            self._named.owned(entity.path[-1].text, list).append(entity)
        self._told[entity] = {field: item for field, item in value.items() if not isinstance(item, (dict, list))}

    def fields(self, cell: Cell) -> set[str]:
        """The names of what is in force directly below a cell."""
        depth = len(cell.path)
        return {one.cell.path[depth].text for one in self._state.in_force(cell) if len(one.cell.path) > depth}

    def covers(self, cell: Cell, value: dict[str, Any]) -> bool:
        """Whether something is known of a cell and a value states all of it."""
        known = self.fields(cell)
        return bool(known) and known <= set(value) and self._covers_inside(cell, known, value)

    def _covers_inside(self, cell: Cell, known: set[str], value: dict[str, Any]) -> bool:
        """Whether the objects in a value state all that is known of them in turn."""
        inner = ((cell.child(field), value[field]) for field in known if isinstance(value[field], dict))
        return all(not self.fields(below) or self.covers(below, item) for below, item in inner)

    def is_whole(self, entity: Cell, tool: str, arguments: dict[str, Any], value: dict[str, Any]) -> bool:
        """Rule 3: whether an answer is all there is to an entity, so that what it lacks is gone.

        It is if nothing was known, if it states all that was, or if it answers a question asked before and states at
        least half; any other answer tells a part, whatever the name of its tool.
        """
        known = self.fields(entity)
        if not known or self.covers(entity, value):
            return True
        return self.was_asked(entity, tool, arguments) and 2 * len(known & set(value)) >= len(known)

    def was_asked(self, entity: Cell, tool: str, arguments: dict[str, Any]) -> bool:
        """Whether an answer to this very question was met before."""
        return self._question(tool, arguments) in (self._asked.get(entity) or ())

    def other_name(self, entity: Cell, value: dict[str, Any]) -> Cell | None:
        """Another entity that is this one: each result lists the other's id, and they agree in all they share."""
        if entity in self._told or entity.path[-1].kind != "key":
            return None
        listed = (str(value[field]) for field in self._domain.id_fields(value))
        named = (other for text in listed for other in self._named.get(text) or ())
        return next((other for other in named if self._is_one(entity, value, other)), None)

    def _is_one(self, entity: Cell, value: dict[str, Any], other: Cell) -> bool:
        told = self._told.get(other) or {}
        listed = {str(told[field]) for field in self._domain.id_fields(told)}
        return other.scope == entity.scope and entity.path[-1].text in listed and self._agree(told, value)

    def _question(self, tool: str, arguments: dict[str, Any]) -> Question:
        """What makes two calls one question about an entity: the tool, and all arguments that are no ids."""
        ids = self._domain.id_fields(arguments)
        return tool, canonical_arguments({field: value for field, value in arguments.items() if field not in ids})

    def _agree(self, told: dict[str, Value], value: dict[str, Any]) -> bool:
        """Whether two results are views of one thing: they share several fields, most of each, and differ in none."""
        mine = self._facts(told)
        theirs = self._facts({field: item for field, item in value.items() if not isinstance(item, (dict, list))})
        shared = mine.keys() & theirs.keys()
        most = 3 * len(shared) >= 2 * max(len(mine), len(theirs))
        return len(shared) >= _FEWEST_AGREED and most and all(mine[field] == theirs[field] for field in shared)

    def _facts(self, fields: dict[str, Value]) -> dict[str, object]:
        ids = self._domain.id_fields(fields)
        return {field: link_key(item) for field, item in fields.items() if field not in ids}
