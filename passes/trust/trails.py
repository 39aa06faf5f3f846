"""Trails: the ways that labels take from their sources, found again from the solutions of `taint` and `reaching`."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, NamedTuple

from statemem.ir import Cell, Definition, How, Program
from statemem.ir.entries import Entry

from ..framework import After, GaveUp, Manager, NoFact
from ..reaching import Reaching
from .rules import NO_LABELS, STANDARD, UNKNOWN_PREMISES, Labels, TrustRules
from .taint import NOTHING_READ, Taint, are_resolved, as_made, read_labels, turn_of, writing_of

#: How many entries are looked at before a search gives up.
BUDGET = 100_000

Seen = dict[Definition, Labels]


class Link(enum.Enum):
    """How an entry came by its label."""

    SOURCE = "source"
    DERIVED = "derived"
    SHOWN = "shown"


class Step(NamedTuple):
    """One entry on a trail: where it stands, and how it came by the label: by itself, or from the step before it."""

    entry: Entry
    cell: Cell
    link: Link


class Trails:
    """The entries that each instruction saw, with their labels, and the ways through them."""

    def __init__(self, manager: Manager, rules: TrustRules = STANDARD, *, budget: int = BUDGET) -> None:
        self._manager, self._rules, self._budget = manager, rules, budget
        self._program: Program = manager.program
        self._solution = manager.solve(Taint(rules=rules))
        self._known: dict[int, tuple[Seen, bool]] = {}

    def back(self, start: Definition, label: str) -> tuple[Step, ...] | GaveUp:
        """A shortest way on which a label came to an entry, from its source."""
        found = self._search([start], label, lambda one: self._is_source(one, label))
        assert found is not None, f"{label!r} at {start} has no source"
        return found if isinstance(found, GaveUp) else self._steps(found)

    def between(self, source: Entry, sink: int, label: str | None = None) -> list[Definition] | GaveUp | None:
        """A shortest way from an entry to what a sink reads or writes, through entries that have a label there.

        Without a label any entries will do. None where there is no way.
        """
        made = [write.made for write in self._manager.accesses.writes(sink) if not write.made.is_tombstone]
        known = {one: self.labels(one) for one in made} if made else self.inputs(sink)
        starts = sorted(one for one, labels in known.items() if label is None or label in labels)
        return self._search(starts, label, lambda one: one[:2] == (source.instruction, source.leaf))

    def inputs(self, number: int) -> Seen:
        """The entries on which what an instruction writes rests, with their labels where it saw them."""
        return self._look(number)[0]

    def labels(self, made: Definition) -> Labels:
        """The labels that an entry was written with; none of one that nothing reaches."""
        with suppress(NoFact):
            found: Labels = self._solution.value(as_made(made), After(made.instruction))
            return found
        return NO_LABELS

    def _search(
        self, starts: list[Definition], label: str | None, is_found: Callable[[Definition], bool]
    ) -> list[Definition] | GaveUp | None:
        """Back through entries that have a label, breadth first; the first that is found and the way from it."""
        behind: dict[Definition, Definition | None] = dict.fromkeys(starts)
        for looked_at, one in enumerate(work := list(behind)):
            if looked_at >= self._budget:
                return GaveUp(label, looked_at)
            if is_found(one):
                return list(_unwound(one, behind))
            known = self.inputs(one.instruction).items()
            new = sorted(other for other, labels in known if label is None or label in labels)
            for other in new:
                if other not in behind:
                    behind[other] = one
                    work.append(other)
        return None

    def _steps(self, way: list[Definition]) -> tuple[Step, ...]:
        return tuple(Step(self.entry(one), one.cell, self._link(one, place)) for place, one in enumerate(way))

    def entry(self, one: Definition) -> Entry:
        """The memory entry of a definition."""
        return self._program.entries_of(one.instruction)[one.leaf]

    def _link(self, one: Definition, place: int) -> Link:
        if not place:
            return Link.SOURCE
        return Link.DERIVED if getattr(self._program.instructions[one.instruction], "premises", ()) else Link.SHOWN

    def _is_source(self, one: Definition, label: str) -> bool:
        """Whether an entry has a label of itself."""
        if label in self._rules.given(writing_of(self._manager.accesses, one.instruction, one.cell)):
            return True
        return label == UNKNOWN_PREMISES and self._look(one.instruction)[1]

    def _look(self, number: int) -> tuple[Seen, bool]:
        """The entries that an instruction rests on, and whether it rests on something that nobody knows."""
        if number not in self._known:
            self._known[number] = self._looked(number)
        return self._known[number]

    def _looked(self, number: int) -> tuple[Seen, bool]:
        instruction, accesses = self._program.instructions[number], self._manager.accesses
        is_model = self._rules.is_model(accesses.actor(number))
        seen, state = self._seen(number)
        if instruction.reads() and not all(read.how is How.CARRIED for read in instruction.reads()):
            return seen, is_model and not are_resolved(accesses, number)
        if not (is_model and instruction.writes()):
            return seen, False
        shown = {one: labels for read in self._shown_before(number) for one, labels in self._seen(read)[0].items()}
        return shown, state is None or NOTHING_READ in state

    def _seen(self, number: int) -> tuple[Seen, Labels | None]:
        """What the reads of an instruction saw, and what its turn was shown before it; None at the begin of a turn."""
        accesses, block = self._manager.accesses, self._program.block_of(number)
        following = self._solution.follow(self._manager.graph.flow.node_of(number))
        at = next(at for at in following.points if at.number == number)
        turn = turn_of(self._program, block)
        begins = turn.step is None and number == self._program.executed(block).start
        labels: Any = None if begins else following.state[turn]
        return read_labels(accesses, number, following.state, at.facts[Reaching]), labels

    def _shown_before(self, number: int) -> Iterator[int]:
        """The reads of a model in the turn of an instruction that may come before it."""
        program, flow = self._program, self._manager.graph.flow
        node, block = flow.node_of(number), program.block_of(number)
        turn = turn_of(program, block)
        blocks = [block] if turn.step is None else [n for n, one in enumerate(program.blocks) if one.step == turn.step]
        behind = self._ancestors(node) if turn.step is not None else set()
        for other in (one for before in blocks for one in program.executed(before)):
            comes_before = (flow.node_of(other) == node and other < number) or flow.node_of(other) in behind
            if comes_before and flow.node_of(other) in self._manager.graph.segments and self._is_reading(other):
                yield other

    def _is_reading(self, number: int) -> bool:
        reads = self._program.instructions[number].reads()
        is_model = self._rules.is_model(self._manager.accesses.actor(number))
        return is_model and any(read.how is not How.CARRIED for read in reads)

    def _ancestors(self, node: int) -> set[int]:
        """The nodes from which control may come to a node, itself only in a loop."""
        found: set[int] = set()
        work = list(self._manager.graph.flow.predecessors[node])
        while work:
            one = work.pop()
            if one not in found:
                found.add(one)
                work.extend(self._manager.graph.flow.predecessors[one])
        return found


def _unwound(one: Definition, behind: dict[Definition, Definition | None]) -> Iterator[Definition]:
    following: Definition | None = one
    while following is not None:
        yield following
        following = behind[following]
