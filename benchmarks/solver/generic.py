"""The generic path: a map from cells to flat values, which no packed bits can hold, beside the packed one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from benchmarks.solver.expected import SEVERAL, flat_print
from benchmarks.solver.graphs import load
from benchmarks.solver.measured import Found
from benchmarks.solver.prints import compared
from benchmarks.solver.product import prepared, way
from benchmarks.solver.programs import cells_of, program_of
from benchmarks.solver.timing import repeated
from statemem.ir import Cell, Mode
from statemem.passes import Analysis
from statemem.passes.framework import At, Lattice, MapOf

NOTHING = -2


class _Box:
    """The working state of a flat value."""

    __slots__ = ("value",)

    def __init__(self, value: int) -> None:
        self.value = value

    def freeze(self) -> int:
        return self.value


class Flat:
    """Nothing below every number, `SEVERAL` above."""

    bottom = NOTHING

    def join(self, left: int, right: int) -> int:
        """The one that is there, or `SEVERAL`."""
        if left == right or right == NOTHING:
            return left
        return right if left == NOTHING else SEVERAL

    def leq(self, left: int, right: int) -> bool:
        """Whether a value says no more than another."""
        return left in (right, NOTHING) or right == SEVERAL

    def open(self, fact: int) -> Any:
        """A box."""
        return _Box(fact)


def _nothing(_: Cell) -> int:
    return NOTHING


def _flat() -> Lattice[int]:
    found: Any = Flat()
    return found  # type: ignore[no-any-return]


class FlatValues(Analysis):
    """Which one value each cell holds, or several."""

    facts = MapOf(_flat(), _nothing)

    def boundary(self, program: Any) -> Any:
        """No cell holds anything."""
        return {}

    def on_write(self, cell: Cell, mode: Mode, state: Any, at: At) -> None:
        """The value of the instruction, which is its number."""
        state[cell] = at.number


def flat(path: Path, runs: int, budget: float) -> list[tuple[str, str, Found]]:
    """Flat values of a graph's program."""
    graph = load(path)
    program = program_of(graph)
    seconds, solution = repeated(lambda: prepared(program), lambda given: given.solve(FlatValues), runs, budget)
    number_of = {cell: number for number, cell in enumerate(cells_of(graph))}
    prints = {}
    for block in compared(len(graph.blocks)):
        held = {number_of[cell]: value for cell, value in solution.at_end(block).items() if value != NOTHING}
        prints[block] = flat_print(held)
    return [("flat values", "lazy", Found(seconds, "flat", prints, way(solution)))]
