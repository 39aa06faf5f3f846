"""What is too long or not text: one opaque value with type, size, cost and digest instead of the thing itself."""

from __future__ import annotations

import hashlib
import re
from typing import Any

import attrs

from ..origin import Origin
from ..tokens import estimate
from ..values import dumps

#: Texts longer than this are digested, keeping their beginning.
LONGEST_TEXT = 16_384
#: Results with more leaves than this become one opaque entry per top-level key.
MOST_LEAVES = 4_096
_HEAD = 80
#: A picture of about a megapixel: Anthropic counts width by height over 750, OpenAI 765 to 1,105 by tiles.
IMAGE_TOKENS = 1_200
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


def cost(kind: str, value: Any) -> int:
    """An estimate of the tokens that a value cost where it was shown.

    >>> cost("image", "x" * 90_000), cost("text", "x" * 90_000)
    (1200, 22500)
    """
    return IMAGE_TOKENS if "image" in kind else estimate(_text(value))


def costed(origin: Origin, value: Any) -> Origin:
    """The origin of a text that is digested, with what the text itself cost; of any other value as it is.

    >>> costed(Origin(), "x " * 10_000).tokens, costed(Origin(), "x").tokens
    (5000, None)
    """
    is_digested = isinstance(value, str) and is_opaque(value)
    return attrs.evolve(origin, tokens=cost("text", value)) if is_digested else origin


def mark(value: Any) -> str:
    """A name of a value that no other has: the beginning of its digest."""
    return hashlib.sha256(_text(value).encode()).hexdigest()[:12]


def digest(kind: str, value: Any) -> str:
    """The stand-in of a value.

    >>> digest("text", "x" * 1200)[:66]
    'text, 1,200 characters, about 300 tokens, sha256 802df553d545, beg'
    """
    text = _text(value)
    size = f"{len(text):,} characters, about {cost(kind, value):,} tokens"
    return f"{kind}, {size}, sha256 {mark(value)}, begins {text[:_HEAD]}"


def _text(value: Any) -> str:
    return value if isinstance(value, str) else dumps(value)
