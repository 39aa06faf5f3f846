"""`conflicts`: facts that contradict each other for a reason that later does not simply win."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import Any, NamedTuple

from statemem.ir import Add, Append, Cell, Definition, Mode, Program
from statemem.ir.meaning.resolve import renames

from .framework import At, Derivation, Manager, register
from .framework.accesses import uses_names
from .reaching import Reaching


class Rule(enum.Enum):
    """Why two facts conflict."""

    VERSION = "equal version, different content"
    SAME = "two names of one entity, different values"


class Conflict(NamedTuple):
    """Two definitions that contradict each other, where that was first so, and the rule."""

    left: Definition
    right: Definition
    instruction: int
    rule: Rule


@register
class Conflicts(Derivation):
    """Pairs of definitions that contradict each other, with the rule.

    Two of one place that state the same version and different content; two in force under two names of what is
    stated to be one entity. Whether a pair is still open at a point is asked of what is in force there.
    """

    needs = (Reaching,)

    def derive(self, program: Program, manager: Manager) -> list[Conflict]:
        """The conflicts in the order in which they arise, each pair once."""
        found: dict[tuple[Definition, Definition], Conflict] = {}
        united = uses_names(program)
        for at, state in manager.solve(Reaching).walk():
            arising = list(_versions(at, state)) if at.number is not None else []
            if united:
                arising.extend(_names(at, state))
            for conflict in arising:
                found.setdefault((conflict.left, conflict.right), conflict)
        return list(found.values())

    def show(self, found: list[Conflict], program: Program) -> list[str]:
        """`e3 against e6: equal version, different content`."""
        return [f"{_id(program, one.left)} against {_id(program, one.right)}: {one.rule.value}" for one in found]


def _id(program: Program, definition: Definition) -> str:
    entry = program.entry_of(definition)
    return entry.id if entry is not None else "a tombstone"


def _versions(at: At, state: Any) -> Iterator[Conflict]:
    """A write that meets an entry of its own version and another value."""
    assert at.number is not None
    for write in at.accesses.writes(at.number):
        if write.mode is Mode.REPLACE and at.program.instructions[at.number].origin.version is not None:
            for old in at.judge.in_force(state[write.place]):
                if at.judge.contradicts(old, write.by):
                    yield Conflict(old, write.by, at.number, Rule.VERSION)


def _names(at: At, state: Any) -> Iterator[Conflict]:
    """Facts in force under two names of one entity that differ, as the instruction before left them."""
    last = at.program.executed(at.block_number).stop - 1
    number = last if at.number is None else at.number
    if number < 0:
        return
    names = at.accesses.names(number)
    if at.number is None:
        names = renames(at.program.instructions[number], names)
    for left, right in sorted(names.may_be_one):
        for place in at.accesses.places.overlapping(left):
            other = right.below(place.path[len(left.path) :])
            group = _stated(at, state, [place, other])
            for one, two in combinations(group, 2):
                if one.cell != two.cell and not at.judge.equal(one, two):
                    yield Conflict(one, two, number, Rule.SAME)


def _stated(at: At, state: Any, places: Iterable[Cell]) -> list[Definition]:
    """The definitions in force at the places taken together that state a value of their own."""
    found = at.judge.in_force_together([state[place] for place in places])
    extended = (Add, Append)
    return sorted(
        one
        for one in found
        if not one.is_tombstone and not isinstance(at.program.instructions[one.instruction], extended)
    )
