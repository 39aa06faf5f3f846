"""What every instruction reads and writes, place by place, with names resolved as far as they are known there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from statemem.ir import Actor, Cell, ControlFlow, Program
from statemem.ir.flow.segments import Segments
from statemem.ir.instructions import Bind, Same
from statemem.ir.meaning.force import Judge
from statemem.ir.meaning.names import Names
from statemem.ir.meaning.places import Places
from statemem.ir.meaning.resolve import PlaceRead, PlaceWrite, ended_scope, reads, scope_ends, writes
from statemem.ir.origin import Origin

from .ranks import Ranks
from .universe import Universe

NO_NAMES = Names()


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

    def __init__(self, program: Program, matched: ControlFlow, segments: Segments) -> None:
        self.program = program
        self.judge = Judge(program)
        self.universe = Universe(program)
        self._matched = matched
        self._segments = segments
        self.naming: Naming | None = None
        self._ranks = Ranks()
        self._ranked_any, self._looked_at = False, 0
        self._reads: dict[int, tuple[PlaceRead, ...]] = {}
        self._writes: dict[int, tuple[PlaceWrite, ...]] = {}

    @property
    def places(self) -> Places:
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

    def actor(self, number: int) -> Actor:
        """Who acts by an instruction: its own actor, or that of its block."""
        own = self.program.instructions[number].origin.actor
        return own or self.program.blocks[self.program.block_of(number)].actor

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
        if not _is_ranked(own):
            return False
        reached = [node for node in self._nodes(write.by.instruction) if node in self._segments]
        if not reached:
            return False
        while len(self._ranks) < len(self._segments):
            self._ranks.put(self._ranked(len(self._ranks)))
        return self._ranks.resist(write.place, own, max(map(self._segments.of, reached)))

    def _nodes(self, number: int) -> list[int]:
        """The nodes at which an instruction is executed."""
        return self._matched.copies_of(self._matched.node_of(number))

    def _ranked(self, segment: int) -> Iterator[tuple[Cell, Origin]]:
        for node in self._segments.nodes(segment):
            for number in self._matched.executed(node):
                origin = self.program.instructions[number].origin
                if _is_ranked(origin):
                    yield from ((write.place, origin) for write in self.writes(number))

    def is_certain(self, number: int, place: Cell) -> bool:
        """Whether an instruction surely writes a place on every path that comes behind it."""
        node, *others = self._nodes(number)
        if others or node not in self._segments or not self._segments.is_straight(self._segments.of(node)):
            return False
        return any(write.place == place and write.definite for write in self.writes(number))

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
            self._reads.pop(number, None)
            self._writes.pop(number, None)
        return affected

    def cut(self, segment: int) -> None:
        """Forget the ranks of the segments from one on."""
        self._ranks.cut(segment)


def _is_ranked(origin: Origin) -> bool:
    return origin.version is not None or origin.observed is not None


def uses_names(program: Program) -> bool:
    """Whether a program has references or united entities at all."""
    return any(isinstance(instruction, (Bind, Same)) for instruction in program.instructions)
