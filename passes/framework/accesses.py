"""What every instruction reads and writes, place by place, with names resolved as far as they are known there."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain as joined
from typing import NamedTuple, Protocol

from statemem.ir import Cell, ControlFlow, Effect, How, Mode, Program
from statemem.ir.flow.segments import Segments
from statemem.ir.instructions import Bind, Same
from statemem.ir.meaning.force import Judge
from statemem.ir.meaning.names import Names
from statemem.ir.meaning.places import Places as PlaceIndex
from statemem.ir.meaning.resolve import PlaceRead, PlaceWrite, ended_scope, reads, scope_ends, writes
from statemem.ir.origin import Origin

from .numbering import Places
from .ranks import Ranks
from .universe import Universe

NO_NAMES = Names()


class Event(NamedTuple):
    """One kind of thing that happens to one place: it is read or written, surely or perhaps.

    A read may name the entry that it saw. What happens to no place, that a reference is bound, two entities united, the world acted on, is told apart by the
    number of its instruction.
    """

    how: How | Mode | int
    place: Cell | None
    definite: bool
    was: str | None = None


class Naming(Protocol):
    """What is known of names at every instruction."""

    def before(self, number: int) -> Names:
        """What is known before an instruction."""
        ...

    def grow(self, first: int) -> set[int]:
        """Take in that a program has grown from a segment on; the instructions before which other names are known."""
        ...


class Accesses:
    """The reads and writes of one version of a program, resolved once and kept; they grow with it.

    `naming` tells what is known of names before each instruction; it stays None where the program has neither
    references nor united entities.
    """

    def __init__(self, program: Program, flow: ControlFlow, segments: Segments) -> None:
        self.program = program
        self.judge = Judge(program)
        self.universe = Universe(program)
        #: The events that happen anywhere, by code, and the number of the place of each, -1 where it has none.
        self.events: list[Event] = []
        self.place_of: list[int] = []
        self.numbers = Places()
        self._flow = flow
        self._segments = segments
        self.naming: Naming | None = None
        self._ranks = Ranks()
        self._ranked_any, self._looked_at = False, 0
        self._reads: dict[int, tuple[PlaceRead, ...]] = {}
        self._writes: dict[int, tuple[PlaceWrite, ...]] = {}
        self._code_of: dict[Event, int] = {}
        self._codes: dict[int, tuple[int, ...]] = {}
        self._tapes: dict[int, tuple[int, ...]] = {}

    @property
    def places(self) -> PlaceIndex:
        """The places of the program."""
        return self.universe.places

    def names(self, number: int) -> Names:
        """What is known of names before an instruction."""
        return NO_NAMES if self.naming is None else self.naming.before(number)

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

    def codes(self, number: int) -> tuple[int, ...]:
        """The events of an instruction in the order they happen, by their codes."""
        if number not in self._codes:
            self._codes[number] = tuple(map(self._code, self._events(number)))
        return self._codes[number]

    def place(self, code: int) -> Cell:
        """The place of the events of a code."""
        return self.numbers.cells[self.place_of[code]]

    def tape(self, node: int) -> tuple[int, ...]:
        """The events of a node in the order they happen, by their codes."""
        if node not in self._tapes:
            self._tapes[node] = tuple(joined.from_iterable(map(self.codes, self._flow.executed(node))))
        return self._tapes[node]

    def _events(self, number: int) -> Iterator[Event]:
        for read in self.reads(number):
            yield Event(read.how, read.place, read.definite, read.was)
        for write in self.writes(number):
            yield Event(write.mode, write.place, write.definite)
        instruction = self.program.instructions[number]
        if isinstance(instruction, (Bind, Same, Effect)):
            yield Event(number, None, not instruction.maybe)

    def _code(self, event: Event) -> int:
        code = self._code_of.setdefault(event, len(self.events))
        if code == len(self.events):
            self.events.append(event)
            self.place_of.append(-1 if event.place is None else self.numbers.number(event.place))
        return code

    # rank

    def is_unranked(self) -> bool:
        """Whether no instruction has a version or a date, so that nothing is ever outranked."""
        new = range(self._looked_at, len(self.program.instructions))
        self._ranked_any = self._ranked_any or any(_is_ranked(self.program.instructions[one].origin) for one in new)
        self._looked_at = new.stop
        return not self._ranked_any

    def may_be_outranked(self, write: PlaceWrite) -> bool:
        """Whether a definition that may come before may stay in force although this one states another value."""
        own = self.program.instructions[write.by.instruction].origin
        node = self._flow.node_of(write.by.instruction)
        if not _is_ranked(own) or node not in self._segments:
            return False
        while len(self._ranks) < len(self._segments):
            self._ranks.put(self._ranked(len(self._ranks)))
        return self._ranks.resist(write.place, own, self._segments.of(node))

    def _ranked(self, segment: int) -> Iterator[tuple[Cell, Origin]]:
        for node in self._segments.nodes(segment):
            for number in self._flow.executed(node):
                origin = self.program.instructions[number].origin
                if _is_ranked(origin):
                    yield from ((write.place, origin) for write in self.writes(number))

    # growth

    def grow(self, first: int) -> set[int] | None:
        """Take in that the program has grown from a segment on; the earlier instructions that now mean other places.

        None where places would have to go, or names may have other meanings anywhere.
        """
        affected = self.universe.grow()
        if affected is None:
            return None
        if self.naming is not None:
            affected |= self.naming.grow(first)
        for number in affected:
            for kept in (self._reads, self._writes, self._codes):
                kept.pop(number, None)
            self._tapes.pop(self._flow.node_of(number), None)
        return affected

    def cut(self, segment: int) -> None:
        """Forget the ranks of the segments from one on."""
        self._ranks.cut(segment)


def _is_ranked(origin: Origin) -> bool:
    return origin.version is not None or origin.observed is not None


def uses_names(program: Program) -> bool:
    """Whether a program has references or united entities at all."""
    return any(isinstance(instruction, (Bind, Same)) for instruction in program.instructions)
