"""What a conservative reader recognises in text that people write: e-mail, phone, dates, amounts, ids, quoted names.

Each match defines a cell named by its kind and keyed by the value, so that a second date never replaces the first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..opaque import LONGEST_TEXT
from .distinctive import is_identifier

#: Ids and addresses are written in Latin letters and digits, so that one ends where another script goes on.
_IN_ID = "[A-Za-z0-9_-]"
_IN_MAIL = "[A-Za-z0-9_.+-]"
_ID = re.compile(
    rf"(?<!{_IN_ID})[#@]?[A-Za-z0-9_]{_IN_ID}{{0,80}}[0-9]{_IN_ID}{{0,80}}(?!{_IN_ID})"
    rf"|(?<!{_IN_ID})[#@]?[0-9]{_IN_ID}{{3,80}}(?!{_IN_ID})"
)
_LONGEST_VALUE = 256
Pattern = tuple[str, re.Pattern[str]]
#: In order: an earlier pattern takes its span from a later one. Lengths are bounded, so that a search stays linear.
PATTERNS: tuple[Pattern, ...] = (
    ("email", re.compile(rf"(?<!{_IN_MAIL}){_IN_MAIL}{{1,64}}@{_IN_ID}{{1,64}}(?:\.{_IN_ID}{{1,64}}){{1,8}}")),
    ("date", re.compile(r"\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2}[/.]\d{1,2}[/.]\d{4}\b|\d{4}年\d{1,2}月\d{1,2}日")),
    ("phone", re.compile(r"\+\d[\d ().-]{7,}\d|(?<!\d)1[3-9]\d{9}(?!\d)|\(\d{3}\) ?\d{3}-\d{4}|\b\d{3}-\d{3}-\d{4}\b")),
    (
        "amount",
        re.compile(
            r"[$€£¥]\s?\d[\d,]{0,30}(?:\.\d+)?|(?<![\d,])\d[\d,]{0,30}(?:\.\d+)?\s?(?:USD|EUR|GBP|CNY|元)",
        ),
    ),
    ("id", _ID),
    ("name", re.compile(r"[\"“]([^\"”\n]{2,60})[\"”]|「([^」\n]{2,60})」|《([^》\n]{2,60})》")),
)


class Said(NamedTuple):
    """A value a person wrote, its kind and where it begins in the text."""

    kind: str
    value: str
    position: int


def recognise(text: str, own: Sequence[Pattern] = ()) -> list[Said]:
    """The values in a text, in the order written, each once; patterns of one's `own` go first.

    >>> [(said.kind, said.value) for said in recognise('Order #W15-7 of 2024-05-20, mail a.b@shop.example, "Blue Fox"')]
    [('id', '#W15-7'), ('date', '2024-05-20'), ('email', 'a.b@shop.example'), ('name', 'Blue Fox')]
    """
    found: dict[tuple[str, str], Said] = {}
    for said in sorted(_matches(text[:LONGEST_TEXT], own), key=lambda said: said.position):
        found.setdefault((said.kind, said.value), said)
    return list(found.values())


def _matches(text: str, own: Sequence[Pattern]) -> Iterator[Said]:
    taken: list[tuple[int, int]] = []
    for kind, pattern in (*own, *PATTERNS):
        for match in pattern.finditer(text):
            value = next((group for group in match.groups() if group), match[0]).rstrip(".,;:!?")
            if not value or len(value) > _LONGEST_VALUE or (pattern is _ID and not is_identifier(value)):
                continue
            if all(match.end() <= start or match.start() >= end for start, end in taken):
                taken.append(match.span())
                yield Said(kind, value, match.start())
