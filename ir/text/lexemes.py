"""What single tokens of the text form say: strings, numbers, scopes, cells, references.

The grammar has already checked their shape, so reading them is a matter of taking them apart.
"""

from __future__ import annotations

import json
import re

from lark import Token

from ..cells import ANY, Cell, Reference, Scope, Segment, key, name
from .errors import TextError

_STRING = r'"(?:\\.|[^"\\])*"'
_SCOPE = re.compile(rf"([^\W\d]\w*):([\w.@-]+|{_STRING})/")
_REFERENCE = re.compile(rf"@([^\W\d][\w-]*|{_STRING})")
_SEGMENT = re.compile(rf"([^\W\d][\w-]*)|({_STRING})|\[[ \t]*(?:(\*)|([\w-]+)|({_STRING}))[ \t]*\]")
_decode = json.JSONDecoder(strict=False).decode


def read_text(token: Token) -> str:
    """The text of a JSON string."""
    return _unquoted(token, token)


def read_number(token: Token) -> int | float:
    """A number, whole where it is written so."""
    try:
        number = int(token) if token.lstrip("-").isdecimal() else float(token)
    except ValueError:
        raise TextError("TX005", "a whole number has too many digits", token) from None
    if number in (float("inf"), float("-inf")):
        raise TextError("TX005", f"{token} is too large a number", token)
    return number


def read_scope(token: Token) -> Scope:
    """A scope such as `user:7/`."""
    return _scope(token, token)[0]


def read_cell(token: Token, own: Scope) -> Cell:
    """A cell; a bare path lies in `own`."""
    scope, rest = _scope(token, token) if _SCOPE.match(token) else (own, 0)
    return Cell(scope, _path(token, rest))


def read_reference(token: Token) -> Reference:
    """A reference, or a path below what it points to."""
    match = _REFERENCE.match(token)
    assert match is not None, "the grammar lets nothing else through"
    return Reference(_plain(match[1], token), _path(token, match.end()))


def _scope(text: str, token: Token) -> tuple[Scope, int]:
    match = _SCOPE.match(text)
    assert match is not None, "the grammar lets nothing else through"
    return Scope(match[1], _plain(match[2], token)), match.end()


def _path(token: Token, start: int) -> tuple[Segment, ...]:
    """The segments from a position on; a final `*` denotes what its prefix does."""
    return tuple(_segment(match, token) for match in _SEGMENT.finditer(token, start))


def _segment(match: re.Match[str], token: Token) -> Segment:
    bare, string, wildcard, bare_key, string_key = match.groups()
    if bare or string:
        return name(bare or _unquoted(string, token))
    return ANY if wildcard else key(bare_key or _unquoted(string_key, token))


def _plain(text: str, token: Token) -> str:
    return _unquoted(text, token) if text.startswith('"') else text


def _unquoted(text: str, token: Token) -> str:
    """A JSON string's text; half a surrogate pair is none, since nobody could write it down again."""
    if "\\" not in text:
        return text[1:-1]
    try:
        plain = str(_decode(text))
        plain.encode()
    except ValueError:
        hint = r"write \\ for a backslash and \" for a quotation mark"
        raise TextError("TX004", f"{text} is not a JSON string", token, hint=hint) from None
    return plain
