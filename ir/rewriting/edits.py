"""Edits: what a program no longer says. Blocks and instructions keep their numbers, and its version moves on.

What is withdrawn leaves an empty use in its place, `use ()`. Nothing else follows from it: what was replaced by a
withdrawn value is in force again, since nothing replaces it any more.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import attrs

from ..cells import Cell, Place, Scope, Segment
from ..diagnostics import UsageError, suggestion
from ..instructions import Instruction, Operand, Same, Use
from ..origin import NOWHERE, Actor, Origin
from ..program import Program
from ..values import UNKNOWN, Value, dumps
from .rewriter import Name, Rewriter

#: A shorter text is taken out only where it stands by itself.
_SHORT = 4


def redact(program: Program, text: str) -> list[int]:
    """Take a text out of a program: out of every value that holds it, of every key, name and origin.

    A value that holds it becomes `?`, in a name it becomes `redacted`, numbered where that is taken. It is looked for
    whatever its case, and as a number too. Returns the numbers of the blocks that were changed. The program is looked
    through as a whole afterwards; raises `UsageError` for a text that is no text or is a word of the IR itself, and
    leaves the program as it was.

    >>> from statemem.ir import build
    >>> program = build().set("phone", "+33 6 12").derive("note", "call +33 6 12 at noon", "phone").program
    >>> redact(program, "+33 6 12"), [entry.value for entry in program.entries]
    ([0], [?, ?])
    """
    if not text.strip():
        raise UsageError("nothing to redact: the text is empty")
    redactor = _Redactor(text, _token(program, text))
    edited = redactor.program(program)
    if redactor.holds(edited):
        raise UsageError(f"{text!r} cannot be redacted: it is a word of the IR itself")
    changed = [number for number, block in enumerate(program.blocks) if block != edited.blocks[number]]
    program.become(edited)
    return changed


def redact_entry(program: Program, entry: str) -> list[int]:
    """Take the value of an entry out of a program: the entry's own, and wherever else `redact` finds its text.

    What is shorter than four characters is common, and stays in other entries.
    """
    named = program.named(entry)
    if not named:
        raise _no_entry(program, entry)
    known = [value for leaf in named for value in _scalars(leaf.value)]
    program.become(_Emptied(program.instructions[named[0].instruction], known).program(program))
    texts = {one if isinstance(one, str) else dumps(one) for one in known if not isinstance(one, bool)}
    long = sorted((text for text in texts if len(text.strip()) >= _SHORT), key=len, reverse=True)
    return sorted({named[0].block}.union(*(redact(program, text) for text in long)))


def retract(program: Program, entry: str) -> int:
    """Withdraw what an instruction wrote, as if it had not been said, and return the number of the instruction.

    Uses that saw it see whatever is in force. Raises `UsageError` for an entry that does not exist, that is a part of
    another, or that a call made.

    >>> from statemem.ir import build, run
    >>> program = build().set("color", "black").set("color", "white", id="e2").program
    >>> retract(program, "e2"), run(program).value(program.entries[0].cell)
    (1, 'black')
    """
    named = program.named(entry)
    if not named:
        raise _no_entry(program, entry)
    number = named[0].instruction
    own = program.instructions[number].id
    if own != entry:
        raise UsageError(f"{entry!r} is a part of {own!r}, which can be retracted as a whole")
    position = number - program.executed(named[0].block).start
    if position >= len(program.blocks[named[0].block].instructions):
        raise UsageError(f"{entry!r} was made by a call; edit the workflow instead")
    program.become(_Without(number, program, {leaf.id for leaf in named} | {entry}).program(program))
    return number


def separate(program: Program, left: Cell, right: Cell) -> int:
    """Withdraw that two names are one entity's, and return the number of the instruction that said so.

    Raises `UsageError` where nothing unites the two.
    """
    pairs = {number: (one.left, one.right) for number, one in enumerate(program.instructions) if isinstance(one, Same)}
    number = next((number for number, pair in pairs.items() if pair in ((left, right), (right, left))), None)
    if number is None:
        raise UsageError(f"nothing says that {left} and {right} are the same")
    program.become(_Without(number, program, set()).program(program))
    return number


def _no_entry(program: Program, entry: str) -> UsageError:
    return UsageError(f"no entry has the id {entry!r}{suggestion(entry, [one.id for one in program.entries])}")


class _Without(Rewriter):
    """Leaves one instruction out, and forgets that anybody saw its entries."""

    def __init__(self, number: int, program: Program, entries: set[str]) -> None:
        self._instruction = program.instructions[number]
        self._entries = entries

    def instruction(self, one: Instruction) -> Instruction:
        if one is self._instruction:
            return Use(operands=(), origin=one.origin)
        return super().instruction(one)

    def operand(self, operand: Operand) -> Operand:
        return operand._replace(was=None) if operand.was in self._entries else operand


class _Emptied(Rewriter):
    """Makes `?` of some scalars that one instruction writes."""

    def __init__(self, instruction: Instruction, scalars: list[Value]) -> None:
        self._instruction = instruction
        self._scalars = scalars

    def instruction(self, one: Instruction) -> Instruction:
        return super().instruction(one) if one is self._instruction else one

    def value(self, value: Value, place: Place | None) -> Value:
        if isinstance(value, dict):
            return {field: self.value(one, place) for field, one in value.items()}
        if isinstance(value, list):
            return [self.value(one, place) for one in value]
        return UNKNOWN if value in self._scalars else value


class _Redactor(Rewriter):
    """Takes a text out of values, names and origins."""

    def __init__(self, text: str, token: str) -> None:
        alone = (r"(?<!\w)", r"(?!\w)") if len(text) < _SHORT else ("", "")
        self._pattern = re.compile(f"{alone[0]}{re.escape(text)}{alone[1]}", re.IGNORECASE)
        self._token = token

    def name(self, text: str, kind: Name) -> str:
        return self._out_of(text)

    def scope(self, scope: Scope) -> Scope:
        return Scope(scope.kind, self._out_of(scope.key))

    def segment(self, segment: Segment) -> Segment:
        return segment._replace(text=self._out_of(segment.text))

    def value(self, value: Value, place: Place | None) -> Value:
        if isinstance(value, dict):
            return {self._out_of(field): self.value(one, place) for field, one in value.items()}
        if isinstance(value, list):
            return [self.value(one, place) for one in value]
        return UNKNOWN if self._is_in(value) else value

    def origin(self, origin: Origin) -> Origin:
        if origin == NOWHERE:
            return origin
        fields = ((field.name, getattr(origin, field.name)) for field in attrs.fields(Origin))
        changed: dict[str, Any] = {name: self._out_of(one) for name, one in fields if isinstance(one, str)}
        if origin.actor is not None:
            changed["actor"] = Actor(origin.actor.kind, self._out_of(origin.actor.name))
        return attrs.evolve(origin, **changed)

    def _out_of(self, text: str) -> str:
        return self._pattern.sub(self._token, text)

    def _is_in(self, value: Value) -> bool:
        if value is None or isinstance(value, bool) or value is UNKNOWN:
            return False
        return self._pattern.search(value if isinstance(value, str) else dumps(value)) is not None

    def holds(self, program: Program) -> bool:
        """Whether a program still holds the text anywhere, looked through without regard to what is what."""
        written = (getattr(one, field, None) for one in program.instructions for field in ("value", "key"))
        numbers = (one for value in written for one in _scalars(value))
        return any(map(self._is_in, (*_texts(program.said()), *numbers)))


def _token(program: Program, text: str) -> str:
    """A word that the program does not hold yet, so that no two names become one."""
    known = "\n".join(_texts(program.said()))
    number, token = 1, "redacted"
    while token in known or token in text:
        number += 1
        token = f"redacted-{number}"
    return token


def _scalars(value: Value) -> Iterator[Value]:
    """The texts and numbers within a value; what is true, false, null or unknown tells nothing."""
    work = [value]
    while work:
        one = work.pop()
        if isinstance(one, dict):
            work.extend(one.values())
        elif isinstance(one, list):
            work.extend(one)
        elif isinstance(one, (str, int, float)) and not isinstance(one, bool):
            yield one


def _texts(start: Any) -> Iterator[str]:
    """Every text within anything, through containers and attrs classes, whatever it means there."""
    work = [start]
    while work:
        one = work.pop()
        if isinstance(one, str):
            yield one
        elif isinstance(one, dict):
            work.extend((*one.keys(), *one.values()))
        elif isinstance(one, (list, tuple)):
            work.extend(one)
        elif attrs.has(type(one)):
            work.extend(getattr(one, field.name) for field in attrs.fields(type(one)))
