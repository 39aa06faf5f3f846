"""Taking a text out of everything a program says, and seeing that it is gone."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Any

import attrs

from ..blocks import Block
from ..cells import Place, Scope, Segment, nfc
from ..diagnostics import UsageError
from ..origin import NOWHERE, Actor, Origin
from ..program import Program
from ..values import UNKNOWN, Value, dumps
from .rewriter import Name, Rewriter

#: A shorter text is common, and is taken out only where it stands by itself.
SHORT = 4
#: What may stand in the place of a text; the first that the text and the program have nothing in common with.
_WORDS = ("redacted", "removed", "gone", "x")
#: Kinds of actors that are words of the IR.
_ACTORS = frozenset(("user", "assistant", "tool", "system"))


class Redactor(Rewriter):
    """Rewrites a program to one that does not hold a text; a word of its own stands for each spelling of it."""

    def __init__(self, program: Program, text: str) -> None:
        self._text = nfc(text).strip()
        if not self._text:
            raise UsageError("nothing to redact: the text is empty")
        alone = (r"(?<!\w)", r"(?!\w)") if len(self._text) < SHORT else ("", "")
        self._pattern = re.compile(f"{alone[0]}{re.escape(self._text)}{alone[1]}", re.IGNORECASE)
        self._known = "\n".join(_texts(program.said())).casefold()
        self._words: dict[str, str] = {}

    # what becomes of the parts

    def name(self, text: str, kind: Name) -> str:
        """A name without the text."""
        return self._out_of(text)

    def scope(self, scope: Scope) -> Scope:
        """A scope whose key is without the text."""
        return Scope(scope.kind, self._out_of(scope.key))

    def segment(self, segment: Segment) -> Segment:
        """A segment without the text."""
        return segment._replace(text=self._out_of(segment.text))

    def block(self, block: Block) -> Block:
        """A block, its actor without the text too."""
        rewritten = super().block(block)
        return attrs.evolve(rewritten, actor=self._actor(rewritten.actor))

    def value(self, value: Value, place: Place | None) -> Value:
        """A value of the same shape without the text; a number that holds it becomes a text."""
        if isinstance(value, dict):
            return {self._out_of(field): self.value(one, place) for field, one in value.items()}
        if isinstance(value, list):
            return [self.value(one, place) for one in value]
        if isinstance(value, str):
            return self._out_of(value)
        return self._out_of(dumps(value)) if self._is_in_number(value) else value

    def origin(self, origin: Origin) -> Origin:
        """An origin whose texts are without the text."""
        if origin == NOWHERE:
            return origin
        fields = ((field.name, getattr(origin, field.name)) for field in attrs.fields(Origin))
        changed: dict[str, Any] = {name: self._out_of(one) for name, one in fields if isinstance(one, str)}
        if origin.pointer is not None:
            changed["pointer"] = "/".join(map(self._step, origin.pointer.split("/")))
        if origin.actor is not None:
            changed["actor"] = self._actor(origin.actor)
        return attrs.evolve(origin, **changed)

    def _actor(self, actor: Actor) -> Actor:
        kind = actor.kind if actor.kind in _ACTORS else self._out_of(actor.kind)
        return Actor(kind, self._out_of(actor.name))

    def _step(self, step: str) -> str:
        """A step of a JSON pointer, which writes slashes and tildes in its own way."""
        plain = step.replace("~1", "/").replace("~0", "~")
        out = self._out_of(plain)
        return step if out == plain else out.replace("~", "~0").replace("/", "~1")

    def _is_in_number(self, value: Value) -> bool:
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool) and value is not UNKNOWN
        return is_number and self._pattern.search(dumps(value)) is not None

    def _out_of(self, text: str) -> str:
        composed = nfc(text)
        return self._pattern.sub(self._word, composed) if self._pattern.search(composed) else text

    def _word(self, match: re.Match[str]) -> str:
        """The word for a spelling: the same each time, and no other's."""
        if match[0] not in self._words:
            self._words[match[0]] = self._new_word()
        return self._words[match[0]]

    def _new_word(self) -> str:
        """A word with a number, as an id has one; neither the program nor the text has anything to do with it."""
        number = len(self._words) + 1
        for word in (f"{stem}-{n}" for stem in _WORDS for n in range(number, number + 100)):
            if word not in self._known and word not in self._words.values() and not self._pattern.search(word):
                return word
        raise UsageError(f"{self._text!r} cannot be redacted: no word is left to put in its place")

    # seeing that it is gone

    def check(self, program: Program) -> None:
        """Look a program through, whatever means what in it. Raises `UsageError` where the text is still there."""
        numbers = (dumps(one) for one in _numbers(program))
        left = next((one for one in (*_texts(program.said()), *numbers) if self._holds(one)), None)
        if left is not None:
            raise UsageError(f"{self._text!r} cannot be redacted: {left!r} would still be there, which the IR needs")

    def _holds(self, text: str) -> bool:
        forms = (text, unicodedata.normalize("NFC", text), text.replace("~1", "/").replace("~0", "~"))
        return any(self._pattern.search(form) for form in forms)


def _numbers(program: Program) -> Iterator[Value]:
    """The numbers that a program states as values."""
    work: list[Value] = [getattr(one, field, None) for one in program.instructions for field in ("value", "key")]
    work += program.metadata.values()
    while work:
        one = work.pop()
        if isinstance(one, dict):
            work.extend(one.values())
        elif isinstance(one, list):
            work.extend(one)
        elif isinstance(one, (int, float)) and not isinstance(one, bool):
            yield one


def _texts(said: tuple[Any, ...]) -> Iterator[str]:
    """Every text that a program says, through containers and attrs classes, but for words that tell kinds apart."""
    work: list[Any] = [part for part in said if not isinstance(part, str) or part not in ("trace", "workflow")]
    while work:
        one = work.pop()
        if isinstance(one, str):
            yield one
        elif isinstance(one, Segment):
            yield one.text
        elif isinstance(one, dict):
            work.extend((*one.keys(), *one.values()))
        elif isinstance(one, (list, tuple)):
            work.extend(one)
        elif attrs.has(type(one)):
            work.extend(getattr(one, field.name) for field in attrs.fields(type(one)))
