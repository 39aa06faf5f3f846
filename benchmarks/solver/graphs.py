"""Graphs without a program: blocks of reads and writes of numbered cells, and the blocks that follow each.

Nothing here knows the product, so that a peer in another environment reads the same graph.
"""

import pickle
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

#: What an instruction reads, and the cell it writes after that.
Op = tuple[tuple[int, ...], int | None]


@dataclass(frozen=True)
class Graph:
    """Blocks by number, entered at block 0; all can be reached.

    `turns` are the numbers of blocks at which the graph ended while it was made, with one open end: between two of
    them lies a turn of the log. Instructions are numbered through all blocks; a definition is the number of its
    instruction.
    """

    name: str
    cells: int
    blocks: list[tuple[Op, ...]]
    successors: list[list[int]]
    turns: list[int] = field(default_factory=list)

    @cached_property
    def predecessors(self) -> list[list[int]]:
        """The blocks before each block."""
        found: list[list[int]] = [[] for _ in self.blocks]
        for source, following in enumerate(self.successors):
            for target in following:
                found[target].append(source)
        return found

    @cached_property
    def first(self) -> list[int]:
        """The number of the first instruction of each block, and of one more."""
        numbers = [0]
        for block in self.blocks:
            numbers.append(numbers[-1] + len(block))
        return numbers

    @property
    def operands(self) -> int:
        """How many cells are read or written in all."""
        return sum(len(reads) + (write is not None) for block in self.blocks for reads, write in block)

    def until(self, count: int) -> "Graph":
        """The first blocks alone, as the log stood then."""
        following = [[one for one in targets if one < count] for targets in self.successors[:count]]
        following[-1] = []  # the end is open: what it leads back to is not known yet
        return Graph(self.name, self.cells, self.blocks[:count], following, [n for n in self.turns if n <= count])


def save(graph: Graph, path: Path) -> None:
    """Write a graph for another process."""
    path.write_bytes(pickle.dumps(graph))


def load(path: Path) -> Graph:
    """Read a graph that this benchmark wrote."""
    found = pickle.loads(path.read_bytes())
    assert isinstance(found, Graph)
    return found
