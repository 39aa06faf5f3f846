"""Objects that agents wrote as text: JSON, or the literal of a programming language."""

from __future__ import annotations

import ast
import warnings
from typing import Any

from .json_text import JSONError, decode


def decoded_arguments(text: str) -> Any:
    """Arguments written as JSON or, by careless agents, as a Python literal; None if they are neither."""
    try:
        return decode(text)
    except JSONError:
        pass
    try:
        with warnings.catch_warnings(action="ignore"):
            value = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None
    return value if isinstance(value, dict) and _is_json(value) else None


def _is_json(value: Any) -> bool:
    if isinstance(value, dict):
        return all(isinstance(field, str) and _is_json(item) for field, item in value.items())
    return all(map(_is_json, value)) if isinstance(value, list) else isinstance(value, (str, int, float, type(None)))
