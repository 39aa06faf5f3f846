"""What a speaker can look back on: what was in force, what a word meant, which task had been begun."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from statemem.ir import Bind, Cell, Enter, Operand, Place, Reference, Same

from ...dialogue import Dialogue, Entry
from ...ledger import entity_of

#: The number of a turn, and of an instruction in it.
Moment = tuple[int, int]


class History:
    """A dialogue by what its instructions did, each at its moment."""

    def __init__(self, dialogue: Dialogue) -> None:
        self.entries = dialogue.entries
        self._made: dict[str, Moment] = {}
        self._of_cell: dict[Cell, list[Entry]] = defaultdict(list)
        self._bound: dict[str, list[tuple[Moment, Cell]]] = defaultdict(list)
        self._names: dict[Cell, list[tuple[Moment, Cell]]] = defaultdict(list)
        self._entered: dict[str, Moment] = {}
        for turn in dialogue.turns:
            for number, one in enumerate(turn.instructions):
                self._take(one, (turn.number, number))

    def _take(self, one: object, moment: Moment) -> None:
        if isinstance(one, Bind):
            self._bound[one.reference].append((moment, one.target))
        elif isinstance(one, Same):
            self._names[one.left].append((moment, one.right))
            self._names[one.right].append((moment, one.left))
        elif isinstance(one, Enter):
            self._entered.setdefault(one.task, moment)
        own: str = getattr(one, "id", None) or ""
        if own in self.entries:
            self._made[own] = moment
            self._of_cell[self.entries[own].cell].append(self.entries[own])

    def read(self, operand: Operand, moment: Moment) -> Entry | None:
        """The entry that an operand reads: the one it says it saw, else the one in force."""
        place, was = operand
        if was is not None and was in self.entries:
            return self.entries[was]
        return self.held(self.cell(place, moment), moment)

    def held(self, cell: Cell | None, moment: Moment) -> Entry | None:
        """The latest entry in force at a cell, under whatever name."""
        if cell is None:
            return None
        named = [cell, *self._other_names(cell, moment)]
        found = [one for each in named for one in self._of_cell.get(each, ()) if self._is_in_force(one, moment)]
        return max(found, key=lambda one: self._made[one.id], default=None)

    def cell(self, place: Place, moment: Moment) -> Cell | None:
        """The cell that a place means; of several the one that was named first."""
        if isinstance(place, Cell):
            return place
        meant = self.meant(place, moment)
        return meant[0].below(place.path) if meant else None

    def meant(self, place: Reference, moment: Moment) -> list[Cell]:
        """What a word means: all it was said to mean in the turn in which that was said last."""
        told = [(at, cell) for at, cell in self._bound.get(place.name, ()) if at < moment]
        return [cell for at, cell in told if at[0] == told[-1][0][0]]

    def has_begun(self, task: str, moment: Moment) -> bool:
        """Whether a task was entered before."""
        return task in self._entered and self._entered[task] < moment

    def _other_names(self, cell: Cell, moment: Moment) -> Iterator[Cell]:
        names = self._names.get(entity_of(cell), ())
        return (name.below(cell.path[2:]) for at, name in names if at < moment)

    def _is_in_force(self, entry: Entry, moment: Moment) -> bool:
        if entry.outranked or self._made[entry.id] >= moment:
            return False
        replaced = self._made.get(entry.by or "")
        if replaced is not None:
            return replaced >= moment
        return entry.ended is None or entry.ended >= moment[0]
