"""The ways inside one segment, in the direction of an analysis."""

from __future__ import annotations

import attrs

from .deltas import Root
from .transfer import Graph


@attrs.frozen
class Ways:
    """The nodes of a segment in the order facts flow, and how facts come to them and go on.

    `begins` says over what facts begin at a node: at the ways into the segment, and backwards at ends; `leads` are the
    nodes from which they go on to the next segment.
    """

    nodes: list[int]
    sources: dict[int, list[int]]
    onward: dict[int, list[int]]
    begins: dict[int, Root]
    leads: list[int]
    beyond: int | None

    @classmethod
    def of(cls, graph: Graph, segment: int, *, forward: bool) -> Ways:
        """The ways of one segment of a graph."""
        nodes, flow = graph.segments.nodes(segment), graph.matched
        beyond, inside = graph.segments.first(segment + 1), set(nodes)
        before = {node: [one for one in flow.predecessors[node] if one in inside] for node in nodes}
        after = {node: [one for one in flow.successors[node] if one in inside] for node in nodes}
        out = [node for node in nodes if beyond in flow.successors[node]]
        if not forward:
            nodes, before, after = nodes[::-1], after, before
        if forward:
            entries = dict.fromkeys([nodes[0], *(node for node in flow.entries if node in inside)], Root.BASE)
            return cls(nodes, before, after, entries, out, beyond)
        ends = {node: Root.BOUNDARY for node in nodes if not flow.successors[node]}
        begins = {**ends, **dict.fromkeys(out, Root.BASE)}
        return cls(nodes, before, after, begins, nodes[-1:], beyond)
