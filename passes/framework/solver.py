"""The solver: one worklist over the chains of a control-flow graph, swept in the order facts flow.

Only the facts at the two ends of each chain are kept; solutions replay what is inside on demand. The order is a
reverse post-order (backwards: its reverse), the worklist a row of dirty marks: on graphs that are almost a line this
visits each chain once or twice (Cooper, Harvey, Kennedy, "Iterative data-flow analysis, revisited", 2004).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import attrs

from statemem.ir import Bind, ControlFlow, Effect, Instruction, Mode, Program, Same
from statemem.ir.meaning.resolve import PlaceWrite

from .accesses import Accesses
from .analysis import Analysis, At, Direction
from .errors import Unsettled
from .horizon import Horizon

#: A chain is visited at most this often, and once more for each other chain, before the analysis is reported as one
#: that does not settle.
MOST_VISITS = 1_000


_METHODS = {
    "_reads": ("on_read",),
    "_writes": ("on_write", "on_fill", "on_delete", "on_scope_end"),
    "_others": ("on_bind", "on_unite", "on_effect"),
}


@attrs.frozen
class Graph:
    """A program with what its analyses share: control flow, resolved accesses, and what is known of the future."""

    program: Program
    flow: ControlFlow
    accesses: Accesses
    horizon: Horizon


class Transfer:
    """Carries a state of one analysis through blocks, in its direction."""

    def __init__(self, analysis: Analysis, graph: Graph, needed: dict[type, Any]) -> None:
        self._analysis = analysis
        self._graph = graph
        self._program = graph.program
        self._needed = needed
        self._forward = analysis.direction is Direction.FORWARD
        self._events = [happen for happen in (self._reads, self._writes, self._others) if self._is_heard(happen)]
        if not self._forward:
            self._events.reverse()

    def _is_heard(self, happen: Callable[[int, Any, At], None]) -> bool:
        """Whether the analysis gave any method for a group of events; those nobody hears are not made."""
        own, default = type(self._analysis), Analysis
        heard = _METHODS[happen.__name__]
        return any(getattr(own, method) is not getattr(default, method) for method in heard)

    def chain(self, nodes: list[int], state: Any) -> Iterator[At]:
        """Carries a state through a chain, stopping before each instruction (backwards: after it) and at block ends.

        The states of needed passes move in step and stand in `At.facts`; they run the same way.
        """
        flow = self._graph.flow
        followed = {one: solution.follow(nodes) for one, solution in self._needed.items()}
        facts = {one: following.state for one, following in followed.items()}
        for node in nodes if self._forward else reversed(nodes):
            at = At(self._program, self._graph.accesses, flow.block_of(node), node=node, facts=facts)
            if not self._forward:
                self._end(node, state, at)
            for number in flow.executed(node) if self._forward else reversed(flow.executed(node)):
                _advance(followed)
                at.number = number
                yield at
                self.instruction(number, state, at)
            at.number = None
            if self._forward:
                self._end(node, state, at)
            _advance(followed)
            yield at

    def instruction(self, number: int, state: Any, at: At) -> None:
        """The events of one instruction: reads before writes, and exactly the reverse backwards."""
        for happen in self._events:
            happen(number, state, at)

    def _reads(self, number: int, state: Any, at: At) -> None:
        reads = self._graph.accesses.reads(number)
        for read in reads if self._forward else reversed(reads):
            at.was = read.was
            if read.definite:
                self._analysis.on_read(read.place, read.how, state, at)
            else:
                with state.maybe():
                    self._analysis.on_read(read.place, read.how, state, at)
        at.was = None

    def _writes(self, number: int, state: Any, at: At) -> None:
        writes = self._graph.accesses.writes(number)
        for write in writes if self._forward else reversed(writes):
            self._write(write, state, at)
        at.write = None

    def _write(self, write: PlaceWrite, state: Any, at: At) -> None:
        at.write = write
        if write.definite:
            self._written(write, state, at)
        else:
            with state.maybe():
                self._written(write, state, at)

    def _written(self, write: PlaceWrite, state: Any, at: At) -> None:
        if write.mode is Mode.END:
            self._analysis.on_scope_end(write.place, state, at)
        elif write.mode is Mode.DELETE:
            self._analysis.on_delete(write.place, state, at)
        elif write.mode is Mode.FILL:
            self._analysis.on_fill(write.place, state, at)
        else:
            self._analysis.on_write(write.place, write.mode, state, at)

    def _others(self, number: int, state: Any, at: At) -> None:
        instruction = self._program.instructions[number]
        if instruction.maybe:
            with state.maybe():
                self._other(instruction, state, at)
        else:
            self._other(instruction, state, at)

    def _other(self, instruction: Instruction, state: Any, at: At) -> None:
        if isinstance(instruction, Bind):
            self._analysis.on_bind(instruction.reference, instruction.target, state, at)
        elif isinstance(instruction, Same):
            self._analysis.on_unite(instruction.left, instruction.right, state, at)
        elif isinstance(instruction, Effect):
            self._analysis.on_effect(instruction.action, state, at)

    def _end(self, node: int, state: Any, at: At) -> None:
        """A node from which control goes nowhere: the program ends."""
        at.number = None
        if not self._graph.flow.successors[node]:
            at.closes = self._graph.horizon.speaks_of_all(self._program, at.block_number)
            expected = self._graph.horizon.expected(self._program, at.block_number, self._graph.accesses.places)
            self._analysis.on_end(expected, state, at)


def _advance(followed: dict[type, Following]) -> None:
    for following in followed.values():
        next(following.points)


@attrs.frozen
class Following:
    """The state of a needed pass and the iterator that moves it on."""

    state: Any
    points: Iterator[At]


@attrs.frozen
class Boundaries:
    """The solved facts at the two ends of each chain, in program order, and how often chains were visited."""

    entry: list[Any]
    exit: list[Any]
    visits: int


def solve(analysis: Analysis, graph: Graph, needed: dict[type, Any]) -> Boundaries:
    """The least solution of an analysis.

    Raises `Unsettled` where a chain is visited more often than facts that only grow can make it.
    """
    return _Solving(analysis, graph, needed).run()


class _Solving:
    def __init__(self, analysis: Analysis, graph: Graph, needed: dict[type, Any]) -> None:
        self._analysis = analysis
        self._graph = graph
        self._forward = analysis.direction is Direction.FORWARD
        self._transfer = Transfer(analysis, graph, needed)
        chains = graph.flow.chains
        of_node = {node: number for number, chain in enumerate(chains) for node in (chain[0], chain[-1])}
        before, after = graph.flow.predecessors, graph.flow.successors
        sources = [[of_node[n] for n in before[chain[0]] if n in of_node] for chain in chains]
        sinks = [[of_node[n] for n in after[chain[-1]] if n in of_node] for chain in chains]
        self._into, self._onward = (sources, sinks) if self._forward else (sinks, sources)
        self._arriving: list[Any] = [analysis.facts.bottom] * len(chains)
        self._leaving: list[Any] = [analysis.facts.bottom] * len(chains)
        self._visits = [0] * len(chains)

    def run(self) -> Boundaries:
        count = len(self._graph.flow.chains)
        order = range(count) if self._forward else range(count)[::-1]
        dirty = [True] * count
        while any(dirty):
            for chain in order:
                if dirty[chain]:
                    dirty[chain] = False
                    if self._visit(chain):
                        for following in self._onward[chain]:
                            dirty[following] = True
        entry, exit_ = (self._arriving, self._leaving) if self._forward else (self._leaving, self._arriving)
        return Boundaries(entry, exit_, sum(self._visits))

    def _visit(self, chain: int) -> bool:
        """Solve one chain from what arrives; whether what leaves it changed."""
        self._count(chain)
        lattice = self._analysis.facts
        arriving = self._start(chain)
        for source in self._into[chain]:
            arriving = lattice.join(arriving, self._leaving[source])
        self._arriving[chain] = arriving
        state = lattice.open(arriving)
        for _ in self._transfer.chain(self._graph.flow.chains[chain], state):
            pass
        leaving = state.freeze()
        if self._visits[chain] > 1 and lattice.leq(leaving, self._leaving[chain]):
            return False
        self._leaving[chain] = leaving
        return True

    def _start(self, chain: int) -> Any:
        """The boundary fact where facts begin to flow: entries of the program, backwards its ends and endless loops."""
        begins = (
            self._graph.flow.chains[chain][0] in self._graph.flow.entries if self._forward else not self._into[chain]
        )
        return self._analysis.boundary(self._graph.program) if begins else self._analysis.facts.bottom

    def _count(self, chain: int) -> None:
        self._visits[chain] += 1
        if self._visits[chain] > MOST_VISITS + len(self._visits):
            first = self._graph.flow.chains[chain][0]
            block = self._graph.program.blocks[self._graph.flow.block_of(first)].name
            raise Unsettled(f"pass {self._analysis.name!r} does not settle at block {block!r}: its facts keep changing")
