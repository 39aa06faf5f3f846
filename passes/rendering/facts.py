"""What is rendered: results of passes over one program, and the facts of a solution as texts, node by node."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import attrs

from statemem.ir import Place, Program
from statemem.ir.values import Value

from ..framework import Analysis, Horizon, Manager, Pass, PassError, Solution
from ..framework.transfer import Graph


def _as_it_is(place: Place, value: Value) -> Value:
    return value


@attrs.frozen
class View:
    """A program as readers are to see it, masked for instance, and how texts and values beside it are shown.

    The program has the blocks and instructions of the one that was solved, by their numbers.
    """

    program: Program
    text: Callable[[str], str] = str
    value: Callable[[Place, Value], Value] = _as_it_is


@attrs.frozen
class Found:
    """What passes found in a program: by pass, the solution of an analysis or the result of another."""

    program: Program
    results: Mapping[Pass, Any]
    view: View
    horizon: Horizon = attrs.field(factory=Horizon)
    _graph: Graph | None = None

    @classmethod
    def by(cls, manager: Manager, passes: Iterable[Pass], view: View | None = None) -> Found:
        """What a manager finds by some passes."""
        results = {one: manager.result(one) for one in passes}
        return cls(manager.program, results, view or View(manager.program), manager.horizon, manager.graph)

    @property
    def graph(self) -> Graph:
        """The control flow of the program, and what of it is reached."""
        return self._graph or Manager(self.program, self.horizon).graph

    @property
    def solutions(self) -> list[Solution]:
        """What the analyses found."""
        return [result for result in self.results.values() if isinstance(result, Solution)]

    @property
    def others(self) -> Iterator[tuple[Pass, Any, list[str]]]:
        """What derivations and estimates found, and its texts."""
        for one, result in self.results.items():
            if not isinstance(one, Analysis):
                yield one, result, checked_texts(one, one.show(result, self.program))  # type: ignore[attr-defined]


def checked_texts(one: Pass, shown: Any) -> list[str]:
    """What the `show` of a pass gave. Raises `PassError` where that is no list of texts."""
    if isinstance(shown, (list, tuple)) and all(isinstance(text, str) for text in shown):
        return list(shown)
    raise PassError(f"pass {one.name!r}: its `show` gives {type(shown).__name__}, not a list of texts")


def texts(solution: Solution, fact: Any) -> list[str]:
    """A fact of a solution as texts."""
    return checked_texts(solution.analysis, solution.analysis.show(fact))


class Change(NamedTuple):
    """What holds behind an instruction and not before it, and the reverse: as one reads, whichever way facts flow."""

    gained: list[str]
    lost: list[str]

    @classmethod
    def of(cls, before: list[str], after: list[str]) -> Change:
        """The change from one list of texts to another."""
        known, kept = set(before), set(after)
        return cls([text for text in after if text not in known], [text for text in before if text not in kept])


@attrs.frozen
class NodeFacts:
    """The facts at one node of the control-flow graph: at its start and behind each instruction it executes."""

    numbers: range
    states: list[list[str]]

    @property
    def start(self) -> list[str]:
        """What holds at the start."""
        return self.states[0]

    @property
    def end(self) -> list[str]:
        """What holds at the end, that of the turn included."""
        return self.states[-1]

    @property
    def changes(self) -> list[Change]:
        """What each instruction changes."""
        return [Change.of(before, after) for before, after in zip(self.states, self.states[1:], strict=False)]


def node_facts(solution: Solution, node: int) -> NodeFacts | None:
    """The facts at a node; None where nothing reaches it."""
    if node not in solution.graph.segments:
        return None
    following = solution.follow(node)
    states = [texts(solution, following.state.freeze()) for _ in following.points]
    return NodeFacts(solution.graph.flow.executed(node), states if solution.forward else states[::-1])


def unreached(solution: Solution) -> list[int]:
    """The nodes that nothing reaches: blocks, and landings behind them."""
    graph = solution.graph
    return [node for node in range(len(graph.flow.successors)) if node not in graph.segments]
