"""What passes share of a program, and how it grows with it."""

from __future__ import annotations

from statemem.ir import ControlFlow, Program
from statemem.ir.flow.contexts import Contexts

from .horizon import Horizon
from .transfer import Graph


class Growing:
    """Control flow, segments and resolved accesses of a program, made when asked for and carried on when it grows."""

    def __init__(self, program: Program, horizon: Horizon, depth: int, roots: tuple[str, ...]) -> None:
        self._program = program
        self._horizon = horizon
        self._depth, self._roots = depth, roots
        self._made: Graph | None = None
        self._end: int | None = None
        self._declared = 0

    @property
    def graph(self) -> Graph:
        """What passes share of the program as it was when this was made or grown."""
        if self._made is None:
            self._made = self._make()
            self._take_down()
        return self._made

    def forget(self) -> None:
        """Make everything anew when it is asked for."""
        self._made = None

    def grow(self) -> int | None:
        """Carry on to the program as it is; the first segment that is not as it was, None where all is made anew."""
        graph = self._made
        if graph is None or not self._is_growth(graph):
            self._made = None
            return None
        ends = {one for one in (self._end, self._program.current_end) if one is not None}
        first = graph.segments.grow(graph.flow.changed | ends)
        self._take_down()
        return self._resolved(graph, first)

    def _is_growth(self, graph: Graph) -> bool:
        """Whether blocks were appended to a log and nothing else."""
        program = self._program
        return program.is_trace and len(program.declarations) == self._declared and graph.flow.grow()

    def _resolved(self, graph: Graph, first: int) -> int | None:
        """Resolve what instructions mean now; earlier ones may speak of places that were named just now."""
        affected = graph.accesses.grow(first)
        if affected is None:
            self._made = None
            return None
        nodes = map(graph.flow.node_of, affected)
        first = min([first, *(graph.segments.of(node) for node in nodes if node in graph.segments)])
        graph.grow(first)
        return first

    def _make(self) -> Graph:
        from statemem.passes.aliases import resolved

        flow = ControlFlow(self._program)
        matched = Contexts(flow, self._program, depth=self._depth, roots=self._roots) if flow.landings else flow
        return resolved(self._program, flow, matched, self._horizon)

    def _take_down(self) -> None:
        self._end, self._declared = self._program.current_end, len(self._program.declarations)
