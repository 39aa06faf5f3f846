"""Normal attribute names: one spelling for names that a person or a model proposed, with what changed written down.

Only attribute names are touched. The keys of scopes and of entities are data: `jo_li`, `jo-li` and `jo%li` stay three.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping

import attrs

from ..cells import Place, Segment, name
from ..identity import words
from ..instructions import Instruction
from ..origin import Origin
from ..program import Program
from ..terminators import Call, Return, Terminator
from ..values import Value, is_entity_key
from .rewriter import Rewriter


class Normaliser(Rewriter):
    """Rewrites the attribute names of programs: case, width and punctuation, then synonyms.

    `changes` holds every name that was changed with what it became; an instruction that had one says so in its origin.

    >>> normaliser = Normaliser({"shade": "color", "Farbe": "color"})
    >>> [normaliser.normal(text) for text in ("bookDay", "Book Day", "ＢＯＯＫ－ｄａｙ", "farbe", "颜色")]
    ['book_day', 'book_day', 'book_day', 'color', '颜色']
    """

    def __init__(self, synonyms: Mapping[str, str] | None = None) -> None:
        self._synonyms = {_plain(one): _plain(other) for one, other in (synonyms or {}).items()}
        self._now: dict[str, str] = {}
        self._kept: set[str] = set()
        self.changes: dict[str, str] = {}

    def program(self, program: Program) -> Program:
        """The program with normal names; those that one object has beside others of the same normal name stay."""
        self._kept = {text for one in program.instructions for text in self._doubled(getattr(one, "value", None))}
        return super().program(program)

    def _doubled(self, value: Value) -> Iterator[str]:
        """The fields of objects that would get a name which another field has or gets."""
        work = [value]
        while work:
            one = work.pop()
            if isinstance(one, list):
                work.extend(one)
            elif isinstance(one, dict):
                work.extend(one.values())
                known = Counter(self.normal(field) for field in one)
                yield from (field for field in one if known[self.normal(field)] > 1)

    def normal(self, text: str) -> str:
        """An attribute name as all spell it; one without a letter or a digit stays as it is."""
        if text in self._kept:
            return text
        plain = _plain(text)
        return self._synonyms.get(plain, plain)

    def segment(self, segment: Segment) -> Segment:
        """A normal name; keys stay."""
        return name(self._noted(segment.text)) if segment.kind == "name" else segment

    def value(self, value: Value, place: Place | None) -> Value:
        """An object with normal field names."""
        if isinstance(value, list):
            return [self.value(item, place) for item in value]
        if not isinstance(value, dict) or place is None:
            return value
        found: dict[str, Value] = {}
        for field, item in value.items():
            found[field if is_entity_key(field, item) else self._noted(field)] = self.value(item, place)
        return found

    def instruction(self, one: Instruction) -> Instruction:
        """An instruction, with what it was called in its origin."""
        self._now = {}
        rewritten = super().instruction(one)
        return attrs.evolve(rewritten, origin=self._told(rewritten)) if self._now else rewritten

    def terminator(self, one: Terminator) -> Terminator:
        """A terminator; a call or a return has an origin to say it in."""
        self._now = {}
        rewritten = super().terminator(one)
        if self._now and isinstance(rewritten, (Call, Return)):
            return attrs.evolve(rewritten, origin=self._told(rewritten))
        return rewritten

    def _told(self, one: Instruction | Call | Return) -> Origin:
        return attrs.evolve(one.origin, named=", ".join(self._now))

    def _noted(self, text: str) -> str:
        normal = self.normal(text)
        if normal != text:
            self._now[text] = self.changes[text] = normal
        return normal


def normalised(program: Program, synonyms: Mapping[str, str] | None = None) -> Program:
    """The program with normal attribute names.

    >>> from statemem.ir import build
    >>> program = normalised(build().set('Order."Book Day"', 1).use("order.bookDay").program)
    >>> str(program.entries[0].cell), program.instructions[0].origin.named
    ('session:1/order.book_day', 'Order, Book Day')
    """
    return Normaliser(synonyms).program(program)


def _plain(text: str) -> str:
    parts = words(unicodedata.normalize("NFKC", text))
    return "_".join(parts) if parts else text
