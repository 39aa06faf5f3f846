"""Which entries in force rest on what is no longer so, and through which premises."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, partial
from typing import NamedTuple

import attrs

from statemem.ir import Definition, Delete, Derive, Mode, Program
from statemem.ir.diagnostics import UsageError, suggestion
from statemem.ir.entries import ENDED, TOMBSTONE, Entry
from statemem.ir.meaning.resolve import PlaceWrite

from ..endings import Ending, Endings, How
from ..framework import Manager, NoFact, Point
from ..framework.points import node_of
from ..reaching import Reaching
from .facts import Broken, Fact, Key
from .freshness import Freshness, is_conclusion
from .support import Support


class Proof(NamedTuple):
    """Why a conclusion is stale: the premises down to the one that is not what it was, and what ended that."""

    chain: tuple[Entry, ...]
    ended: Ending | None


@attrs.frozen(slots=False, eq=False)
class Stale:
    """A conclusion in force that may not be fresh.

    `surely` says that it is so on every path; else it is on some, as far as is known. The proof is made when it is
    asked for, since the chains of a long cascade are long each: `NoFact` where the program has changed by then.
    """

    entry: Entry
    surely: bool
    _prove: Callable[[], Proof]

    @cached_property
    def proof(self) -> Proof:
        """The chain and what ended its last premise."""
        return self._prove()

    @property
    def chain(self) -> tuple[Entry, ...]:
        """From the conclusion through its premises down to the one that is not what it was."""
        return self.proof.chain

    @property
    def ended(self) -> Ending | None:
        """What ended that one; None where it is taken to be withdrawn."""
        return self.proof.ended


def fresh_at(manager: Manager, point: Point) -> frozenset[Key]:
    """The conclusions made on the way to a point that are fresh there on all paths, by instruction and leaf."""
    numbers = Support(manager.solve(Freshness).fact(point)).fresh
    return frozenset((entry.instruction, entry.leaf) for one in numbers for entry in manager.program.entries_of(one))


def stale(manager: Manager, point: Point) -> list[Stale]:
    """The conclusions in force at a point that may not be fresh there, in the order of the program.

    >>> from statemem.ir import build
    >>> from statemem.passes.framework import BlockEnd
    >>> program = build().set("size", 42).derive("box", "M", "size").derive("price", 9, "box").set("size", 46).program
    >>> for one in stale(Manager(program), BlockEnd(0)):
    ...     print(" from ".join(entry.id for entry in one.chain), one.ended.how.value, one.surely)
    e2 from e1 replaced True
    e3 from e2 from e1 replaced True
    """
    return list(_stale(manager, point, ()))


def stale_without(manager: Manager, point: Point, *entries: str) -> list[Stale]:
    """What would not be fresh at a point if some entries, by their ids, were withdrawn; what is not now is among it.

    To be asked before an entry is retracted: afterwards a program reads as if it had never been said.
    """
    withdrawn = []
    for one in entries:
        named = manager.program.named(one)
        if not named:
            known = [entry.id for entry in manager.program.entries]
            raise UsageError(f"no entry has the id {one!r}{suggestion(one, known)}")
        withdrawn += [(entry.instruction, entry.leaf) for entry in named]
    return list(_stale(manager, point, withdrawn))


def _stale(manager: Manager, point: Point, withdrawn: Iterable[Key]) -> Iterator[Stale]:
    program, accesses = manager.program, manager.accesses
    if not any(is_conclusion(accesses, number) for number in range(len(program.instructions))):
        return
    support = Support(manager.solve(Freshness).fact(point), withdrawn=withdrawn)
    is_one_way = _is_one_way(manager, point)
    fresh = support.fresh
    for number, leaf in _in_force(manager, point):
        if isinstance(program.instructions[number], Derive) and number in support.made and number not in fresh:
            entry = program.entries_of(number)[leaf]
            yield Stale(entry, is_one_way, partial(_proof, manager, support, entry, program.version))


def _proof(manager: Manager, support: Support, entry: Entry, version: int) -> Proof:
    program, number = manager.program, entry.instruction
    if program.version != version:
        raise NoFact("the program has changed since this conclusion was found to be stale; ask again")
    way = support.way(number)
    keys = [_premise(one, way, number, support) if isinstance(one, Broken) else one for one in way]
    chain = (entry, *(program.entries_of(one)[leaf] for one, leaf in keys))
    last = way[-1]
    return Proof(chain, _ending(manager, last, keys[-1]) if isinstance(last, Broken) else None)


def _in_force(manager: Manager, point: Point) -> list[Key]:
    reaching, judge = manager.solve(Reaching).fact(point), manager.accesses.judge
    there = (one for definitions in reaching.values() for one in judge.in_force(definitions) if not one.is_tombstone)
    return sorted({(one.instruction, one.leaf) for one in there})


def _premise(broken: Broken, way: list[Broken | Key], number: int, support: Support) -> Key:
    """The entry that ended; where another arm of a fork ended it, one of those that the conclusion read."""
    if broken.premise[0] >= 0:
        return broken.premise
    above = way[-2] if len(way) > 1 else None
    reader = number if above is None or isinstance(above, Broken) else above[0]
    facts = [one for clause in support.clauses[reader] for one in clause if not isinstance(one, Broken)]
    read = [one for one in facts if (one if isinstance(one, Fact) else one.fact).place == broken.place]
    return min(key for one in read for key in support.sources(one).some)


def _ending(manager: Manager, broken: Broken, premise: Key) -> Ending:
    """What ended a premise, as `endings` tells it; that knows only what surely happened."""
    for one in manager.result(Endings).get(premise, ()):
        if one.by.instruction == broken.by and one.entry.cell == broken.place:
            assert isinstance(one, Ending)
            return one
    writes = manager.accesses.writes(broken.by)
    write = next(one for one in writes if one.place == broken.place)
    return Ending(Definition(*premise, broken.place), write.by, _how(manager.program, write))


def _how(program: Program, write: PlaceWrite) -> How:
    if write.by.leaf == ENDED or write.mode is Mode.END:
        return How.SCOPE
    if write.by.leaf != TOMBSTONE:
        return How.REPLACED
    return How.DELETED if isinstance(program.instructions[write.by.instruction], Delete) else How.LACKING


def _is_one_way(manager: Manager, point: Point) -> bool:
    """Whether one path alone leads to a point, and all on it happens and means one place."""
    flow = manager.graph.flow
    node: int | None = node_of(point, flow)
    seen: set[int] = set()
    while node is not None:
        before = flow.predecessors[node]
        if node in seen or len(before) > 1 or not _is_certain(manager, flow.executed(node)):
            return False
        seen.add(node)
        node = before[0] if before else None
    return True


def _is_certain(manager: Manager, numbers: Iterable[int]) -> bool:
    program, accesses = manager.program, manager.accesses
    return all(
        not program.instructions[number].maybe
        and all(one.definite for one in (*accesses.reads(number), *accesses.writes(number)))
        for number in numbers
    )
