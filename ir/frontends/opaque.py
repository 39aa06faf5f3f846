"""What is too long or not text: one opaque value with type, size and digest instead of the thing itself."""

from __future__ import annotations

import hashlib
import re
from typing import Any

from ..values import dumps

#: Texts longer than this are digested, keeping their beginning.
LONGEST_TEXT = 16_384
#: Results with more leaves than this become one opaque entry per top-level key.
MOST_LEAVES = 4_096
_HEAD = 80
_BASE64 = re.compile(r"(?:data:[\w/+.-]+;base64,)?[A-Za-z0-9+/\r\n]{512,}={0,2}\Z")


def shortened(value: Any) -> Any:
    """The value with every over-long text and base64 block in it digested."""
    if isinstance(value, str):
        return digest("text", value) if is_opaque(value) else value
    if isinstance(value, list):
        return [shortened(item) for item in value]
    if isinstance(value, dict):
        return {name: shortened(item) for name, item in value.items()}
    return value


def is_opaque(text: str) -> bool:
    """Whether a text is too long to keep, or an encoded file."""
    return len(text) > LONGEST_TEXT or (len(text) >= 512 and _BASE64.match(text) is not None)


def digest(kind: str, value: Any) -> str:
    """The stand-in of a value.

    >>> digest("image", "x" * 1200)[:46]
    'image, 1,200 characters, sha256 802df553d545, '
    """
    text = value if isinstance(value, str) else dumps(value)
    mark = hashlib.sha256(text.encode()).hexdigest()[:12]
    return f"{kind}, {len(text):,} characters, sha256 {mark}, begins {text[:_HEAD]}"
