"""A worklist over dictionaries of sets, in the manner of teaching compilers: a queue of blocks, one union, one
transfer, and the set that a block gives compared with the one before."""

from collections.abc import Callable, Iterable

from benchmarks.solver.graphs import Graph, Op

Sets = dict[int, set[int]]
Transfer = Callable[[int, set[int]], set[int]]


def live(graph: Graph) -> Sets:
    """The cells that are live at the end of each block."""

    def transfer(block: int, out: set[int]) -> set[int]:
        used, written = uses(graph.blocks[block])
        return used | (out - written)

    _, ends = solved(dict(enumerate(graph.successors)), dict(enumerate(graph.predecessors)), transfer)
    return ends


def reaching(graph: Graph) -> Sets:
    """The definitions that reach the end of each block."""
    of_cell = definitions_of(graph)

    def transfer(block: int, into: set[int]) -> set[int]:
        made = last_writes(graph, block)
        return set(made.values()).union(into.difference(*(of_cell[cell] for cell in made)))

    ends, _ = solved(dict(enumerate(graph.predecessors)), dict(enumerate(graph.successors)), transfer)
    return ends


def solved(sources: dict[int, list[int]], targets: dict[int, list[int]], transfer: Transfer) -> tuple[Sets, Sets]:
    """What leaves each block and what arrives there."""
    arriving: Sets = {}
    leaving: Sets = {block: set() for block in sources}
    work = list(sources)
    while work:
        block = work.pop(0)
        arriving[block] = union(leaving[source] for source in sources[block])
        now = transfer(block, arriving[block])
        if now != leaving[block]:
            leaving[block] = now
            work += targets[block]
    return leaving, arriving


def union(sets: Iterable[set[int]]) -> set[int]:
    """All members."""
    found: set[int] = set()
    for one in sets:
        found.update(one)
    return found


def uses(block: tuple[Op, ...]) -> tuple[set[int], set[int]]:
    """The cells that a block reads before it writes them, and those it writes."""
    used: set[int] = set()
    written: set[int] = set()
    for reads, write in block:
        used.update(cell for cell in reads if cell not in written)
        if write is not None:
            written.add(write)
    return used, written


def last_writes(graph: Graph, block: int) -> dict[int, int]:
    """The cells that a block writes, each with the number of the instruction that does so last."""
    numbered = enumerate(graph.blocks[block], graph.first[block])
    return {write: number for number, (_, write) in numbered if write is not None}


def definitions_of(graph: Graph) -> dict[int, set[int]]:
    """The definitions of each cell."""
    found: dict[int, set[int]] = {}
    for first, block in zip(graph.first, graph.blocks, strict=False):
        for number, (_, write) in enumerate(block, first):
            if write is not None:
                found.setdefault(write, set()).add(number)
    return found
