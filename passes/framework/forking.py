"""Forks as analyses see them: to which arm the ways belong that come to a join."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import attrs

from statemem.ir import ControlFlow, Fork

from .transfer import Graph


@attrs.frozen
class ForkArm:
    """One arm of a fork: the nodes from which control comes to the join, and the instructions it may execute."""

    leads: tuple[int, ...]
    numbers: frozenset[int]


@attrs.frozen
class Forked:
    """A fork by its node, with its arms."""

    fork: int
    arms: tuple[ForkArm, ...]

    def others(self, sources: Sequence[int]) -> list[int]:
        """The ways to the join that belong to no arm, as to the head of a loop."""
        return [one for one in sources if not any(one in arm.leads for arm in self.arms)]


def arms_of(graph: Graph, nodes: Iterable[int]) -> dict[int, Forked]:
    """The forks among some nodes, by the node of their join."""
    found: dict[int, Forked] = {}
    for node in nodes:
        terminator = graph.program.blocks[graph.matched.block_of(node)].terminator
        if isinstance(terminator, Fork):
            join, *starts = (_named(graph, node, name) for name in (terminator.join, *terminator.arms))
            if join is not None:
                arms = (_arm(graph.matched, node, start, join) for start in starts if start is not None)
                found[join] = Forked(node, tuple(arms))
    return found


def _named(graph: Graph, fork: int, name: str) -> int | None:
    """The node of a block of that name, under the calls that led to a fork."""
    block = graph.program.block_named(name)
    return None if block is None else graph.matched.sibling(fork, block)


def _arm(flow: ControlFlow, fork: int, start: int, join: int) -> ForkArm:
    """An arm by the block it starts with; one without blocks leads to the join from the fork itself."""
    if start == join:
        return ForkArm((fork,), frozenset())
    seen = {start}
    work = [start]
    for node in work:
        new = [one for one in flow.successors[node] if one != join and one not in seen]
        seen.update(new)
        work.extend(new)
    leads = tuple(node for node in work if join in flow.successors[node])
    return ForkArm(leads, frozenset(number for node in work for number in flow.executed(node)))
