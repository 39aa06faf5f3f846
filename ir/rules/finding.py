"""What a rule finds, before it is located in a text or a log."""

from __future__ import annotations

from typing import Literal, NamedTuple

from ..cells import Place
from ..diagnostics import Severity
from ..program import Program


class Spot(NamedTuple):
    """A part of a program, by the number it has among its like."""

    part: Literal["program", "scope", "declaration", "requirement", "task", "block", "instruction", "terminator"]
    number: int = 0


class Finding(NamedTuple):
    """What is wrong with a part; `needle` is what to point at in its text, behind the first `after` where one is."""

    code: str
    message: str
    spot: Spot
    needle: str = ""
    hint: str | None = None
    after: str = ""

    @property
    def severity(self) -> Severity:
        """How grave it is, which the code says: from IR100 on they are warnings."""
        return "error" if self.code < "IR100" else "warning"


def at(number: int) -> Spot:
    """The instruction of that number."""
    return Spot("instruction", number)


def places_by_id(program: Program, number: int) -> dict[str, list[Place]]:
    """The ids an instruction gives and where each stands: its own for all it writes, and one a leaf."""
    instruction = program.instructions[number]
    if not instruction.makes_entry or instruction.id is None:
        return {}
    leaves = {entry.id: [entry.cell] for entry in program.entries_of(number)}
    return {instruction.id: [write.place for write in instruction.writes()], **leaves}
