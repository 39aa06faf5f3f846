"""Control flow in which every return goes back to the call it belongs to: nodes by the calls that led to them.

A task that is called from several places is gone through once for each *call string*, the last few calls that are open
there (Sharir, Pnueli, "Two approaches to interprocedural data flow analysis", 1981). What one caller hands over does
not come back to another. Of deeper calls the older ones are forgotten, so that recursion ends and is told no finer.
"""

from __future__ import annotations

from functools import cached_property

import attrs

from ..program import Program
from ..terminators import Call, Return
from .cfg import ControlFlow

#: How many open calls tell nodes apart.
DEPTH = 3
#: A graph may become so many times larger by contexts; else calls are told apart by fewer open ones.
MOST_COPIES = 20

#: The blocks of the last open calls, the latest one last.
CallString = tuple[int, ...]
#: A node of the plain graph under a call string.
Place = tuple[int, CallString]


class Contexts(ControlFlow):
    """A control-flow graph with a node for each node of the plain one and each call string under which it is reached.

    The first copy of a node has its number; the others come behind all nodes of the plain graph. `depth` is how many
    open calls were told apart. `roots` are tasks that are entered from outside besides those that no other calls.
    """

    def __init__(
        self, plain: ControlFlow, program: Program, *, depth: int = DEPTH, roots: tuple[str, ...] = ()
    ) -> None:
        self._program = program
        self._call_of = plain.landings
        self.version, self.reorderings = plain.version, 0
        self._landing_of = {call: landing for landing, call in plain.landings.items()}
        entered = [first for task, first in _first_blocks(program).items() if task in roots]
        self._roots = list(dict.fromkeys([*plain.entries, *entered]))
        calls = _Calls(plain, program, self._roots, depth)
        while not calls.explored and calls.depth:
            calls = _Calls(plain, program, self._roots, calls.depth - 1)
        self.depth = calls.depth
        self._number(plain, calls)

    def _number(self, plain: ControlFlow, calls: _Calls) -> None:
        count = len(plain.successors)
        numbers: dict[Place, int] = {}
        #: The nodes of each node of the plain graph, in the order they were met; none for one that nothing reaches.
        self.copies: dict[int, list[int]] = {}
        for place in calls.edges:
            own = self.copies.setdefault(place[0], [])
            numbers[place] = count + len(numbers) - len(self.copies) if own else place[0]
            own.append(numbers[place])
        self._place = {number: place for place, number in numbers.items()}
        self._numbers = numbers
        size = count + len(numbers) - len(self.copies)
        self.successors = [[] for _ in range(size)]
        self.predecessors = [[] for _ in range(size)]
        for place, onward in calls.edges.items():
            for target in onward:
                self.successors[numbers[place]].append(numbers[target])
                self.predecessors[numbers[target]].append(numbers[place])
        for before in self.predecessors:
            before.sort()
        self.ends = {number for number in range(size) if not self.successors[number]}
        self.landings = {
            number: plain.landings[node] for number, (node, _) in self._place.items() if node in plain.landings
        }
        self.changed: set[int] = set()

    def grow(self) -> bool:
        """Never: a graph with calls is made anew."""
        return False

    @cached_property
    def entries(self) -> list[int]:
        """The first blocks of the tasks that are entered from outside."""
        return self._roots

    def block_of(self, node: int) -> int:
        """The block a node belongs to, under whichever calls."""
        own = self.plain(node)
        return self._call_of.get(own, own)

    def executed(self, node: int) -> range:
        """The numbers of the instructions that are executed at a node."""
        own = self.plain(node)
        if own in self._call_of:
            return self._program.landed(self._call_of[own])
        return self._program.executed(own)

    def copies_of(self, node: int) -> list[int]:
        """The nodes of a node of the plain graph."""
        return self.copies.get(node, [node])

    def plain(self, node: int) -> int:
        """The node of the plain graph for which one stands."""
        return self._place[node][0] if node in self._place else node

    def sibling(self, node: int, block: int) -> int:
        """The node of another block of the same body, under the same calls."""
        calls = self._place[node][1] if node in self._place else ()
        return self._numbers.get((block, calls), block)


def _first_blocks(program: Program) -> dict[str, int]:
    first: dict[str, int] = {}
    for number, task in enumerate(program.body):
        first.setdefault(task, number)
    return first


class _Calls:
    """The places that are reached, with the edges from each, as far as there are not too many."""

    def __init__(self, plain: ControlFlow, program: Program, roots: list[int], depth: int) -> None:
        self.depth = depth
        self._plain = plain
        self._program = program
        self._landing_of = {call: landing for landing, call in plain.landings.items()}
        self._body = _Bodies(program)
        self.edges: dict[Place, list[Place]] = {}
        self.explored = self._explore(roots)

    def _explore(self, roots: list[int]) -> bool:
        """Follow control from the roots; whether that came to an end."""
        work: list[Place] = [(root, ()) for root in roots]
        for place in work:
            self.edges.setdefault(place, [])
        most = MOST_COPIES * len(self._plain.successors)
        for place in work:
            if len(self.edges) > most and self.depth:
                return False
            for source, target in self._onward(place):
                if target not in self.edges[source]:
                    self.edges[source].append(target)
                if target not in self.edges:
                    self.edges[target] = []
                    work.append(target)
        return True

    def _onward(self, place: Place) -> list[tuple[Place, Place]]:
        """The edges that a place makes known: its own, or those from returns that were met before the call was."""
        node, calls = place
        block = None if node in self._plain.landings else self._program.blocks[node]
        if block is not None and isinstance(block.terminator, Call):
            return self._call(place, block.terminator.task)
        if block is not None and isinstance(block.terminator, Return):
            frame = self._body.frame(self._program.body[node], calls)
            frame.returns.append(place)
            return [(place, landing) for landing in frame.landings]
        return [(place, (target, calls)) for target in self._plain.successors[node]]

    def _call(self, place: Place, task: str) -> list[tuple[Place, Place]]:
        node, calls = place
        landing = (self._landing_of[node], calls)
        first = self._body.first.get(task)
        if first is None:
            return [(place, landing)]
        inside = (*calls, node)[-self.depth :] if self.depth else ()
        frame = self._body.frame(task, inside)
        frame.landings.append(landing)
        return [(place, (first, inside)), *((one, landing) for one in frame.returns)]


@attrs.frozen
class _Frame:
    """One task under one call string: where it returns from and where to, as far as known."""

    returns: list[Place] = attrs.field(factory=list)
    landings: list[Place] = attrs.field(factory=list)


class _Bodies:
    """The tasks of a program as they are called."""

    def __init__(self, program: Program) -> None:
        self.first = _first_blocks(program)
        self._frames: dict[tuple[str, CallString], _Frame] = {}

    def frame(self, task: str, calls: CallString) -> _Frame:
        return self._frames.setdefault((task, calls), _Frame())
