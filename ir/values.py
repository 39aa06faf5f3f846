"""Values: what a cell can hold, when two are equal, and how an object falls into leaves."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterator
from typing import Any, Final

import msgspec

from .cells import Segment, key, name, nfc
from .identity import element_key

Value = Any
"""A JSON value, or `UNKNOWN`."""


class _Unknown:
    """The value nobody wrote down, printed `?`. It equals nothing, itself included."""

    def __repr__(self) -> str:
        return "?"

    def __reduce__(self) -> str:
        return "UNKNOWN"


UNKNOWN: Final = _Unknown()
Leaf = tuple[tuple[Segment, ...], Value]


def is_value(value: Any) -> bool:
    """Whether something is a JSON value, `?` at any depth allowed.

    >>> is_value({"a": [1, UNKNOWN]}), is_value((1, 2)), is_value(float("nan"))
    (True, False, False)
    """
    if isinstance(value, dict):
        return all(isinstance(field, str) and is_value(item) for field, item in value.items())
    if isinstance(value, list):
        return all(map(is_value, value))
    if isinstance(value, float):
        return math.isfinite(value)
    return value is None or value is UNKNOWN or isinstance(value, (str, int))


def canonical(value: Value) -> object:
    """A hashable stand-in that is equal for equal values: numbers by value, text after NFC and trimming.

    `?` gets a stand-in of its own each time, since it equals nothing.

    >>> canonical(561.0) == canonical(561), canonical(True) == canonical(1)
    (True, False)
    """
    if value is UNKNOWN:
        return object()
    if value is None or isinstance(value, bool):
        return (type(value).__name__, value)
    if isinstance(value, (int, float)):
        return ("number", value)
    if isinstance(value, str):
        return ("text", unicodedata.normalize("NFC", value).strip())
    if isinstance(value, dict):
        return ("object", tuple(sorted((text, canonical(item)) for text, item in value.items())))
    return ("list", tuple(canonical(item) for item in value))


def equal(left: Value, right: Value) -> bool:
    """Whether two written constants state the same (2-ir, Meaning 4)."""
    return canonical(left) == canonical(right)


def flatten(value: Value) -> list[Leaf]:
    """The leaves of a value with their paths, in the order written.

    An object falls apart by field, a list of objects by the objects' own ids; a list of scalars, and a
    list of objects that name no id of their own, is one leaf. An empty object or list is a leaf.

    >>> [(".".join(s.text for s in path), leaf) for path, leaf in flatten({"a": {"b": 1}, "c": [1, 2]})]
    [('a.b', 1), ('c', [1, 2])]
    >>> flatten([{"sku": "x", "id": "7", "n": 1}])[2]
    ((Segment(kind='key', text='7'), Segment(kind='name', text='n')), 1)
    """
    leaves: list[Leaf] = []
    work: list[tuple[tuple[Segment, ...], str, Value]] = [((), "", value)]
    while work:
        path, label, item = work.pop()
        parts = list(_parts(label, item))
        if parts:
            work.extend(((*path, segment), child, part) for segment, child, part in reversed(parts))
        else:
            leaves.append((path, item))
    return leaves


def with_leaf(value: Value, path: tuple[Segment, ...], leaf: Value, label: str = "") -> Value:
    """A value that has another leaf at a path of `flatten`.

    >>> with_leaf({"items": [{"id": "a", "n": 1}]}, (name("items"), key("a"), name("n")), 2)
    {'items': [{'id': 'a', 'n': 2}]}
    """
    if not path:
        return leaf
    if isinstance(value, dict):
        return {
            text: with_leaf(item, path[1:], leaf, text) if nfc(text) == path[0].text else item
            for text, item in value.items()
        }
    field = element_key(label, value) or ""
    return [with_leaf(item, path[1:], leaf, label) if nfc(str(item[field])) == path[0].text else item for item in value]


def _parts(label: str, value: Value) -> Iterator[tuple[Segment, str, Value]]:
    """The fields of an object, or the keyed elements of a list; nothing where the value is a leaf."""
    if isinstance(value, dict):
        for text, item in value.items():
            yield (key(text) if is_entity_key(text, item) else name(text)), text, item
    elif isinstance(value, list):
        field = element_key(label, value)
        if field is not None:
            for item in value:
                yield key(str(item[field])), label, item


def is_entity_key(text: str, item: Value) -> bool:
    """Whether a key of an object is data: it carries a digit and maps to an object (`variants`, `accounts`)."""
    return isinstance(item, dict) and any(char.isdigit() for char in text)


def encoded(value: Any) -> Any:
    """What stands for a value that JSON lacks, for encoders that ask: `{"?": null}` for the unknown one."""
    if value is UNKNOWN:
        return {"?": None}
    raise TypeError(f"{type(value).__name__} is no JSON value")


def dumps(value: Value) -> str:
    """The JSON text of a value, `?` for what is unknown in it, every script readable.

    >>> dumps({"color": "weiß", "size": UNKNOWN})
    '{"color":"weiß","size":?}'
    """
    if value is UNKNOWN:
        return "?"
    if isinstance(value, dict):
        return "{" + ",".join(f"{dumps(field)}:{dumps(item)}" for field, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(dumps, value)) + "]"
    return msgspec.json.encode(value).decode()
