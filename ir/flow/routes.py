"""The way through a log to one of its blocks, all arms of the forks on the way included."""

from __future__ import annotations

from collections.abc import Collection

from ..diagnostics import UsageError
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
    """A shortest way from the start of a log to a block; a block to which no control leads is reached by itself.

    Raises `UsageError` where forks are nested too deep to be gone through.
    """
    try:
        return _Route(program, flow).to(block)
    except RecursionError:
        raise UsageError(f"the forks of {program.name!r} are nested too deep") from None


class _Route:
    """Ways back along what control first comes from; to the join of a fork, one way along each of its arms."""

    def __init__(self, program: Program, flow: ControlFlow) -> None:
        self._flow = flow
        self._before = _first_ways(flow)
        self._forks: dict[int, int] = {}
        for number, one in enumerate(program.blocks):
            join = program.block_named(one.terminator.join) if isinstance(one.terminator, Fork) else None
            if join is not None:
                self._forks.setdefault(join, number)

    def to(self, block: int, starts: Collection[int] = ()) -> list[int]:
        """The way to a block from the start, or from the first of `starts` on the way back."""
        backwards = [block]
        while backwards[-1] not in starts:
            current = backwards[-1]
            fork = self._forks.get(current)
            if fork is not None and self._comes_through(current, fork):
                backwards.extend(reversed(self._arms(current, fork)))
                backwards.append(fork)
            elif current in self._before:
                backwards.append(self._before[current])
            else:
                break
        return backwards[::-1]

    def _comes_through(self, join: int, fork: int) -> bool:
        """Whether control first comes to a join through its fork, and not from elsewhere, as to the head of a loop."""
        block: int | None = join
        while block is not None and block != fork:
            block = self._before.get(block)
        return block == fork

    def _arms(self, join: int, fork: int) -> list[int]:
        """One way along each arm that comes to the join, in the order of the arms."""
        starts = self._flow.successors[fork]
        ways = [self.to(last, starts) for last in self._flow.predecessors[join] if last in self._before]
        first = {way[0]: way for way in reversed(ways)}
        return [block for start in starts for block in first.get(start, ())]


def _first_ways(flow: ControlFlow) -> dict[int, int]:
    """The node from which control comes to each node on a shortest way from an entry."""
    before: dict[int, int] = {}
    reached = set(flow.entries)
    work = list(flow.entries)
    for node in work:
        for following in flow.successors[node]:
            if following not in reached:
                reached.add(following)
                before[following] = node
                work.append(following)
    return before
