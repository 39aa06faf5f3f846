"""The manager: solves what a pass needs first, once, carries results on when a program grows, tells what went round."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from statemem.ir import Program
from statemem.ir.diagnostics import StatememError
from statemem.ir.flow.contexts import DEPTH

from .analysis import Analysis, Derivation, Pass
from .errors import CycleError, PassError, raised
from .estimate import Estimate
from .growth import Growing
from .horizon import Horizon
from .solution import Solution
from .solver import solve
from .transfer import Graph

if TYPE_CHECKING:
    from .hooks import Hook


class Manager:
    """The results of passes over one program under one horizon, kept until the program changes.

    A pass is named by its class, which means its default options, or given as an object of its own. `grow` carries the
    results on to a program that has been appended to; after an edit all is made anew when it is asked for. Each of
    `hooks` is called before and after every pass that is made. In a workflow returns go back to their calls, told apart
    by as many open calls as `depth`; with 0 what holds of a task holds for all its callers together. `roots` are tasks
    that are entered from outside too, although others call them.
    """

    def __init__(
        self,
        program: Program,
        horizon: Horizon | None = None,
        *,
        hooks: Sequence[Hook] = (),
        depth: int = DEPTH,
        roots: tuple[str, ...] = (),
    ) -> None:
        self.program = program
        self._hooks = hooks
        self.horizon = horizon or Horizon()
        self._growing = Growing(program, self.horizon, depth, roots)
        self._version = -1
        self._results: dict[Pass, Any] = {}
        self._open: list[Pass] = []

    def result(self, one: type[Pass] | Pass) -> Any:
        """The solution of an analysis, or what a derivation or an estimate found."""
        self._forget_if_changed()
        wanted = one() if isinstance(one, type) else one
        if wanted not in self._results:
            for hook in self._hooks:
                hook.before(wanted, self.program)
            made = self._make(wanted)
            for hook in self._hooks:
                hook.after(wanted, made, self.program)
            self._results[wanted] = made
        return self._results[wanted]

    def solve(self, analysis: type[Analysis] | Analysis) -> Solution:
        """The solution of an analysis."""
        solution = self.result(analysis)
        assert isinstance(solution, Solution)
        return solution

    def holds(self, one: type[Pass] | Pass) -> bool:
        """Whether the result of a pass is there, so that nothing has to be solved for it."""
        self._forget_if_changed()
        return (one() if isinstance(one, type) else one) in self._results

    @property
    def graph(self) -> Graph:
        """Control flow, segments, resolved accesses and horizon of the program as it is now."""
        self._forget_if_changed()
        return self._growing.graph

    @property
    def accesses(self) -> Any:
        """What every instruction reads and writes."""
        return self.graph.accesses

    def prepare(self) -> None:
        """Resolve everything that passes share: control flow, names, places, accesses, and what growth looks up."""
        self.graph.accesses.universe.prepare()
        self.graph.summary()

    def grow(self) -> bool:
        """Carry the results on to the program, which was appended to since they were made.

        False where that is no growth to go on from: the program was edited, or what was appended gives earlier
        instructions another meaning; then everything is solved again when it is asked for. An analysis that flows
        backwards and is not packed is solved again too, derivations and estimates are made again.
        """
        if self._version == self.program.version:
            return True
        first = self._growing.grow()
        self._version = self.program.version
        if first is None:
            self._results.clear()
            return False
        before, self._results = self._results, {}
        for one, kept in before.items():  # what a pass needs stands before it
            has_needs = all(need.one() in self._results for need in one.needed())
            if has_needs and isinstance(kept, Solution) and kept.grow(first):
                self._results[one] = kept
        return True

    def _make(self, one: Pass) -> Any:
        if one in self._open:
            names = [*(open_.name for open_ in self._open[self._open.index(one) :]), one.name]
            raise CycleError(f"passes need each other in a circle: {' -> '.join(names)}")
        self._open.append(one)
        try:
            return self._made(one, {need.one: self.result(need.one) for need in one.needed()})
        except StatememError:
            raise
        except (Exception, SystemExit) as error:  # whatever an author's methods raise is told by the name of the pass
            raise raised(one.name, error) from error
        finally:
            self._open.pop()

    def _made(self, one: Pass, needed: dict[type[Pass], Any]) -> Any:
        if isinstance(one, Derivation):
            return one.derive(self.program, self)
        if isinstance(one, Estimate):
            return one.estimate(self.program, self)
        if not isinstance(one, Analysis):
            raise PassError(f"{type(one).__name__} is neither an Analysis nor a Derivation nor an Estimate")
        for need in needed:
            if not (issubclass(need, Analysis) and need.direction is one.direction):
                raise PassError(f"{one.name} cannot follow {need.name}: it is no analysis of the same direction")
        solutions: dict[type, Solution] = dict(needed)
        return Solution(one, self.graph, solutions, solve(one, self.graph, solutions))

    def _forget_if_changed(self) -> None:
        if self._version != self.program.version:
            self._version = self.program.version
            self._growing.forget()
            self._results.clear()
