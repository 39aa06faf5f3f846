"""A solver that is plainly right: whole facts at every node, gone round until nothing changes.

No segments, no packed sets, no changes over a base, nothing carried on: the peer of the solver of the framework.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..framework import Analysis, DualPowerset, Manager, MapOf, Solution
from ..framework.transfer import Graph, Transfer
from .needs import solutions_needed

#: How often all nodes are gone round before the analysis is given up as one that does not settle.
MOST_ROUNDS = 500


def naive_solution(one: Analysis, manager: Manager) -> dict[int, Any]:
    """What comes to every node that is reached, in the direction of the analysis. Forks are joined as branches are."""
    graph = manager.graph
    needed = solutions_needed(one, manager)
    everything = frozenset(graph.accesses.places).union(*_sets(manager.solve(one)))
    return _Naive(one, graph, Transfer(one, graph, needed), everything).solve()


def _sets(solution: Solution) -> Iterator[frozenset[Any]]:
    """The facts of a solution that are sets: what they speak of, together with all places, is everything there is."""
    return (fact for fact in solution.block_ends().values() if isinstance(fact, frozenset))


def _bottom(one: Analysis) -> Any:
    """The least fact; of a map, one that names no key, which is the least where its default is that of its values."""
    if isinstance(one.facts, MapOf):
        return {}
    return _NOTHING if one.facts.bottom is None else one.facts.bottom


class _Naive:
    def __init__(self, one: Analysis, graph: Graph, transfer: Transfer, everything: frozenset[Any]) -> None:
        self._one = one
        self._graph = graph
        self._transfer = transfer
        flow = graph.matched
        self._sources = flow.predecessors if transfer.forward else flow.successors
        self._begins = set(flow.entries) if transfer.forward else flow.ends
        self._left: dict[int, Any] = {}
        self._least = everything if isinstance(one.facts, DualPowerset) else _bottom(one)

    def solve(self) -> dict[int, Any]:
        nodes = list(self._graph.segments.order)
        for _ in range(MOST_ROUNDS):
            arriving = {node: self._arriving(node) for node in nodes}
            left = {node: self._through(node, fact) for node, fact in arriving.items() if fact is not _NOTHING}
            if left == self._left:
                return {node: fact for node, fact in arriving.items() if fact is not _NOTHING}
            self._left = left
        raise AssertionError(f"pass {self._one.name!r} does not settle in {MOST_ROUNDS} rounds")

    def _arriving(self, node: int) -> Any:
        """The join of what comes to a node; at its begin the boundary, on endless loops backwards the least fact.

        Where the least fact is that everything is true, that is all that is spoken of.
        """
        found = [self._along(source, node) for source in self._sources[node] if source in self._left]
        if node in self._begins:
            found.append(self._one.boundary(self._graph.program))
        if not found:
            return _NOTHING if self._transfer.forward else self._least
        fact = found[0]
        for other in found[1:]:
            fact = self._one.facts.join(fact, other)
        return fact

    def _along(self, source: int, node: int) -> Any:
        state = self._one.facts.open(self._left[source])
        edge = (source, node) if self._transfer.forward else (node, source)
        self._transfer.edge(*edge, state)
        return state.freeze()

    def _through(self, node: int, fact: Any) -> Any:
        state = self._one.facts.open(fact)
        self._transfer.through(node, state)
        return state.freeze()


_NOTHING = object()


def same(one: Analysis, left: Any, right: Any) -> bool:
    """Whether two facts are one in their lattice."""
    return one.facts.leq(left, right) and one.facts.leq(right, left)
