"""Solutions: the facts of one analysis on one version of a program, made on demand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from statemem.ir import Program

from .analysis import Analysis, At, Direction
from .deltas import Delta, Deltas
from .differences import Difference, difference
from .errors import NoFact
from .lattices import Sets
from .packed import Packed
from .points import After, Before, BlockEnd, BlockStart, Point, at_event, at_step, node_of
from .solver import Solved
from .statistics import Statistics
from .together import together
from .transfer import Following, Graph, Transfer
from .witness import BUDGET, GaveUp, Witness, witness


class Solution:
    """What an analysis found. What each segment of the program changes is kept, and replayed inside blocks.

    `fact(point)` gives the whole fact at a point and `holds(member, point)` tells of one member alone, which is
    cheaper; to look at many points, `walk` once.
    """

    def __init__(self, analysis: Analysis, graph: Graph, needed: dict[type, Solution], solved: Solved) -> None:
        self.analysis = analysis
        self.graph = graph
        self.program: Program = graph.program
        self.version = graph.program.version
        self._solved = solved
        self.transfer = Transfer(analysis, graph, needed)
        self.forward = analysis.direction is Direction.FORWARD

    @property
    def statistics(self) -> Statistics:
        """How the solution came about."""
        return self._solved.statistics

    def grow(self, first: int) -> bool:
        """Take in that the program has grown and is as it was before a segment; False where this one cannot."""
        is_grown = self._solved.grow(first)
        if is_grown:
            self.version = self.program.version
        return is_grown

    # one point

    def fact(self, point: Point) -> Any:
        """The fact at a point. Raises `NoFact` where the point is not reached, or the program has changed."""
        return self._state(point).freeze()

    def holds(self, member: Any, point: Point) -> bool:
        """Whether a member is in the set that holds at a point. Raises as `fact` does."""
        return member in self._state(point)

    def value(self, key: Any, point: Point) -> Any:
        """What a map holds of one key at a point. Raises as `fact` does."""
        return self._state(point)[key]

    def before(self, instruction: int) -> Any:
        """The fact before an instruction."""
        return self.fact(Before(instruction))

    def after(self, instruction: int) -> Any:
        """The fact after an instruction."""
        return self.fact(After(instruction))

    def at_start(self, block: int) -> Any:
        """The fact at the start of a block."""
        return self.fact(BlockStart(block))

    def at_end(self, block: int) -> Any:
        """The fact at the end of a block."""
        return self.fact(BlockEnd(block))

    def at(self, *, step: int | None = None, event: str | None = None) -> Any:
        """The fact at the end of a step of the log, or after an event of it. Raises `NoFact` where there is none."""
        if event is not None:
            return self.fact(at_event(self.program, event))
        found = None if step is None else at_step(self.program, step)
        if found is None:
            raise NoFact(f"the log has no step {step}" if step is not None else "name a step or an event")
        return self.fact(found)

    def diff(self, one: Point, other: Point) -> Difference:
        """What holds at one of two points and not at the other."""
        return difference(self.fact(one), self.fact(other))

    def why(self, member: Any, point: Point, *, budget: int = BUDGET) -> Witness | GaveUp | None:
        """Why a member is in the set that holds at a point: what made it, and on which way. None where it is not in.

        Raises `NoFact` where the point is not reached, `PassError` for an analysis whose facts are no sets.
        """
        return witness(self, member, point, budget=budget) if self.holds(member, point) else None

    def why_not(self, member: Any, point: Point, *, budget: int = BUDGET) -> Witness | GaveUp | None:
        """Why a member is not in the set that holds at a point: what unmade it. None where it is in."""
        return None if self.holds(member, point) else witness(self, member, point, budget=budget)

    def _state(self, point: Point) -> Any:
        """The state at a point, replayed from where facts come into its node."""
        self._check_exists(point)
        node = node_of(point, self.graph.flow)
        return self._stopped(self.follow(node), self.stop(point, node))

    def state_at(self, point: Point, node: int) -> Any:
        """The state at a point, in one of the nodes in which it lies."""
        return self._stopped(self.at_node(node), self.stop(point, node))

    def _stopped(self, following: Following, stop: int | None) -> Any:
        for at in following.points:
            if at.number == stop:
                break
        return following.state

    def nodes_at(self, point: Point) -> list[int]:
        """The nodes in which a point lies: one, or one for each of the calls that led to it."""
        return self.graph.matched.copies_of(node_of(point, self.graph.flow))

    # many points

    def block_ends(self) -> dict[int, Any]:
        """The fact at the end of every block that is reached, by block, from one walk."""
        if isinstance(self._solved, Packed) and not self._solved.endless and self.graph.matched is self.graph.flow:
            self._check_version()
            ends = self._solved.block_ends()
            return {node: fact for node, fact in sorted(ends) if node < len(self.program.blocks)}
        found: dict[int, Any] = {}
        for at, state in self.walk():
            is_first = at.node == at.block_number and at.node not in found
            if is_first and (at.number is None or not self.forward):
                found[at.node] = state.freeze()
        return dict(sorted(found.items()))

    def walk(self) -> Iterator[tuple[At, Any]]:
        """Every point with the state there, in the order facts flow.

        Points lie before each instruction and at the end of each block; backwards after each instruction and at the
        start of each block. The state is the one being worked on: look at it, do not keep it.
        """
        self._check_version()
        if self.graph.matched is not self.graph.flow:
            yield from self._walk_together()
            return
        segments, solved = self.graph.segments, self._solved
        now = dict(solved.timelines.boundary)
        for segment in range(len(segments)) if self.forward else reversed(range(len(segments))):
            deltas = Deltas(solved.lattice, solved.boundary, now, endless=solved.endless)
            nodes = segments.nodes(segment)
            last, state = -1, None
            for node in nodes if self.forward else reversed(nodes):
                start, through = solved.start(segment, node)
                if not through or through[-1] != last:
                    state = self._opened(deltas, start, through)
                last = node
                for at in self.transfer.node(node, state):
                    if at.number is not None or at.node == at.block_number:  # a landing is no block that ends
                        yield at, state
            self._keep(now, solved.timelines, segment)
            self._move(now, solved.timelines.changes(segment))

    def _walk_together(self) -> Iterator[tuple[At, Any]]:
        """As `walk`, where nodes stand for one block under different calls: what holds under any of them."""
        matched, order = self.graph.matched, self.graph.segments.order
        for node in dict.fromkeys(map(matched.plain, order if self.forward else reversed(order))):
            following = self.follow(node)
            for at in following.points:
                if at.number is not None or at.node == at.block_number:
                    yield at, following.state

    def _keep(self, now: dict[Any, Any], timelines: Any, segment: int) -> None:
        """Of what came into a segment, what is left behind it where that is little."""
        if timelines.is_wall(segment):
            kept = {timelines.summary.cells[place] for place in timelines.passed_by(segment)}
            for key in [key for key in now if key not in kept]:
                del now[key]

    def _move(self, now: dict[Any, Any], changes: dict[Any, Any]) -> None:
        """What holds behind a segment; a set does not name what it lacks."""
        is_dropped = isinstance(self.analysis.facts, Sets) and not self._solved.endless
        for key, value in changes.items():
            if is_dropped and not value:
                now.pop(key, None)
            else:
                now[key] = value

    def follow(self, node: int) -> Following:
        """The state where facts come into a block or landing, and the points it is moved through.

        Where it has several nodes, under different calls, the state is the join of theirs, point by point.
        """
        copies = [one for one in self.graph.matched.copies_of(node) if one in self.graph.segments]
        if len(copies) < 2:
            return self.at_node(node)
        return together([self.at_node(one) for one in copies], self.analysis, self.transfer.needed)

    def at_node(self, node: int) -> Following:
        """The state where facts come into one node, and the points it is moved through."""
        segment = self._segment(node)
        solved = self._solved
        base = solved.timelines.at(segment)
        deltas = Deltas(solved.lattice, solved.boundary, base, endless=solved.endless)
        state = self._opened(deltas, *solved.start(segment, node))
        return Following(state, self.transfer.node(node, state))

    def _opened(self, deltas: Deltas[Any, Any], start: Delta, through: list[int]) -> Any:
        """The state at the end of some nodes, from a place where it is known."""
        state = deltas.open(start)
        for node in through:
            self.transfer.through(node, state)
        return state

    def stop(self, point: Point, node: int) -> int | None:
        """The stop of the replay that stands for a point: the instruction it names, None at the far end."""
        numbers = self.graph.matched.executed(node)
        if isinstance(point, BlockStart):
            return numbers.start if self.forward and numbers else None
        if isinstance(point, BlockEnd):
            return numbers.stop - 1 if not self.forward and numbers else None
        number = point.instruction
        if isinstance(point, Before) != self.forward:
            number += 1 if self.forward else -1
        return number if number in numbers else None

    def _check_exists(self, point: Point) -> None:
        known = self.program.blocks if isinstance(point, (BlockStart, BlockEnd)) else self.program.instructions
        if not 0 <= point[0] < len(known):
            raise NoFact(f"the program has no {point}; it has {len(known)} such places")

    def _segment(self, node: int) -> int:
        self._check_version()
        if node not in self.graph.segments:
            name = self.program.blocks[self.graph.matched.block_of(node)].name
            raise NoFact(f"block {name!r} cannot be reached, so {self.analysis.name} says nothing of it")
        return self.graph.segments.of(node)

    def _check_version(self) -> None:
        if self.version != self.program.version:
            raise NoFact(f"the program has changed since {self.analysis.name} was solved; solve it again")
