"""What is fresh along one path of a program, told by stepping along it: the peer of the pass `freshness`."""

from typing import Any

import attrs

from statemem.ir import Definition, Derive, Program, Reference
from statemem.ir.entries import ENDED
from statemem.ir.meaning.resolve import universe, way_to
from statemem.ir.meaning.walk import Walk
from statemem.ir.state import State


@attrs.define
class Premise:
    """One fact that was read: what states it, while it is in force, and what ended it."""

    cells: set[Any]
    statement: object
    sources: set[Any]
    born: frozenset[Any]
    stands: bool = True
    broken: set[Any] = attrs.field(factory=set)

    def copy(self):
        return attrs.evolve(self, sources=set(self.sources), broken=set(self.broken))


class Stepping(State):
    """A state that takes down what conclusions read and what became of it."""

    def __init__(self, program: Program) -> None:
        super().__init__(program, universe(program))
        self.read = {}
        self.gone = {}

    def copy(self):
        other = super().copy()
        other.read = {number: [one.copy() for one in read] for number, read in self.read.items()}
        other.gone = {one: set(by) for one, by in self.gone.items()}
        return other

    def join(self, arms):
        joined = super().join(arms)
        for number in dict.fromkeys(number for arm in arms for number in arm.read):
            made = [arm.read[number] for arm in arms if number in arm.read and number not in self.read]
            same = zip(*(arm.read[number] for arm in arms), strict=True) if not made else ()
            both = [self._both(list(several)) for several in same]
            joined.read[number] = [one.copy() for one in made[0]] if made else both
        for arm in arms:
            for one, by in arm.gone.items():
                joined.gone.setdefault(one, set()).update(by)
        joined.look(-1)
        return joined

    @staticmethod
    def _both(several):
        one = several[0].copy()
        one.sources = set().union(*(other.sources for other in several))
        one.stands = all(other.stands for other in several)
        one.broken = set().union(*(other.broken for other in several))
        return one

    def execute(self, number, instruction):
        if isinstance(instruction, Derive):
            read = [one for read in instruction.reads() for one in self.met(read)]
            kept = self.read[number] if number in self.below(read) else []
            self.read[number] = kept + read
        before = {place: self.standing(place) for place in self.places}
        super().execute(number, instruction)
        self.look(number, before)

    def end_scope(self, number, scope, **how):
        before = {place: self.standing(place) for place in self.places}
        super().end_scope(number, scope, **how)
        self.look(number, before)

    def below(self, read):
        """All conclusions that some premises rest on."""
        work, seen = [source for one in read for source, _ in one.sources], set()
        for number in work:
            if number not in seen:
                seen.add(number)
                work.extend(source for one in self.read.get(number, ()) for source, _ in one.sources)
        return seen

    def standing(self, place):
        return {one for one in self._judge.in_force(self.reaching_at(place)) if not one.is_tombstone}

    def met(self, read):
        groups = {}
        for target in self.names.denoted(read.place):
            for leaf in self.places.overlapping(target.cell):
                groups.setdefault(way_to(target.cell, leaf), []).append(leaf)
        for cells in groups.values():
            if read.was is None:
                yield from self.facts(self._judge.in_force_together([self.reaching_at(one) for one in cells]))
            else:
                yield from self.named(read.was, cells)

    def facts(self, there):
        by_statement = {}
        for one in there:
            if not one.is_tombstone:
                by_statement.setdefault(self._judge.statement(one), []).append(one)
        for statement, group in by_statement.items():
            yield Premise(
                {one.cell for one in group},
                statement,
                sources := {(one.instruction, one.leaf) for one in group},
                frozenset(sources),
            )

    def named(self, was, cells):
        for entry in self._program.named(was):
            for cell in cells:
                one = Definition(entry.instruction, entry.leaf, cell)
                if not (isinstance(entry.cell, Reference) or entry.cell == cell):
                    continue
                if one in self.standing(cell):
                    equal = [other for other in self.standing(cell) if self._judge.equal(one, other) or one == other]
                    yield from self.facts(equal)
                elif self.gone.get(one):
                    yield Premise({cell}, None, set(), frozenset(), stands=False, broken=set(self.gone[one]))

    def look(self, number, before=None):
        """What left force, and what has one more source."""
        for place, there in (before or {}).items():
            for one in there - self.standing(place):
                self.gone.setdefault(one, set()).add(number)
            for one in self.standing(place) - there:
                self.gone.pop(one, None)
        for reader, read in self.read.items():
            for premise in read:
                if premise.stands:
                    self.follow(reader, premise, number)

    def follow(self, reader, premise, number):
        there = {
            (one.instruction, one.leaf)
            for cell in premise.cells
            for one in self.standing(cell)
            if self._judge.statement(one) == premise.statement
        }
        if there:
            premise.sources |= there
            return
        premise.stands = False
        ended = all(one.leaf == ENDED for cell in premise.cells for one in self.reaching_at(cell))
        if not ended and reader != number:
            premise.broken.add(number)

    def fresh(self):
        """The conclusions that are fresh: the instructions that made them."""
        return {number for number in self.read if self.supported(number, frozenset(), frozenset(), frozenset())}

    def supported(self, number, own, above, barred):
        """Whether every fact has a source that is supported.

        One that it had when it was read may be the conclusion's own earlier self, `above`, in a loop; one that came
        later must not rest on it, so that all above is `barred` there.
        """
        if number not in self.read:
            return True
        if number in barred or number in above:
            return number not in barred
        own, above = own | {number}, above | {number}
        return all(
            premise.broken <= own
            and (
                (not premise.sources)
                or any(self.supported(source, own, above, barred) for source, _ in premise.born)
                or any(
                    self.supported(source, own, frozenset(), barred | above)
                    for source, _ in premise.sources - premise.born
                )
            )
            for premise in self.read[number]
        )


def stepped(program, path):
    walk = Walk(program, Stepping(program))
    for block in path:
        walk.through(block)
    return walk.state
