"""Solving an analysis of sets whose methods only gen and kill: the effect of a node is the same whatever comes to it.

So each segment is looked at once, in any order, and facts that flow backwards cost no more to append to than others.
Inside a segment members have numbers of its own and sets are bits of an integer; that keeps them short however many
members a program has.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from .bits import Block
from .deltas import Delta, Root
from .effects import Effect, Effects
from .lattices import Keyed, Sets
from .lines import Lines
from .statistics import Statistics
from .transfer import Graph, Transfer
from .verbs import NotPacked
from .ways import Ways


class Packed:
    """The solution of an analysis that gens and kills, as what each segment changes.

    Members are numbers inside.
    """

    def __init__(self, transfer: Transfer) -> None:
        assert isinstance(transfer.analysis.facts, Sets)
        self._forward = transfer.forward
        self._graph: Graph = transfer.graph
        self._effects = Effects(transfer)
        self._ends: dict[int, Effect] = {}
        self._blocks: dict[int, Block] = {}
        self._sets: Sets[Any] = transfer.analysis.facts
        self.lattice: Keyed[Any, Any] = self._sets
        self.boundary = self.lattice.by_key(transfer.analysis.boundary(self._graph.program))
        numbering = self._effects.numbering
        self._begin = frozenset(map(numbering.number, self.boundary))
        self.timelines = Lines(self._begin, numbering, forward=self._forward)
        self.statistics = Statistics("packed")
        #: Whether the last segment never ends, so that facts that flow backwards have no boundary to begin from.
        self.endless = False
        self._solve(0)

    def inside(self, segment: int, node: int) -> Delta | None:
        """What comes to a node of a segment that is more than a straight block, as changes to what comes into that."""
        if segment not in self._blocks:
            return None
        root, changed = self._blocks[segment].delta(node)
        return Delta(root, self._effects.numbering.named(changed))

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
            self.endless, self.timelines.begin = False, self._begin
        for segment in range(first, len(self.timelines)):
            self._blocks.pop(segment, None)
        self.timelines.cut(first)
        self._solve(first)

    def _solve(self, first: int) -> None:
        segments = self._graph.segments
        for segment in range(first, len(segments)):
            nodes = segments.nodes(segment)
            if segments.is_straight(segment):
                self.statistics.visits += 1
                self.timelines.put(self._effect(nodes[0]))
            else:
                self.timelines.put(self._region(segment, nodes))

    def _effect(self, node: int) -> dict[int, bool]:
        if not self._graph.flow.successors[node]:
            self._ends[node] = self._effects.end(node)
        return self._effects.node(node)

    def _region(self, segment: int, nodes: list[int]) -> Mapping[int, bool]:
        effects = {node: self._effect(node) for node in nodes}
        ways = Ways.of(self._graph, segment, forward=self._forward)
        block = self._blocks[segment] = Block(ways, effects, dominant=self._sets.dominant)
        self.statistics.visits += block.visits
        self.statistics.regions += 1
        leaving = block.leaving()
        if leaving.root is Root.LEAST and not self._sets.dominant:
            self.endless, self.timelines.begin = True, frozenset()
        return leaving.changed

    def block_ends(self) -> Iterator[tuple[int, frozenset[Any]]]:
        """The sets at the ends of all nodes, by walking along what the nodes change, without replaying them."""
        members = self._effects.numbering.members
        now = set(self.timelines.begin)

        count = len(self._graph.segments)
        for segment in range(count) if self._forward else reversed(range(count)):
            nodes = self._graph.segments.nodes(segment)
            block = self._blocks.get(segment)
            if block is not None:
                for node in nodes:
                    yield node, members(self._at_end(node, block, now))
                _change(now, self.timelines.of(segment))
                continue
            if self._forward:
                _change(now, self.timelines.of(segment))
            yield nodes[0], members(_changed(now, self._ends.get(nodes[0])) if not self._forward else now)
            if not self._forward:
                _change(now, self.timelines.of(segment))

    def _at_end(self, node: int, block: Block, now: set[int]) -> set[int]:
        """The set at the end of a node inside a segment."""
        root, changed = block.delta(node)
        found = _changed(now if root is Root.BASE else (), changed)
        return _changed(found, block.effects[node] if self._forward else self._ends.get(node))


def _change(now: set[int], changes: Mapping[int, bool]) -> None:
    for number, holds in changes.items():
        if holds:
            now.add(number)
        else:
            now.discard(number)


def _changed(now: Iterable[int], changes: Mapping[int, bool] | None) -> set[int]:
    found = set(now)
    _change(found, changes or {})
    return found
