"""The lines in which the parts of programs stand."""

from __future__ import annotations

import attrs

from ..program import Program
from ..rules.finding import Spot


@attrs.define
class Lines:
    """The lines in which the parts of a program stand: the program itself, then each part by its number.

    Scopes that only a task makes known have no line; they come after those that have one. `statement` holds the lines
    of each block.
    """

    program: int
    scope: list[int] = attrs.field(factory=list)
    declaration: list[int] = attrs.field(factory=list)
    requirement: list[int] = attrs.field(factory=list)
    task: list[int] = attrs.field(factory=list)
    block: list[int] = attrs.field(factory=list)
    statement: list[list[int]] = attrs.field(factory=list)
    terminator: list[int] = attrs.field(factory=list)

    def of(self, spot: Spot, program: Program) -> int:
        """The line of a part; the program's where the part has none."""
        if spot.part == "instruction":
            return self._of_instruction(spot.number, program)
        lines: list[int] = [] if spot.part == "program" else getattr(self, spot.part)
        return lines[spot.number] if spot.number < len(lines) else self.program

    def _of_instruction(self, number: int, program: Program) -> int:
        """What a call or a return does stands in its own line."""
        block = program.block_of(number)
        position = number - program.executed(block).start
        lines = self.statement[block]
        return lines[position] if position < len(lines) else self.terminator[block]
