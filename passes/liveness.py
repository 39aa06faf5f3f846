"""`liveness`: which cells may still be used before they are replaced."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from statemem.ir import Cell, How, Mode

from .framework import Analysis, At, Direction, register


@register
class Liveness(Analysis):
    """Cells that some path uses before it replaces them.

    in = used ∪ (out − replaced): only what is *used* keeps a cell alive, not what merely stood in the prompt. A write
    does not end the life of the value before it where some definition of the cell may outrank it. At an open end the
    cells that the horizon expects are live. (Aho, Lam, Sethi, Ullman, Compilers, 2006, section 9.2.5.)
    """

    direction = Direction.BACKWARD

    def on_read(self, cell: Cell, how: How, state: Any, at: At) -> None:
        """A use makes the cell live."""
        if how is How.USED:
            state.gen(cell)

    def on_write(self, cell: Cell, mode: Mode, state: Any, at: At) -> None:
        """A replacement ends it, unless it may be outranked."""
        if mode is Mode.REPLACE:
            self.on_delete(cell, state, at)

    def on_delete(self, cell: Cell, state: Any, at: At) -> None:
        """So does a delete."""
        if not at.outrankable:
            state.kill(cell)

    def on_scope_end(self, cell: Cell, state: Any, at: At) -> None:
        """The end of its scope ends it whatever the rank of what is there."""
        state.kill(cell)

    def on_end(self, expected: Iterable[Cell], state: Any, at: At) -> None:
        """What the future is known to read is live."""
        for cell in expected:
            state.gen(cell)
