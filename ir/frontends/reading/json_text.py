"""Reading JSON that others wrote: what cannot be held as it is becomes text, what is nested too deeply is refused.

Numbers beyond what can be written again (`1e999`, thousands of digits) and non-numbers (`NaN`) become text; halves of
surrogate pairs, which no file can hold, become the replacement character.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any

#: Values nested deeper than this are refused: no log needs it, and readers that recurse would die of it.
MAX_DEPTH = 90
_LONGEST_NUMBER = 300
_ESCAPED_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_HALF_PAIR = re.compile("[\ud800-\udfff]")

JSONError = json.JSONDecodeError


class TooDeep(json.JSONDecodeError):
    """A value nested more than `MAX_DEPTH` levels deep."""


def decode(text: str) -> Any:
    """The value of a JSON text. Raises `JSONError`, its kind `TooDeep` where nesting is the reason."""
    try:
        value = _DECODER.decode(text)
    except RecursionError:
        raise _deep(text, 0) from None
    return _held(value, text, 0, len(text), MAX_DEPTH)


def decode_at(text: str, start: int, levels: int = MAX_DEPTH) -> tuple[Any, int]:
    """The JSON value that begins at a place of a text, and where it ends. Raises as `decode` does."""
    try:
        value, end = _DECODER.raw_decode(text, start)
    except RecursionError:
        raise _deep(text, start) from None
    return _held(value, text, start, end, levels), end


def _held(value: Any, text: str, start: int, end: int, levels: int) -> Any:
    """A value as it can be held, given the text it was read from."""
    if is_deeper(value, levels, text.count("[", start, end) + text.count("{", start, end)):
        raise _deep(text, start)
    return mended(value) if _ESCAPED_SURROGATE.search(text, start, end) else value


def _deep(text: str, start: int) -> TooDeep:
    return TooDeep(f"nested more than {MAX_DEPTH} levels deep", text, start)


def mended(value: Any) -> Any:
    """A value without halves of surrogate pairs."""
    if isinstance(value, str):
        return _HALF_PAIR.sub("\ufffd", value)
    if isinstance(value, list):
        return [mended(item) for item in value]
    if isinstance(value, dict):
        return {mended(name): mended(item) for name, item in value.items()}
    return value


def _whole(text: str) -> int | str:
    return int(text) if len(text) <= _LONGEST_NUMBER else text


def _number(text: str) -> float | str:
    value = float(text)
    return value if math.isfinite(value) else text


def is_deeper(value: Any, levels: int = MAX_DEPTH, brackets: int | None = None) -> bool:
    """Whether a value has more levels of lists and objects than so many. It has no more than there are `brackets`."""
    if brackets is not None and brackets <= levels:
        return False
    level = [value] if isinstance(value, (dict, list)) else []
    for _ in range(levels):
        if not level:
            return False
        level = [child for item in level for child in _children(item)]
    return bool(level)


def _children(value: Any) -> list[Any]:
    items = value.values() if isinstance(value, dict) else value
    return [item for item in items if isinstance(item, (dict, list))]


_DECODER = json.JSONDecoder(parse_constant=str, parse_int=_whole, parse_float=_number)
