"""Expected facts, written behind a statement: `;; after liveness = user:7/phone, topic`.

They are no part of a program; tests and the docs compare them with what a pass finds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Literal, NamedTuple, cast

from ..cells import quoted

Relation = Literal["=", "+=", "-="]


class Fact(NamedTuple):
    """What a pass must find at one point of a program.

    `after` counts the instructions of the block from 0; it is -1 in the block's header and the number of
    instructions at its terminator. `=` names all that holds there, `+=` some that holds, `-=` some that does not.
    """

    program: int
    block: int
    after: int
    analysis: str
    relation: Relation
    texts: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f";; after {self.analysis} {self.relation} {', '.join(self.texts)}".rstrip()


#: A string with its closing quote, if it has one; what a string has taken is never tried again.
_STRING = re.compile(r'"(?:\\.|[^"\\])*+("?)')
_PART = re.compile(r';;((?:"(?:\\.|[^"\\])*+"?|(?!;;)[^"])*+)')
_FACT = re.compile(r"\s*after\s+([\w.-]+)\s*(\+=|-=|=)(.*)\Z", re.DOTALL)
_TEXT = re.compile(r'(?:"(?:\\.|[^"\\])*"|[^,"])+')


def split_facts(comment: str) -> Iterator[tuple[str, Relation, tuple[str, ...]]]:
    """The facts of one comment: analysis, relation, texts. ValueError where one cannot be read.

    >>> list(split_facts(';; after liveness = a, order["x, y"]  ;; after live -= b'))
    [('liveness', '=', ('a', 'order["x, y"]')), ('live', '-=', ('b',))]
    """
    for part in _PART.findall(comment):
        match = _FACT.match(part)
        if match is None or not all(_STRING.findall(part)):
            raise ValueError(part.strip())
        texts = (text.strip() for text in _TEXT.findall(match[3]))
        yield match[1], cast(Relation, match[2]), tuple(text for text in texts if text)


@lru_cache(10_000)
def fact_text(text: str) -> str:
    """A text as it stands among others behind a statement: in quotes where it would be read as something else.

    >>> fact_text('order["a, b"]'), fact_text("x <- 1, 2")
    ('order["a, b"]', '"x <- 1, 2"')
    """
    try:
        is_read_back = [("_", "=", (text,))] == list(split_facts(f";; after _ = {text}")) and text.isprintable()
    except ValueError:
        is_read_back = False
    return text if is_read_back else quoted(text)
