"""When two messages of different records are one: by what they say, not by how a vendor writes them down again."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from ...values import dumps
from ..messages import Message, Opaque, Part, Text, ToolCall, ToolResult

#: An answer of so many characters is not given twice by chance.
_LONG_ANSWER = 40
#: What a model thought is sent back by some and left out by others.
_LEFT_OUT = frozenset(("thinking", "redacted_thinking", "reasoning"))


def identity_of(message: Message) -> str:
    """A digest of who speaks and of what is said: blanks, ids of messages and thoughts make no difference.

    Calls that have ids are told by these, since their arguments are often written anew.
    """
    said = [one for part in message.parts for one in _said(part)]
    return hashlib.blake2b("\0".join([message.role, *said]).encode(), digest_size=16).hexdigest()


def is_telling(message: Message) -> bool:
    """Whether a message is hardly met twice by chance: it has a call with an id, or many words."""
    if any(isinstance(part, ToolCall) and part.id for part in message.parts):
        return True
    return sum(len(part.text) for part in message.parts if isinstance(part, Text)) >= _LONG_ANSWER


def _said(part: Part) -> Iterator[str]:
    if isinstance(part, Text):
        words = " ".join(part.text.split())
        if words:
            yield words
    elif isinstance(part, ToolCall):
        yield part.id or f"{part.tool} {dumps(part.arguments)}"
    elif isinstance(part, ToolResult):
        yield f"{part.call} {dumps(part.content)}"
    elif isinstance(part, Opaque) and part.kind not in _LEFT_OUT:
        yield f"{part.kind} {dumps(part.value)}"
