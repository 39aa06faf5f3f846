"""Growth of a log turn by turn: what one appended turn costs, and what solving again does."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

import attrs

from benchmarks.solver.expected import bits, live_ends
from benchmarks.solver.graphs import Graph, load
from benchmarks.solver.programs import blocks_of, cells_of, program_of, terminator
from benchmarks.solver.timing import repeated
from statemem.ir import Block, Cell, Program
from statemem.ir.terminators import OPEN
from statemem.passes import Liveness, Manager, Reaching
from statemem.passes.framework import BlockEnd

#: Of the grown program so many blocks, all over it, and so many cells are compared.
BLOCKS, CELLS = 40, 40
#: The whole set is asked for after every so many turns: it goes through all cells, and what comes next finds the caches
#: of the processor empty.
WHOLE_EVERY = 50


@dataclass
class Appended:
    """Seconds of each turn: appending, growing, asking for one cell; asking for the whole live set; from scratch."""

    append: list[float] = field(default_factory=list)
    grow: list[float] = field(default_factory=list)
    ask: list[float] = field(default_factory=list)
    ask_whole: list[float] = field(default_factory=list)
    scratch: list[float] = field(default_factory=list)
    fell_back: int = 0
    frozen_from: int = 0
    blocks: int = 0
    same: bool = True
    note: str = ""

    @property
    def turns(self) -> list[float]:
        """Seconds of each turn with its questions for one cell, before the collector was frozen."""
        return self._whole()[: self.frozen_from]

    @property
    def frozen(self) -> list[float]:
        """The same with what was there before kept from Python's garbage collector, which else looks at all of it."""
        return self._whole()[self.frozen_from :]

    def _whole(self) -> list[float]:
        return [sum(parts) for parts in zip(self.append, self.grow, self.ask, strict=True)]


def appended(path: Path, size: int, turns: int, budget: float) -> Appended:
    """Grow a program from its first `size` blocks by turns, as many as the budget of seconds allows."""
    graph = load(path)
    growing = Growing(graph, size)
    manager = Manager(growing.program)
    found = Appended()
    asking = _Asking(graph, manager)
    asking.one(growing.end, growing.end)
    coming = growing.turns()
    _turns(growing, islice(coming, turns // 2), asking, found, budget)
    found.frozen_from = len(found.grow)
    gc.collect()
    gc.freeze()
    _turns(growing, islice(coming, turns // 2), asking, found, 2 * budget)
    gc.unfreeze()
    found.blocks = len(growing.program.blocks)
    found.note = asking.note()
    found.same = asking.is_right(graph.until(found.blocks))
    found.scratch, _ = repeated(lambda: growing.program, lambda given: _scratch(given, asking.cell), 3, budget)
    return found


def _turns(growing: Growing, coming: Iterator[list[Block]], asking: _Asking, found: Appended, budget: float) -> None:
    """Turns until there are enough, or the seconds of all so far are spent."""
    for blocks in coming:
        _turn(growing, blocks, asking, found)
        if sum(found.append) + sum(found.grow) + sum(found.ask) > budget:
            break


class Growing:
    """A program that grows by the turns of a graph."""

    def __init__(self, graph: Graph, size: int) -> None:
        start = next(count for count in graph.turns if count >= size)
        self._graph = graph
        self._rest = [count for count in graph.turns if count >= start]
        self.program = program_of(graph.until(start))
        self._blocks = list(blocks_of(graph))

    @property
    def end(self) -> int:
        """The block where the log stands."""
        return len(self.program.blocks) - 1

    def turns(self) -> Iterator[list[Block]]:
        """The blocks of each turn to come, the last one of them open."""
        for first, end in zip(self._rest, self._rest[1:], strict=False):
            inner = [self._as_of(number, end) for number in range(first, end - 1)]
            yield [*inner, attrs.evolve(self._blocks[end - 1], terminator=OPEN)]

    def append(self, blocks: Sequence[Block]) -> None:
        """Append a turn: the end goes on to it, or back to an open header as well; then its blocks."""
        first = len(self.program.blocks)
        end = first + len(blocks)
        before = {one for number in range(first, end) for one in self._graph.predecessors[number] if one < first}
        for one in sorted(before | {first - 1}):  # a call of a task that is there already leads to nothing new
            self.program.set_terminator(one, self._as_of(one, end).terminator)
        for block in blocks:
            self.program.append(block)

    def _as_of(self, number: int, end: int) -> Block:
        """A block as it was when the log had so many blocks: a shared task is entered from others later."""
        following = [target for target in self._graph.successors[number] if target < end]
        return attrs.evolve(self._blocks[number], terminator=terminator(following))


def grown(manager: Manager) -> bool:
    """Bring the results up to the program, where the manager can; whether it did."""
    grow: Callable[[], bool] | None = getattr(manager, "grow", None)
    return grow() if grow is not None else False


class _Asking:
    """Questions at the end: is a cell live at the block before, and which of its definitions reach the new end?"""

    def __init__(self, graph: Graph, manager: Manager) -> None:
        self._cells = cells_of(graph)
        self._manager = manager
        self.cell = self._cells[0]
        self._resolved: list[int] = []
        self._way = ""

    def one(self, before: int, end: int) -> None:
        """About one cell."""
        _ask(self._manager, self.cell, before, end)

    def whole(self, before: int) -> None:
        """The whole set of live cells."""
        self._manager.solve(Liveness).at_end(before)

    def look(self) -> None:
        """Note what the solutions say of how they were brought up."""
        for analysis in (Liveness, Reaching):
            statistics = getattr(self._manager.solve(analysis), "statistics", None)
            self._resolved.append(getattr(statistics, "resolved", 0))

    def note(self) -> str:
        """How many segments were solved in a turn."""
        return f"at most {max(self._resolved)} segments solved in a turn" if any(self._resolved) else ""

    def is_right(self, graph: Graph) -> bool:
        """Whether what was grown is what the graph at once gives."""
        live, reaching = self._manager.solve(Liveness), self._manager.solve(Reaching)
        expected = live_ends(graph)
        step = max(1, len(expected) // BLOCKS)
        for block in {*range(0, len(expected), step), *range(len(expected))[-BLOCKS:]}:
            if live.at_end(block) != {self._cells[number] for number in bits(expected[block])}:
                return False
        again = Manager(self._manager.program).solve(Reaching)
        end = len(expected) - 1
        return all(value(reaching, one, end) == value(again, one, end) for one in self._cells[:CELLS])


def value(solution: Any, cell: Cell, block: int) -> Any:
    """What a map holds of one cell at the end of a block."""
    if hasattr(solution, "value"):
        return solution.value(cell, BlockEnd(block))
    return solution.at_end(block).get(cell)


def _ask(manager: Manager, cell: Cell, before: int, end: int) -> None:
    live: Any = manager.solve(Liveness)
    if hasattr(live, "holds"):
        live.holds(cell, BlockEnd(before))
    else:
        live.at_end(before)
    value(manager.solve(Reaching), cell, end)


def _turn(growing: Growing, blocks: list[Block], asking: _Asking, found: Appended) -> None:
    before = growing.end
    start = time.process_time()
    growing.append(blocks)
    added = time.process_time()
    carried_on = grown(asking._manager)
    brought = time.process_time()
    asking.one(before, growing.end)
    asked = time.process_time()
    found.append.append(added - start)
    found.grow.append(brought - added)
    found.ask.append(asked - brought)
    found.fell_back += not carried_on
    if len(found.grow) % WHOLE_EVERY == 1:
        asked = time.process_time()
        asking.whole(before)
        found.ask_whole.append(time.process_time() - asked)
    asking.look()


def _scratch(program: Program, cell: Cell) -> Manager:
    manager = Manager(program)
    end = len(program.blocks) - 1
    _ask(manager, cell, end - 1, end)
    return manager
