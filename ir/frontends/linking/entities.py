"""Where cells go, and which entity a result may be about (rule 2)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any, NamedTuple

import attrs

from ...cells import Cell, Scope, key, name
from ...identity import element_key, is_scalar_id, words
from ...sensitive import is_secret
from ...values import Value, dumps
from .tools import Tool

_LONGEST_KEY = 80


class Candidate(NamedTuple):
    """An entity a result may be about: its kind, its id, and the reason to think so."""

    kind: str
    id: Value
    rule: str


@attrs.frozen
class Scopes:
    """Where cells go: entities with ids to the user, what was merely said or found to the session."""

    user: Scope
    session: Scope

    def entity(self, kind: str, value: Value) -> Cell:
        """The cell of an entity."""
        return Cell(self.user, (name(kind), key(str(value))))

    def of_call(self, tool: str, arguments: dict[str, Any]) -> Cell:
        """The cell of a result that names no entity: the tool and its canonical arguments."""
        if not arguments:
            return Cell(self.session, (name(tool),))
        return Cell(self.session, (name(tool), key(canonical_arguments(arguments))))

    def of_argument(self, call: str) -> Cell:
        """The cell below which a call's own new values stand."""
        return Cell(self.session, (name(CALL), key(call)))

    def of_form(self, tool: str) -> Cell:
        """The cell of what the calls of a tool fill in, one call after another."""
        return Cell(self.session, (name(FORM), key(tool)))

    def of_said(self, kind: str, value: str) -> Cell:
        """The cell of a value a person wrote."""
        return Cell(self.session, (name(kind), key(value)))


#: The first segments of the cells of arguments: of one call, of a form that several fill in.
CALL, FORM = "call", "form"


def canonical_arguments(arguments: dict[str, Any]) -> str:
    """Arguments as a key: sorted, the name left out where there is but one, a digest where long, secrets left out.

    >>> canonical_arguments({"to": "SFO", "from": "JFK"}), canonical_arguments({"city": "Lyon"})
    ('from=JFK, to=SFO', 'Lyon')
    """
    if not arguments:
        return ""
    written = {field: _written(field, value) for field, value in sorted(arguments.items())}
    text = next(iter(written.values())) if len(written) == 1 else ", ".join(f"{f}={v}" for f, v in written.items())
    return text if len(text) <= _LONGEST_KEY else hashlib.sha256(text.encode()).hexdigest()[:16]


def _written(field: str, value: Value) -> str:
    if is_secret(field):
        return "***"
    return value if isinstance(value, str) else dumps(value)


def candidates(result: dict[str, Any], tool: Tool, arguments: dict[str, Any]) -> Iterator[Candidate]:
    """The entities a result may be about, likeliest first: by an id of its own, by the call's only id.

    An id of its own is `id`, or one of a kind the tool's name speaks of; `user_id` in an order is neither. A search
    that is narrowed by more than ids tells of what it found, not of an entity.

    >>> order = {"user_id": "u1", "order_id": "W15"}
    >>> [one.kind for one in candidates(order, Tool.of("get_order_details"), {"order_id": "W15"})]
    ['order', 'order']
    >>> list(candidates({"status": "late"}, Tool.of("get_flight"), {"flight_id": "H1", "date": "05-20"}))
    []
    """
    if not tool.writes and _is_narrowed(arguments, tool):
        return
    own = sorted(tool.id_fields(result), key=lambda field: field.casefold() != "id")
    asked = {str(arguments[field]) for field in tool.id_fields(arguments)}
    for field in own:
        kind = tool.kind_of(field)
        named = bool(tool.subject) or {str(result[field])} == asked
        if field.casefold() == "id" or (named and tool.is_about(kind)):
            yield Candidate(kind, result[field], "2 own id")
    argument = only_id_argument(arguments, tool)
    if argument is not None and tool.is_about(tool.kind_of(argument)):
        yield Candidate(tool.kind_of(argument), arguments[argument], "2 argument")


def stated(result: dict[str, Any], tool: Tool, arguments: dict[str, Any]) -> Candidate | None:
    """The entity that a domain says a result is about: by the field it names, else by an id of the kind it names.

    >>> from statemem.ir.frontends.domain import Domain, ToolRule
    >>> tool = Tool.known("peek", Domain(tools=(ToolRule(name="peek", entity="order", id="no"),)))
    >>> stated({"status": "sent"}, tool, {"no": "W15"})
    Candidate(kind='order', id='W15', rule='2 domain')
    """
    rule = tool.rule
    if rule.entity is None and rule.id is None:
        return None
    for told in (result, arguments):
        fields = tool.id_fields(told) if rule.id is None else [rule.id] if is_scalar_id(told.get(rule.id)) else []
        found = ((rule.entity or tool.kind_of(field), told[field], field) for field in fields)
        for kind, own, field in found:
            if rule.id is not None or tool.kind_of(field) == kind:
                return Candidate(kind, own, "2 domain")
    return None


class Listed(NamedTuple):
    """An entity that stands in a list, and what the list tells of it."""

    kind: str
    id: Value
    rule: str
    value: dict[str, Any]


def listed(items: list[Any], label: str, tool: Tool, arguments: dict[str, Any]) -> list[Listed]:
    """The entities of a list: its objects, if the tool is named after their kind alone and its search is not narrowed.

    >>> [one.id for one in listed([{"order_id": "W15"}, {"order_id": "W16"}], "", Tool.of("list_orders"), {})]
    ['W15', 'W16']
    >>> listed([{"item_id": "i1"}], "items", Tool.of("list_order_items"), {})
    []
    """
    field = None if _is_narrowed(arguments, tool) else _own_id(items, label, tool)
    if field is None or tuple(words(tool.kind_of(field))) != tool.subject:
        return []
    return [Listed(tool.kind_of(field), item[field], "2 listed", item) for item in items]


def _own_id(items: list[Any], label: str, tool: Tool) -> str | None:
    """The field by which the objects of a list name themselves: one of a domain's, else by its name."""
    if not items or not all(isinstance(item, dict) for item in items):
        return None
    stated = (field for field in (tool.rule.id, *tool.domain.kinds) if field is not None)
    return next((field for field in stated if _names_each(field, items)), None) or element_key(label, items)


def _names_each(field: str, items: list[dict[str, Any]]) -> bool:
    named = [item.get(field) for item in items]
    return all(map(is_scalar_id, named)) and len({str(value) for value in named}) == len(items)


def _is_narrowed(arguments: dict[str, Any], tool: Tool) -> bool:
    ids = set(tool.id_fields(arguments))
    return any(field not in ids and value not in (None, "", True, False) for field, value in arguments.items())


def only_id_argument(arguments: dict[str, Any], tool: Tool) -> str | None:
    """The one id-like argument of a call, if there is exactly one."""
    fields = tool.id_fields(arguments)
    return fields[0] if len(fields) == 1 else None
