"""Values as LangGraph's checkpointer writes them: msgpack with extensions that name a class, or JSON.

Nothing is imported and no class is built: an object becomes the fields it was written with.
"""

from __future__ import annotations

from typing import Any

import msgspec

from ...values import dumps, is_value
from ..opaque import digest
from ..reading.json_text import MAX_DEPTH, JSONError, decode, is_deeper

#: Extensions by what follows the names of module and class: one argument, several, named ones, a method besides.
_FIELDS = 2
_EXTENSIONS = range(6)


class Unreadable(ValueError):
    """A value in a form that is not read: pickled, encrypted, or damaged."""


def deserialized(kind: str | None, data: bytes) -> Any:
    """The value of a column `type` and the bytes beside it, nested no deeper than JSON may be. Raises `Unreadable`.

    >>> deserialized("json", b'{"color": "black"}')
    {'color': 'black'}
    """
    if kind == "msgpack":
        value = _msgpack(data)
        if is_deeper(value):
            raise Unreadable(f"it is nested more than {MAX_DEPTH} levels deep")
        return value
    if kind == "json":
        return _json(data)
    if kind in ("null", "bytes", "bytearray"):
        return None if kind == "null" else _bytes(data)
    raise Unreadable(f"it is written as {kind!r}, which is not read")


def plain(value: Any) -> Any:
    """A value that an instruction can hold: bytes are digested, keys are text, what is left is text too."""
    if isinstance(value, bytes):
        return _bytes(value)
    if isinstance(value, dict):
        return {str(field): plain(item) for field, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(item) for item in value]
    return value if is_value(value) else str(value)


def _bytes(data: bytes) -> str:
    return digest("bytes", data.hex())


def _msgpack(data: bytes) -> Any:
    try:
        return msgspec.msgpack.decode(data, ext_hook=_extension)
    except (msgspec.DecodeError, ValueError, RecursionError, TypeError) as error:
        raise Unreadable(f"its bytes are damaged ({error})") from None


def _extension(code: int, data: memoryview) -> Any:
    if code not in _EXTENSIONS:
        return f"extension {code}, {len(data):,} bytes"
    written = _msgpack(bytes(data))
    if not isinstance(written, list) or len(written) <= _FIELDS:
        return written
    return written[_FIELDS]


def _json(data: bytes) -> Any:
    try:
        return decode(data.decode())
    except (JSONError, UnicodeDecodeError):
        raise Unreadable("its JSON is damaged") from None


def identity(value: Any) -> str:
    """What tells two values apart."""
    return dumps(plain(value))
