"""What the families of actions share: the facts at one point of a log, the policy, and words."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from statemem.ir import Cell, Definition, Program
from statemem.ir.entries import Entry
from statemem.passes import Manager, Reaching, Standing, standings
from statemem.passes.framework import Point
from statemem.policy import Policy

from .wording import Wording

#: What tells an entry: its instruction and leaf.
Key = tuple[int, int]
#: One fact: the entries in force at one cell that state the same, the oldest first.
Fact = list[Standing]


class Situation:
    """One point of a log, with what passes find there; `now` is the step to which ages are counted."""

    def __init__(self, manager: Manager, point: Point, now: int, policy: Policy, words: Wording) -> None:
        self.manager = manager
        self.program: Program = manager.program
        self.point = point
        self.now = now
        self.policy = policy
        self.words = words
        self.standings = standings(manager, point)
        self._by_key = {key_of(one): one for one in self.standings}

    def is_past(self, instruction: int) -> bool:
        """Whether an instruction has happened by now."""
        return self.words.step(instruction) <= self.now

    def standing(self, key: Key) -> Standing | None:
        """What an entry is at the point; None for one that was not made on the way to it."""
        return self._by_key.get(key)

    def fact_of(self, key: Key) -> Fact:
        """The fact to which an entry in force belongs; empty for one that is not."""
        return self._facts.get(key, [])

    @cached_property
    def _facts(self) -> dict[Key, Fact]:
        statement = self.manager.accesses.judge.statement
        facts: dict[tuple[Cell, object], Fact] = {}
        by_entry: dict[Key, Fact] = {}
        for one in self.standings:
            if one.in_force:
                fact = facts.setdefault((one.cell, statement(Definition(*key_of(one), one.cell))), [])
                fact.append(one)
                by_entry[key_of(one)] = fact
        return by_entry

    def in_force_of(self, entity: Cell) -> list[Standing]:
        """The entries in force at an entity and below it, in order of creation."""
        if entity.is_pattern:
            return [one for one in self.standings if one.in_force and entity.covers(one.cell)]
        return self._by_entity.get(entity, [])

    @cached_property
    def _by_entity(self) -> dict[Cell, list[Standing]]:
        """The entries in force by each cell at or below which they lie."""
        found: dict[Cell, list[Standing]] = {}
        for one in self.standings:
            for depth in range(len(one.cell.path) + 1) if one.in_force else ():
                found.setdefault(Cell(one.cell.scope, one.cell.path[:depth]), []).append(one)
        return found

    def cell_of(self, entry: Entry) -> Cell:
        """The cell at which an entry stands."""
        found = self.standing((entry.instruction, entry.leaf))
        assert found is not None, f"{entry.id} was not made on the way to the point"
        return found.cell

    def is_in_force(self, side: Definition) -> bool:
        """Whether a definition is in force at the point."""
        if side.is_tombstone:
            return side in self.reaching(side.cell)
        found = self.standing((side.instruction, side.leaf))
        return found is not None and found.in_force

    def reaching(self, cell: Cell, point: Point | None = None) -> Any:
        """The definitions that reach a cell, at the point or at another."""
        return self._reaching.value(cell, point or self.point)

    @cached_property
    def _reaching(self) -> Any:
        return self.manager.solve(Reaching)

    def is_pinned(self, cell: Cell) -> bool:
        """Whether a cell is declared pinned."""
        return any(one.pinned and one.pattern.overlaps(cell) for one in self.program.declarations)


def key_of(standing: Standing) -> Key:
    """What tells the entry of a standing."""
    return standing.entry.instruction, standing.entry.leaf
