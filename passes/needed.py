"""`needed`: which cells may still be used by something that somebody reads in the end."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from statemem.ir import Cell, Derive, How, Instruction, Mode, Return
from statemem.ir.terminators import returned

from .framework import Analysis, At, Direction, register


@register
class Needed(Analysis):
    """Cells on which some later use rests, through however many conclusions.

    in = used ∪ premises of needed conclusions ∪ (out − replaced): a premise counts only where something that it
    concludes is needed itself, so that a chain nobody reads is dead as a whole, even one that turns in a loop. Strong
    liveness, the complement of faint variables (Giegerich, Möncke, Wilhelm, "Invariance of approximative semantics with
    respect to program transformations", 1981).
    """

    direction = Direction.BACKWARD

    def transfer(self, instruction: Instruction, state: Any, at: At) -> None:
        """Reads count where they are uses, or where anything that the instruction writes is needed after it.

        What a conclusion empties, as the fields that an object lacks, rests on its premises as well.
        """
        assert at.number is not None
        writes = at.accesses.writes(at.number)
        for write in writes:
            if write.mode is Mode.END:
                state.kill(write.place)
        concluded = [write for write in writes if write.mode is not Mode.END]
        counts = not isinstance(instruction, Derive) or any(write.place in state for write in concluded)
        for write in concluded:
            replaces = write.definite and write.mode in (Mode.REPLACE, Mode.DELETE)
            if replaces and not at.accesses.may_be_outranked(write):
                state.kill(write.place)
        for read in at.accesses.reads(at.number) if counts else ():
            if read.how is How.USED:
                state.gen(read.place)

    def on_end(self, expected: Iterable[Cell], state: Any, at: At) -> None:
        """What the future is known to read is needed, and what a task returns to a caller that nobody knows."""
        for cell in expected:
            state.gen(cell)
        if isinstance(at.block.terminator, Return) and not at.closes:
            state.gen(returned(at.program.tasks[at.program.body[at.block_number]].scope))
