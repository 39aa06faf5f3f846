"""Solving any analysis: segment after segment in the order facts flow, each once what comes into it is known.

What lies behind a cut depends on nothing beyond it. So a forward solution of a program that has grown is made from the
first segment that is not as it was; the facts before it stand.
"""

from __future__ import annotations

from typing import Any

from .deltas import Delta, Deltas, Root
from .keyed import keyed
from .regions import Region
from .statistics import Statistics
from .timelines import Timelines
from .transfer import Transfer, hears


class General:
    """The solution of any analysis, as what each segment changes."""

    def __init__(self, transfer: Transfer, reason: str) -> None:
        self._transfer = transfer
        self._graph = transfer.graph
        self.lattice = keyed(transfer.analysis.facts)
        self.boundary = self.lattice.by_key(transfer.analysis.boundary(self._graph.program))
        self.timelines: Timelines[Any, Any] = Timelines(self.boundary, forward=transfer.forward)
        self.statistics = Statistics("general", reason)
        #: Whether the last segment never ends, so that facts that flow backwards have no boundary to begin from.
        self.endless = False
        self._now: dict[Any, Any] = dict(self.boundary)
        self._inside: dict[int, dict[int, Delta]] = {}
        self._solve(0)

    def start(self, segment: int, node: int) -> tuple[Delta, list[int]]:
        """What comes to a node, as changes to what comes into its segment."""
        delta = self._inside[segment][node] if segment in self._inside else Delta(Root.BASE, {})
        return delta, []

    def grow(self, first: int) -> bool:
        """Solve on from a segment of a grown program; False for a backward analysis, to which all may be new."""
        boundary = self.lattice.by_key(self._transfer.analysis.boundary(self._graph.program))
        if not self._transfer.forward or boundary != self.boundary:
            return False
        first = min(first, len(self.timelines))
        self.statistics.resolved = len(self._graph.segments) - first
        cut = range(first, len(self.timelines))
        touched = {key for segment in cut for key in self.timelines.keys_of(segment)}
        self.timelines.cut(first)
        for segment in cut:
            self._inside.pop(segment, None)
        for key in touched:
            self._restore(key, first)
        self._solve(first)
        return True

    def _restore(self, key: Any, segment: int) -> None:
        nothing = object()
        value = self.timelines.value(key, segment, nothing)
        if value is nothing:
            self._now.pop(key, None)
        else:
            self._now[key] = value

    def _solve(self, first: int) -> None:
        count = len(self._graph.segments)
        for segment in range(first, count) if self._transfer.forward else reversed(range(count)):
            is_straight = self._graph.segments.is_straight(segment) and not hears(self._transfer.analysis, "on_edge")
            changes = self._straight(segment) if is_straight else self._region(segment)
            self.timelines.put(changes)
            self._now.update(changes)
        if not self._transfer.forward:
            self.timelines.turn()

    def _straight(self, segment: int) -> dict[Any, Any]:
        (node,) = self._graph.segments.nodes(segment)
        state = self.lattice.over(self._now, {}, least=self.endless)
        self._transfer.through(node, state)
        self.statistics.visits += 1
        return self._changed(self.lattice.changes(state))

    def _region(self, segment: int) -> dict[Any, Any]:
        deltas = Deltas(self.lattice, self.boundary, self._now, endless=self.endless)
        region = Region(self._transfer, deltas, segment)
        leaving = region.solve()
        self.statistics.visits += region.visits
        self.statistics.regions += 1
        self._inside[segment] = region.arriving
        if leaving.root is Root.LEAST:
            self.endless, self.timelines.boundary, self._now = True, {}, {}
        elif leaving.root is Root.BOUNDARY:
            self.endless = False
        return self._changed(dict(leaving.changed))

    def _changed(self, changes: dict[Any, Any]) -> dict[Any, Any]:
        """The changes without those that leave a key as it was."""
        now = self._now
        return {key: value for key, value in changes.items() if key not in now or now[key] is not value}
