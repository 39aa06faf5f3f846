"""The product's rows: liveness and reaching definitions of a graph's program, each in the ways it can be asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from benchmarks.solver.expected import links_print
from benchmarks.solver.graphs import Graph, load
from benchmarks.solver.measured import Found
from benchmarks.solver.prints import Printer, Prints, compared
from benchmarks.solver.programs import cells_of, program_of
from benchmarks.solver.timing import repeated
from statemem.ir import Program
from statemem.passes import Liveness, Manager, Reaching, Solution
from statemem.passes.chains import Chain, use_def_chains

#: Of larger graphs the whole sets of all blocks do not fit: those of some are asked.
LARGEST_KEPT = 20_000
#: What was measured, and whether it is lazy or eager.
Part = tuple[str, str, Found]


def liveness(path: Path, runs: int, budget: float) -> list[Part]:
    """Solving; every block asked; with the ingest of the program counted; with building it from objects counted."""
    graph = load(path)
    program = program_of(graph)
    reader = _Reader(graph)

    def timed(given: Callable[[], Any], work: Callable[[Any], Solution]) -> Found:
        seconds, found = repeated(given, work, runs, budget)
        return Found(seconds, "live", reader.live(found), way(found))

    is_large = len(graph.blocks) > LARGEST_KEPT
    every, ask = ("500 blocks", _some_blocks) if is_large else ("every block", _every_block)
    return [
        ("solve", "lazy", timed(lambda: prepared(program), lambda manager: manager.solve(Liveness))),
        (every, "eager", timed(lambda: prepared(program), ask)),
        ("with summary", "lazy", timed(lambda: resolved(program), lambda manager: manager.solve(Liveness))),
        ("with ingest", "lazy", timed(lambda: program, lambda given: Manager(given).solve(Liveness))),
        ("with building", "lazy", timed(lambda: graph, lambda given: Manager(program_of(given)).solve(Liveness))),
    ]


def reaching(path: Path, runs: int, budget: float) -> list[Part]:
    """Solving; full sets at every block; the chains from uses to definitions."""
    graph = load(path)
    program = program_of(graph)
    return [
        *_reaching_sets(graph, program, runs, budget),
        ("use-def chains", "eager", _chains(graph, program, runs, budget)),
    ]


def prepared(program: Program) -> Manager:
    """A manager that has solved nothing, and has made what passes share: places, accesses, the summary of words."""
    manager = Manager(program)
    manager.prepare()
    return manager


def resolved(program: Program) -> Manager:
    """A manager that knows what every instruction reads and writes, and no more."""
    manager = Manager(program)
    for number in range(len(program.instructions)):
        manager.accesses.reads(number)
        manager.accesses.writes(number)
    return manager


def way(solution: Solution) -> str:
    """Which way it was solved, and why, where a solution tells."""
    return f"{solution.statistics.way} {solution.statistics.reason}".strip()


def _reaching_sets(graph: Graph, program: Program, runs: int, budget: float) -> Iterator[Part]:
    reader = _Reader(graph)
    seconds, found = repeated(lambda: prepared(program), lambda manager: manager.solve(Reaching), runs, budget)
    yield "solve", "lazy", Found(seconds, "reaching", reader.reaching(found), way(found))
    if len(graph.blocks) > LARGEST_KEPT:
        yield "full sets", "eager", Found(reason="full sets of so many definitions at so many blocks do not fit")
        return

    def sets(manager: Manager) -> dict[int, Any]:
        return manager.solve(Reaching).block_ends()

    seconds, ends = repeated(lambda: prepared(program), sets, runs, budget)
    prints = {block: reader.definitions(ends[block]) for block in compared(len(graph.blocks))}
    yield "full sets", "eager", Found(seconds, "reaching", prints)


def _chains(graph: Graph, program: Program, runs: int, budget: float) -> Found:
    def all_of(manager: Manager) -> list[Chain]:
        return list(use_def_chains(manager))

    seconds, found = repeated(lambda: prepared(program), all_of, runs, budget)
    return Found(seconds, "chains", _prints_of_links(graph, program, found))


def _prints_of_links(graph: Graph, program: Program, chains: list[Chain]) -> Prints:
    """Of the uses and the definitions that each of them meets, by block."""
    links: dict[int, list[tuple[int, int]]] = {block: [] for block in compared(len(graph.blocks))}
    for number, _, reaching in chains:
        of_block = links.get(program.block_of(number))
        if of_block is not None:
            of_block.extend((number, one.instruction) for one in reaching if not one.is_tombstone)
    return {block: links_print(one) for block, one in links.items()}


def _every_block(manager: Manager) -> Solution:
    solution = manager.solve(Liveness)
    solution.block_ends()
    return solution


def _some_blocks(manager: Manager) -> Solution:
    solution = manager.solve(Liveness)
    for block in compared(len(manager.program.blocks)):
        solution.at_end(block)
    return solution


class _Reader:
    """Turns facts of the product into fingerprints of numbers."""

    def __init__(self, graph: Graph) -> None:
        self._blocks = compared(len(graph.blocks))
        self._number_of = {cell: number for number, cell in enumerate(cells_of(graph))}
        self._cells = Printer(graph.cells)
        self._numbers = Printer(graph.first[-1])

    def live(self, solution: Solution) -> Prints:
        """Of the live cells at ends, asked one by one."""
        return {block: self.cells(solution.at_end(block)) for block in self._blocks}

    def reaching(self, solution: Solution) -> Prints:
        """Of the definitions that reach ends, asked one by one."""
        return {block: self.definitions(solution.at_end(block)) for block in self._blocks}

    def cells(self, fact: Any) -> tuple[int, int]:
        """Of a set of cells."""
        return self._cells.of(map(self._number_of.__getitem__, fact))

    def definitions(self, fact: Any) -> tuple[int, int]:
        """Of definitions by cell, without tombstones."""
        return self._numbers.of(
            one.instruction for reaching in fact.values() for one in reaching if not one.is_tombstone
        )
