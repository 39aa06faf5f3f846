"""Footprints: which places each chain of a program reads before it replaces them, reads at all, replaces.

They are neutral, in that they say nothing of what an analysis makes of them: for liveness an exposed place is one that
is live before the chain, a replaced one that is not exposed is not; but footprints know of no ranks, and where some
definition of a place may outrank what the chain writes, the value before lives on in spite of being replaced. They are
kept up with a program that grows, each new block at the cost of its own operands and of those before that overlap a
place it is the first to write.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

import attrs

from ..cells import Cell
from ..instructions import Bind, How, Instruction, Mode, Same
from ..meaning.places import Places
from ..meaning.resolve import ended_scope
from ..program import Program
from .cfg import ControlFlow


@attrs.define
class Footprint:
    """What one chain does to places, by their numbers, with the moment at which an instruction first does it.

    Moments count instructions as control comes to them in a chain, which need not be the order of their numbers.
    `is_plain` is false where an operand is a reference, whose places only the passes know.
    """

    used: dict[int, int] = attrs.field(factory=dict)
    read: dict[int, int] = attrs.field(factory=dict)
    replaced: dict[int, int] = attrs.field(factory=dict)
    is_plain: bool = True

    @property
    def exposed(self) -> Iterator[int]:
        """The places that are used before they are replaced; an instruction reads before it writes."""
        return (place for place, first in self.used.items() if first <= self.replaced.get(place, first))

    def masks(self) -> tuple[int, int, int]:
        """Exposed, read and replaced places as sets of bits."""
        return mask(self.exposed), mask(self.read), mask(self.replaced)

    def note(self, kind: How | Mode, place: int, moment: int) -> None:
        """Take note of an access, of which the first counts."""
        if isinstance(kind, Mode):
            _earliest(self.replaced, place, moment)
            return
        _earliest(self.read, place, moment)
        if kind is How.USED:
            _earliest(self.used, place, moment)


def _earliest(known: dict[int, int], place: int, moment: int) -> None:
    known[place] = min(known.get(place, moment), moment)


def mask(places: Iterable[int]) -> int:
    """A set of numbers as the bits of one.

    >>> bin(mask([0, 3]))
    '0b1001'
    """
    found = list(places)
    bits = bytearray(max(found, default=-1) // 8 + 1)
    for place in found:
        bits[place >> 3] |= 1 << (place & 7)
    return int.from_bytes(bits, "little")


#: How an access meets places above and below its cell: it reads or replaces those, or only one of the two.
_Access = tuple[How | Mode, bool, bool]


class Footprints:
    """The footprints of the chains of a program, in the order of the chains; places count as assignments name them.

    A place is a leaf that some assignment writes. They are numbered as they come to be known: where another chain than
    the last one grew, in another order than where all was there at once. `united` says whether the program unites
    entities, so that a place may have other names. What may not happen, a default, and what stands below a wildcard
    replace nothing.
    """

    def __init__(self, program: Program, flow: ControlFlow) -> None:
        self._program, self._flow = program, flow
        self._build()

    def _build(self) -> None:
        self.chains: list[Footprint] = []
        self.places: list[Cell] = []
        self.united = False
        self._number: dict[Cell, int] = {}
        self._index = Places()
        self._accessed = Places()
        self._accesses: dict[Cell, dict[tuple[int, _Access], int]] = defaultdict(dict)
        self._moment = 0
        self._reorderings = self._flow.reorderings
        for chain, nodes in enumerate(self._flow.chains):
            self.chains.append(Footprint())
            for node in nodes:
                self._take_node(chain, node)
        self._taken = len(self._flow.carried_on)

    def grow(self) -> bool:
        """Bring the footprints up to their program and its graph; whether it was enough to look at what was added."""
        self._flow.grow()
        straight = self._flow.reorderings == self._reorderings
        if straight:
            self._take_new()
        else:
            self._build()
        return straight

    def _take_new(self) -> None:
        """Go through the nodes by which chains became longer."""
        for chain, node in self._flow.carried_on[self._taken :]:
            self._take_node(chain, node)
        self._taken = len(self._flow.carried_on)

    def _take_node(self, chain: int, node: int) -> None:
        numbers = self._flow.executed(node)
        for number in numbers:
            self._moment += 1
            instruction = self._program.instructions[number]
            for cell in _named(instruction):
                self._name(cell)
            self._take_instruction(chain, instruction)
        if numbers and node not in self._flow.landings:
            turn = Cell(self._program.blocks[node].turn, ())
            self._access(chain, turn, (Mode.END, False, True))

    def _take_instruction(self, chain: int, instruction: Instruction) -> None:
        self.united = self.united or isinstance(instruction, Same)
        for cell, access in _accesses(instruction):
            if cell is None:
                self.chains[chain].is_plain = False
            else:
                self._access(chain, cell, access)
        scope = ended_scope(instruction)
        if scope is not None:
            self._access(chain, Cell(scope, ()), (Mode.END, False, True))

    def _access(self, chain: int, cell: Cell, access: _Access) -> None:
        self._accessed.add(cell)
        self._accesses[cell].setdefault((chain, access), self._moment)
        for place in self._index.overlapping(cell):
            if _meets(access, cell, place):
                self.chains[chain].note(access[0], self._number[place], self._moment)

    def _name(self, place: Cell) -> None:
        """Make a place known: what overlapped it before has met it too."""
        if not self._index.add(place):
            return
        self._number[place] = len(self.places)
        self.places.append(place)
        for cell in self._accessed.overlapping(place):
            for (chain, access), moment in self._accesses[cell].items():
                if _meets(access, cell, place):
                    self.chains[chain].note(access[0], self._number[place], moment)


def _meets(access: _Access, cell: Cell, place: Cell) -> bool:
    _, above, below = access
    return above if len(place.path) < len(cell.path) else below


def _named(instruction: Instruction) -> Iterator[Cell]:
    """The leaves that an assignment names."""
    for write in instruction.writes():
        if isinstance(write.place, Cell) and not write.place.is_pattern:
            yield from (write.place.below(path) for path, _ in write.leaves)


def _accesses(instruction: Instruction) -> Iterator[tuple[Cell | None, _Access]]:
    """The cells an instruction reads and replaces, reads first; None for a reference."""
    for read in instruction.reads():
        yield read.place if isinstance(read.place, Cell) else None, (read.how, True, True)
    if isinstance(instruction, Bind):
        yield None, (How.CARRIED, False, False)
    for write in instruction.writes():
        if not isinstance(write.place, Cell):
            yield None, (Mode.REPLACE, False, False)
        elif not (instruction.maybe or write.mode is Mode.FILL or write.place.is_pattern):
            above, below = write.mode is not Mode.DELETE, write.mode is not Mode.EXTEND
            yield write.place, (Mode.REPLACE, above, below)
