"""Log-shaped graphs from a seed: chains, retry loops, diamonds, calls of tasks.

A log grows turn by turn at one open end. A turn is a block, a diamond, or the call of a task; the end may lead back to
the header of the retry loop that is open there. A task's body stands where it is called, or, in a `shared` log, once:
then it is entered from every call and leads on to what follows any of them.
"""

import random
from dataclasses import dataclass
from zlib import crc32

from benchmarks.solver.contents import Contents
from benchmarks.solver.graphs import Graph, Op

DEEPEST = 3
LONGEST_LOOP, LONGEST_ARM, LONGEST_TASK, TASKS = 12, 3, 5, 8
#: How often a turn opens a loop, is a diamond, is a call; how often a diamond has one arm only.
OPENS, FORKS, CALLS, ONE_ARM = 0.05, 0.09, 0.08, 0.25


@dataclass(frozen=True)
class Kind:
    """A log of so many blocks and cells."""

    blocks: int
    cells: int
    leaks: bool = False
    shares: bool = False


KINDS = {
    "log100": Kind(100, 60),
    "log1k": Kind(1_000, 300),
    "log10k": Kind(10_000, 2_000),
    "log10k_v20k": Kind(10_000, 20_000),
    "log100k": Kind(100_000, 20_000),
    "log1k_leak": Kind(1_000, 300, leaks=True),
    "log10k_leak": Kind(10_000, 2_000, leaks=True),
    "log1k_shared": Kind(1_000, 300, shares=True),
}


def log(name: str, kind: Kind, seed: int) -> Graph:
    """A log of a kind; the same for the same seed."""
    growing = _Growing(kind, random.Random(crc32(f"{name}/{seed}".encode())))
    while len(growing.blocks) < kind.blocks:
        growing.turn()
    return Graph(name, kind.cells, growing.blocks, growing.successors, growing.turns)


class _Growing:
    def __init__(self, kind: Kind, draw: random.Random) -> None:
        self._kind = kind
        self._draw = draw
        self._contents = Contents(draw, kind.cells, kind.blocks, leaks=kind.leaks)
        self.blocks: list[tuple[Op, ...]] = []
        self.successors: list[list[int]] = []
        self.turns: list[int] = []
        self._loops: list[list[int]] = []  # the header of each open loop, and how many turns are left of it
        self._bodies: dict[int, tuple[int, int]] = {}  # the first and the last block of each shared task
        self._end = self._block()
        self.turns.append(1)

    def turn(self) -> None:
        """Go on from the end; a loop whose turns are over is closed there first."""
        left = self._kind.blocks - len(self.blocks)
        chosen = self._draw.random()
        if self._closes():
            self._go_on()
        elif chosen < OPENS and len(self._loops) < DEEPEST:
            self._open()
        elif chosen < OPENS + FORKS and left > 2 * LONGEST_ARM + 1:
            self._diamond()
        elif chosen < OPENS + FORKS + CALLS and left > LONGEST_TASK + 2:
            self._call()
        else:
            self._go_on()
        self.turns.append(len(self.blocks))

    def _block(self) -> int:
        self.blocks.append(self._contents.block(len(self.blocks)))
        self.successors.append([])
        return len(self.blocks) - 1

    def _after(self, *before: int) -> int:
        number = self._block()
        for one in before:
            self.successors[one].append(number)
        return number

    def _go_on(self) -> None:
        self._end = self._after(self._end)

    def _closes(self) -> bool:
        if not self._loops:
            return False
        self._loops[-1][1] -= 1
        if self._loops[-1][1] > 0:
            return False
        header, _ = self._loops.pop()
        self.successors[self._end].append(header)
        return True

    def _open(self) -> None:
        self._go_on()
        self._loops.append([self._end, self._draw.randint(1, LONGEST_LOOP)])

    def _diamond(self) -> None:
        head, ends = self._end, []
        for _ in range(2 if self._draw.random() > ONE_ARM else 1):
            with self._contents.arm():
                ends.append(self._line(head, self._draw.randint(1, LONGEST_ARM)))
        self._end = self._after(*ends if len(ends) > 1 else (head, *ends))

    def _line(self, before: int, count: int) -> int:
        for _ in range(count):
            before = self._after(before)
        return before

    def _call(self) -> None:
        if self._kind.shares:
            self._call_shared(self._draw.randrange(TASKS))
        else:
            self._end = self._line(self._end, self._draw.randint(2, LONGEST_TASK) + 1)

    def _call_shared(self, task: int) -> None:
        known = self._bodies.get(task)
        if known is None:
            last = self._line(self._end, self._draw.randint(2, LONGEST_TASK))
            self._bodies[task] = self.successors[self._end][-1], last
        else:
            self.successors[self._end].append(known[0])
            last = known[1]
        self._end = self._after(last)
