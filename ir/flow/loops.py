"""Loops of a graph: which nodes go round, through which of them one comes in, which loop lies within which.

A loop is a strongly connected region; without its headers, the regions left in it are the loops within. This is the
loop nesting forest of Steensgaard ("Sequentializing program dependence graphs for irreducible programs", 1993): it
speaks of irreducible graphs too, whose loops have several headers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import attrs

Edges = Sequence[Sequence[int]]


@attrs.frozen
class Loop:
    """Nodes that reach one another; `headers` are those through which control comes in, `depth` counts from 1."""

    headers: frozenset[int]
    nodes: frozenset[int]
    depth: int = 1

    @property
    def is_reducible(self) -> bool:
        """Whether there is but one way in."""
        return len(self.headers) == 1


def loops_of(successors: Edges, entries: Sequence[int]) -> list[Loop]:
    """The loops that can be reached from entries, an outer one before those within.

    >>> [sorted(loop.nodes) for loop in loops_of([[1], [2], [1, 3], [0, 4], []], [0])]
    [[0, 1, 2, 3], [1, 2]]
    """
    reached = _reached(successors, entries)
    before: dict[int, list[int]] = {node: [] for node in reached}
    for node in reached:
        for target in successors[node]:
            before[target].append(node)
    found: list[Loop] = []
    work = [(frozenset(reached), frozenset(entries), 1)]
    for nodes, ways_in, depth in work:
        for region in _regions(successors, nodes):
            headers = _entered(region, before, nodes) | (ways_in & region)
            inner = region - headers
            found.append(Loop(headers, region, depth))
            work.append((inner, _entered(inner, before, headers), depth + 1))
    return found


def _reached(successors: Edges, entries: Sequence[int]) -> set[int]:
    seen = set(entries)
    work = list(entries)
    while work:
        new = set(successors[work.pop()]) - seen
        seen |= new
        work.extend(new)
    return seen


def _entered(region: frozenset[int], before: Mapping[int, Sequence[int]], sources: frozenset[int]) -> frozenset[int]:
    """The nodes of a region to which an edge leads from a source outside it."""
    return frozenset(node for node in region if any(one in sources and one not in region for one in before[node]))


def _regions(successors: Edges, nodes: frozenset[int]) -> Iterator[frozenset[int]]:
    """Strongly connected regions of more than one node, or of one that leads to itself."""
    for region in _components(successors, nodes):
        if len(region) > 1 or region[0] in successors[region[0]]:
            yield frozenset(region)


def _components(successors: Edges, nodes: frozenset[int]) -> Iterator[list[int]]:
    """Strongly connected components of the part of a graph, by Tarjan's algorithm (1972), without recursion."""
    index: dict[int, int] = {}
    low: dict[int, int] = {}
    stack: list[int] = []
    open_: set[int] = set()
    for root in sorted(nodes):
        work = [] if root in index else [(root, iter(successors[root]))]
        while work:
            node, rest = work[-1]
            if node not in index:
                index[node] = low[node] = len(index)
                stack.append(node)
                open_.add(node)
            following = next((n for n in rest if n in nodes and (n not in index or n in open_)), None)
            if following is None:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    yield _popped(stack, open_, node)
            elif following in open_:
                low[node] = min(low[node], index[following])
            else:
                work.append((following, iter(successors[following])))


def _popped(stack: list[int], open_: set[int], last: int) -> list[int]:
    component = [stack.pop()]
    while component[-1] != last:
        component.append(stack.pop())
    open_.difference_update(component)
    return component
