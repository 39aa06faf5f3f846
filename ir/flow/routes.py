"""The way through a log to one of its blocks, all arms of the forks on the way included."""

from __future__ import annotations

from collections.abc import Collection

from ..program import Program
from ..terminators import Fork
from .cfg import ControlFlow


def path_to_end(program: Program) -> list[int]:
    """The blocks of a log from its start to its current end.

    >>> from statemem.ir import build
    >>> path_to_end(build().block("user").set("x", 1).block("assistant").use("x").program)
    [0, 1]
    """
    end = program.current_end
    return [] if end is None else path_to(program, ControlFlow(program), end)


def path_to(program: Program, flow: ControlFlow, block: int) -> list[int]:
    """The blocks from the start of a log to a block, back along first predecessors, each once."""
    return _Route(program, flow).to(block)


class _Route:
    """Ways back along first predecessors; to the join of a fork they lead through one way along each of its arms."""

    def __init__(self, program: Program, flow: ControlFlow) -> None:
        self._flow = flow
        self._forks: dict[int, int] = {}
        for number, one in enumerate(program.blocks):
            join = program.block_named(one.terminator.join) if isinstance(one.terminator, Fork) else None
            if join is not None:
                self._forks.setdefault(join, number)

    def to(self, block: int, starts: Collection[int] = ()) -> list[int]:
        """The way to a block from the start, or from the last of `starts` on it."""
        backwards: dict[int, None] = {}
        current: int | None = block
        while current is not None and current not in backwards:
            backwards[current] = None
            if current in starts:
                break
            fork = self._forks.get(current)
            if fork is not None and fork not in backwards:
                backwards.update(dict.fromkeys(reversed(self._arms(current, fork))))
                current = fork
            else:
                current = next(iter(self._flow.predecessors[current]), None)
        return list(backwards)[::-1]

    def _arms(self, join: int, fork: int) -> list[int]:
        """One way along each arm that comes to the join, in the order of the arms."""
        starts = self._flow.successors[fork]
        ways = [self.to(last, starts) for last in self._flow.predecessors[join]]
        first = {way[0]: way for way in reversed(ways)}
        return [block for start in starts for block in first.get(start, ())]
