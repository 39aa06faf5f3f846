"""Masking: what people read shows no phone numbers, addresses of mail, cards or secrets unless they ask for it.

A phone number keeps its first three and last four digits, so that its owner can recognise it. Prose is not touched: the
word "password" is no secret.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

import attrs

from statemem.ir import UNKNOWN, Actor, Add, Block, Instruction, Origin, Place, Program, Scope, Segment
from statemem.ir.declarations import Declaration
from statemem.ir.meaning.names import Names
from statemem.ir.meaning.resolve import all_names
from statemem.ir.rewriting.rewriter import Name, Rewriter
from statemem.ir.sensitive import is_sensitive
from statemem.ir.values import Value, dumps

#: Where a number may begin and end. Letters of scripts that set no spaces may stand next to it, and a full stop may end
#: the sentence; what goes on in ASCII letters and digits, or behind a decimal point, is another thing.
_BEGINS, _ENDS = r"(?<![A-Za-z0-9_.-])", r"(?![A-Za-z0-9_-]|\.[A-Za-z0-9_])"
_EMAIL = re.compile(r"(?<![\w.+-])([\w.+-])[\w.+-]{0,63}(@[\w-]{1,64}(?:\.[\w-]{1,64}){1,8})")
_SECRET = re.compile(
    r"-----BEGIN [A-Z ]+-----.*?(?:-----END [A-Z ]+-----|\Z)"
    r"|(?<![A-Za-z0-9])(?:(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])|eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*|AIza[\w-]{30,})"
    r"|(?<![A-Za-z0-9_])(?:sk|pk|ghp|gho|github_pat|xox[bp])[-_][\w-]{16,}",
    re.DOTALL,
)
_PHONE = re.compile(
    rf"\+\d[\d ().-]{{7,}}\d|{_BEGINS}1[3-9]\d{{9}}{_ENDS}|\(\d{{3}}\) ?\d{{3}}-\d{{4}}"
    r"|(?<![A-Za-z0-9_-])\d{3}-\d{3,4}-\d{4}(?![A-Za-z0-9_-])"
)
_CARD = re.compile(rf"{_BEGINS}\d(?:[ -]?\d){{12,18}}{_ENDS}")


def mask_text(text: str) -> str:
    """A text with everything of a sensitive shape in it masked.

    >>> mask_text("call +33 6 12 34 56 78 or mail ann.b@shop.example, key AKIAABCDEFGHIJKLMNOP")
    'call +33******5678 or mail a***@shop.example, key [secret]'
    """
    text = _SECRET.sub("[secret]", text)
    text = _EMAIL.sub(r"\1***\2", text)
    text = _PHONE.sub(lambda match: _hide_digits(match[0]), text)
    return _CARD.sub(lambda match: _hide_digits(match[0]) if _passes_luhn(match[0]) else match[0], text)


def mask_whole(text: str) -> str:
    """A value that is sensitive as a whole: its shape if it has one, else three and four characters of a long one."""
    shaped = mask_text(text)
    if shaped != text:
        return shaped
    return f"{text[:3]}***{text[-4:]}" if len(text) >= 11 else "***"


def _hide_digits(text: str) -> str:
    digits = [char for char in text if char.isdigit()]
    plus = "+" if text.startswith("+") else ""
    keep = 2 if plus else 3
    return f"{plus}{''.join(digits[:keep])}******{''.join(digits[-4:])}"


def _passes_luhn(text: str) -> bool:
    """The check digit of payment cards (ISO/IEC 7812-1)."""
    digits = [int(char) for char in reversed(text) if char.isdigit()]
    doubled = sum(sum(divmod(2 * digit, 10)) for digit in digits[1::2])
    return (sum(digits[::2]) + doubled) % 10 == 0


@attrs.frozen
class Masker:
    """Shows the values and cells of one program to people."""

    sensitive: tuple[Declaration, ...] = ()
    show_values: bool = False
    names: Names = attrs.field(factory=Names)

    @classmethod
    def of(cls, program: Program, *, show_values: bool = False) -> Masker:
        """The masker that knows what a program declares sensitive, and by what other names it speaks of it."""
        declared = tuple(one for one in program.declarations if one.sensitive)
        return cls(declared, show_values, Names() if show_values else all_names(program))

    def value(self, cell: Place, value: Value) -> Value:
        """A value with what is sensitive in it masked, of the same JSON shape."""
        if self.show_values or value is UNKNOWN:
            return value
        return _masked_value(value, mask_whole if self.is_sensitive(cell) else mask_text)

    def shown(self, cell: Place, value: Value) -> str:
        """A value as a reader sees it: text in quotes, other values as JSON."""
        return dumps(self.value(cell, value))

    def text(self, text: str) -> str:
        """A text with what is sensitive in it masked."""
        return text if self.show_values else mask_text(text)

    def is_sensitive(self, place: Place) -> bool:
        """Whether any cell that a place may denote is."""
        cells = [target.cell for target in self.names.denoted(place)]
        names = (segment.text for one in (place, *cells) for segment in one.path)
        return any(map(is_sensitive, names)) or any(
            one.pattern.overlaps(cell) for one in self.sensitive for cell in cells
        )


def _masked_value(value: Value, hide: Callable[[str], str]) -> Value:
    """A value of the same shape; a sensitive field in an object is masked as a whole."""
    if isinstance(value, str):
        return hide(value)
    if isinstance(value, list):
        return [_masked_value(item, hide) for item in value]
    if isinstance(value, dict):
        return {
            mask_text(field): _masked_value(item, mask_whole if is_sensitive(field) else hide)
            for field, item in value.items()
        }
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        shown = hide(str(value))
        return value if shown == str(value) else shown
    return value


def hider(program: Program, masker: Masker) -> Callable[[str], str]:
    """Masks texts that speak of a program: what has a sensitive shape, and the values of its sensitive cells.

    A value of one character is left, since it stands in any text for something else.
    """
    if masker.show_values:
        return str
    hidden: dict[str, str] = {}
    for entry in program.entries:
        if masker.is_sensitive(entry.cell):
            hidden.update((text, mask_whole(text)) for text in _scalars(entry.value) if len(text) > 1)
    if not hidden:
        return masker.text
    longest_first = sorted(hidden, key=len, reverse=True)
    found = re.compile("|".join(rf"(?<!\w){re.escape(text)}(?!\w)" for text in longest_first))
    return lambda text: masker.text(found.sub(lambda match: hidden[match[0]], text))


def _scalars(value: Value) -> Iterator[str]:
    """The texts and numbers in a value, as they are told: a text also as it stands in JSON."""
    if isinstance(value, str):
        yield value
        yield dumps(value)[1:-1]
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield dumps(value)
    elif isinstance(value, (list, dict)):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _scalars(item)


class _Hiding(Rewriter):
    """Rewrites a program to one in which everything that people should not see is masked."""

    def __init__(self, masker: Masker) -> None:
        self._masker = masker
        self._named: dict[tuple[Name, str], str] = {}

    def name(self, text: str, kind: Name) -> str:
        """A masked name; two tasks or blocks that would be called alike are counted, so as to stay two."""
        masked = mask_text(text)
        if masked == text or kind not in (Name.TASK, Name.BLOCK):
            return masked
        taken = [one for (of, other), one in self._named.items() if of is kind and other != text]
        number = next(n for n in count(1) if (masked if n == 1 else f"{masked} ({n})") not in taken)
        return self._named.setdefault((kind, text), masked if number == 1 else f"{masked} ({number})")

    def scope(self, scope: Scope) -> Scope:
        return scope._replace(key=mask_text(scope.key))

    def segment(self, segment: Segment) -> Segment:
        return segment._replace(text=mask_text(segment.text))

    def value(self, value: Value, place: Place | None) -> Value:
        return _masked_value(value, mask_text) if place is None else self._masker.value(place, value)

    def instruction(self, one: Instruction) -> Instruction:
        """An instruction; an amount that is masked is one nobody knows, since only numbers are added."""
        masked = super().instruction(one)
        hides_amount = isinstance(masked, Add) and isinstance(masked.value, str)
        return attrs.evolve(masked, value=UNKNOWN) if hides_amount else masked  # type: ignore[call-arg]

    def block(self, block: Block) -> Block:
        """A block, its actor masked too."""
        masked = super().block(block)
        return attrs.evolve(masked, actor=_hidden_actor(masked.actor))

    def origin(self, origin: Origin) -> Origin:
        """An origin with all its texts masked."""
        fields = ((field.name, getattr(origin, field.name)) for field in attrs.fields(Origin))
        hidden: dict[str, Any] = {name: mask_text(one) for name, one in fields if isinstance(one, str)}
        return attrs.evolve(origin, **hidden, actor=origin.actor and _hidden_actor(origin.actor))


def _hidden_actor(actor: Actor) -> Actor:
    return Actor(mask_text(actor.kind), mask_text(actor.name))


def masked(program: Program) -> Program:
    """A copy of a program in which every value, key and text that people should not see is masked.

    The copy is for reading: two values that differ may look alike in it.
    """
    return _Hiding(Masker.of(program)).program(program)
