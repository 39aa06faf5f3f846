"""`endings`: what took each entry out of force, wherever something did."""

from __future__ import annotations

import enum
from collections.abc import Iterator
from typing import Any, NamedTuple

from statemem.ir import Cell, Definition, Delete, Mode, Program
from statemem.ir.meaning.force import Definitions, Judge
from statemem.ir.meaning.resolve import PlaceWrite

from .framework import Derivation, Manager, register
from .framework.accesses import Accesses
from .reaching import Reaching


class How(enum.Enum):
    """The ways in which an entry leaves force."""

    REPLACED = "replaced"
    DELETED = "deleted"
    LACKING = "lacking"
    SCOPE = "scope ended"
    OUTRANKED = "outranked"


class Ending(NamedTuple):
    """One entry taken out of force by one definition: a successor, or the tombstone that stands there instead.

    An entry that was outranked when it came never was in force; `by` is then what was there before it.
    """

    entry: Definition
    by: Definition
    how: How


@register
class Endings(Derivation):
    """For every entry, the definitions that took it out of force or kept it out, in the order of the program."""

    needs = (Reaching,)

    def derive(self, program: Program, manager: Manager) -> dict[tuple[int, int], list[Ending]]:
        """One walk over the reaching definitions; keys are the instruction and leaf of the entry that ended."""
        found: dict[tuple[int, int], list[Ending]] = {}
        for at, state in manager.solve(Reaching).walk():
            if at.number is not None:
                for ending in _of_instruction(program, manager.accesses, at.number, state):
                    found.setdefault((ending.entry.instruction, ending.entry.leaf), []).append(ending)
        return found

    def show(self, found: dict[tuple[int, int], list[Ending]], program: Program) -> list[str]:
        """`e3 replaced by e6`."""
        return [_shown(ending, program) for endings in found.values() for ending in endings]


def _shown(ending: Ending, program: Program) -> str:
    entry = program.entry_of(ending.entry)
    return f"{entry.id if entry else ''} {ending.how.value} by {program.instructions[ending.by.instruction].id}"


def _of_instruction(program: Program, accesses: Accesses, number: int, state: Any) -> Iterator[Ending]:
    """What one instruction ends, write by write: the end of a turn ends what its last instruction has just made."""
    now: dict[Cell, Definitions] = {}
    for write in accesses.writes(number):
        before = now.get(write.place) or state[write.place]
        yield from _arrival(accesses.judge, before, write)
        yield from _ended(program, accesses.judge, before, write)
        now[write.place] = accesses.judge.after(before, write)


def _arrival(judge: Judge, before: Definitions, write: PlaceWrite) -> Iterator[Ending]:
    """An entry that yields to one that was there before it, and so never comes into force."""
    is_entry = not write.made.is_tombstone and write.mode is Mode.REPLACE
    stronger = judge.stronger(write.made, before) if is_entry else []
    if stronger:
        yield Ending(write.made, stronger[-1], How.OUTRANKED)


def _ended(program: Program, judge: Judge, before: Definitions, write: PlaceWrite) -> Iterator[Ending]:
    if write.definite and write.mode not in (Mode.EXTEND, Mode.FILL):
        how = _how(program, write)
        yield from (Ending(old, write.by, how) for old in judge.ended(before, write))


def _how(program: Program, write: PlaceWrite) -> How:
    if write.mode is Mode.END:
        return How.SCOPE
    if not write.by.is_tombstone:
        return How.REPLACED
    instruction = program.instructions[write.by.instruction]
    return How.DELETED if isinstance(instruction, Delete) else How.LACKING
