"""Carrying a state through the events of blocks, in the direction of an analysis."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence, Set
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

import attrs

from statemem.ir import Bind, Cell, ControlFlow, Effect, Instruction, Mode, Program, Same
from statemem.ir.flow.segments import Segments
from statemem.ir.meaning.resolve import PlaceWrite

from .accesses import Accesses
from .analysis import Analysis, At, Direction, NeededFacts
from .horizon import Horizon
from .summary import Summary

if TYPE_CHECKING:
    from .solution import Solution

_METHODS = {
    "_reads": ("on_read",),
    "_writes": ("on_write", "on_fill", "on_delete", "on_scope_end"),
    "_others": ("on_bind", "on_unite", "on_effect"),
}


@attrs.frozen
class Graph:
    """A program with what its analyses share: control flow, segments, accesses, and what is known of the future.

    `flow` has a node a block; in `matched`, over which is solved and which is cut into segments, every return goes back
    to its call, so that blocks of tasks have a node for each of the calls that lead to them.
    """

    program: Program
    flow: ControlFlow
    matched: ControlFlow
    segments: Segments
    accesses: Accesses
    horizon: Horizon
    _summaries: list[Summary] = attrs.field(factory=list, init=False, repr=False, eq=False)

    def summary(self) -> Summary:
        """What happens at every place, made when it is first asked for."""
        if not self._summaries:
            self._summaries.append(Summary(self.matched, self.segments, self.accesses))
        return self._summaries[0]

    @property
    def reached(self) -> list[int]:
        """The nodes of `flow` that can be reached, in order."""
        return list(dict.fromkeys(map(self.matched.plain, self.segments.order)))

    def grow(self, first: int) -> None:
        """Take in that the program has grown and is as it was before a segment."""
        self.accesses.cut(first)
        for summary in self._summaries:
            summary.grow(first)


@attrs.define
class Following:
    """A state and the iterator that moves it on; ask for the state anew at every point."""

    state: Any
    points: Iterator[At]


def hears(analysis: Analysis, *methods: str) -> bool:
    """Whether an analysis gave any of some methods."""
    return any(getattr(type(analysis), method) is not getattr(Analysis, method) for method in methods)


class Transfer:
    """Carries a state of one analysis through nodes, event by event."""

    def __init__(self, analysis: Analysis, graph: Graph, needed: dict[type, Solution]) -> None:
        self.analysis = analysis
        self.graph = graph
        self._program = graph.program
        self.needed = needed
        self.forward = analysis.direction is Direction.FORWARD
        self._events = self._heard()

    def _heard(self) -> Sequence[Callable[[int, Any, At], None]]:
        """The groups of events for which the analysis gave a method; those nobody hears are not made."""
        if hears(self.analysis, "transfer"):
            return [self._whole]
        groups = (self._reads, self._writes, self._others)
        heard = [happen for happen in groups if hears(self.analysis, *_METHODS[happen.__name__])]
        return heard if self.forward else heard[::-1]

    def node(self, node: int, state: Any) -> Iterator[At]:
        """Carries a state through a node, stopping before each instruction (backwards: after it) and at its end.

        The states of needed passes move in step and stand in `At.facts`.
        """
        flow = self.graph.matched
        followed = {one: solution.at_node(node) for one, solution in self.needed.items()}
        facts = NeededFacts(self.analysis.name, {one: following.state for one, following in followed.items()})
        at = At(self._program, self.graph.accesses, flow.block_of(node), node=node, facts=facts)
        numbers = flow.executed(node)
        if not self.forward:
            self.end(node, state, at)
        for number in numbers if self.forward else reversed(numbers):
            _advance(followed)
            at.number = number
            yield at
            self.instruction(number, state, at)
        at.number = None
        if self.forward:
            self.end(node, state, at)
        _advance(followed)
        yield at

    def through(self, node: int, state: Any) -> None:
        """Carries a state through a node."""
        for _ in self.node(node, state):
            pass

    def instruction(self, number: int, state: Any, at: At) -> None:
        """The events of one instruction: reads before writes, and exactly the reverse backwards."""
        for happen in self._events:
            happen(number, state, at)

    def _whole(self, number: int, state: Any, at: At) -> None:
        instruction = self._program.instructions[number]
        with state.maybe() if instruction.maybe else nullcontext():
            self.analysis.transfer(instruction, state, at)

    def _reads(self, number: int, state: Any, at: At) -> None:
        reads = self.graph.accesses.reads(number)
        for read in reads if self.forward else reversed(reads):
            at.was = read.was
            if read.definite:
                self.analysis.on_read(read.place, read.how, state, at)
            else:
                with state.maybe():
                    self.analysis.on_read(read.place, read.how, state, at)
        at.was = None

    def _writes(self, number: int, state: Any, at: At) -> None:
        writes = self.graph.accesses.writes(number)
        for write in writes if self.forward else reversed(writes):
            at.write = write
            if write.definite:
                self.written(write, state, at)
            else:
                with state.maybe():
                    self.written(write, state, at)
        at.write = None

    def written(self, write: PlaceWrite, state: Any, at: At) -> None:
        """The event of one write that happens."""
        self.write_event(write.place, write.mode, state, at)

    def write_event(self, place: Cell, mode: Mode, state: Any, at: At) -> None:
        """Calls the method for a write of one mode."""
        if mode is Mode.END:
            self.analysis.on_scope_end(place, state, at)
        elif mode is Mode.DELETE:
            self.analysis.on_delete(place, state, at)
        elif mode is Mode.FILL:
            self.analysis.on_fill(place, state, at)
        else:
            self.analysis.on_write(place, mode, state, at)

    def _others(self, number: int, state: Any, at: At) -> None:
        instruction = self._program.instructions[number]
        with state.maybe() if instruction.maybe else nullcontext():
            self.other(instruction, state, at)

    def other(self, instruction: Instruction, state: Any, at: At) -> None:
        """What one instruction does besides reading and writing."""
        if isinstance(instruction, Bind):
            self.analysis.on_bind(instruction.reference, instruction.target, state, at)
        elif isinstance(instruction, Same):
            self.analysis.on_unite(instruction.left, instruction.right, state, at)
        elif isinstance(instruction, Effect):
            self.analysis.on_effect(instruction.action, state, at)

    def edge(self, source: int, target: int, state: Any) -> None:
        """The event of control that goes along an edge."""
        flow = self.graph.matched
        at = At(self._program, self.graph.accesses, flow.block_of(source), node=source)
        self.analysis.on_edge(flow.block_of(source), flow.block_of(target), state, at)

    def at_join(self, node: int, arms: Sequence[Set[int]]) -> At:
        """The point where the arms of a fork, by their instructions, come together."""
        return At(self._program, self.graph.accesses, self.graph.matched.block_of(node), node=node, arms=arms)

    def end(self, node: int, state: Any, at: At) -> None:
        """A node from which control goes nowhere: the program ends."""
        at.number = None
        if not self.graph.matched.successors[node] and hears(self.analysis, "on_end"):
            horizon, places = self.graph.horizon, self.graph.accesses.places
            at.closes = horizon.speaks_of_all(self._program, at.block_number)
            self.analysis.on_end(horizon.expected(self._program, at.block_number, places), state, at)


def _advance(followed: dict[type, Following]) -> None:
    for following in followed.values():
        next(following.points)
