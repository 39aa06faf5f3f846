"""xDSL: its data-flow solver with a dense analysis over the blocks of its IR.

xDSL brings sparse analyses only, so the sets and their transfer are written here; states, dependencies and the
worklist are the solver's. A block takes in what the blocks around it say and is visited again when one of them changes.
"""

from collections.abc import Callable
from importlib import import_module
from typing import Any

from benchmarks.solver.graphs import Graph
from benchmarks.solver.peers.sets import Sets, definitions_of, last_writes, union, uses

Given = tuple[Graph, list[Any], Any]
Neighbours = Callable[[Any], Any]


def prepared(graph: Graph) -> Given:
    """The graph as the blocks of one region of an operation."""
    ir, test = import_module("xdsl.ir"), import_module("xdsl.dialects.test")
    blocks = [ir.Block() for _ in graph.blocks]
    for block, following in zip(blocks, graph.successors, strict=True):
        block.add_op(test.TestTermOp(successors=[blocks[target] for target in following]))
    return graph, blocks, test.TestOp(regions=[ir.Region(blocks)])


def live(given: Given) -> Sets:
    """The cells that are live at the end of each block."""
    graph, blocks, _ = given
    masks = {block: uses(ops) for block, ops in zip(blocks, graph.blocks, strict=True)}
    arriving, _ = _solved(given, masks, lambda block: block.last_op.successors)
    return arriving


def reaching(given: Given) -> Sets:
    """The definitions that reach the end of each block."""
    graph, blocks, _ = given
    of_cell = definitions_of(graph)
    masks = {}
    for number, block in enumerate(blocks):
        made = last_writes(graph, number)
        masks[block] = set(made.values()), union(of_cell[cell] for cell in made)
    _, leaving = _solved(given, masks, lambda block: block.predecessors())
    return leaving


def _solved(given: Given, masks: dict[Any, tuple[set[int], set[int]]], sources: Neighbours) -> tuple[Sets, Sets]:
    _, blocks, operation = given
    dataflow, context = import_module("xdsl.analysis.dataflow"), import_module("xdsl.context")
    state, analysis = _classes(dataflow, masks, sources)
    solver = dataflow.DataFlowSolver(context.Context())
    solver.load(analysis)
    solver.initialize_and_run(operation)
    found = [solver.get_or_create_state(block, state) for block in blocks]
    arriving = {number: one.arriving for number, one in enumerate(found)}
    return arriving, {number: one.leaving for number, one in enumerate(found)}


def _classes(dataflow: Any, masks: dict[Any, tuple[set[int], set[int]]], sources: Neighbours) -> tuple[Any, Any]:
    """A state and an analysis; made here, since their bases are there only where xDSL is."""

    class Members(dataflow.AnalysisState):  # type: ignore[misc]
        def __init__(self, anchor: Any) -> None:
            super().__init__(anchor)
            self.arriving: set[int] = set()
            self.leaving: set[int] = set()

        def __str__(self) -> str:
            return str(self.leaving)

    class Dense(dataflow.DataFlowAnalysis):  # type: ignore[misc]
        def initialize(self, op: Any) -> None:
            for block in op.regions[0].blocks:
                point = dataflow.ProgramPoint.at_end_of_block(block)
                for source in sources(block):
                    self.add_dependency(self.get_or_create_state(source, Members), point)
            for block in op.regions[0].blocks:
                self.visit(dataflow.ProgramPoint.at_end_of_block(block))

        def visit(self, point: Any) -> None:
            found = self.get_or_create_state(point.block, Members)
            found.arriving = union(self.get_or_create_state(one, Members).leaving for one in sources(point.block))
            before, found.leaving = found.leaving, _transfer(masks[point.block], found.arriving)
            kinds = dataflow.ChangeResult
            self.propagate_if_changed(found, kinds.NO_CHANGE if before == found.leaving else kinds.CHANGE)

    return Members, Dense


def _transfer(masks: tuple[set[int], set[int]], arriving: set[int]) -> set[int]:
    gen, kill = masks
    return gen | (arriving - kill)
