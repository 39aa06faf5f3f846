"""A solver as one writes it over a graph of networkx: sets on the nodes, a deque of nodes without repeats.

It takes the nodes in the order in which the graph has them, as one does who thinks of no order;
`networkx_ordered` is the same in the order in which facts flow.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping

import networkx as nx

from benchmarks.solver.graphs import Graph
from benchmarks.solver.peers.sets import Sets, definitions_of, last_writes, union, uses

Neighbours = Mapping[int, Iterable[int]]
Masks = dict[int, tuple[set[int], set[int]]]


def prepared(graph: Graph) -> tuple[Graph, nx.DiGraph[int]]:
    """The graph as one of networkx."""
    flow: nx.DiGraph[int] = nx.DiGraph()
    flow.add_nodes_from(range(len(graph.blocks)))
    flow.add_edges_from((source, target) for source, targets in enumerate(graph.successors) for target in targets)
    return graph, flow


def live(given: tuple[Graph, nx.DiGraph[int]]) -> Sets:
    """The cells that are live at the end of each block."""
    return live_in(list(given[1]), given)


def reaching(given: tuple[Graph, nx.DiGraph[int]]) -> Sets:
    """The definitions that reach the end of each block."""
    return reaching_in(list(given[1]), given)


def live_in(order: list[int], given: tuple[Graph, nx.DiGraph[int]]) -> Sets:
    """The same, beginning with the nodes in some order."""
    graph, flow = given
    masks = {block: uses(ops) for block, ops in enumerate(graph.blocks)}
    arriving, _ = _solved(order, masks, flow.succ, flow.pred)
    return arriving


def reaching_in(order: list[int], given: tuple[Graph, nx.DiGraph[int]]) -> Sets:
    """The same, beginning with the nodes in some order."""
    graph, flow = given
    of_cell = definitions_of(graph)
    masks: Masks = {}
    for block in order:
        made = last_writes(graph, block)
        masks[block] = set(made.values()), union(of_cell[cell] for cell in made)
    _, leaving = _solved(order, masks, flow.pred, flow.succ)
    return leaving


def _solved(order: list[int], masks: Masks, sources: Neighbours, targets: Neighbours) -> tuple[Sets, Sets]:
    arriving: Sets = {}
    leaving: Sets = {block: set() for block in order}
    work, waiting = deque(order), set(order)
    while work:
        block = work.popleft()
        waiting.discard(block)
        arriving[block] = union(leaving[source] for source in sources[block])
        gen, kill = masks[block]
        now = gen | (arriving[block] - kill)
        if now == leaving[block]:
            continue
        leaving[block] = now
        for target in targets[block]:
            if target not in waiting:
                waiting.add(target)
                work.append(target)
    return arriving, leaving
