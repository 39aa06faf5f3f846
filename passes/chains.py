"""Chains from uses to definitions and back, and slices along them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cached_property
from typing import Any, NamedTuple

from statemem.ir import Cell, Definition, Derive, Program, Segment
from statemem.ir.entries import Entry
from statemem.ir.meaning.force import Definitions

from .framework import Manager, NoFact, Solution
from .framework.accesses import Accesses
from .reaching import Reaching

#: What tells an entry at whatever place it stands: its instruction and leaf.
Key = tuple[int, int]


class Chain(NamedTuple):
    """One read of one instruction, by its number among them, and the definitions in force that it meets."""

    instruction: int
    read: int
    definitions: Definitions


class UseDefChains:
    """The definitions that each read meets, and the reads that meet each definition.

    `of` replays the one block that is asked about; to iterate, and to ask for the uses of a definition, walks the
    solution once. Only what is read is kept, so that chains grow with the reads of a program, while full sets, of
    everything that reaches every block, grow with the square of its length: those are `solution.block_ends()`.
    (Aho, Lam, Sethi, Ullman, Compilers, 2006, section 9.1.5.)
    """

    def __init__(self, solution: Solution) -> None:
        self.program = solution.program
        self._solution = solution
        self._version = solution.version
        self._accesses: Accesses = solution.graph.accesses

    def of(self, instruction: int) -> tuple[Definitions, ...]:
        """The definitions that each read of an instruction meets.

        Raises `NoFact` for one that is never reached, and where the program has changed since.
        """
        self._check()
        if instruction in self.__dict__.get("_known", ()):
            return self._known[instruction]
        following = self._solution.follow(self._solution.graph.flow.node_of(instruction))
        for at in following.points:
            if at.number == instruction:
                break
        return _met(self._accesses, instruction, following.state)

    def seen(self, instruction: int) -> list[Entry]:
        """The entries that the reads of an instruction saw, in order: those that a read names, or all that it meets."""
        keys = {key for read, met in enumerate(self.of(instruction)) for key in self.seen_by(instruction, read, met)}
        return [self.program.entries_of(number)[leaf] for number, leaf in sorted(keys)]

    def seen_by(self, number: int, read: int, met: Definitions) -> Iterator[Key]:
        """The entries that one read saw, by instruction and leaf: those it names at the places that it reads."""
        was = self.program.instructions[number].reads()[read].was
        if was is None:
            yield from ((one.instruction, one.leaf) for one in met if not one.is_tombstone)
            return
        places = {found.place for found in self._accesses.reads(number) if found.read == read}
        for entry in self.program.named(was):
            if not isinstance(entry.cell, Cell) or entry.cell in places:
                yield entry.instruction, entry.leaf

    def uses(self, of: Definition | Entry) -> tuple[Chain, ...]:
        """The reads that meet a definition, or an entry wherever it stands. Raises `NoFact` for another version."""
        self._check()
        return tuple(self._uses.get((of.instruction, of.leaf), ()))

    def _check(self) -> None:
        if self._version != self.program.version:
            raise NoFact("the program has changed since these chains were drawn; draw them again")

    @cached_property
    def slices(self) -> _Slices:
        """What entries rest on, and what rests on them, found once for all who ask."""
        return _Slices(self, self.program)

    def __iter__(self) -> Iterator[Chain]:
        self._check()
        for instruction, reads in self._known.items():
            for read, definitions in enumerate(reads):
                yield Chain(instruction, read, definitions)

    @cached_property
    def _known(self) -> dict[int, tuple[Definitions, ...]]:
        found: dict[int, tuple[Definitions, ...]] = {}
        for at, state in self._solution.walk():
            if at.number is not None and self.program.instructions[at.number].reads():
                found[at.number] = _met(self._accesses, at.number, state)
        return dict(sorted(found.items()))

    @cached_property
    def _uses(self) -> dict[Key, list[Chain]]:
        found: dict[Key, list[Chain]] = {}
        for chain in self:
            for key in dict.fromkeys((one.instruction, one.leaf) for one in sorted(chain.definitions)):
                found.setdefault(key, []).append(chain)
        return found


def use_def_chains(of: Manager | Solution) -> UseDefChains:
    """The chains of a program, from its manager or from its solution of `reaching`.

    >>> from statemem.ir import build
    >>> program = build().set("a", 1).set("b", 2).derive("sum", 3, "a", "b").use("sum").program
    >>> chains = use_def_chains(Manager(program))
    >>> [[one.instruction for one in met] for met in chains.of(2)]
    [[0], [1]]
    >>> [use.instruction for use in chains.uses(program.entries[2])]
    [3]
    """
    return UseDefChains(of if isinstance(of, Solution) else of.solve(Reaching))


def slice_back(of: Manager | UseDefChains, start: Definition | Entry) -> list[Entry]:
    """Every entry that an entry rests on, through the premises of conclusions and of what these rest on, in order.

    What was appended to a premise is among them. A premise that names the entry it saw rests on that one. The entry
    itself is among them where it was concluded from itself, in a loop. (Weiser, "Program slicing", 1984.)

    >>> from statemem.ir import build
    >>> program = build().set("a", 1).append("a", 2).derive("b", 3, "a").set("x", 0).derive("c", 4, "b").program
    >>> [entry.id for entry in slice_back(Manager(program), program.entries[-1])]
    ['e1', 'e2', 'e3']
    """
    slices = _slices(of)
    return slices.closure((start.instruction, start.leaf), slices.premises)


def slice_forward(of: Manager | UseDefChains, start: Definition | Entry) -> list[Entry]:
    """Every entry that rests on an entry, through however many conclusions, in order.

    >>> from statemem.ir import build
    >>> program = build().set("a", 1).derive("b", 3, "a").set("x", 0).derive("c", 4, "b").program
    >>> [entry.id for entry in slice_forward(Manager(program), program.entries[0])]
    ['e2', 'e4']
    """
    slices = _slices(of)
    return slices.closure((start.instruction, start.leaf), slices.conclusions)


def _slices(of: Manager | UseDefChains) -> _Slices:
    chains = of if isinstance(of, UseDefChains) else use_def_chains(of)
    return chains.slices


class _Slices:
    """What entries rest on, one conclusion away."""

    def __init__(self, chains: UseDefChains, program: Program) -> None:
        self._chains = chains
        self._program = program

    def closure(self, start: Key, step: Callable[[Key], Iterable[Key]]) -> list[Entry]:
        """All that is reached by any number of steps, the start only where it is come to again."""
        found: set[Key] = set()
        work = [start]
        for key in work:
            new = [one for one in dict.fromkeys(step(key)) if one not in found]
            found.update(new)
            work.extend(new)
        return [self._program.entries_of(instruction)[leaf] for instruction, leaf in sorted(found)]

    def premises(self, of: Key) -> Iterator[Key]:
        """The entries from which one was concluded; none of one that nothing reaches, which was named all the same."""
        if of[0] < 0 or not isinstance(self._program.instructions[of[0]], Derive):
            return
        with suppress(NoFact):
            yield from ((entry.instruction, entry.leaf) for entry in self._chains.seen(of[0]))

    def conclusions(self, of: Key) -> Iterator[Key]:
        """The entries that were concluded from one."""
        for number in self._concluding.get(of, ()):
            yield from ((entry.instruction, entry.leaf) for entry in self._program.entries_of(number))

    @cached_property
    def _concluding(self) -> dict[Key, list[int]]:
        found: dict[Key, list[int]] = {}
        for chain in self._chains:
            if isinstance(self._program.instructions[chain.instruction], Derive):
                for key in self._chains.seen_by(*chain):
                    found.setdefault(key, []).append(chain.instruction)
        return found


def _met(accesses: Accesses, number: int, state: Any) -> tuple[Definitions, ...]:
    """What is in force at the places of each read; the names of one entity are judged together."""
    groups: dict[tuple[int, tuple[Segment, ...]], list[Definitions]] = {}
    for found in accesses.reads(number):
        groups.setdefault((found.read, found.below), []).append(state[found.place])
    met: list[set[Definition]] = [set() for _ in accesses.program.instructions[number].reads()]
    for (read, _), group in groups.items():
        met[read] |= accesses.judge.in_force_together(group)
    return tuple(map(frozenset, met))
