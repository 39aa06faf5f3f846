"""How a cell came to hold what it holds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import attrs

from statemem.ir import Cell, State
from statemem.ir.meaning.resolve import universe
from statemem.ir.meaning.walk import Walk
from statemem.ir.values import Value

from .events import Event
from .replay import Joined, part, standing
from .tables import Conversation


@attrs.frozen
class Change:
    """An operation that wrote or ended a cell, and what was in force there afterwards.

    `held` is value by cell: of the cell itself, or of those below it; it is empty where nothing was left. `entries` are
    the ids of what was in force.
    """

    event: Event
    held: dict[str, Value]
    entries: tuple[str, ...]


def changes(conversations: Sequence[Conversation], cell: Cell) -> list[Change]:
    """Everything that happened to a cell or below it, oldest first."""
    operations = [event for one in conversations for event in one.operations]
    joined = Joined([one.program for one in conversations])
    return [Change(operations[number], held, entries) for number, held, entries in _Watch(joined, cell).changes()]


_Seen = tuple[int, dict[str, Value], tuple[str, ...]]


class _Watch:
    """Runs programs and looks at one cell after every instruction."""

    def __init__(self, joined: Joined, cell: Cell) -> None:
        self._joined = joined
        self._cell = cell
        self._state = State(joined.program, universe(joined.program))
        self._reaching = self._state.reaching(cell)

    def changes(self) -> Iterator[_Seen]:
        for path in self._joined.paths:
            walk = Walk(self._joined.program, self._state)
            for block in path:
                for number in walk.steps(block):
                    self._state = walk.state
                    yield from self._look(number)
            part(self._state)

    def _look(self, number: int) -> Iterator[_Seen]:
        before, self._reaching = self._reaching, self._state.reaching(self._cell)
        something = any(not one.is_tombstone for one in before | self._reaching)
        if something and before != self._reaching:
            entries = tuple(entry.id for entry in self._state.in_force(self._cell))
            yield number, standing(self._joined.program, self._state, self._cell), entries
