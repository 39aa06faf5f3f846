"""python-graphs: `LivenessAnalysis` over basic blocks of its control-flow graph, from every exit."""

from importlib import import_module
from typing import Any

from benchmarks.solver.graphs import Graph, Op
from benchmarks.solver.peers.sets import Sets


def prepared(graph: Graph) -> Any:
    """The graph as basic blocks whose instructions say what they read and write."""
    control_flow = import_module("python_graphs.control_flow")
    import_module("python_graphs.data_flow")
    flow = control_flow.ControlFlowGraph()
    blocks = [flow.new_block(prunable=False) for _ in graph.blocks]
    for block, ops, following in zip(blocks, graph.blocks, graph.successors, strict=True):
        for op in ops:
            block.add_instruction(_instruction(op))
        for target in following:
            block.add_exit(blocks[target])
    return blocks


def live(blocks: Any) -> Any:
    """The analysis, begun at every exit; at the last block where there is none."""
    analysis = import_module("python_graphs.data_flow").LivenessAnalysis()
    for block in blocks:
        block.labels.clear()
    for block in [one for one in blocks if not one.next] or blocks[-1:]:
        analysis.visit(block)
    return blocks


def ends(_: Any, blocks: Any) -> Sets:
    """What the analysis left at the blocks, as numbers of cells."""
    found = {number: block.get_label("liveness_out") for number, block in enumerate(blocks)}
    return {number: {int(name[1:]) for name in names} for number, names in found.items()}


def _instruction(op: Op) -> Any:
    reads, write = op
    accesses: list[tuple[str, str, None]] = [("read", f"c{cell}", None) for cell in reads]
    if write is not None:
        accesses.append(("write", f"c{write}", None))
    node = import_module("gast").Pass()
    return import_module("python_graphs.instruction").Instruction(node, accesses)
