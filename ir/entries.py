"""Memory entries, and definitions: entries as they stand at places."""

from __future__ import annotations

from typing import NamedTuple

from .cells import Cell, Place, Segment, path_text
from .instructions import Instruction
from .values import Value


class Entry(NamedTuple):
    """A memory entry: one leaf that one instruction wrote.

    `instruction` counts all instructions of the program from 0 in order of creation, `block` its blocks;
    `cell` is a reference where the log named the cell through one.
    """

    id: str
    cell: Place
    value: Value
    instruction: int
    block: int
    leaf: int


class Definition(NamedTuple):
    """An entry as it stands at a place: what reaches, replaces and is replaced.

    `leaf` is the number of the leaf in its instruction, `TOMBSTONE` or `ENDED`; the tombstone of instruction
    `NEVER` stands at every place to begin with. `yields` says that it came after one that outranks it: it is
    history and never was in force.
    """

    instruction: int
    leaf: int
    cell: Cell
    yields: bool = False

    @property
    def is_tombstone(self) -> bool:
        """Whether it says that the place holds nothing."""
        return self.leaf < 0


TOMBSTONE = -1
#: The leaf of a tombstone that the end of a scope leaves: it has no rank, whatever the instruction is dated.
ENDED = -2
NEVER = -1


def never_assigned(cell: Cell) -> Definition:
    """The tombstone with which every place begins."""
    return Definition(NEVER, TOMBSTONE, cell)


def entry_id(instruction: Instruction, path: tuple[Segment, ...]) -> str:
    """The id of a leaf's entry: the instruction's own, with the path below it after a slash."""
    own = instruction.id or ""
    return f"{own}/{path_text(path)}" if path else own


def entries_made(instruction: Instruction, number: int, block: int) -> list[Entry]:
    """The entries that an instruction makes, a leaf each."""
    return [
        Entry(entry_id(instruction, path), _below(write.place, path), value, number, block, leaf)
        for write in instruction.writes()
        for leaf, (path, value) in enumerate(write.leaves)
    ]


def _below(place: Place, path: tuple[Segment, ...]) -> Place:
    return place._replace(path=place.path + path) if path else place
