"""Solving an analysis of sets whose methods only gen and kill: the effect of a node is the same whatever comes to it.

So each segment is looked at once, in any order, and facts that flow backwards cost no more to append to than others.
Inside a segment members have numbers of its own and sets are bits of an integer; that keeps them short however many
members a program has.
"""

from __future__ import annotations

from typing import Any

from .bits import Block
from .deltas import Delta, Root
from .effects import Effect, Effects, NotPacked
from .lattices import Keyed, Sets
from .statistics import Statistics
from .timelines import Timelines
from .transfer import Graph, Transfer
from .ways import Ways


class Packed:
    """The solution of an analysis that gens and kills, as what each segment changes."""

    def __init__(self, transfer: Transfer) -> None:
        assert isinstance(transfer.analysis.facts, Sets)
        self._transfer = transfer
        self._graph: Graph = transfer.graph
        self._effects = Effects(transfer)
        self._ends: dict[int, Effect] = {}
        self._blocks: dict[int, Block] = {}
        self._sets: Sets[Any] = transfer.analysis.facts
        self.lattice: Keyed[Any, Any] = self._sets
        self.boundary = self.lattice.by_key(transfer.analysis.boundary(self._graph.program))
        self.timelines: Timelines[Any, bool] = Timelines(self.boundary, forward=transfer.forward)
        self.statistics = Statistics("packed")
        #: Whether the last segment never ends, so that facts that flow backwards have no boundary to begin from.
        self.endless = False
        self._solve(0)

    def inside(self, segment: int, node: int) -> Delta | None:
        """What comes to a node of a segment that is more than a straight block, as changes to what comes into that."""
        return self._blocks[segment].delta(node) if segment in self._blocks else None

    def grow(self, first: int) -> bool:
        """Solve the segments of a grown program from one on, or from the first at whose end another is expected now.

        False where a method was seen only now to look at more than it may.
        """
        try:
            self._grow(first)
        except NotPacked:
            return False
        return True

    def _grow(self, first: int) -> None:
        self._effects.grow()
        self._ends = {node: effect for node, effect in self._ends.items() if not self._graph.flow.successors[node]}
        moved = [node for node, effect in self._ends.items() if self._effects.end(node) != effect]
        first = min([first, len(self.timelines), *(self._graph.segments.of(node) for node in moved)])
        self.statistics.resolved = len(self._graph.segments) - first
        if first < len(self.timelines):
            self.endless, self.timelines.boundary = False, self.boundary
        for segment in range(first, len(self.timelines)):
            self._blocks.pop(segment, None)
        self.timelines.cut(first)
        self._solve(first)

    def _solve(self, first: int) -> None:
        segments = self._graph.segments
        for segment in range(first, len(segments)):
            if segments.is_straight(segment):
                self.statistics.visits += 1
                self.timelines.put(self._effect(segments.nodes(segment)[0]))
            else:
                self.timelines.put(self._region(segment))

    def _effect(self, node: int) -> dict[Any, bool]:
        if not self._graph.flow.successors[node]:
            self._ends[node] = self._effects.end(node)
        return self._effects.node(node)

    def _region(self, segment: int) -> dict[Any, bool]:
        nodes = self._graph.segments.nodes(segment)
        effects = {node: self._effect(node) for node in nodes}
        ways = Ways.of(self._graph, segment, forward=self._transfer.forward)
        block = self._blocks[segment] = Block(ways, effects, dominant=self._sets.dominant)
        self.statistics.visits += block.visits
        self.statistics.regions += 1
        leaving = block.leaving()
        if leaving.root is Root.LEAST and not self._sets.dominant:
            self.endless, self.timelines.boundary = True, {}
        return dict(leaving.changed)
