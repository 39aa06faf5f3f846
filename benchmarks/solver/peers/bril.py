"""Bril's own `df.py`, from a checkout whose path is given: its `df_worklist` over its dictionaries of instructions.

Liveness is its own analysis; that of reaching definitions is written here in its terms, since it has none.
"""

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from benchmarks.solver.graphs import Graph, Op
from benchmarks.solver.peers.sets import Sets, definitions_of

Given = tuple[Graph, dict[str, list[dict[str, Any]]], Any]
EXAMPLES = "examples"


def prepared(graph: Graph, checkout: str) -> Given:
    """The graph as Bril's blocks by name."""
    sys.path.insert(0, str(Path(checkout) / EXAMPLES))
    blocks = {f"b{number}": _block(graph, number) for number in range(len(graph.blocks))}
    return graph, blocks, import_module("df")


def live(given: Given) -> Any:
    """What is live at the end of each block."""
    _, blocks, df = given
    _, out = df.df_worklist(blocks, df.ANALYSES["live"])
    return out


def reaching(given: Given) -> Any:
    """The definitions that reach the end of each block."""
    graph, blocks, df = given
    of_cell = {f"c{cell}": found for cell, found in definitions_of(graph).items()}

    def transfer(block: list[dict[str, Any]], into: set[int]) -> set[int]:
        made = {one["dest"]: one["number"] for one in block if "dest" in one}
        return set(made.values()).union(into.difference(*(of_cell[cell] for cell in made)))

    _, out = df.df_worklist(blocks, df.Analysis(True, init=set(), merge=df.union, transfer=transfer))
    return out


def ends(_: Given, found: dict[str, set[Any]]) -> Sets:
    """Its names as numbers."""
    numbers = {int(block[1:]): members for block, members in found.items()}
    return {
        block: {int(one[1:]) if isinstance(one, str) else one for one in members} for block, members in numbers.items()
    }


def _block(graph: Graph, number: int) -> list[dict[str, Any]]:
    following = [f"b{target}" for target in graph.successors[number]]
    last = {"op": "br" if len(following) > 1 else "jmp", "labels": following} if following else {"op": "ret"}
    return [*map(_instruction, graph.blocks[number], range(graph.first[number], graph.first[number + 1])), last]


def _instruction(op: Op, number: int) -> dict[str, Any]:
    reads, write = op
    found: dict[str, Any] = {"op": "id", "args": [f"c{cell}" for cell in reads], "number": number}
    return found if write is None else found | {"dest": f"c{write}"}
