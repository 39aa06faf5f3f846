"""What every path of a program comes to, for any analysis: the facts along the paths themselves, not their joins.

All paths of a small program are looked at together: pairs of a node and a fact along some path to it, each once. Their
join is what a solution must lie above, and for an analysis that is distributive what it must be (Kildall, "A unified
approach to global program optimization", 1973; Kam and Ullman, "Monotone data flow analysis frameworks", 1977).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..framework import Analysis, Manager, Powerset
from ..framework.transfer import Transfer
from .needs import solutions_needed

#: How many pairs are looked at.
MOST_PAIRS = 3_000


def along_paths(one: Analysis, manager: Manager) -> dict[int, list[Any]] | None:
    """The facts that come to each node along some path; None where there are too many to look at.

    Paths are ways through the control-flow graph: from a task they come back to any call of it, of a fork they take one
    arm.
    """
    needed = solutions_needed(one, manager)
    return _Collecting(one, manager, Transfer(one, manager.graph, needed)).facts()


class _Collecting:
    def __init__(self, one: Analysis, manager: Manager, transfer: Transfer) -> None:
        self._one = one
        self._transfer = transfer
        flow = self._flow = manager.graph.matched
        self._boundary = one.boundary(manager.program)
        self._onward = flow.successors if transfer.forward else flow.predecessors
        self._reached = set(manager.graph.segments.order)
        self._begins = list(flow.entries) if transfer.forward else sorted(flow.ends & self._reached)
        self._found: dict[int, list[Any]] = {}

    def facts(self) -> dict[int, list[Any]] | None:
        work = [(node, self._boundary) for node in self._begins]
        if not self._transfer.forward and isinstance(self._one.facts, Powerset):
            work += [
                (node, frozenset()) for node in self._reached
            ]  # a path that never ends is looked at piece by piece
        for pairs, (node, fact) in enumerate(work):
            if pairs > MOST_PAIRS:
                return None
            if fact not in self._found.setdefault(node, []):
                self._found[node].append(fact)
                work.extend(self._following(node, fact))
        return self._found

    def _following(self, node: int, fact: Any) -> Iterator[tuple[int, Any]]:
        state = self._one.facts.open(fact)
        self._transfer.through(node, state)
        for target in self._onward[node]:
            if target in self._reached:
                moved = self._one.facts.open(state.freeze())
                edge = (node, target) if self._transfer.forward else (target, node)
                self._transfer.edge(*edge, moved)
                yield target, moved.freeze()
