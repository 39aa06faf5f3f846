"""Which entity a tool speaks of (rule 2), and the cells of calls and results that speak of none."""

from __future__ import annotations

import hashlib
from typing import Any

import attrs

from ...cells import Cell, Scope, key, name
from ...identity import id_fields, words
from ...sensitive import is_sensitive
from ...values import Value, dumps
from .words import kind_of

_LONGEST_KEY = 80


@attrs.frozen
class Scopes:
    """Where cells go: entities with ids to the user, what was merely said or found to the session."""

    user: Scope
    session: Scope

    def entity(self, field: str, value: Value, tool: str) -> Cell:
        """The cell of the entity that an id field names."""
        return Cell(self.user, (name(kind_of(field, tool)), key(str(value))))

    def of_call(self, tool: str, arguments: dict[str, Any]) -> Cell:
        """The cell of a result that names no entity: the tool and its canonical arguments."""
        if not arguments:
            return Cell(self.session, (name(tool),))
        return Cell(self.session, (name(tool), key(canonical_arguments(arguments))))

    def of_argument(self, call: str) -> Cell:
        """The cell below which a call's own new values stand."""
        return Cell(self.session, (name("call"), key(call)))

    def of_said(self, kind: str, value: str) -> Cell:
        """The cell of a value a person wrote."""
        return Cell(self.session, (name(kind), key(value)))


def canonical_arguments(arguments: dict[str, Any]) -> str:
    """Arguments as a key: sorted, the name left out where there is but one, a digest where long or sensitive.

    >>> canonical_arguments({"to": "SFO", "from": "JFK"}), canonical_arguments({"city": "Lyon"})
    ('from=JFK, to=SFO', 'Lyon')
    """
    if not arguments:
        return ""
    written = {field: _written(field, value) for field, value in sorted(arguments.items())}
    text = next(iter(written.values())) if len(written) == 1 else ", ".join(f"{f}={v}" for f, v in written.items())
    if len(text) <= _LONGEST_KEY:
        return text
    return _digest(text)


def _written(field: str, value: Value) -> str:
    text = value if isinstance(value, str) else dumps(value)
    return _digest(text) if is_sensitive(field) else text


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def own_id(result: dict[str, Any], tool: str, arguments: dict[str, Any]) -> str | None:
    """The field by which an object names itself: `id`, then the one the tool is named after, then the one asked for.

    A field that names something else, `user_id` in an order, is not taken: without one of the three reasons, only an
    object with a single id field names itself by it.

    >>> own_id({"user_id": "u1", "order_id": "W15"}, "get_order_details", {"order_id": "W15"})
    'order_id'
    >>> own_id({"customer_id": "c1", "ticket_id": "t9"}, "open_ticket", {"customer_id": "c1"})
    'ticket_id'
    """
    fields = id_fields(result.items())
    about = set(words(tool))
    for field in fields:
        if field.casefold() == "id" or about.issuperset(words(kind_of(field, tool))):
            return field
    asked = {str(arguments[field]) for field in id_fields(arguments.items())}
    named = [field for field in fields if str(result[field]) in asked]
    if named:
        return named[0]
    return fields[0] if len(fields) == 1 and not asked else None


def only_id_argument(arguments: dict[str, Any]) -> str | None:
    """The one id-like argument of a call, if there is exactly one."""
    fields = id_fields(arguments.items())
    return fields[0] if len(fields) == 1 else None
