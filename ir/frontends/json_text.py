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
        value = json.loads(text, parse_constant=str, parse_int=_whole, parse_float=_number)
    except RecursionError:
        raise TooDeep(f"nested more than {MAX_DEPTH} levels deep", text, 0) from None
    if _is_too_deep(value):
        raise TooDeep(f"nested more than {MAX_DEPTH} levels deep", text, 0)
    return mended(value) if _ESCAPED_SURROGATE.search(text) else value


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


def _is_too_deep(value: Any) -> bool:
    level = [value]
    for _ in range(MAX_DEPTH):
        level = [child for item in level for child in _children(item)]
        if not level:
            return False
    return True


def _children(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [item for item in value.values() if isinstance(item, (dict, list))]
    return [item for item in value if isinstance(item, (dict, list))] if isinstance(value, list) else []
