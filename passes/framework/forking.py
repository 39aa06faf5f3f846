"""Forks as analyses see them: to which arm the ways belong that come to a join."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import attrs

from statemem.ir import ControlFlow, Fork

from .transfer import Graph


@attrs.frozen
class Forked:
    """A fork by its node, and of each of its arms the nodes from which control comes to the join."""

    fork: int
    arms: tuple[tuple[int, ...], ...]

    def others(self, sources: Sequence[int]) -> list[int]:
        """The ways to the join that belong to no arm, as to the head of a loop."""
        return [one for one in sources if not any(one in arm for arm in self.arms)]


def arms_of(graph: Graph, nodes: Iterable[int]) -> dict[int, Forked]:
    """The forks among some nodes, by the node of their join."""
    found: dict[int, Forked] = {}
    for node in nodes:
        terminator = graph.program.blocks[graph.flow.block_of(node)].terminator
        join = graph.program.block_named(terminator.join) if isinstance(terminator, Fork) else None
        if isinstance(terminator, Fork) and join is not None:
            starts = [graph.program.block_named(arm) for arm in terminator.arms]
            arms = (_sources(graph.flow, node, start, join) for start in starts if start is not None)
            found[join] = Forked(node, tuple(arms))
    return found


def _sources(flow: ControlFlow, fork: int, start: int, join: int) -> tuple[int, ...]:
    """The nodes of an arm that lead to the join; an arm without blocks leads there from the fork itself."""
    if start == join:
        return (fork,)
    seen = {start}
    work = [start]
    for node in work:
        new = [one for one in flow.successors[node] if one != join and one not in seen]
        seen.update(new)
        work.extend(new)
    return tuple(node for node in work if join in flow.successors[node])
