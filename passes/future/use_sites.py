"""Where a program touches each cell, and how control comes from there to the next such place: what estimates rest on.

Between places that touch a cell a straight run of blocks is only a length. So what is said of a cell has to be said
where it is touched and where straight runs begin that may come to a use of it.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import attrs

from statemem.ir import Branch, Call, Cell, Fork, How, Mode, Program, Use
from statemem.ir.meaning.resolve import PlaceWrite
from statemem.ir.terminators import Arm

from ..framework import Manager

#: Uses in nested arms count for each other up to this often.
MOST_WEIGHT = 64
#: How likely it is that something happens which may or may not.
MAYBE = 0.5
#: The purpose of a use in a reply.
REPLY = "reply"


@attrs.define
class Touch:
    """What one node does to one cell: uses before it is replaced, by sink, and how likely it is to pass unreplaced."""

    replies: float = 0.0
    arguments: float = 0.0
    passes: float = 1.0

    def uses(self, *, for_reply: bool) -> float:
        """The uses of one sink."""
        return self.replies if for_reply else self.arguments


class Step(NamedTuple):
    """The way from a node to the next one at which something is said: blocks, how likely, and with what weight."""

    node: int
    weight: int
    blocks: int
    share: float


class Layout:
    """The straight runs of a program, what each node does to each cell, and how likely each way on is.

    The arms of a fork are all executed: each is gone through with the share of one, and its uses count for as many as
    there are arms, so that from the fork they add up, while what lies behind the join is come to once.
    """

    def __init__(self, manager: Manager) -> None:
        self.program: Program = manager.program
        self.flow = manager.graph.matched
        self.accesses = manager.accesses
        self.runs: list[list[int]] = self.flow.chains
        self.at = {node: (run, place) for run, nodes in enumerate(self.runs) for place, node in enumerate(nodes)}
        self.order = {node: place for place, node in enumerate(self.flow.order)}
        self.segment_of = manager.graph.segments.of
        forks = [block.terminator for block in self.program.blocks if isinstance(block.terminator, Fork)]
        self._arms_at = {one.join: len(set(one.arms)) for one in forks}
        #: The greatest weight that nested forks can give.
        self.widest = min(math.prod(len(set(one.arms)) for one in forks), MOST_WEIGHT)
        self.exits = [list(self._exits(nodes[-1])) for nodes in self.runs]
        #: The runs from which control goes on to each run.
        self.before: list[list[int]] = [[] for _ in self.runs]
        for run, exits in enumerate(self.exits):
            for target, _ in exits:
                self.before[self.at[target][0]].append(run)
        self.touches: dict[Cell, dict[int, Touch]] = {}
        for node in self.order:
            for number in self.flow.executed(node):
                self._look_at(node, number)

    # touches

    def _look_at(self, node: int, number: int) -> None:
        """The reads of an instruction, then its writes."""
        instruction, likely = self.program.instructions[number], self._likely(number)
        for_reply = isinstance(instruction, Use) and instruction.purpose == REPLY
        for read in self.accesses.reads(number):
            if read.how is How.USED:
                touch = self._touch(read.place, node)
                uses = touch.passes * likely * (1.0 if read.definite else MAYBE)
                touch.replies += uses if for_reply else 0.0
                touch.arguments += 0.0 if for_reply else uses
        for write in self.accesses.writes(number):
            if write.mode not in (Mode.EXTEND, Mode.FILL):
                self._touch(write.place, node).passes *= 1 - likely * self._replaces(write, number)

    def _touch(self, cell: Cell, node: int) -> Touch:
        return self.touches.setdefault(cell, {}).setdefault(node, Touch())

    def _likely(self, number: int) -> float:
        """How likely an instruction is in its block: by the counts of both, else even where it may not happen."""
        instruction, block = self.program.instructions[number], self.program.blocks[self.program.block_of(number)]
        own, whole = instruction.origin.count, block.origin.count
        if own is not None and whole:
            return min(1.0, max(0.0, own / whole))
        return MAYBE if instruction.maybe else 1.0

    def _replaces(self, write: PlaceWrite, number: int) -> float:
        """How likely a write that happens replaces what is there."""
        is_told = write.definite or self.program.instructions[number].maybe
        may_yield = write.mode is not Mode.END and self.accesses.may_be_outranked(write)
        return (1.0 if is_told else MAYBE) * (MAYBE if may_yield else 1.0)

    # ways

    def _exits(self, node: int) -> Iterator[tuple[int, float]]:
        """The nodes behind a run, each with its share."""
        following = self.flow.successors[node]
        terminator = None if node in self.flow.landings else self.program.blocks[self.flow.block_of(node)].terminator
        if isinstance(terminator, Branch):
            shares = _shares(terminator.arms)
            names = {one: self.program.blocks[self.flow.block_of(one)].name for one in following}
            yield from ((one, shares.get(name, 0.0)) for one, name in names.items())
        elif following and all(one in self.flow.landings for one in following):
            counts = [self._calls(one) for one in following]
            yield from ((one, count / sum(counts)) for one, count in zip(following, counts, strict=True))
        else:
            yield from ((one, 1 / len(following)) for one in following)

    def _calls(self, landing: int) -> float:
        """How often a call is made, as far as it is counted."""
        block = self.program.blocks[self.flow.landings[landing]]
        assert isinstance(block.terminator, Call)
        count = block.terminator.origin.count or block.origin.count
        return float(count) if count else 1.0

    def weighed(self, source: int, target: int, weight: int) -> int:
        """The weight of uses behind an edge: greater within the arms of a fork, as before at its join."""
        terminator = self.program.blocks[self.flow.block_of(source)].terminator
        if isinstance(terminator, Fork) and source not in self.flow.landings:
            weight = min(weight * len(self.flow.successors[source]), MOST_WEIGHT)
        name = self.program.blocks[self.flow.block_of(target)].name
        return max(1, weight // self._arms_at[name]) if name in self._arms_at else weight


def _shares(arms: Iterable[Arm]) -> dict[str, float]:
    """The share of each way out of a branch by its weight; one without has the mean of the others."""
    given = [arm.weight for arm in arms if arm.weight is not None]
    mean = sum(given) / len(given) if given else 1.0
    weights: dict[str, float] = {}
    for arm in arms:
        weights[arm.target] = weights.get(arm.target, 0.0) + (mean if arm.weight is None else arm.weight)
    total = sum(weights.values())
    return {name: weight / total if total else 1 / len(weights) for name, weight in weights.items()}


class Sites:
    """The nodes at which something has to be said of one cell and sink."""

    def __init__(self, layout: Layout, cell: Cell, *, for_reply: bool) -> None:
        self._layout = layout
        self._for_reply = for_reply
        self.touches = layout.touches.get(cell, {})
        self._places: dict[int, list[int]] = {}
        for run, place in sorted(layout.at[node] for node in self.touches):
            self._places.setdefault(run, []).append(place)
        self._live = self._live_runs()
        self.useful = set(self._useful())

    def uses(self, node: int) -> float:
        """The uses in a node before the cell is replaced there."""
        touch = self.touches.get(node)
        return 0.0 if touch is None else touch.uses(for_reply=self._for_reply)

    def passes(self, node: int) -> float:
        """How likely the cell is not replaced in a node."""
        return self.touches[node].passes if node in self.touches else 1.0

    @property
    def starts(self) -> list[int]:
        """The nodes at which something is said whatever leads there, those that control comes to late first."""
        found = {*self.useful, *(self._layout.runs[run][0] for run in self._live)}
        return sorted(found, key=self._layout.order.__getitem__, reverse=True)

    def late_first(self, site: Any) -> tuple[int, int]:
        """Sorts sites so that those that control comes to late are first."""
        return -self._layout.order[site.node], -site.weight

    def steps(self, node: int, weight: int = 1) -> Iterator[Step]:
        """From a node to the next ones that may come to a use."""
        run, place = self._layout.at[node]
        nodes, touched = self._layout.runs[run], self._places.get(run, [])
        after = bisect_right(touched, place)
        if after < len(touched):
            if nodes[touched[after]] in self.useful:
                yield Step(nodes[touched[after]], weight, touched[after] - place, 1.0)
            return
        for target, share in self._layout.exits[run]:
            if self._layout.at[target][0] in self._live:
                yield Step(target, self._layout.weighed(nodes[-1], target, weight), len(nodes) - place, share)

    def _live_runs(self) -> set[int]:
        """The runs from whose start some way comes to a use before the cell is surely replaced."""
        work = [run for run in self._places if self._uses_before_replaced(run)]
        found = set(work)
        for run in work:
            new = [one for one in self._layout.before[run] if one not in found and self._passes_run(one)]
            found.update(new)
            work.extend(new)
        return found

    def _in_run(self, run: int) -> Iterator[int]:
        return (self._layout.runs[run][place] for place in self._places.get(run, ()))

    def _passes_run(self, run: int) -> bool:
        return all(self.passes(node) > 0 for node in self._in_run(run))

    def _uses_before_replaced(self, run: int) -> bool:
        for node in self._in_run(run):
            if self.uses(node) > 0:
                return True
            if self.passes(node) == 0:
                return False
        return False

    def _useful(self) -> Iterator[int]:
        """The nodes that touch the cell and may come to a use, those of each run backwards."""
        for run, places in self._places.items():
            onward = any(self._layout.at[target][0] in self._live for target, _ in self._layout.exits[run])
            for place in reversed(places):
                node = self._layout.runs[run][place]
                onward = self.uses(node) > 0 or (onward and self.passes(node) > 0)
                if onward:
                    yield node
