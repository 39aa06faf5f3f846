"""Cells: the places that hold one fact each, named by a scope and a dotted path.

Scopes, segments and cells are named tuples rather than attrs classes because they are hashed and
compared for every operand of a log; a tuple does both in C.
"""

from __future__ import annotations

import json
import re
import unicodedata
from typing import Literal, NamedTuple, Self

_BARE_NAME = re.compile(r"[^\W\d][\w-]*\Z")
_BARE_SCOPE_KEY = re.compile(r"[\w.@-]+\Z")

#: Words that begin a statement; a cell whose path begins with one is printed quoted.
STATEMENT_WORDS = frozenset(
    [
        "program",
        "scope",
        "cell",
        "task",
        "block",
        "use",
        "delete",
        "same",
        "effect",
        "enter",
        "leave",
        "goto",
        "branch",
        "fork",
        "end",
        "open",
        "maybe",
        "suspend",
        "return",
    ]
)


#: A word that begins one too, but that logs name cells with (`call["c1"].seat`): it is quoted where it stands alone.
CALL = "call"


class _Scope(NamedTuple):
    kind: str
    key: str


class Scope(_Scope):
    """Who a fact belongs to: a kind, which sets lifetime and visibility, and a key, compared exactly after NFC.

    The cells of a `turn` end with the block of that name, those of a `task` with the task; one `session` does not see
    another. `org`, `project`, `user`, `agent` and kinds of one's own last, and are seen from the scopes within them.

    >>> str(Scope("user", "7")), str(Scope("user", "Ann B."))
    ('user:7/', 'user:"Ann B."/')
    """

    __slots__ = ()

    def __new__(cls, kind: str, key: str) -> Self:
        """A scope; its key in NFC."""
        return super().__new__(cls, kind, nfc(key))

    def __str__(self) -> str:
        key = self.key if _BARE_SCOPE_KEY.match(self.key) else quoted(self.key)
        return f"{self.kind}:{key}/"


class Segment(NamedTuple):
    """One step of a path: an attribute name, the key of one entity, or the wildcard for any key."""

    kind: Literal["name", "key", "any"]
    text: str

    def matches(self, other: Segment) -> bool:
        """Whether some concrete segment is denoted by both; `[*]` denotes every key."""
        if self == other:
            return True
        return (self.kind == "any" and other.kind != "name") or (other.kind == "any" and self.kind != "name")


ANY = Segment("any", "*")


def nfc(text: str) -> str:
    """A text in the one form in which letters and their marks are written together."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def name(text: str) -> Segment:
    """An attribute segment, in NFC."""
    return Segment("name", nfc(text))


def key(text: str) -> Segment:
    """A bracketed segment: the identity of one entity, never a position; compared exactly after NFC.

    >>> key("cafe\u0301") == key("caf\u00e9"), key("jo_li") == key("jo-li")
    (True, False)
    """
    return Segment("key", nfc(text))


class Cell(NamedTuple):
    """A place that can hold one fact, or the root of several.

    >>> order = Cell(Scope("user", "7"), (name("order"), key("W15")))
    >>> str(order.child("book day"))
    'user:7/order["W15"]."book day"'
    >>> order.covers(order.child("color")), order.child("color").covers(order)
    (True, False)
    >>> Cell(order.scope, (name("order"), ANY, name("color"))).overlaps(order.child("color"))
    True
    """

    scope: Scope
    path: tuple[Segment, ...]

    def child(self, text: str) -> Cell:
        """The attribute `text` of this cell."""
        return Cell(self.scope, (*self.path, name(text)))

    def at(self, text: str) -> Cell:
        """The entity with key `text` below this cell."""
        return Cell(self.scope, (*self.path, key(text)))

    def below(self, path: tuple[Segment, ...]) -> Cell:
        """The cell reached from this one along `path`."""
        return Cell(self.scope, self.path + path) if path else self

    def covers(self, other: Cell) -> bool:
        """Whether every place that `other` denotes lies at or below this cell (a partial order)."""
        if self.scope != other.scope or len(self.path) > len(other.path):
            return False
        return all(
            mine == theirs or (mine.kind == "any" and theirs.kind != "name")
            for mine, theirs in zip(self.path, other.path, strict=False)
        )

    def overlaps(self, other: Cell) -> bool:
        """Whether one is a prefix of the other, `[*]` matching any key (symmetric)."""
        if self.scope != other.scope:
            return False
        return all(mine.matches(theirs) for mine, theirs in zip(self.path, other.path, strict=False))

    @property
    def is_pattern(self) -> bool:
        """Whether the path holds a wildcard."""
        return ANY in self.path

    def __str__(self) -> str:
        return f"{self.scope}{path_text(self.path)}"


class Reference(NamedTuple):
    """A place named through a reference: `@it` itself, or `@it.color` below what it points to.

    >>> str(Reference("it", (name("color"),)))
    '@it.color'
    """

    name: str
    path: tuple[Segment, ...] = ()

    def __str__(self) -> str:
        dot = "." if self.path and self.path[0].kind == "name" else ""
        return f"@{bare_or_quoted(self.name)}{dot}{_dotted(self.path)}"


Place = Cell | Reference


def path_text(path: tuple[Segment, ...]) -> str:
    """The canonical text of a path; the empty path, everything in a scope, is `*`.

    A first segment that leads a statement is quoted, so that no cell is read as one.
    """
    if not path:
        return "*"
    text = _dotted(path)
    if path[0].kind == "name" and (path[0].text in STATEMENT_WORDS or text == CALL):
        return quoted(path[0].text) + text[len(path[0].text) :]
    return text


def _dotted(path: tuple[Segment, ...]) -> str:
    parts: list[str] = []
    for segment in path:
        if segment.kind == "name":
            parts.append(("." if parts else "") + bare_or_quoted(segment.text))
        else:
            parts.append("[*]" if segment.kind == "any" else f"[{quoted(segment.text)}]")
    return "".join(parts)


def bare_or_quoted(text: str) -> str:
    """A plain name of any script as it is, anything else as a JSON string."""
    return text if _BARE_NAME.match(text) else quoted(text)


def quoted(text: str) -> str:
    """A JSON string that keeps every script readable."""
    return json.dumps(text, ensure_ascii=False)
