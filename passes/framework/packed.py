"""Solving an analysis of sets whose methods only put their own cell in or take it out.

What a stretch of a program does is then the same whatever comes to it, and is read off the summary of the program that
all such analyses share. Only segments of several blocks are solved, in bits; everything else is looked up when it is
asked for. Facts that flow backwards cost no more to append to than others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from .analysis import At
from .bits import Bits
from .deltas import Delta, Root
from .keyed import Keyed
from .lattices import Sets
from .lines import Lines
from .meanings import Meanings, NotPacked
from .statistics import Statistics
from .transfer import Graph, Transfer, hears


class Packed:
    """The solution of an analysis whose methods gen and kill. Raises `NotPacked` where they do more."""

    def __init__(self, transfer: Transfer) -> None:
        assert isinstance(transfer.analysis.facts, Sets)
        self._transfer = transfer
        self._graph: Graph = transfer.graph
        self._summary = transfer.graph.summary()
        self._meanings = Meanings(transfer, self._summary.words)
        self._blocks: dict[int, Bits] = {}
        self._solved = 0  # how many segments there were when this was solved
        self._ends: dict[int, Mapping[int, bool]] = {}
        self._sets: Sets[Any] = transfer.analysis.facts
        self.lattice: Keyed[Any, Any] = self._sets
        self.boundary = self.lattice.by_key(transfer.analysis.boundary(self._graph.program))
        self.timelines = Lines(self._summary, self._meanings, self._blocks, forward=transfer.forward)
        self.statistics = Statistics("packed")
        #: Whether the last segment never ends, so that facts that flow backwards have no boundary to begin from.
        self.endless = False
        self._ends = self._ends_now()
        self._solve(0)

    def start(self, segment: int, node: int) -> tuple[Delta, list[int]]:
        """What comes to the stretch that a node lies in, and the nodes to go through from there."""
        if segment not in self._blocks:
            return Delta(Root.BASE, {}), []
        region = self._summary.regions[segment]
        stretch = region.stretch_of[node]
        nodes = region.stretches[stretch] if self._transfer.forward else region.stretches[stretch][::-1]
        through = nodes[: nodes.index(node)]
        if not self._transfer.forward and stretch in region.ends:
            return Delta(Root.BOUNDARY, {}), through  # what the end says is told when it is gone through
        root, changed = self._blocks[segment].delta(stretch)
        cells = self._summary.cells
        told = {cells[place]: holds for place, holds in changed.items()}
        if root is Root.BOUNDARY:
            through_it = self._blocks[segment].unsettled(stretch)
            told |= {cells[place]: self.timelines.holds(place, segment) is True for place in through_it}
        return Delta(root, told), through

    def grow(self, first: int) -> bool:
        """Solve the segments of a grown program from one on, or from the first at whose end another is expected now.

        False where a method was seen only now to do more than it may.
        """
        if self.lattice.by_key(self._transfer.analysis.boundary(self._graph.program)) != self.boundary:
            return False
        segments, before = self._graph.segments, self._ends
        try:
            self._ends = self._ends_now()
        except NotPacked:
            return False
        moved = [node for node, effect in self._ends.items() if before.get(node, effect) != effect]
        again = min([first, *map(segments.of, moved)])
        self.statistics.resolved = len(segments) - again
        for segment in range(again, self._solved):
            self._blocks.pop(segment, None)
        self.timelines.grow(again)
        try:
            self._solve(again)
        except NotPacked:
            return False
        return True

    def _solve(self, first: int) -> None:
        for segment in range(first, len(self._summary)):
            if segment in self._summary.regions:
                self._blocks[segment] = self._block(segment)
                self.timelines.take(segment, self._blocks[segment])
        self._solved = len(self._summary)
        self.statistics.regions = len(self._blocks)
        self._begin(self._solved - 1)
        self._meanings.of(len(self._summary.words.last) - 1)

    def _ends_now(self) -> dict[int, Mapping[int, bool]]:
        if not hears(self._transfer.analysis, "on_end"):
            return {}
        return {node: self._end(node) for node in self._graph.matched.ends if node in self._graph.segments}

    def _block(self, segment: int) -> Bits:
        region = self._summary.regions[segment]
        last = ((stretch, region.stretches[stretch][-1]) for stretch in region.ends)
        ends = {} if self._transfer.forward else {stretch: self._ends.get(node, {}) for stretch, node in last}
        union = self._sets.dominant
        block = Bits(region, self._meanings, ends, forward=self._transfer.forward, union=union)
        self.statistics.visits += block.visits
        return block

    def _begin(self, last: int) -> None:
        """What facts begin from, behind the last segment or before the first."""
        block = self._blocks.get(last)
        self.endless = block is not None and not self._transfer.forward and block.root is Root.LEAST
        self.timelines.unknown = True if self.endless and not self._sets.dominant else None
        members = [] if self.endless else self.boundary
        self.timelines.begin = frozenset(map(self._summary.number, members))
        alone = self._graph.segments.nodes(last)[0] if block is None and last >= 0 else None
        effect = {} if alone is None or self._transfer.forward else self._ends.get(alone, {})
        self.timelines.expected = frozenset(place for place, holds in effect.items() if holds)

    def _end(self, node: int) -> Mapping[int, bool]:
        """What the end of the program at a node puts in and takes out."""
        state = _Written()
        at = At(self._graph.program, self._graph.accesses, self._graph.matched.block_of(node), node=node)
        self._transfer.end(node, state, at)
        return {self._summary.number(member): holds for member, holds in state.written.items()}

    # every block

    def block_ends(self) -> Iterator[tuple[int, frozenset[Any]]]:
        """The sets at the ends of all nodes, by walking along what they change, without replaying events."""
        count, forward = len(self._summary), self._transfer.forward
        now = {self._summary.cells[place] for place in self.timelines.begin}
        for segment in range(count) if forward else reversed(range(count)):
            if segment in self._blocks:
                yield from self._inside(segment, now)
                if self.timelines.is_wall(segment):
                    now &= {self._summary.cells[place] for place in self.timelines.passed_by(segment)}
                self._change(now, self.timelines.of(segment))
                continue
            (node,) = self._graph.segments.nodes(segment)
            if not forward:
                self._change(now, self._ends.get(node, {}).items())
                yield node, frozenset(now)
            self._change(now, self.timelines.of(segment))
            if forward:
                yield node, self._ended(node, now)

    def _inside(self, segment: int, now: set[Any]) -> Iterator[tuple[int, frozenset[Any]]]:
        region, forward, cells = self._summary.regions[segment], self._transfer.forward, self._summary.cells
        for number, stretch in enumerate(region.stretches):
            root, changed = self._blocks[segment].delta(number)
            through = self._blocks[segment].unsettled(number) if root is Root.BOUNDARY else []
            kept = {cells[place] for place in through if cells[place] in now}
            found = set(now) if root is Root.BASE else kept
            self._change(found, changed.items())
            for node in stretch if forward else reversed(stretch):
                if not forward:
                    yield node, frozenset(found)
                self._change(found, self._changes(node))
                if forward:
                    yield node, self._ended(node, found)

    def _ended(self, node: int, found: set[Any]) -> frozenset[Any]:
        """The set at the end of a node, forwards, with what the end of the program does there."""
        effect = self._ends.get(node)
        if not effect:
            return frozenset(found)
        ended = set(found)
        self._change(ended, effect.items())
        return frozenset(ended)

    def _changes(self, node: int) -> Iterator[tuple[int, bool]]:
        for place, word in self._summary.spell([node]).items():
            holds = self._meanings.of(word)
            if holds is not None:
                yield place, holds

    def _change(self, now: set[Any], changes: Iterable[tuple[int, bool]]) -> None:
        cells = self._summary.cells
        for place, holds in changes:
            if holds:
                now.add(cells[place])
            else:
                now.discard(cells[place])


class _Written:
    """The state that the end of a program is told to: it can only be written."""

    def __init__(self) -> None:
        self.written: dict[Any, bool] = {}

    def gen(self, member: Any) -> None:
        """A member is put in."""
        self.written[member] = True

    def kill(self, member: Any) -> None:
        """A member is taken out."""
        self.written[member] = False

    def _read(self, *_: Any) -> Any:
        raise NotPacked("the end reads its state")

    def __getattr__(self, name: str) -> Any:
        raise NotPacked(f"the end reads its state: .{name}")

    __contains__ = __iter__ = __len__ = __bool__ = _read
