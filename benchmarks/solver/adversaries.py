"""Graphs that press where solvers hurt, from a seed."""

import random
from collections.abc import Callable
from zlib import crc32

from benchmarks.solver.graphs import Graph, Op
from benchmarks.solver.workloads import Kind, log

BLOCKS, CELLS = 2_000, 300
DEEP = 40
NEAR = 30


def adversary(name: str, seed: int, blocks: int = BLOCKS, cells: int = CELLS) -> Graph:
    """An adversary by its name; the same for the same seed."""
    return ADVERSARIES[name](random.Random(crc32(f"{name}/{seed}".encode())), blocks, cells)


def nested(draw: random.Random, blocks: int, cells: int) -> Graph:
    """Loops forty deep, one such nest after the other: each latch leads back to its header."""
    successors = _line(blocks)
    nest = 2 * DEEP + 1
    for start in range(0, blocks - nest, nest + 1):
        for depth in range(DEEP):
            successors[start + nest - 1 - depth].append(start + depth)
    return Graph("nested", cells, _anywhere(draw, blocks, cells), successors)


def irreducible(draw: random.Random, blocks: int, cells: int) -> Graph:
    """A line with jumps to anywhere near, forwards and back, so that loops are entered in their middle."""
    successors = _line(blocks)
    for number in range(blocks - 1):
        if draw.random() < 0.3:
            target = min(blocks - 1, max(1, number + draw.randint(-NEAR, NEAR)))
            successors[number].extend({target} - {number + 1})
    return Graph("irreducible", cells, _anywhere(draw, blocks, cells), successors)


def component(draw: random.Random, blocks: int, cells: int) -> Graph:
    """One random strongly connected graph: a ring through all blocks, and an edge from each to anywhere."""
    ring = list(range(blocks))
    draw.shuffle(ring)
    successors: list[list[int]] = [[] for _ in ring]
    for source, target in zip(ring, ring[1:] + ring[:1], strict=True):
        successors[source].extend({target: None, draw.randrange(blocks): None})
    return Graph("component", cells, _anywhere(draw, blocks, cells), successors)


def everywhere(draw: random.Random, blocks: int, cells: int) -> Graph:
    """Every cell is set at the beginning and read at the end, and between them lies a log of diamonds."""
    successors = _line(blocks)
    for number in range(1, blocks - 3, 3):
        successors[number].append(number + 2)
    between: list[tuple[Op, ...]] = [tuple(((draw.randrange(cells),), None) for _ in range(5)) for _ in successors]
    between[0] = tuple(((), cell) for cell in range(cells))
    between[-1] = tuple(((cell,), None) for cell in range(cells))
    return Graph("everywhere", cells, between, successors)


def backwards(draw: random.Random, blocks: int, cells: int) -> Graph:
    """A log whose blocks are laid out from its end to its begin, but for the entry."""
    given = log("backwards", Kind(blocks, cells), draw.randrange(1 << 30))
    count = len(given.blocks)
    old = [0, *range(count - 1, 0, -1)]  # the same both ways
    successors = [[old[target] for target in given.successors[number]] for number in old]
    return Graph("backwards", cells, [given.blocks[number] for number in old], successors)


def _line(blocks: int) -> list[list[int]]:
    return [*([number + 1] for number in range(blocks - 1)), []]


def _anywhere(draw: random.Random, blocks: int, cells: int) -> list[tuple[Op, ...]]:
    """Instructions over all cells alike, half of which write."""

    def op() -> Op:
        reads = tuple(sorted({draw.randrange(cells) for _ in range(draw.randint(0, 3))}))
        return reads, draw.randrange(cells) if not reads or draw.random() < 0.5 else None

    return [tuple(op() for _ in range(draw.randint(3, 8))) for _ in range(blocks)]


ADVERSARIES: dict[str, Callable[[random.Random, int, int], Graph]] = {
    "nested": nested,
    "irreducible": irreducible,
    "component": component,
    "everywhere": everywhere,
    "backwards": backwards,
}
