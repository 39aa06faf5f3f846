"""Results as data: JSON where their text is JSON, out of its envelope; whether one only says that its call failed."""

from __future__ import annotations

import re
from typing import Any

from ...identity import id_fields, words
from ..reading.json_text import JSONError, decode
from .distinctive import link_key
from .printed import data_in

_WORDS = ("true", "false", "null")
_ENVELOPES = ("data", "result", "response", "payload", "body", "output")
_ON_ENVELOPES = frozenset(("success", "ok", "status", "code", "status_code", "message", "error", "errors", "meta"))
_FAILED = frozenset(("error", "failed", "failure", "fail"))
_TOLD = frozenset(("message", "detail", "details", "reason", "msg"))
#: An answer of more fields than this is taken for data, whatever else it says.
_MOST_OF_FAILURE = 6
_FIRST_BAD_CODE = 400
_BAD_CODE = re.compile(r"[45]\d\d\Z")


def parsed(content: Any) -> Any:
    """A result as data: JSON where its text is JSON or prints data otherwise, else the text; an envelope is opened.

    >>> parsed('{"success": true, "data": "[1, 2]"}')
    {'success': True, 'data': [1, 2]}
    """
    value = _decoded(content) if isinstance(content, str) else content
    if not isinstance(value, dict) or not set(value) <= _ON_ENVELOPES.union(_ENVELOPES):
        return value
    return {field: _opened(item) if field in _ENVELOPES else item for field, item in value.items()}


def _opened(item: Any) -> Any:
    """What is in an envelope, where that is data which was written as text once more."""
    found = data_in(item.strip()) if isinstance(item, str) and item.lstrip()[:1] in ("{", "[") else item
    return found if isinstance(found, (dict, list)) else item


def _decoded(content: str) -> Any:
    text = content.strip()
    kind = link_key(text)
    if text[:1] not in ("{", "[", '"') and isinstance(kind, tuple) and kind[0] == "text":
        return {"true": True, "false": False, "null": None}[text] if text in _WORDS else data_in(text)
    try:
        return decode(text)
    except JSONError:
        return data_in(text)


def unwrapped(value: dict[str, Any]) -> tuple[tuple[str, ...], dict[str, Any]]:
    """The object in an envelope `{"success": true, "data": {…}}`, and the way to it; an object without one is itself.

    >>> unwrapped({"success": True, "data": {"order_id": "W15"}})
    (('data',), {'order_id': 'W15'})
    """
    inner = [field for field in _ENVELOPES if isinstance(value.get(field), dict) and value[field]]
    if len(inner) != 1 or not set(value) <= {inner[0], *_ON_ENVELOPES}:
        return (), value
    return (inner[0],), value[inner[0]]


def is_failure(value: dict[str, Any]) -> bool:
    """Whether a result only says that the call failed; it tells nothing of the entity asked for."""
    if len(value) > _MOST_OF_FAILURE:
        return False
    if any(item and {"error", "errors", "exception"} & set(words(field)) for field, item in value.items()):
        return True
    if value.get("success") is False or value.get("ok") is False or set(value) <= _TOLD:
        return True
    return _has_bad_status(value) and not id_fields(value.items())


def _has_bad_status(value: dict[str, Any]) -> bool:
    """A status that says so in words with a reason, or as a number that servers give to failures."""
    code = next(
        (value[field] for field in ("statusCode", "status_code", "code") if isinstance(value.get(field), int)), 0
    )
    status = value.get("status")
    told = len(value) == 1 or bool(_TOLD & set(value))
    if _BAD_CODE.match(str(status)):
        return told or "title" in value
    return code >= _FIRST_BAD_CODE or (isinstance(status, str) and status.casefold() in _FAILED and told)
