"""The solver over a graph of networkx in the order in which facts flow: postorder backwards, its reverse forwards."""

from __future__ import annotations

import networkx as nx

from benchmarks.solver.graphs import Graph
from benchmarks.solver.peers.networkx import live_in, prepared, reaching_in
from benchmarks.solver.peers.sets import Sets


def live(given: tuple[Graph, nx.DiGraph[int]]) -> Sets:
    """The cells that are live at the end of each block."""
    return live_in(list(nx.dfs_postorder_nodes(given[1], 0)), given)


def reaching(given: tuple[Graph, nx.DiGraph[int]]) -> Sets:
    """The definitions that reach the end of each block."""
    return reaching_in(list(nx.dfs_postorder_nodes(given[1], 0))[::-1], given)


__all__ = ["live", "prepared", "reaching"]
