"""Witnesses: why a member is in the set that holds at a point, or why it is not.

Found again from the solved facts, walking back from the point against the flow; nothing is taken down while solving.
Of facts that hold on *some* path (`Powerset`) one path is proof that they hold: the nearest maker and a shortest way
from it along which nothing unmade it. That they do not is proved by all the killers that stand nearest on the ways.
Of facts that hold on *every* path (`DualPowerset`) it is the other way round: a covering set of makers, or one way
without any.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import attrs

from .analysis import At
from .errors import PassError
from .lattices import Sets
from .points import Point
from .states import Members

if TYPE_CHECKING:
    from .solution import Solution

#: How many nodes are looked at before the search gives up.
BUDGET = 100_000


@attrs.frozen
class Reason:
    """One thing that made or unmade a member, and a shortest way from it to the point.

    `instruction` is None where no instruction did: facts begin to flow at that end of the way, at an entry of the
    program or backwards at one of its ends, or the edge that leads there did. `way` are block numbers in program order.
    """

    instruction: int | None
    way: tuple[int, ...]


@attrs.frozen
class Witness:
    """Whether a member holds at a point, and the reasons.

    One reason is proof where `covers` is false; where it is true, all of them together are: every path comes through
    one of them. Without any reason no path comes to the point from where facts begin.
    """

    member: Any
    holds: bool
    covers: bool
    reasons: tuple[Reason, ...]


@attrs.frozen
class GaveUp:
    """The search looked at as many nodes as it may; nothing is said."""

    member: Any
    looked_at: int


def witness(solution: Solution, member: Any, point: Point, *, budget: int = BUDGET) -> Witness | GaveUp:
    """Why a member is in the set that holds at a point, or why it is not.

    Raises `NoFact` where the point is not reached, `PassError` for an analysis whose facts are no sets.
    """
    lattice = solution.analysis.facts
    if not isinstance(lattice, Sets):
        raise PassError(f"{solution.analysis.name} has no witness of members: its facts are no sets")
    holds = solution.holds(member, point)
    covers = holds is not lattice.dominant
    reasons: list[Reason] = []
    for looked_at, found in enumerate(_Search(solution, member, point, holds).reasons()):
        if looked_at >= budget:
            return GaveUp(member, looked_at)
        if found is not None:
            reasons.append(found)
            if not covers:
                break
    return Witness(member, holds, covers, tuple(reasons))


def _start(solution: Solution, member: Any, point: Point, holds: bool) -> int:
    """The node a point lies in; of several, under different calls, the first in which the member has that value."""
    copies = solution.nodes_at(point)
    found = (node for node in copies if (member in solution.state_at(point, node)) is holds)
    return next(found, copies[0])


class _Search:
    """A walk back from a point, breadth first, over nodes in which the member keeps the value it has at the point."""

    def __init__(self, solution: Solution, member: Any, point: Point, holds: bool) -> None:
        self._solution = solution
        self._member = member
        self._holds = holds
        flow = solution.graph.matched
        self._start, self._stop = _start(solution, member, point, holds), point
        self._sources = flow.predecessors if solution.forward else flow.successors
        self._begins = set(flow.entries) if solution.forward else flow.ends
        #: Of each node the one through which it was come to; the part of the first before the point is not among them.
        self._came: dict[int, int] = {}
        self._work: list[int] = []

    def reasons(self) -> Iterator[Reason | None]:
        """The nearest reason on every way, or None, node by node."""
        yield self._look(self._start, is_start=True)
        for node in self._work:
            yield self._look(node)

    def _look(self, node: int, *, is_start: bool = False) -> Reason | None:
        """The reason in a node, if it has one; else the nodes before it are to be looked at."""
        made = self._made_in(node, self._solution.stop(self._stop, node) if is_start else None)
        if made is not None:
            return Reason(made, self._way(node, is_start=is_start))
        begins = node in self._begins and self._begins_so(node)
        for source in (one for one in self._sources[node] if one in self._solution.graph.segments):
            state = self._leaving(source)
            begins = begins or self._edge_makes(source, node, state)
            if source not in self._came and (self._member in state) is self._holds:
                self._came[source] = node
                self._work.append(source)
        return Reason(None, self._way(node, is_start=is_start)) if begins else None

    def _begins_so(self, node: int) -> bool:
        """Whether the member has its value where facts begin to flow at a node, backwards behind the program's end."""
        solution = self._solution
        lattice, program = solution.analysis.facts, solution.program
        assert isinstance(lattice, Sets)
        state = lattice.open(solution.analysis.boundary(program))
        if not solution.forward:
            at = At(program, solution.graph.accesses, solution.graph.matched.block_of(node), node=node)
            solution.transfer.end(node, state, at)
        return (self._member in state) is self._holds

    def _leaving(self, node: int) -> Any:
        """The state where facts leave a node."""
        following = self._solution.at_node(node)
        for _ in following.points:
            pass
        return following.state

    def _edge_makes(self, source: int, node: int, state: Any) -> bool:
        """Whether the edge between two nodes gives the member its value."""
        other = self._other(state)
        edge = (source, node) if self._solution.forward else (node, source)
        self._solution.transfer.edge(*edge, other)
        return (self._member in other) is self._holds

    def _other(self, state: Any) -> Members[Any]:
        """A state in which the member has the other value."""
        return Members(state.base, state.missing, state.join, {**state.changed, self._member: not self._holds})

    def _made_in(self, node: int, stop: int | None) -> int | None:
        """The instruction of a node nearest to its end, or to a stop, that gives the member its value."""
        following = self._solution.at_node(node)
        found = None
        for at in following.points:
            if at.number is None or at.number == stop:
                break
            if self._makes(at, following.state):
                found = at.number
        return found

    def _makes(self, at: At, state: Any) -> bool:
        """Whether an instruction gives the member its value if it had the other one before."""
        other = self._other(state)
        assert at.number is not None
        self._solution.transfer.instruction(at.number, other, at)
        return (self._member in other) is self._holds

    def _way(self, node: int, *, is_start: bool) -> tuple[int, ...]:
        flow = self._solution.graph.matched
        nodes = [node]
        while not is_start and nodes[-1] in self._came:
            nodes.append(self._came[nodes[-1]])
            if nodes[-1] == self._start:
                break
        blocks = [flow.block_of(one) for one in nodes]
        way = [block for number, block in enumerate(blocks) if number == 0 or blocks[number - 1] != block]
        return tuple(way if self._solution.forward else reversed(way))
