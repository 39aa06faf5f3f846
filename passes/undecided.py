"""`undecided`: which cells may reach an end that says nothing of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from statemem.ir import Cell, Mode

from .framework import Analysis, At, Direction, register


@register
class Undecided(Analysis):
    """Cells that reach an open end unreplaced and of which that end does not speak: nobody can call them dead.

    in = out − replaced; at an open end, all places but the expected ones.
    """

    direction = Direction.BACKWARD

    def on_write(self, cell: Cell, mode: Mode, state: Any, at: At) -> None:
        """A replacement decides the fate of the value before it, unless it may be outranked."""
        if mode is Mode.REPLACE:
            self.on_delete(cell, state, at)

    def on_delete(self, cell: Cell, state: Any, at: At) -> None:
        """So does a delete."""
        if not at.outrankable:
            state.kill(cell)

    def on_end(self, expected: Iterable[Cell], state: Any, at: At) -> None:
        """An end that does not speak of all leaves the rest undecided."""
        if at.closes:
            return
        known = set(expected)
        for cell in at.accesses.places:
            if cell not in known:
                state.gen(cell)
