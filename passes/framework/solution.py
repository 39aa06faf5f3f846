"""Solutions: the facts of one analysis on one version of a program, made inside blocks on demand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from statemem.ir import Program

from .analysis import Analysis, At, Direction
from .errors import NoFact
from .points import After, Before, BlockEnd, BlockStart, Point, node_of
from .solver import Boundaries, Following, Graph, Transfer


class Solution:
    """What an analysis found. Facts are kept at the ends of chains and replayed in between.

    `fact(point)` replays one chain up to the point; to look at many points, `walk` once.
    """

    def __init__(self, analysis: Analysis, graph: Graph, needed: dict[type, Solution], bounds: Boundaries) -> None:
        self.analysis = analysis
        self.graph = graph
        self.program: Program = graph.program
        self.version = graph.flow.version
        self.visits = bounds.visits
        self._needed = needed
        self._bounds = bounds
        self._forward = analysis.direction is Direction.FORWARD
        self._chain_of = {node: number for number, chain in enumerate(graph.flow.chains) for node in chain}

    def fact(self, point: Point) -> Any:
        """The fact at a point. Raises `NoFact` where the point is not reached, or the program has changed."""
        self._check_exists(point)
        node = node_of(point, self.graph.flow)
        chain = self._check(node)
        if self._forward and isinstance(point, BlockEnd) and node == self.graph.flow.chains[chain][-1]:
            return self._bounds.exit[chain]
        stop = self._stop(point, node)
        following = self.follow(self.graph.flow.chains[chain])
        for at in following.points:
            if (at.node, at.number) == stop:
                return following.state.freeze()
        return following.state.freeze()

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

    def block_ends(self) -> dict[int, Any]:
        """The fact at the end of every block that is reached, by block, from one walk."""
        found: dict[int, Any] = {}
        for at, state in self.walk():
            is_first = at.node == at.block_number and at.node not in found
            if is_first and (at.number is None or not self._forward):
                found[at.node] = state.freeze()
        return dict(sorted(found.items()))

    def walk(self) -> Iterator[tuple[At, Any]]:
        """Every point with the state there, chain by chain in the order facts flow.

        Points lie before each instruction and at the end of each block; backwards after each instruction and at the
        start of each block. The state is the one being worked on: look at it, do not keep it.
        """
        self._check_version()
        chains = self.graph.flow.chains
        for chain in chains if self._forward else reversed(chains):
            following = self.follow(chain)
            for at in following.points:
                if at.number is not None or at.node == at.block_number:  # a landing is no block that ends
                    yield at, following.state

    def follow(self, chain: list[int]) -> Following:
        """The state at the begin of a chain, backwards at its end, and the points it is moved through."""
        number = self._chain_of[chain[0]]
        start = self._bounds.entry[number] if self._forward else self._bounds.exit[number]
        state = self.analysis.facts.open(start)
        return Following(state, Transfer(self.analysis, self.graph, self._needed).chain(chain, state))

    def _stop(self, point: Point, node: int) -> tuple[int, int | None]:
        """The stop of the replay that stands for a point: the node and instruction it names."""
        numbers = self.graph.flow.executed(node)
        first, end = numbers.start, numbers.stop
        if isinstance(point, BlockStart):
            return (node, first) if self._forward and end > first else (node, None)
        if isinstance(point, BlockEnd):
            return (node, None) if self._forward else (node, end - 1 if end > first else None)
        return node, self._stop_at(point, first, end)

    def _stop_at(self, point: Before | After, first: int, end: int) -> int | None:
        number = point.instruction
        if isinstance(point, Before) == self._forward:
            return number
        number += 1 if self._forward else -1
        return number if first <= number < end else None

    def _check_exists(self, point: Point) -> None:
        known = self.program.blocks if isinstance(point, (BlockStart, BlockEnd)) else self.program.instructions
        if not 0 <= point[0] < len(known):
            raise NoFact(f"the program has no {point}; it has {len(known)} such places")

    def _check(self, node: int) -> int:
        self._check_version()
        if node not in self._chain_of:
            name = self.program.blocks[self.graph.flow.block_of(node)].name
            raise NoFact(f"block {name!r} cannot be reached, so {self.analysis.name} says nothing of it")
        return self._chain_of[node]

    def _check_version(self) -> None:
        if self.version != self.program.version:
            raise NoFact(f"the program has changed since {self.analysis.name} was solved; solve it again")
