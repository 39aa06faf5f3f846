"""When two messages of different records are one: by what they say, not by how a vendor writes them down again."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from difflib import SequenceMatcher

from ...values import dumps
from ..linking.distinctive import is_proper_name
from ..messages import Message, Opaque, Part, Text, ToolCall, ToolResult

#: An answer of so many characters is not given twice by chance.
_LONG_ANSWER = 40
#: Texts that share less than this part of their words say different things.
_LEAST_SHARED = 0.5
#: What takes the place of a history.
COMPACTION = "compaction"
#: What a model thought is sent back by some and left out by others, as a part or between marks in its words.
_LEFT_OUT = frozenset(("thinking", "redacted_thinking", "reasoning"))
_THOUGHT = re.compile(r"<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL)


def identity_of(message: Message) -> str:
    """A digest of who speaks and of what is said; empty for a message that says nothing that others repeat.

    Blanks, ids of messages, and thoughts make no difference; a call is told by its id, its tool and its arguments.
    """
    said = [one for part in message.parts for one in _said(part)]
    if not said:
        return ""
    return hashlib.blake2b("\0".join([message.role, *said]).encode(), digest_size=16).hexdigest()


def chained(before: str, identity: str) -> str:
    """A digest of a way of messages, from that of the way up to the last one."""
    return hashlib.blake2b(f"{before}\0{identity}".encode(), digest_size=16).hexdigest()


def is_rule(message: Message) -> bool:
    """Whether a message is a rule for the model, which may change from request to request, with the time in it perhaps.

    The summary of a history is none, whoever is taken to say it.
    """
    is_summary = any(isinstance(part, Opaque) and part.kind == COMPACTION for part in message.parts)
    return message.role == "system" and not is_summary


def is_telling(message: Message) -> bool:
    """Whether a message is hardly met twice by chance: it has a call with an id, or many words."""
    if any(isinstance(part, ToolCall) and part.id for part in message.parts):
        return True
    return sum(len(part.text) for part in message.parts if isinstance(part, Text)) >= _LONG_ANSWER


def says_the_same(one: Message, other: Message) -> bool:
    """Whether one text is the other with something added or left out; texts that name other things are not."""
    words = words_of(one).split(), words_of(other).split()
    named = [set(filter(is_proper_name, text)) for text in words]
    if all(named) and not named[0] & named[1]:
        return False
    return SequenceMatcher(None, *words, autojunk=False).ratio() >= _LEAST_SHARED


def words_of(message: Message) -> str:
    """The words of a message."""
    return "\n".join(part.text for part in message.parts if isinstance(part, Text))


def _said(part: Part) -> Iterator[str]:
    if isinstance(part, Text):
        words = " ".join(_THOUGHT.sub("", part.text).split())
        if words:
            yield words
    elif isinstance(part, ToolCall):
        yield f"{part.id} {part.tool} {dumps(part.arguments)}"
    elif isinstance(part, ToolResult):
        yield f"{part.call} {dumps(part.content)}"
    elif isinstance(part, Opaque) and part.kind not in _LEFT_OUT:
        yield f"{part.kind} {dumps(part.value)}"
