"""`last_use`: the last step at which each entry was used, on any path."""

from __future__ import annotations

from typing import Any

from statemem.ir import Cell, Definition, How
from statemem.ir.entries import Entry
from statemem.ir.program import Program

from .framework import Analysis, At, MapOf, Maximum, may, register
from .reaching import Reaching

#: The step of an entry that was never used.
NEVER_USED = -1


def _never_used(_: tuple[int, int]) -> int:
    return NEVER_USED


@register
class LastUse(Analysis):
    """The greatest step at which an entry, told by its instruction and leaf, was used; ages and generations rest on it.

    A use that names an entry counts for that one; one that names none counts for all that are in force at the cell.
    """

    needs = (may(Reaching),)
    facts = MapOf(Maximum(NEVER_USED), _never_used)

    def boundary(self, program: Program) -> dict[tuple[int, int], int]:
        """Nothing was used yet."""
        return {}

    def on_read(self, cell: Cell, how: How, state: Any, at: At) -> None:
        """Dates the entries that the read meets."""
        if how is not How.USED:
            return
        if at.was is not None:
            for entry in at.program.named(at.was):
                if entry.cell == cell or self._stands(entry, cell, at):
                    state[key_of(entry)] = max(state[key_of(entry)], at.step)
            return
        for one in at.judge.in_force(at.facts[Reaching][cell]):
            if not one.is_tombstone:
                state[one.instruction, one.leaf] = max(state[one.instruction, one.leaf], at.step)

    def _stands(self, entry: Entry, cell: Cell, at: At) -> bool:
        """Whether an entry that was written through a reference reaches a cell."""
        return Definition(entry.instruction, entry.leaf, cell) in at.facts[Reaching][cell]

    def show(self, fact: Any) -> list[str]:
        """Instruction, leaf and step."""
        return sorted(f"{instruction}/{leaf}: {step}" for (instruction, leaf), step in (fact or {}).items())


def key_of(entry: Entry) -> tuple[int, int]:
    """The key under which an entry's last use is kept."""
    return entry.instruction, entry.leaf
