"""Measures one workload: every row in a process of its own, its answer compared with the expected one."""

from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import ParamSpec, TypeVar

from benchmarks.solver import appends, compiled, expected, generic, memory, product
from benchmarks.solver.environment import LIVENESS_ONLY, Peers
from benchmarks.solver.graphs import Graph, save
from benchmarks.solver.measured import Found
from benchmarks.solver.plan import Growth, Workload
from benchmarks.solver.rows import PRODUCT, Key, Row
from benchmarks.solver.targets import DENSE, FROZEN, SCRATCH, SLOTS, SOLVE, TURN

P = ParamSpec("P")
T = TypeVar("T")
Right = expected.Expected


@dataclass(frozen=True)
class Measuring:
    """How often, for how many seconds at most, where graphs lie, with what reference and what peers."""

    runs: int
    budget: float
    seed: int
    folder: Path
    reference: Path | compiled.NoCompiler
    peers: Peers

    def workload(self, one: Workload) -> Iterator[Row]:
        """The rows of one workload, as they are measured."""
        graph, path = self.graph(one)
        yield _of_graph(graph)
        right = in_process(expected.expected, graph)
        yield from self._of_product(one, path, right)
        yield from self._of_reference(one, graph, right)
        if one.peers:
            yield from self._of_peers(one, path, right)
        if one.memory:
            yield from _of_memory(one.name, path)

    def growth(self, one: Growth) -> Iterator[Row]:
        """The rows of appended turns."""
        _, path = self.graph(Workload(one.workload))
        for name, size in one.sizes.items():
            found = in_process(appends.appended, path, size, one.turns, self.budget)
            yield from _of_turns(f"append {name}", found)

    def graph(self, one: Workload) -> tuple[Graph, Path]:
        """The graph of a workload and the file it is kept in."""
        graph, path = one.graph(self.seed), self.folder / f"{one.name}.pickle"
        save(graph, path)
        return graph, path

    def _of_product(self, one: Workload, path: Path, right: Right) -> Iterator[Row]:
        measured = [("liveness", product.liveness)]
        measured += [("reaching", product.reaching)] if one.reaching else []
        measured += [("generic", generic.flat)] if one.generic else []
        for analysis, measure in measured:
            for what, asked, found in in_process(measure, path, self.runs, self.budget):
                yield _row(Key(one.name, analysis, PRODUCT, what), asked, found, right)

    def _of_reference(self, one: Workload, graph: Graph, right: Right) -> Iterator[Row]:
        rows = [("liveness", "live", DENSE), ("liveness", "slots", SLOTS)]
        rows += [("reaching", "reaching", DENSE)] if one.reaching else []
        for analysis, what, who in rows:
            found = Found(reason=str(self.reference))
            if isinstance(self.reference, Path):
                found = compiled.run(self.reference, what, graph, self.runs)
            yield _row(Key(one.name, analysis, who, SOLVE), "eager", found, right)

    def _of_peers(self, one: Workload, path: Path, right: Right) -> Iterator[Row]:
        for peer in self.peers.names:
            found = self.peers.run(peer, "live", path, self.runs, self.budget)
            yield _row(Key(one.name, "liveness", peer, SOLVE), "eager", found, right)
        for peer in self.peers.names if one.reaching else ():
            if peer not in LIVENESS_ONLY:
                found = self.peers.run(peer, "reaching", path, self.runs, self.budget)
                yield _row(Key(one.name, "reaching", peer, SOLVE), "eager", found, right)


def in_process(work: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
    """What a function finds in a fresh interpreter."""
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        return pool.submit(work, *arguments, **named).result()


def _of_graph(graph: Graph) -> Row:
    note = f"{len(graph.blocks):,} blocks, {graph.cells:,} cells, {graph.operands:,} operands"
    return Row(Key(graph.name, "graph", "", ""), unit="", note=note)


def _row(key: Key, asked: str, found: Found, right: Right) -> Row:
    differing = found.differing(right)
    same = None if differing is None else not differing
    note = found.reason or found.note
    if differing is None and found.seconds:
        note = "; ".join(filter(None, (note, "not compared")))
    if differing:
        note = f"{len(differing)} blocks differ, block {differing[0]} first; {note}"
    return Row(key, asked, found.seconds, same, len(found.prints), note)


def _of_memory(workload: str, path: Path) -> Iterator[Row]:
    measured = {**in_process(memory.liveness, path), **in_process(memory.chains, path)}
    for what, size in measured.items():
        yield Row(Key(workload, "memory", PRODUCT, what), "lazy", [float(size)], unit="bytes", note="peak, tracemalloc")


def _of_turns(name: str, found: appends.Appended) -> Iterator[Row]:
    grown = len(found.grow) - found.fell_back
    note = f"to {found.blocks} blocks, {grown} carried on, {found.fell_back} solved again"
    parts = {
        TURN: ("lazy", found.turns, "; ".join(filter(None, (note, found.note)))),
        FROZEN: ("lazy", found.frozen, "after gc.freeze(), as a long-running service may do"),
        "its append": ("", found.append, ""),
        "its growth": ("", found.grow, ""),
        "its question": ("lazy", found.ask, "one cell: is it live, what reaches the end"),
        "whole set asked": ("eager", found.ask_whole, "beside the turn: all live cells at one block"),
        SCRATCH: ("lazy", found.scratch, "a new manager, ingest counted, the same question"),
    }
    for what, (asked, seconds, said) in parts.items():
        same = found.same if what == TURN else None
        yield Row(Key(name, "append", PRODUCT, what), asked, seconds, same, note=said)
