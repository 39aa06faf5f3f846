"""What every instruction reads and writes, place by place, with names resolved as far as they are known there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from typing import TypeVar

from statemem.ir import Cell, Program
from statemem.ir.instructions import Bind, Same
from statemem.ir.meaning.force import Judge
from statemem.ir.meaning.names import Names
from statemem.ir.meaning.places import Places
from statemem.ir.meaning.resolve import PlaceRead, PlaceWrite, ended_scope, reads, scope_ends, universe, writes
from statemem.ir.origin import Origin

NO_NAMES = Names()


class Accesses:
    """The reads and writes of one version of a program, resolved once and kept.

    `names` holds what is known of names before each instruction; None where the program has neither references
    nor united entities.
    """

    def __init__(self, program: Program, names: list[Names] | None = None) -> None:
        self.program = program
        self.places: Places = universe(program)
        self.judge = Judge(program)
        self._names = names
        self._reads: dict[int, tuple[PlaceRead, ...]] = {}
        self._writes: dict[int, tuple[PlaceWrite, ...]] = {}
        self._strongest: dict[Cell, _Strongest] | None = None

    def names(self, number: int) -> Names:
        """What is known of names before an instruction."""
        return self._names[number] if self._names else NO_NAMES

    def reads(self, number: int) -> tuple[PlaceRead, ...]:
        """The places an instruction reads."""
        if number not in self._reads:
            found = reads(self.program.instructions[number], self.names(number), self.places)
            self._reads[number] = tuple(found)
        return self._reads[number]

    def writes(self, number: int) -> tuple[PlaceWrite, ...]:
        """The places an instruction writes, those of a scope that ends with it included."""
        if number not in self._writes:
            instruction = self.program.instructions[number]
            found = list(writes(number, instruction, self.names(number), self.places))
            scope = ended_scope(instruction)
            if scope is not None:
                found.extend(scope_ends(number, scope, self.places, definite=not instruction.maybe))
            found.extend(self._turn_ends(number))
            self._writes[number] = tuple(found)
        return self._writes[number]

    def _turn_ends(self, number: int) -> Iterator[PlaceWrite]:
        """The cells of a turn end with its last instruction."""
        block = self.program.block_of(number)
        if number != self.program.executed(block).stop - 1:
            return iter(())
        return scope_ends(number, self.program.blocks[block].turn, self.places)

    def may_be_outranked(self, write: PlaceWrite) -> bool:
        """Whether some definition of the place may stay in force although this one states another value later."""
        own = self.program.instructions[write.by.instruction].origin
        if own.version is None and own.observed is None:
            return False
        return self._strongest_at(write.place).resists(own)

    def _strongest_at(self, place: Cell) -> _Strongest:
        """The highest version and the latest dates of the definitions of a place."""
        if self._strongest is None:
            self._strongest = {}
            for number, instruction in enumerate(self.program.instructions):
                origin = instruction.origin
                if origin.version is not None or origin.observed is not None:
                    for write in self.writes(number):
                        self._strongest.setdefault(write.place, _Strongest()).add(origin)
        return self._strongest.get(place, _NONE)


class _Strongest:
    """Enough of the ranks at one place to tell whether any of them outranks an origin."""

    def __init__(self) -> None:
        self._version: int | None = None
        self._versions: Counter[int] = Counter()
        self._date: datetime | None = None
        self._date_without_version: datetime | None = None

    def add(self, origin: Origin) -> None:
        self._version = _greater(self._version, origin.version)
        self._date = _greater(self._date, origin.observed)
        if origin.version is not None:
            self._versions[origin.version] += 1
        else:
            self._date_without_version = _greater(self._date_without_version, origin.observed)

    def resists(self, own: Origin) -> bool:
        """Versions decide where both have one, dates where not; of one version neither wins."""
        if own.version is not None and self._version is not None and self._version > own.version:
            return True
        if own.version is not None and self._versions[own.version] > 1:
            return True
        date = self._date if own.version is None else self._date_without_version
        return own.observed is not None and date is not None and date > own.observed


_NONE = _Strongest()
R = TypeVar("R", int, datetime)


def _greater(left: R | None, right: R | None) -> R | None:
    if left is None or right is None:
        return right if left is None else left
    return max(left, right)


def uses_names(program: Program) -> bool:
    """Whether a program has references or united entities at all."""
    return any(isinstance(instruction, (Bind, Same)) for instruction in program.instructions)
