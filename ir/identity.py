"""Names taken apart: which fields name a thing, and by which field the objects of a list name themselves."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[^\W_A-Z]+")
ID_WORDS = frozenset(("id", "uuid", "key", "number", "no", "code", "ref"))
#: Numbers, codes and keys of these are values like any other: two results that share one speak of different things.
_NO_IDENTITY = frozenset(
    """
    api area column country currency error exit fax http lang language line locale max min page phone port postal
    response room row sort state status total version zip
    """.split()  # noqa: SIM905  a list of words reads better without its quotes
)
#: Lists called so grow by rows that may repeat any id but their own.
_LEDGERS = frozenset(("history", "log", "trail", "events"))
#: Lists called so say nothing of what is in them.
_GENERIC = frozenset(("", "results", "result", "data", "list", "entries", "records", "rows", "values"))


def words(text: str) -> list[str]:
    """The words of a name in snake, kebab or camel case, folded.

    >>> words("get_order_details"), words("getOrderById")
    (['get', 'order', 'details'], ['get', 'order', 'by', 'id'])
    """
    return [word.casefold() for word in _WORD.findall(text)]


def is_id_name(field: str) -> bool:
    """Whether a field or parameter is named like an identifier.

    >>> [is_id_name(field) for field in ("order_id", "orderId", "id", "flight_number", "number", "page_number")]
    [True, True, True, True, False, False]
    """
    found = words(field)
    if not found or found[-1] not in ID_WORDS:
        return False
    stem = found[:-1]
    if not stem:
        return found[-1] in ("id", "uuid", "key")
    return found[-1] in ("id", "uuid") or not _NO_IDENTITY.intersection(stem)


def element_key(label: str, items: list[Any]) -> str | None:
    """The field by which the objects of a list name themselves, or None if there is none.

    It must be their own id, `id` or one named after the list (`item_id` in `items` or `line_items`); only a list whose
    name says nothing is keyed by any id. What refers to something else, `payment_method_id` in `payment_history`, may
    repeat in the next answer. Every element must have the field, scalar, and no two may share a value.

    >>> element_key("items", [{"product_id": 1, "item_id": "a"}, {"product_id": 1, "item_id": "b"}])
    'item_id'
    >>> element_key("payment_history", [{"payment_method_id": "p1", "amount": 3}]) is None
    True
    """
    if not items or not all(isinstance(item, dict) for item in items):
        return None
    named = frozenset(words(label))
    fields = [field for field in items[0] if isinstance(field, str) and _is_own_id(field, label, named)]
    fields.sort(key=lambda field: field.casefold() != "id")
    return next((field for field in fields if _names_each(field, items)), None)


def _is_own_id(field: str, label: str, named: frozenset[str]) -> bool:
    if not is_id_name(field):
        return False
    stem = set(words(field)[:-1])
    if not stem or label.casefold() in _GENERIC:
        return True
    return not named & _LEDGERS and stem <= {singular(word) for word in named}


def _names_each(field: str, items: list[Any]) -> bool:
    named = [item.get(field) for item in items]
    return all(is_scalar_id(value) for value in named) and len({str(value) for value in named}) == len(items)


def is_scalar_id(value: Any) -> bool:
    """Whether a value can be an id: a text that is not blank, or a whole number."""
    return (isinstance(value, str) and bool(value.strip())) or (isinstance(value, int) and not isinstance(value, bool))


def singular(field: str) -> str:
    """A folded field name without a plural ending, so that `item_ids` meets `item_id`."""
    folded = field.casefold()
    if folded.endswith("ies"):
        return folded[:-3] + "y"
    return folded[:-1] if folded.endswith("s") and not folded.endswith("ss") else folded


def id_fields(fields: Iterable[tuple[str, Any]]) -> list[str]:
    """The fields that are named like identifiers and hold one, in the order given."""
    return [field for field, value in fields if is_id_name(field) and is_scalar_id(value)]
