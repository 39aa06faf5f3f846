"""Which cells the instructions of a log read and write, drawn from a seed.

One cell in twenty lasts: it is met anywhere, by Zipf's law. The others belong to a place in the log and are met near
it. What is read was assigned on every path before, but for a log that leaks: there what one arm alone has set is read
after the arms have joined.
"""

import random
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import accumulate

from benchmarks.solver.graphs import Op

LASTING = 20
#: How often an operand is a cell that lasts, and how often an instruction that reads also writes.
LASTING_READ, LASTING_WRITE, WRITES = 0.25, 0.05, 0.65
#: How far back the cells of a place are met, on average, and how many of the last ones are remembered.
NEAR, RECENT = 8, 12
FEWEST, MOST, READS = 3, 8, 3


class Contents:
    """Draws the instructions of blocks one after the other."""

    def __init__(self, draw: random.Random, cells: int, blocks: int, *, leaks: bool) -> None:
        self._draw = draw
        self._blocks = blocks
        self._leaks = leaks
        self._lasting = max(1, cells // LASTING)
        self._local = cells - self._lasting
        self._weights = list(accumulate(1 / rank for rank in range(1, self._lasting + 1)))
        self._assigned: set[int] = set()
        self._recent: deque[int] = deque(maxlen=RECENT)
        self._here: list[int] = []
        self._due: int | None = None

    def block(self, number: int) -> tuple[Op, ...]:
        """The instructions of the block of that number."""
        top = self._lasting + (self._local - 1) * min(number, self._blocks - 1) // max(1, self._blocks - 1)
        return tuple(self._op(top) for _ in range(self._draw.randint(FEWEST, MOST)))

    @contextmanager
    def arm(self) -> Iterator[None]:
        """What is drawn within is one arm: what it assigns is not sure afterwards."""
        recent, self._here = self._recent.copy(), []
        yield
        if not self._leaks:
            self._recent = recent
            self._assigned.difference_update(self._here)

    def _op(self, top: int) -> Op:
        wanted = {self._cell(top, LASTING_READ) for _ in range(self._draw.randint(0, READS))}
        reads = tuple(sorted({found for cell in sorted(wanted) if (found := self._readable(cell)) is not None}))
        if reads and self._due is None and self._draw.random() > WRITES:
            return reads, None
        write = self._cell(top, LASTING_WRITE) if self._due is None else self._due
        self._due = None
        self._assign(write)
        return reads, write

    def _readable(self, cell: int) -> int | None:
        """The cell, or a recent one where it is not sure to be assigned; then it is written instead."""
        if cell in self._assigned:
            return cell
        self._due = cell
        return self._draw.choice(self._recent) if self._recent else None

    def _assign(self, cell: int) -> None:
        if cell not in self._assigned:
            self._assigned.add(cell)
            self._here.append(cell)
        self._recent.append(cell)

    def _cell(self, top: int, lasting: float) -> int:
        if self._draw.random() < lasting:
            return self._draw.choices(range(self._lasting), cum_weights=self._weights)[0]
        return max(self._lasting, top - int(self._draw.expovariate(1 / NEAR)))
