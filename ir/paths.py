"""Reading cells as people write them: `user:7/order["W15"].color`, `order.color`, `@it.color`.

The text form has the same cells in its grammar; this reader serves the builder, operation logs and the
command line, which hold one cell at a time.
"""

from __future__ import annotations

import json
import re

from .cells import ANY, Cell, Place, Reference, Scope, Segment, key, name

_STRING = r'"(?:\\.|[^"\\\x00-\x1f])*"'
_SCOPE = re.compile(rf"([^\W\d]\w*):([\w.@-]+|{_STRING})/")
_REFERENCE = re.compile(rf"@(?:([^\W\d][\w-]*)|({_STRING}))")
_NAME = re.compile(rf"([^\W\d][\w-]*)|({_STRING})")
_KEY = re.compile(rf"\[\s*(?:(\*)|([\w-]+)|({_STRING}))\s*\]")


class PathError(ValueError):
    """A text that names no cell; the message shows it with the place where reading stopped."""

    def __init__(self, text: str, position: int, expected: str) -> None:
        super().__init__(f"{text!r} is not a cell: at column {position + 1} {expected} was expected")
        self.text, self.position, self.expected = text, position, expected


def parse_scope(text: str) -> Scope:
    """A scope such as `user:7/`.

    >>> parse_scope('user:"Ann B."/')
    Scope(kind='user', key='Ann B.')
    """
    match = _SCOPE.fullmatch(text)
    if match is None:
        raise PathError(text, 0, "a scope such as user:7/")
    return Scope(match[1], _plain(match[2], text))


def parse_place(text: str, scope: Scope) -> Place:
    """A cell or a reference; a bare path lies in `scope`.

    >>> str(parse_place('order[W15]."book day"', Scope("user", "7")))
    'user:7/order["W15"]."book day"'
    >>> parse_place("order[", Scope("user", "7"))
    Traceback (most recent call last):
    ...
    statemem.ir.paths.PathError: 'order[' is not a cell: at column 6 a key in brackets was expected
    """
    reference = _REFERENCE.match(text)
    if reference is not None:
        named = reference[1] or _plain(reference[2], text)
        return Reference(named, _below(text, reference.end()))
    return parse_cell(text, scope)


def parse_cell(text: str, scope: Scope) -> Cell:
    """A cell; a bare path lies in `scope`, and `*` alone means everything in it.

    >>> parse_cell("user:7/*", Scope("session", "1")) == Cell(Scope("user", "7"), ())
    True
    """
    match = _SCOPE.match(text)
    start = match.end() if match else 0
    own = Scope(match[1], _plain(match[2], text)) if match else scope
    return Cell(own, () if text[start:] == "*" else _segments(text, start))


def _below(text: str, position: int) -> tuple[Segment, ...]:
    """What follows a reference: nothing, or a path that begins with a dot or a bracket."""
    if position == len(text):
        return ()
    if text[position] not in ".[":
        raise PathError(text, position, "a dot or a bracket")
    return _segments(text, position + (text[position] == "."))


def _segments(text: str, position: int) -> tuple[Segment, ...]:
    segments: list[Segment] = []
    while True:
        if segments and text[position:] == "*":
            return tuple(segments)
        if segments or text[position : position + 1] != "[":
            match = _NAME.match(text, position)
            if match is None:
                raise PathError(text, position, "a name, or a string in double quotes,")
            segments.append(name(match[1] or _plain(match[2], text)))
            position = match.end()
        while position < len(text) and text[position] == "[":
            match = _KEY.match(text, position)
            if match is None:
                raise PathError(text, position, "a key in brackets")
            segments.append(ANY if match[1] else key(match[2] or _plain(match[3], text)))
            position = match.end()
        if position == len(text):
            return tuple(segments)
        if text[position] != ".":
            raise PathError(text, position, "a dot or a bracket")
        position += 1


def _plain(part: str, text: str) -> str:
    if not part.startswith('"'):
        return part
    try:
        return str(json.loads(part))
    except json.JSONDecodeError as error:
        raise PathError(text, text.find(part) + error.pos, "a JSON string") from None
