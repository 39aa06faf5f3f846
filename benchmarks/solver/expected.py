"""The answers that every row is compared with: a solver of the simplest kind, over integers as sets of bits.

It shares no code with the product nor with a peer. Facts are those at the ends of blocks: the cells that are live
there, and the definitions that reach it.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from benchmarks.solver.graphs import Graph
from benchmarks.solver.prints import MASK, Printer, Prints, compared, mixed

#: Reaching definitions of larger graphs are too many bits.
LARGEST_REACHING = 20_000
Transfer = Callable[[int, int], int]


@dataclass(frozen=True)
class Expected:
    """Fingerprints by block: live cells; those that were met before; reaching definitions; flat values; chains."""

    live: Prints
    live_met: Prints
    reaching: Prints
    flat: Prints
    chains: Prints


def expected(graph: Graph) -> Expected:
    """The answers for a graph, at the blocks that are compared."""
    chosen = compared(len(graph.blocks))
    cells = Printer(graph.cells)
    live, met = live_ends(graph), _live_met(graph)
    found = reaching_ends(graph) if len(graph.blocks) <= LARGEST_REACHING else None
    numbers = Printer(graph.first[-1])
    return Expected(
        {block: cells.of(bits(live[block])) for block in chosen},
        {block: cells.of(bits(met[block])) for block in chosen},
        {block: numbers.of(bits(found[block])) for block in chosen} if found else {},
        _flat(graph, found, chosen) if found else {},
        _chains(graph, found, chosen) if found else {},
    )


def live_ends(graph: Graph) -> list[int]:
    """The cells that are live at the end of each block, as bits."""
    uses, kills = _uses_and_kills(graph)
    starts = _solved(graph.successors, graph.predecessors, lambda block, out: uses[block] | (out & ~kills[block]))
    return [_union(starts, following) for following in graph.successors]


def reaching_ends(graph: Graph) -> list[int]:
    """The definitions that reach the end of each block, as bits."""
    of_cell = [0] * graph.cells
    for number, cell in definitions(graph):
        of_cell[cell] |= 1 << number
    made: list[int] = []
    killed: list[int] = []
    for first, block in zip(graph.first, graph.blocks, strict=False):
        last = {write: number for number, (_, write) in enumerate(block, first) if write is not None}
        made.append(sum(1 << number for number in last.values()))
        killed.append(_union(of_cell, last))
    return _solved(graph.predecessors, graph.successors, lambda block, into: made[block] | (into & ~killed[block]))


def definitions(graph: Graph) -> Iterator[tuple[int, int]]:
    """The numbers of the instructions that write, with their cells."""
    numbered = enumerate(write for block in graph.blocks for _, write in block)
    return ((number, cell) for number, cell in numbered if cell is not None)


def bits(number: int) -> list[int]:
    """The numbers of the bits that are set."""
    found = []
    for place, byte in enumerate(number.to_bytes((number.bit_length() + 7) // 8, "little")):
        if byte:
            found.extend([place * 8 + one for one in _OF_BYTE[byte]])
    return found


def flat_print(values: dict[int, int]) -> tuple[int, int]:
    """The fingerprint of a map from cells to values."""
    return len(values), sum(mixed(cell ^ (value + 1) << 24) for cell, value in values.items()) & MASK


def links_print(links: Iterable[tuple[int, int]]) -> tuple[int, int]:
    """The fingerprint of links from a use to a definition."""
    patterns = [mixed(use << 32 | definition) for use, definition in links]
    return len(patterns), sum(patterns) & MASK


#: The value of a cell that may hold more than one.
SEVERAL = -1
_OF_BYTE = [[place for place in range(8) if byte >> place & 1] for byte in range(256)]


def _live_met(graph: Graph) -> list[int]:
    """Live at the start of a following block and mentioned on some path up to the end of that one: numba's answer."""
    uses, kills = _uses_and_kills(graph)
    starts = _solved(graph.successors, graph.predecessors, lambda block, out: uses[block] | (out & ~kills[block]))
    met = _solved(graph.predecessors, graph.successors, lambda block, into: into | uses[block] | kills[block])
    both = [live & seen for live, seen in zip(starts, met, strict=True)]
    return [_union(both, following) for following in graph.successors]


def _flat(graph: Graph, reaching: list[int], chosen: Sequence[int]) -> Prints:
    """Each cell with the one definition that reaches, or with `SEVERAL`."""
    cell_of = dict(definitions(graph))
    found: dict[int, tuple[int, int]] = {}
    for block in chosen:
        values: dict[int, int] = {}
        for number in bits(reaching[block]):
            values[cell_of[number]] = SEVERAL if cell_of[number] in values else number
        found[block] = flat_print(values)
    return found


def _chains(graph: Graph, reaching: list[int], chosen: Sequence[int]) -> Prints:
    """Each read of a block with the definitions that reach it."""
    cell_of = dict(definitions(graph))
    found: dict[int, tuple[int, int]] = {}
    for block in chosen:
        held: dict[int, list[int]] = {}
        for number in bits(_union(reaching, graph.predecessors[block])):
            held.setdefault(cell_of[number], []).append(number)
        links: list[tuple[int, int]] = []
        for use, (reads, write) in enumerate(graph.blocks[block], graph.first[block]):
            links.extend((use, number) for cell in reads for number in held.get(cell, ()))
            if write is not None:
                held[write] = [use]
        found[block] = links_print(links)
    return found


def _uses_and_kills(graph: Graph) -> tuple[list[int], list[int]]:
    uses: list[int] = []
    kills: list[int] = []
    for block in graph.blocks:
        used = killed = 0
        for reads, write in block:
            for cell in reads:
                used |= ~killed & 1 << cell
            if write is not None:
                killed |= 1 << write
        uses.append(used)
        kills.append(killed)
    return uses, kills


def _solved(sources: list[list[int]], targets: list[list[int]], transfer: Transfer) -> list[int]:
    """What leaves each block, swept forth and back until nothing changes."""
    leaving = [0] * len(sources)
    dirty = [True] * len(sources)
    order = range(len(sources))
    while any(dirty):
        order = order[::-1]
        for block in order:
            if not dirty[block]:
                continue
            dirty[block] = False
            now = transfer(block, _union(leaving, sources[block]))
            if now != leaving[block]:
                leaving[block] = now
                for following in targets[block]:
                    dirty[following] = True
    return leaving


def _union(sets: list[int], chosen: "Sequence[int] | dict[int, int]") -> int:
    found = 0
    for one in chosen:
        found |= sets[one]
    return found
