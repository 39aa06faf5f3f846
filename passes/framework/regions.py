"""Solving one segment that is more than a straight block: a worklist over its nodes.

The worklist is a row of dirty marks, swept in the order facts flow: reverse post-order forwards, its reverse backwards
(Cooper, Harvey, Kennedy, "Iterative data-flow analysis, revisited", 2004).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Any

from .deltas import Delta, Deltas, Root
from .errors import Unsettled
from .forking import Forked, arms_of
from .transfer import Graph, Transfer, hears
from .ways import Ways

#: A node is visited at most this often, and once more for each other node of its segment, before the analysis is
#: reported as one that does not settle.
MOST_VISITS = 1_000


class Region:
    """The facts at the nodes of one segment, told as changes to what comes into it.

    `arriving` is what comes to each node, in the direction of the analysis; `leaving` what goes on from the segment.
    """

    def __init__(self, transfer: Transfer, deltas: Deltas[Any, Any], segment: int) -> None:
        self._transfer = transfer
        self._graph: Graph = transfer.graph
        self._deltas = deltas
        self._ways = Ways.of(self._graph, segment, forward=transfer.forward)
        is_told = transfer.forward and hears(transfer.analysis, "on_join")
        self._arms = arms_of(self._graph, self._ways.nodes) if is_told else {}
        self._moves = hears(transfer.analysis, "on_edge")
        self._left: dict[int, Delta] = {}
        self.arriving: dict[int, Delta] = {}
        self.visits = 0

    def solve(self) -> Delta:
        """The least solution; what goes on from the segment.

        Raises `Unsettled` where a node is visited more often than facts that only grow can make it.
        """
        order = self._ways.nodes
        dirty = dict.fromkeys(order, True)
        counts = dict.fromkeys(order, 0)
        while any(dirty.values()):
            for node in order:
                if dirty[node]:
                    dirty[node] = False
                    counts[node] += 1
                    self._check(node, counts[node])
                    if self._visit(node):
                        dirty.update(dict.fromkeys(self._ways.onward[node], True))
        self.visits = sum(counts.values())
        return self._leaving()

    def _visit(self, node: int) -> bool:
        """Solve one node from what arrives; whether what leaves it changed."""
        arriving = self.arriving[node] = self._arrival(node)
        state = self._deltas.open(arriving)
        self._transfer.through(node, state)
        leaving = Delta(arriving.root, self._deltas.lattice.changes(state))
        known = self._left.get(node)
        if known is not None and self._deltas.leq(leaving, known):
            return False
        self._left[node] = leaving
        return True

    def _arrival(self, node: int) -> Delta:
        """What comes to a node: from inside the segment, from before it, from an end."""
        found = self._coming(node, self._ways.sources[node])
        if node in self._ways.begins:
            found.append(self._begin(node))
        return reduce(self._deltas.join, found) if found else Delta(Root.LEAST, {})

    def _coming(self, node: int, sources: list[int]) -> list[Delta]:
        """What comes to a node along edges; where it is the join of a fork, from all arms together."""
        forked = self._arms.get(node)
        others = sources if forked is None else forked.others(sources)
        found = [self._along(source, node) for source in others if source in self._left]
        if forked is not None and forked.fork in self._left:
            found += self._joined(forked, node)
        return found

    def _begin(self, node: int) -> Delta:
        """What comes to a node from outside the segment; backwards along an edge from the next one."""
        begin, beyond = Delta(self._ways.begins[node], {}), self._ways.beyond
        comes_back = self._moves and not self._transfer.forward and begin.root is Root.BASE and beyond is not None
        return self._move(begin, beyond, node) if comes_back and beyond is not None else begin

    def _joined(self, forked: Forked, node: int) -> list[Delta]:
        """What comes from the arms of a fork to its join: all of them were executed."""
        known = [(arm, [self._along(one, node) for one in arm.leads if one in self._left]) for arm in forked.arms]
        left = [reduce(self._deltas.join, found) for _, found in known if found]
        if not left:
            return []
        at = self._transfer.at_join(node, [arm.numbers for arm, found in known if found])

        def joined(key: Any, before: Any, arms: Sequence[Any]) -> Any:
            at.key = key
            return self._transfer.analysis.on_join(before, arms, at)

        return [self._deltas.at_join(joined, self._left[forked.fork], left)]

    def _along(self, source: int, node: int) -> Delta:
        """What leaves a node, moved along an edge."""
        leaving = self._left[source]
        return self._move(leaving, source, node) if self._moves else leaving

    def _move(self, leaving: Delta, source: int, node: int) -> Delta:
        state = self._deltas.open(leaving)
        edge = (source, node) if self._transfer.forward else (node, source)
        self._transfer.edge(*edge, state)
        return Delta(leaving.root, self._deltas.lattice.changes(state))

    def _leaving(self) -> Delta:
        """What goes on to the next segment; forwards along its edges, backwards from its one way in."""
        if not self._transfer.forward:
            return self._left[self._ways.leads[0]]
        beyond = self._ways.beyond
        out = [] if beyond is None else self._coming(beyond, self._ways.leads)
        return reduce(self._deltas.join, out) if out else Delta(Root.BASE, {})

    def _check(self, node: int, visits: int) -> None:
        if visits <= MOST_VISITS + len(self._ways.nodes):
            return
        block = self._graph.program.blocks[self._graph.matched.block_of(node)].name
        name = self._transfer.analysis.name
        raise Unsettled(f"pass {name!r} does not settle at block {block!r}: its facts keep changing")
