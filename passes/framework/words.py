"""What happens to one place along a stretch of a program, spelled as a word of kinds of events.

Words are the same for all analyses; what an analysis makes of a word is worked out once for each. A log of a million
events has few of them.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from statemem.ir import Actor, Cell, How, Mode

#: The word of a place to which nothing happens.
EMPTY: Final = 0


class Kind(NamedTuple):
    """A kind of event: how a place is read or written, whether surely, by whom, and whether it may be outranked."""

    how: How | Mode
    definite: bool
    actor: Actor
    outrankable: bool


class Words:
    """All words met so far, by number; each is a shorter one and a last kind."""

    def __init__(self) -> None:
        self.kinds: list[Kind] = []
        #: Of each kind the cell at which it was met first.
        self.first_cells: list[Cell] = []
        self.shorter: list[int] = [EMPTY]
        self.last: list[int] = [-1]
        self._kind_of: dict[Kind, int] = {}
        self._longer: dict[tuple[int, int], int] = {}

    def kind(self, kind: Kind, cell: Cell) -> int:
        """The number of a kind, met at a cell."""
        number = self._kind_of.setdefault(kind, len(self.kinds))
        if number == len(self.kinds):
            self.kinds.append(kind)
            self.first_cells.append(cell)
        return number

    def longer(self, word: int, kind: int) -> int:
        """A word with one more kind; one that repeats the last says nothing new."""
        if self.last[word] == kind:
            return word
        found = self._longer.get((word, kind))
        if found is None:
            found = self._longer[word, kind] = len(self.last)
            self.shorter.append(word)
            self.last.append(kind)
        return found
