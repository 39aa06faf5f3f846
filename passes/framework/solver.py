"""The solver: chooses the way in which an analysis is solved."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from .analysis import Analysis
from .deltas import Delta
from .general import General
from .keyed import Keyed
from .lattices import Sets
from .lines import Lines
from .meanings import NotPacked
from .packed import Packed
from .statistics import Statistics
from .timelines import Timelines
from .transfer import Graph, Transfer, hears

if TYPE_CHECKING:
    from .solution import Solution


class Solved(Protocol):
    """What solving leaves: what every segment changes, and the facts inside those of several nodes."""

    lattice: Keyed[Any, Any]
    boundary: Any

    @property
    def timelines(self) -> Timelines[Any, Any] | Lines:
        """What every segment changes."""
        ...

    statistics: Statistics
    endless: bool

    def start(self, segment: int, node: int) -> tuple[Delta, list[int]]:
        """A place before a node where what comes is known, as changes to what comes into the segment.

        And the nodes to go through from there to the node.
        """
        ...

    def grow(self, first: int) -> bool:
        """Solve on from a segment of the grown program; False where all must be solved again."""
        ...


def solve(analysis: Analysis, graph: Graph, needed: dict[type, Solution]) -> Solved:
    """The least solution of an analysis.

    Raises `Unsettled` where a node is visited more often than facts that only grow can make it.
    """
    transfer = Transfer(analysis, graph, needed)
    reason = _not_packed(transfer)
    if reason:
        return General(transfer, reason)
    try:
        return Packed(transfer)
    except NotPacked as error:
        return General(transfer, str(error))


def _not_packed(transfer: Transfer) -> str:
    """Why an analysis goes the general way from the start; empty where its methods may be asked."""
    analysis, program = transfer.analysis, transfer.graph.program
    if not isinstance(analysis.facts, Sets):
        return "its facts are no sets"
    if analysis.needs:
        return "it looks at the facts of other passes"
    if hears(analysis, "on_bind", "on_unite", "on_effect"):
        return "it hears of more than reads and writes"
    if hears(analysis, "transfer"):
        return "it gives a transfer of its own"
    if hears(analysis, "on_edge"):
        return "its facts change along edges"
    if hears(analysis, "on_join"):
        return "it judges the joins of forks itself"
    if not transfer.forward and analysis.boundary(program):
        return "facts begin at the ends of the program"
    return ""
