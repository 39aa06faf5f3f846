"""numba's live map: `numba.core.analysis.compute_live_map` over its own control-flow graph.

It says what is live at the *start* of a block and was met on a path to its end; what is live at ends follows after the
time is taken.
"""

from importlib import import_module
from typing import Any

from benchmarks.solver.graphs import Graph
from benchmarks.solver.peers.sets import Sets, union, uses

Given = tuple[Graph, Any]


def prepared(graph: Graph) -> Given:
    """The graph as one of numba, with its orders made."""
    flow = import_module("numba.core.controlflow").CFGraph()
    for block in range(len(graph.blocks)):
        flow.add_node(block)
    for source, targets in enumerate(graph.successors):
        for target in targets:
            flow.add_edge(source, target)
    flow.set_entry_point(0)
    flow.process()
    import_module("numba.core.analysis")
    return graph, flow


def live_met(given: Given) -> dict[int, set[int]]:
    """What is live at the start of each block and was met."""
    graph, flow = given
    both = {block: uses(ops) for block, ops in enumerate(graph.blocks)}
    blocks = dict(enumerate(graph.blocks))
    used = {block: one for block, (one, _) in both.items()}
    written = {block: one for block, (_, one) in both.items()}
    found: dict[int, set[int]] = import_module("numba.core.analysis").compute_live_map(flow, blocks, used, written)
    return found


def ends(given: Given, starts: Sets) -> Sets:
    """What is live at ends, from what is live at the starts that follow."""
    return {block: union(starts[one] for one in following) for block, following in enumerate(given[0].successors)}
