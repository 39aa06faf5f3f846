"""Results as data: JSON where their text is JSON, and whether one only says that its call failed."""

from __future__ import annotations

import json
from typing import Any

from ...identity import id_fields
from .distinctive import link_key


def parsed(content: Any) -> Any:
    """A result as data: JSON where its text is JSON, else the text."""
    if not isinstance(content, str):
        return content
    text = content.strip()
    if text[:1] not in ("{", "[", '"') and link_key(text) is not None and link_key(text)[0] == "text":  # type: ignore[index]
        return {"true": True, "false": False, "null": None}.get(text, text)
    try:
        return json.loads(text, parse_constant=str)
    except (json.JSONDecodeError, RecursionError):
        return text


_FAILED = frozenset(("error", "failed", "failure", "fail"))


def is_failure(value: dict[str, Any]) -> bool:
    """Whether a result only says that the call failed; it tells nothing of the entity asked for."""
    if len(value) > 4:
        return False
    if any(value.get(field) for field in ("error", "errors", "exception")):
        return True
    if value.get("success") is False or value.get("ok") is False:
        return True
    status = value.get("status")
    told = len(value) == 1 or any(field in value for field in ("message", "reason", "detail"))
    return isinstance(status, str) and status.casefold() in _FAILED and told and not id_fields(value.items())
