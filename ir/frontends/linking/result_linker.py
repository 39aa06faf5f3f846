"""Rules 1 to 4: what the results of calls define, of which entity, and what they rest on."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import attrs

from ...cells import Cell
from ...diagnostics import Location, Problem
from ...instructions import Delete, Derive, Effect, Instruction, Operand, Same, Set
from ...origin import CONCLUDED, Origin
from ...state import State
from ...values import Value, flatten
from ..domain import Domain
from ..opaque import MOST_LEAVES, costed, digest, shortened
from . import entities
from .calls import LIKELY, SURE, Call, by, inside, inside_text
from .files.texts import Outcome, outcome
from .results import is_failure, parsed, unwrapped
from .seen import SeenEntities, parts_of
from .tools import Tool

#: An entity is known by so many fields at least, if restating them is to mean anything.
_FEWEST_RESTATED = 3


class ResultLinker:
    """Builds the instructions of results; what it saw of each entity decides what a later answer may say of it."""

    def __init__(self, state: State, scopes: entities.Scopes, problems: list[Problem], domain: Domain) -> None:
        self._scopes = scopes
        self._problems = problems
        self._domain = domain
        self._seen = SeenEntities(state, domain)

    def copy(self, state: State) -> ResultLinker:
        """The same for a path of its own, where `state` tells what is in force."""
        other = copy.copy(self)
        other._seen = self._seen.copy(state)
        return other

    def link(self, call: Call, content: Any, origin: Origin, *, failed: bool) -> Iterator[Instruction]:
        """The instructions of one result."""
        value, call.names = self._domain.resolved(parsed(content))
        if call.names:
            origin = attrs.evolve(origin, named=", ".join(call.names.values()))
        if value is None or value == "":
            return
        tells = call.about.rule.result != "none" and not failed
        if isinstance(value, dict) and value and tells:
            yield from self._object(call, value, inside_text(origin, content))
        else:
            yield from self._of_call(call, value, origin)

    def _of_call(self, call: Call, value: Value, origin: Origin) -> Iterator[Instruction]:
        """A result that names no entity itself; entities it lists are told of on their own."""
        tool = call.about
        tells = tool.rule.result != "none"
        found = {field: entities.listed(items, field, tool, call.arguments) for field, items in _lists(value) if tells}
        for field, listed in found.items():
            yield from self._elements(call, listed, inside(origin, call.written(field)) if field else origin)
        rest = _without(value, {field for field, listed in found.items() if listed})
        if rest is not None:
            cell = self._scopes.of_call(call.tool, call.arguments)
            yield self._define(call, cell, rest, by(origin, "2 call", SURE))

    def _elements(self, call: Call, listed: list[entities.Listed], origin: Origin) -> Iterator[Instruction]:
        """Each entity of a list, of which a list tells but a part."""
        for kind, own, rule, item in listed:
            cell, at = self._scopes.entity(kind, own), by(inside(origin, str(own)), f"{rule}, 3 part", SURE)
            if not self._seen.fields(cell) or self._seen.covers(cell, item):
                yield self._define(call, cell, item, at)
            else:
                yield from self._parts(call, cell, item, at)
            self._seen.remember(cell, call.tool, call.arguments, item)

    def _object(self, call: Call, value: dict[str, Any], origin: Origin) -> Iterator[Instruction]:
        way, inner = unwrapped(value)
        found = self._entity(call, inner)
        failed = is_failure(value) or is_failure(inner)
        if found is None or (failed and not self._seen.covers(found[0], inner)):
            yield from self._of_call(call, self._bounded(value, origin), origin)
        else:
            at = inside(origin, *map(call.written, way))
            yield from self._of_entity(call, *found, self._bounded(inner, origin), at)

    def _of_entity(
        self, call: Call, entity: Cell, rule: str, value: dict[str, Any], origin: Origin
    ) -> Iterator[Instruction]:
        other = self._seen.other_name(entity, value)
        if other is not None:
            yield Same(left=other, right=entity, origin=by(origin, "2 same", LIKELY))
        if self._is_whole(call, entity, value, is_known_otherwise=other is not None):
            yield self._define(call, entity, value, by(origin, f"{rule}, 3 whole", SURE))
        else:
            yield from self._parts(call, entity, value, by(origin, f"{rule}, 3 part", SURE))
            yield from self._gone(call, entity, value, by(origin, f"{rule}, 3 gone", SURE))
        self._seen.remember(entity, call.tool, call.arguments, value)

    def _is_whole(self, call: Call, entity: Cell, value: dict[str, Any], *, is_known_otherwise: bool) -> bool:
        """Rule 3, unless a domain says it."""
        stated = call.about.rule.result
        if stated is not None:
            return stated == "whole"
        return not is_known_otherwise and self._seen.is_whole(entity, call.tool, call.arguments, value)

    def _parts(self, call: Call, cell: Cell, value: dict[str, Any], origin: Origin) -> Iterator[Instruction]:
        """Rule 3: a part takes nothing away that it does not speak of, at any depth."""
        for field, item in value.items():
            below, at = cell.child(field), inside(origin, call.written(field))
            if isinstance(item, list) and not self._seen.misses_nothing(below, field, item):
                for text, element in (parts_of(field, item) or {}).items():
                    yield from self._part(call, below.at(text), "", element, at)
            else:
                yield from self._part(call, below, field, item, at)

    def _part(self, call: Call, cell: Cell, field: str, item: Any, origin: Origin) -> Iterator[Instruction]:
        """One field of a part, or one element of a list."""
        if self._seen.misses_nothing(cell, field, item):
            yield self._define(call, cell, item, origin)
        else:
            yield from self._parts(call, cell, item, origin)

    def _gone(self, call: Call, entity: Cell, value: dict[str, Any], origin: Origin) -> Iterator[Instruction]:
        """Rule 3: what the same question was answered with before and is not now, unless a domain says otherwise."""
        if call.about.rule.result is None:
            yield from (
                Delete(target=cell, origin=origin) for cell in self._seen.gone(entity, call.tool, call.arguments, value)
            )

    def _bounded(self, value: dict[str, Any], origin: Origin) -> dict[str, Any]:
        """A result of too many leaves as one entry a field, which is said."""
        leaves = len(flatten(value))
        if leaves <= MOST_LEAVES:
            return value
        location = Location(file=origin.file, line=origin.line, record=origin.record, pointer=origin.pointer)
        message = f"a result of {leaves:,} leaves is kept as one entry a top-level field"
        self._problems.append(Problem(code="FE045", message=message, severity="warning", location=location))
        return {
            field: digest("value", item) if isinstance(item, (dict, list)) else item for field, item in value.items()
        }

    def _entity(self, call: Call, value: dict[str, Any]) -> tuple[Cell, str] | None:
        """Rule 2: the entity a result is about, if its tool is named after that entity and fields of the result.

        An answer that states all that is known of the entity is about it, whatever else the name says; one that answers
        a question asked before and shares no field with what is known only says that something went wrong.
        """
        tool, fields = call.about, frozenset(value)
        stated = entities.stated(value, tool, call.arguments)
        if stated is not None:
            return self._scopes.entity(stated.kind, stated.id), stated.rule
        for kind, own, rule in entities.candidates(value, tool, call.arguments):
            cell = self._scopes.entity(kind, own)
            known = self._seen.fields(cell)
            is_first = tool.writes and not known
            if tool.tells_only(kind, fields) or is_first or self._seen.covers(cell, value):
                asked = self._seen.was_asked(cell, call.tool, call.arguments)
                return None if asked and known and not known & fields else (cell, rule)
        return self._restated(tool, value)

    def _restated(self, tool: Tool, value: dict[str, Any]) -> tuple[Cell, str] | None:
        """An entity known before of which a result states all that is known, whatever its tool is called."""
        cells = (self._scopes.entity(tool.kind_of(field), value[field]) for field in tool.id_fields(value))
        found = (cell for cell in cells if len(self._seen.fields(cell)) >= _FEWEST_RESTATED)
        return next(((cell, "2 restated") for cell in found if self._seen.covers(cell, value)), None)

    def _define(self, call: Call, cell: Cell, value: Value, origin: Origin) -> Instruction:
        """Rule 4: a result derives from what its call's arguments were linked to."""
        premises, at = tuple(dict.fromkeys(call.premises)), costed(origin, value)
        if call.about.rule.concludes:
            premises = tuple(one for one in premises if not _names(one, cell, call))
            at = attrs.evolve(at, rule=f"{at.rule}, {CONCLUDED}")
        if premises:
            return Derive(target=cell, value=shortened(value), premises=premises, origin=at)
        return Set(target=cell, value=shortened(value), origin=at)


def _names(premise: Operand, cell: Cell, call: Call) -> bool:
    """Whether a premise only names what is told of; a conclusion does not follow from what it is about."""
    place = premise.place
    return isinstance(place, Cell) and cell.overlaps(place) and place.path[-1].text in call.arguments


def effect(call: Call, content: Any, origin: Origin, *, failed: bool) -> Iterator[Instruction]:
    """Rule 8: what a call does to the world by the word of a domain, once its result does not say that it failed."""
    rule = call.about.rule
    if rule.effect is None or failed or _says_failed(parsed(content)):
        return
    key = call.arguments.get(rule.effect_key) if rule.effect_key is not None else None
    arguments = tuple(dict.fromkeys((*call.premises, *call.slots)))
    yield Effect(action=rule.effect or call.tool, arguments=arguments, key=key, origin=by(origin, "8 effect", SURE))


def _says_failed(value: Any) -> bool:
    """Whether a result says that its call did nothing."""
    if isinstance(value, dict):
        return is_failure(value)
    return isinstance(value, str) and outcome(value, failed=False) is Outcome.FAILED


def _lists(value: Any) -> Iterator[tuple[str, list[Any]]]:
    """The lists in a result by their field, the result itself if it is one."""
    if isinstance(value, list):
        yield "", value
    elif isinstance(value, dict):
        yield from ((field, item) for field, item in value.items() if isinstance(item, list))


def _without(value: Any, told: set[str]) -> Any:
    """What is left of a result when the lists of some fields have been told; None if nothing is."""
    if not told:
        return value
    rest = {field: item for field, item in value.items() if field not in told} if isinstance(value, dict) else {}
    return rest or None
