"""Edits: what a program no longer says. Blocks and instructions keep their numbers, and its version moves on.

What is withdrawn leaves an empty use in its place, `use ()`. Nothing else follows from it: what was replaced by a
withdrawn value is in force again, since nothing replaces it any more.
"""

from __future__ import annotations

from collections.abc import Iterable

import attrs

from ..cells import Cell
from ..diagnostics import UsageError, suggestion
from ..entries import Entry
from ..instructions import Assignment, Instruction, Operand, Same, Use
from ..program import Program
from ..values import UNKNOWN, Value, dumps, with_leaf
from .redaction import SHORT, Redactor
from .rewriter import Rewriter


def redact(program: Program, text: str) -> list[int]:
    """Take a text out of a program: out of every value, key, name and text of an origin that holds it.

    In its place stands `redacted-1`, or another word that the program does not hold yet: the same for one spelling, so
    that what was one stays one and what was two stays two. It is looked for whatever its case and however its letters
    are composed, and as a number too, which then is that word as well. If it is shorter than four characters, it is
    taken out only where it stands by itself. The numbers and times of origins say where and when, and stay. Returns the
    numbers of the blocks that were changed.

    The result is looked through as a whole; raises `UsageError`, and leaves the program as it was, where the text is
    empty or would still be there.

    >>> from statemem.ir import build
    >>> program = build().set("phone", "+33 6 12").derive("note", "call +33 6 12 at noon", "phone").program
    >>> redact(program, "+33 6 12"), [entry.value for entry in program.entries]
    ([0], ['redacted-1', 'call redacted-1 at noon'])
    """
    edited = _without_text(program, text)
    return _become(program, edited)


def redact_entry(program: Program, entry: str) -> list[int]:
    """Take the value of an entry out of a program: its texts and numbers as `redact` does, wherever they stand.

    What is shorter than four characters, and true, false and null, is common: it becomes `?` in the entry alone.
    Raises `UsageError` as `redact` does, for an entry that does not exist, and for a short key of an element.
    """
    named = _named(program, entry)
    edited = program
    texts = {text for leaf in named for text in _texts_of(leaf.value) if len(text.strip()) >= SHORT}
    for leaf in named:
        if not _is_long(leaf.value):
            edited = _without_leaf(edited, leaf)
    for text in sorted(texts, key=len, reverse=True):
        edited = _without_text(edited, text)
    return _become(program, edited)


def retract(program: Program, entry: str) -> int:
    """Withdraw what an instruction wrote, as if it had not been said, and return the number of the instruction.

    Uses that saw it see whatever is in force; what was said of the entry is forgotten, and its id is not given again.
    Raises `UsageError` for an entry that does not exist, that is a part of another, or that a call made.

    >>> from statemem.ir import build, run
    >>> program = build().set("color", "black").set("color", "white", id="e2").program
    >>> retract(program, "e2"), run(program).value(program.entries[0].cell)
    (1, 'black')
    """
    number = next((number for number, one in enumerate(program.instructions) if one.id == entry), None)
    if number is None:
        [part, *_] = _named(program, entry)
        own = program.instructions[part.instruction].id
        raise UsageError(f"{entry!r} is a part of {own!r}, which can be retracted as a whole")
    block = program.block_of(number)
    if number - program.executed(block).start >= len(program.blocks[block].instructions):
        raise UsageError(f"{entry!r} was made by a call; edit the workflow instead")
    gone = {entry, *(leaf.id for leaf in program.entries_of(number))}
    edited = _Without([program.instructions[number]], gone).program(program)
    edited.metadata = {one: said for one, said in edited.metadata.items() if one not in gone}
    edited.reserve_ids(gone)
    program.become(edited)
    return number


def separate(program: Program, left: Cell, right: Cell) -> int:
    """Withdraw that two names are one entity's, however often it was said; return the number of the first instruction.

    Raises `UsageError` where nothing unites the two.
    """
    pairs = ((left, right), (right, left))
    found = [
        number
        for number, one in enumerate(program.instructions)
        if isinstance(one, Same) and (one.left, one.right) in pairs
    ]
    if not found:
        raise UsageError(f"nothing says that {left} and {right} are the same")
    program.become(_Without([program.instructions[number] for number in found], set()).program(program))
    return found[0]


def _become(program: Program, edited: Program) -> list[int]:
    """Say what the edited program says, and tell which blocks that changed."""
    changed = [number for number, block in enumerate(program.blocks) if block != edited.blocks[number]]
    if edited is not program:
        program.become(edited)
    return changed


def _named(program: Program, entry: str) -> list[Entry]:
    named = program.named(entry)
    if not named:
        known = [one.id for one in program.entries]
        raise UsageError(f"no entry has the id {entry!r}{suggestion(entry, known)}")
    return named


def _without_text(program: Program, text: str) -> Program:
    redactor = Redactor(program, text)
    edited = redactor.program(program)
    redactor.check(edited)
    return edited


def _texts_of(value: Value) -> list[str]:
    """A text or a number as text; the scalars of a list that is one leaf."""
    if isinstance(value, list):
        return [text for item in value for text in _texts_of(item)]
    if isinstance(value, str):
        return [value]
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return [dumps(value)] if is_number else []


def _is_long(value: Value) -> bool:
    """Whether taking out the texts of a value takes out all of it."""
    scalars = value if isinstance(value, list) else [value]
    return all(any(len(text.strip()) >= SHORT for text in _texts_of(one)) for one in scalars)


def _without_leaf(program: Program, leaf: Entry) -> Program:
    """The program with `?` at one leaf of one instruction."""
    instruction = program.instructions[leaf.instruction]
    if not isinstance(instruction, Assignment):
        return program
    path, _ = instruction.leaves[leaf.leaf]
    emptied = attrs.evolve(instruction, value=with_leaf(instruction.value, path, UNKNOWN))
    if [one for one, _ in emptied.leaves] != [one for one, _ in instruction.leaves]:
        raise UsageError(f"{leaf.id!r} is the key of an element; redact its text instead")
    return _Instead([(instruction, emptied)]).program(program)


class _Instead(Rewriter):
    """Puts other instructions in the place of some, told by what they are and not by what they are equal to."""

    def __init__(self, others: Iterable[tuple[Instruction, Instruction]]) -> None:
        self._others = {id(one): other for one, other in others}

    def instruction(self, one: Instruction) -> Instruction:
        return self._others.get(id(one), one)


class _Without(_Instead):
    """Leaves instructions out, and forgets that anybody saw their entries."""

    def __init__(self, instructions: list[Instruction], entries: set[str]) -> None:
        super().__init__((one, Use(operands=(), origin=one.origin)) for one in instructions)
        self._entries = entries

    def instruction(self, one: Instruction) -> Instruction:
        return self._others.get(id(one)) or Rewriter.instruction(self, one)

    def operand(self, operand: Operand) -> Operand:
        return operand._replace(was=None) if operand.was in self._entries else operand
