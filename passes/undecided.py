"""`undecided`: which facts may reach an end that says nothing of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from statemem.ir import Cell, How

from .awaited import ANY, Awaited
from .framework import At, register


@register
class Undecided(Awaited):
    """Facts that reach an open end unreplaced and of which that end does not speak: nobody can call them dead.

    in = out − replaced; at an open end, every fact but those of the expected cells.
    """

    def on_read(self, cell: Cell, how: How, state: Any, at: At) -> None:
        """A use decides nothing of what comes after it."""

    def on_end(self, expected: Iterable[Cell], state: Any, at: At) -> None:
        """An end that does not speak of all leaves the rest undecided."""
        if at.closes:
            return
        known = set(expected)
        for cell in at.accesses.places:
            if cell not in known:
                state[cell] = ANY
