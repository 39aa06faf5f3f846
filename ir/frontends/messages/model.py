"""Messages: what every chat format is read as before its values are linked.

A message is parts in the order in which they stand: words, calls, results, what is not text, and what a log states of
its memory itself. `pointer` of a part is where it stands in its message, of a message where it stands in its record;
a part has a `location` of its own where the log spreads its message over several records.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

import attrs

from ...diagnostics import Location
from ...instructions import Instruction

if TYPE_CHECKING:
    from ..linking.entities import Scopes

Role = Literal["user", "assistant", "tool", "system"]


@attrs.frozen
class Text:
    """Words of a message."""

    text: str
    pointer: str = "content"
    location: Location | None = None


@attrs.frozen
class Opaque:
    """What is not text: an image, a file, sealed reasoning; `sees_all` if it was made from all that was shown."""

    kind: str
    value: Any
    pointer: str = "content"
    sees_all: bool = False
    location: Location | None = None


@attrs.frozen
class ToolCall:
    """A call of a tool; `arguments` is an object wherever they could be read as one."""

    tool: str
    arguments: Any
    id: str | None = None
    pointer: str = ""
    location: Location | None = None


@attrs.frozen
class ToolResult:
    """What a tool answered, and the call it answers: the one it names, else the next of that tool that waits.

    `attached` is what in the answer is no text, images for instance.
    """

    content: Any
    call: str | None = None
    tool: str | None = None
    failed: bool = False
    pointer: str = "content"
    location: Location | None = None
    attached: tuple[Opaque, ...] = ()


@attrs.frozen
class Stated:
    """An instruction that the log itself states, built in the scopes of its conversation."""

    build: Callable[[Scopes], Instruction]
    pointer: str = ""
    location: Location | None = None


@attrs.frozen
class Removal:
    """Messages that are taken out of the history, by their keys: what only they stated is deleted."""

    keys: tuple[str, ...]
    pointer: str = ""
    location: Location | None = None


Part = Text | Opaque | ToolCall | ToolResult | Stated | Removal


@attrs.frozen(kw_only=True)
class Prompt:
    """What a model was shown: the messages by their keys, the size in tokens, and how many came from a cache."""

    shown: tuple[str, ...]
    tokens: int | None = None
    cached: int | None = None


@attrs.frozen(kw_only=True)
class Message:
    """One message. `key` names it and `follows` the one before it, where the log is a tree.

    In a tree, one that follows none begins a way of its own, unless it `continues`: then it goes on from the message
    before it in the log. `whole` is the key of the message that this is a piece of.
    """

    role: Role
    parts: tuple[Part, ...]
    location: Location
    name: str = ""
    id: str | None = None
    time: datetime | None = None
    key: str | None = None
    follows: str | None = None
    continues: bool = False
    whole: str | None = None
    prompt: Prompt | None = None


@attrs.frozen(kw_only=True)
class Conversation:
    """Messages in the order of the log.

    In a tree each says which it `follows`, and `current` is the key of the one at which the log stands, if that is not
    the last.
    """

    label: str
    messages: Iterable[Message]
    user: str | None = None
    is_tree: bool = False
    current: str | None = None
