"""`endings`: what took each entry out of force, wherever something did."""

from __future__ import annotations

import enum
from typing import NamedTuple

from statemem.ir import Definition, Delete, Mode, Program
from statemem.ir.resolve import PlaceWrite, ended_scope

from .framework import Derivation, Manager, register
from .reaching import Reaching


class How(enum.Enum):
    """The ways in which an entry leaves force."""

    REPLACED = "replaced"
    DELETED = "deleted"
    LACKING = "lacking"
    SCOPE = "scope ended"


class Ending(NamedTuple):
    """One entry taken out of force by one definition: a successor, or the tombstone that stands there instead."""

    entry: Definition
    by: Definition
    how: How


@register
class Endings(Derivation):
    """For every entry, the definitions that took it out of force, in the order of the program."""

    needs = (Reaching,)

    def derive(self, program: Program, manager: Manager) -> dict[tuple[int, int], list[Ending]]:
        """One walk over the reaching definitions; keys are the instruction and leaf of the entry that ended."""
        found: dict[tuple[int, int], list[Ending]] = {}
        accesses = manager.accesses
        for at, state in manager.solve(Reaching).walk():
            if at.number is None:
                continue
            for write in accesses.writes(at.number):
                if not write.definite or write.mode in (Mode.EXTEND, Mode.FILL):
                    continue
                for old in accesses.judge.ended(state[write.place], write.by):
                    ending = Ending(old, write.by, _how(program, write))
                    found.setdefault((old.instruction, old.leaf), []).append(ending)
        return found

    def show(self, found: dict[tuple[int, int], list[Ending]], program: Program) -> list[str]:
        """`e3 replaced by e6`."""
        return [_shown(ending, program) for endings in found.values() for ending in endings]


def _shown(ending: Ending, program: Program) -> str:
    entry = program.entry_of(ending.entry)
    return f"{entry.id if entry else ''} {ending.how.value} by {program.instructions[ending.by.instruction].id}"


def _how(program: Program, write: PlaceWrite) -> How:
    if not write.by.is_tombstone:
        return How.REPLACED
    instruction = program.instructions[write.by.instruction]
    if ended_scope(instruction) == write.place.scope:
        return How.SCOPE
    return How.DELETED if isinstance(instruction, Delete) else How.LACKING
