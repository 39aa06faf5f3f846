"""The manager: solves what a pass needs first, once, and refuses needs that go round in circles."""

from __future__ import annotations

from typing import Any

from statemem.ir import ControlFlow, Program
from statemem.ir.diagnostics import StatememError

from .accesses import Accesses
from .analysis import Analysis, Derivation, Pass
from .errors import CycleError, PassError, raised
from .horizon import Horizon
from .solution import Solution
from .solver import Graph, solve


class Manager:
    """The results of passes over one program under one horizon, kept until the program changes."""

    def __init__(self, program: Program, horizon: Horizon | None = None) -> None:
        self.program = program
        self.horizon = horizon or Horizon()
        self._version = -1
        self._graph: Graph | None = None
        self._results: dict[type[Pass], Any] = {}
        self._open: list[type[Pass]] = []

    def result(self, one: type[Pass]) -> Any:
        """The solution of an analysis, or what a derivation found."""
        self._forget_if_changed()
        if one not in self._results:
            self._results[one] = self._make(one)
        return self._results[one]

    def solve(self, analysis: type[Analysis]) -> Solution:
        """The solution of an analysis."""
        solution = self.result(analysis)
        assert isinstance(solution, Solution)
        return solution

    @property
    def graph(self) -> Graph:
        """Control flow, resolved accesses and horizon of the program as it is now."""
        self._forget_if_changed()
        if self._graph is None:
            from statemem.passes.aliases import resolved

            flow = ControlFlow(self.program)
            self._graph = Graph(self.program, flow, resolved(self.program, flow, self.horizon), self.horizon)
        return self._graph

    @property
    def accesses(self) -> Accesses:
        """What every instruction reads and writes."""
        return self.graph.accesses

    def _make(self, one: type[Pass]) -> Any:
        if one in self._open:
            names = [*(open_.name for open_ in self._open[self._open.index(one) :]), one.name]
            raise CycleError(f"passes need each other in a circle: {' -> '.join(names)}")
        self._open.append(one)
        try:
            needed = {need: self.result(need) for need in one.needs}
            if issubclass(one, Derivation):
                return one().derive(self.program, self)
            if not issubclass(one, Analysis):
                raise PassError(f"{one.__name__} is neither an Analysis nor a Derivation")
            return self._solve(one(), needed)
        except StatememError:
            raise
        except Exception as error:  # whatever an author's methods raise is reported by the name of the pass
            raise raised(one.name, error) from error
        finally:
            self._open.pop()

    def _solve(self, analysis: Analysis, needed: dict[type[Pass], Any]) -> Solution:
        for need in needed:
            if not (issubclass(need, Analysis) and need.direction is analysis.direction):
                raise PassError(f"{analysis.name} cannot follow {need.name}: it is no analysis of the same direction")
        solutions: dict[type, Solution] = dict(needed)
        return Solution(analysis, self.graph, solutions, solve(analysis, self.graph, dict(solutions)))

    def _forget_if_changed(self) -> None:
        if self._version != self.program.version:
            self._version = self.program.version
            self._graph = None
            self._results.clear()
