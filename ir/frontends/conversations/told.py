"""Which messages of a path state which facts, so that what a removed one alone stated can be told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from ...cells import Cell
from ...program import Program

#: A block with the key of its message, and those before it on its path.
_Trail = tuple["_Trail | None", str | None, int]


class Told:
    """The facts that the messages of one path state.

    Few logs remove messages. So the blocks are only linked up, which costs a copy nothing, until one does.
    """

    def __init__(self, program: Program) -> None:
        self._program = program
        self._trail: _Trail | None = None
        self._by_key: dict[str, dict[Cell, None]] = {}
        self._sources: Counter[Cell] = Counter()  # how many messages state each fact

    def copy(self) -> Told:
        """The same facts on a path of its own."""
        other = Told(self._program)
        other._trail = self._trail
        other._by_key = dict(self._by_key)
        other._sources = self._sources.copy()
        return other

    def add(self, key: str | None, block: int) -> None:
        """A block of the message of that key; one without a key is never removed."""
        self._trail = self._trail, key, block

    def remove(self, keys: Iterable[str]) -> list[Cell]:
        """Take messages away, and return the facts that no other states."""
        self._count()
        gone = dict.fromkeys(cell for key in keys for cell in self._taken(key))
        return [cell for cell in gone if not self._sources[cell]]

    def _taken(self, key: str) -> Iterator[Cell]:
        for cell in self._by_key.pop(key, {}):
            self._sources[cell] -= 1
            yield cell

    def _count(self) -> None:
        added: list[tuple[str | None, int]] = []
        while self._trail is not None:
            self._trail, key, block = self._trail
            added.append((key, block))
        for key, block in reversed(added):
            known = {} if key is None else self._by_key.get(key, {})
            new = dict.fromkeys(cell for cell in self._stated(block) if cell not in known)
            self._sources.update(new.keys())
            if key is not None:
                self._by_key[key] = known | new  # the old one may be another path's too

    def _stated(self, block: int) -> Iterator[Cell]:
        entries = (entry for number, _ in self._program.numbered(block) for entry in self._program.entries_of(number))
        return (entry.cell for entry in entries if isinstance(entry.cell, Cell))
