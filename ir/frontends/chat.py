"""The parts of chat messages: texts and attachments, calls and their arguments."""

from __future__ import annotations

import ast
import warnings
from typing import Any

from . import fields
from .json_text import JSONError, decode


def content_of(content: Any) -> tuple[list[str], list[tuple[str, Any]]]:
    """The texts of a message, and its parts that are not text with their types."""
    if isinstance(content, str):
        return [content], []
    texts: list[str] = []
    attachments: list[tuple[str, Any]] = []
    for part in content if isinstance(content, list) else []:
        text = (
            part if isinstance(part, str) else fields.text(part, "text", "refusal") if isinstance(part, dict) else None
        )
        if text is not None:
            texts.append(text)
        elif isinstance(part, dict):
            attachments.append((fields.text(part, "type") or "part", part))
    return texts, attachments


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


def arguments_at(call: Any) -> str:
    """The JSON pointer to the arguments of a call; behind `#` it goes on within their JSON text."""
    body = body_of(call)
    parent = next((f"{field}/" for field in ("function", "custom") if body is not call and body is call.get(field)), "")
    name = "arguments" if "arguments" in body else "input"
    return f"{parent}{name}{'#' if isinstance(body.get(name), str) else ''}"


def body_of(call: Any) -> dict[str, Any]:
    """The part of a call that holds its name and arguments."""
    if not isinstance(call, dict):
        return {}
    return next((call[field] for field in ("function", "custom") if isinstance(call.get(field), dict)), call)
