"""Declared dependencies member by member: which cell must be kept consistent with which, and at which places they lie.

A declaration of families, `order[*].total depends on order[*].items`, has a member for each key under which something
is known at the left: the first `[*]` on the right stands for the key of the first on the left, and so on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple
from weakref import WeakKeyDictionary

from statemem.ir import ANY, Cell, ControlFlow, Program, Segment
from statemem.ir.meaning.names import Names
from statemem.ir.meaning.places import Places
from statemem.ir.meaning.resolve import all_names, is_other

from ..framework.accesses import Accesses


class Dependence(NamedTuple):
    """That one cell must be kept consistent with another."""

    cell: Cell
    on: Cell

    def __str__(self) -> str:
        return f"{self.cell} on {self.on}"


class Dependences:
    """The dependences of a program and, of each place, those in which it is part of the one cell or of the other."""

    def __init__(self, accesses: Accesses) -> None:
        self.version = accesses.program.version
        self.turns = Turns(accesses.program)
        self.dependants: dict[Cell, list[Dependence]] = {}
        self.sources: dict[Cell, list[Dependence]] = {}
        names = all_names(accesses.program)
        for one in _members(accesses):
            for place in _parts(one.cell, names, accesses.places):
                self.dependants.setdefault(place, []).append(one)
            for place in _parts(one.on, names, accesses.places):
                self.sources.setdefault(place, []).append(one)


class Turns:
    """The turns of a program: a block is one, and so are all blocks that share a step; so is the way back from a call.

    A turn is known by its first block, that of a way back by its call, as a number below zero.
    """

    def __init__(self, program: Program) -> None:
        self._program = program
        first: dict[int, int] = {}
        self._first = [
            number if block.step is None else first.setdefault(block.step, number)
            for number, block in enumerate(program.blocks)
        ]
        self.shared = {turn for number, turn in enumerate(self._first) if turn != number}
        self._looping = _looping(program) if self.shared else frozenset()

    def of_block(self, block: int) -> int:
        """The turn of a block."""
        return self._first[block]

    def of(self, instruction: int) -> int:
        """The turn of an instruction."""
        block = self._program.block_of(instruction)
        return self._first[block] if instruction in self._program.executed(block) else ~block

    def begins(self, instruction: int) -> bool:
        """Whether an instruction is the first of its block, or of a way back."""
        block = self._program.block_of(instruction)
        return instruction in (self._program.executed(block).start, self._program.landed(block).start)

    def may_come_again(self, block: int) -> bool:
        """Whether a run of the blocks that share a step with one may be left and entered anew."""
        return block in self._looping


def _looping(program: Program) -> frozenset[int]:
    flow = ControlFlow(program)
    return frozenset(flow.block_of(node) for loop in flow.loops for node in loop.nodes)


#: Told again for a program that has changed; a dictionary of its own since accesses belong to the framework.
_known: WeakKeyDictionary[Accesses, Dependences] = WeakKeyDictionary()


def dependences(accesses: Accesses) -> Dependences:
    """The dependences of a program as it is now."""
    found = _known.get(accesses)
    if found is None or found.version != accesses.program.version:
        found = _known[accesses] = Dependences(accesses)
    return found


def parts(cell: Cell, names: Names, places: Places) -> Iterator[tuple[Cell, bool]]:
    """The places at which a cell lies under any of its names, and whether it surely is so."""
    for target in names.denoted(cell):
        for place in places.overlapping(target.cell):
            yield place, target.definite and not is_other(target.cell, place)


def _parts(cell: Cell, names: Names, places: Places) -> Iterable[Cell]:
    return dict.fromkeys(place for place, _ in parts(cell, names, places))


def _members(accesses: Accesses) -> Iterable[Dependence]:
    """Every dependence between two cells, once."""
    found = (
        Dependence(_filled(one.pattern, keys), _filled(on, keys))
        for one in accesses.program.declarations
        if one.depends
        for keys in _keys(one.pattern, accesses.places)
        for on in one.depends
    )
    return dict.fromkeys(found)


def _keys(pattern: Cell, places: Places) -> Iterable[tuple[Segment, ...]]:
    """The keys for which the wildcards of a pattern stand at some place; one empty row without any.

    Where nothing but families are spoken of, as in a workflow, the family stands for whichever member it is.
    """
    wild = [number for number, segment in enumerate(pattern.path) if segment.kind == "any"]
    if not wild:
        return [()]
    known = (place.path for place in places.overlapping(pattern) if len(place.path) > wild[-1])
    rows = list(dict.fromkeys(tuple(path[number] for number in wild) for path in known))
    return [row for row in rows if ANY not in row] or rows


def _filled(cell: Cell, keys: tuple[Segment, ...]) -> Cell:
    """A cell whose wildcards are keys, as far as there are keys."""
    left = iter(keys)
    path = (next(left, segment) if segment.kind == "any" else segment for segment in cell.path)
    return Cell(cell.scope, tuple(path))
