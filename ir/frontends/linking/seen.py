"""The entities that results have told of so far: which are one, and whether an answer is the whole of one."""

from __future__ import annotations

from typing import Any

from ...cells import Cell
from ...identity import id_fields
from ...state import State
from ...values import Value
from .distinctive import link_key
from .entities import canonical_arguments
from .words import is_writing

Question = tuple[str, str]


class SeenEntities:
    """What each entity's results asked and listed."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._asked: dict[Cell, set[Question]] = {}
        self._told: dict[Cell, dict[str, Value]] = {}
        self._named: dict[str, list[Cell]] = {}

    def remember(self, entity: Cell, tool: str, arguments: dict[str, Any], value: dict[str, Any]) -> None:
        """Take a result of an entity in."""
        self._asked.setdefault(entity, set()).add(_question(tool, arguments))
        if entity not in self._told:
            self._named.setdefault(entity.path[-1].text, []).append(entity)
        self._told[entity] = {field: item for field, item in value.items() if not isinstance(item, (dict, list))}

    def other_name(self, entity: Cell, value: dict[str, Any]) -> Cell | None:
        """Another entity that is this one: each result lists the other's id, and most of what both state agrees."""
        if entity in self._told or entity.path[-1].kind != "key":
            return None
        listed = (str(value[field]) for field in id_fields(value.items()))
        named = (other for text in listed for other in self._named.get(text, ()))
        return next((other for other in named if self._is_one(entity, value, other)), None)

    def _is_one(self, entity: Cell, value: dict[str, Any], other: Cell) -> bool:
        told = self._told[other]
        listed = {str(told[field]) for field in id_fields(told.items())}
        return other.scope == entity.scope and entity.path[-1].text in listed and _agree(told, value)

    def is_whole(self, entity: Cell, tool: str, arguments: dict[str, Any], value: dict[str, Any]) -> bool:
        """Rule 3. A writing tool that answers with less than half of what is known tells a part, whatever its name."""
        asked = self._asked.get(entity)
        if asked is None or _question(tool, arguments) in asked:
            return True
        if not is_writing(tool):
            return False
        depth = len(entity.path)
        known = {entry.cell.path[depth].text for entry in self._state.in_force(entity) if len(entry.cell.path) > depth}
        return 2 * len(known & set(value)) >= len(known)


def _question(tool: str, arguments: dict[str, Any]) -> Question:
    """What makes two calls one question about an entity: the tool, and all arguments that are no ids."""
    ids = id_fields(arguments.items())
    return tool, canonical_arguments({field: value for field, value in arguments.items() if field not in ids})


def _agree(told: dict[str, Value], value: dict[str, Any]) -> bool:
    """Whether two results state mostly the same: half or more of the fields both have, two at least, ids aside."""
    ids = id_fields(told.items())
    shared = [field for field in told if field in value and field not in ids]
    equal = [field for field in shared if link_key(told[field]) == link_key(value[field])]
    return len(equal) >= 2 and 2 * len(equal) >= len(shared)
