"""Which entries are in force at a point, on some path to it."""

from __future__ import annotations

from statemem.ir import Definition
from statemem.ir.meaning.force import Definitions
from statemem.ir.meaning.names import Names

from ..aliases import Aliases
from ..framework import Manager, Point
from ..reaching import Reaching


def in_force_at(manager: Manager, point: Point) -> list[Definition]:
    """The definitions of entries in force at a point, in order; the names of one entity are judged together."""
    reaching, judge = manager.solve(Reaching).fact(point), manager.accesses.judge
    there = sorted(one for known in reaching.values() for one in judge.in_force(known) if not one.is_tombstone)
    names = names_at(manager, point)
    return [one for one in there if _is_in_force(one, reaching, names, manager)] if names.may_be_one else there


def _is_in_force(one: Definition, reaching: dict[object, Definitions], names: Names, manager: Manager) -> bool:
    group = [reaching[target.cell] for target in names.denoted(one.cell) if target.cell in reaching]
    return one in manager.accesses.judge.in_force_together(group)


def names_at(manager: Manager, point: Point) -> Names:
    """What is known of names at a point."""
    if manager.accesses.naming is None:
        return Names()
    names = manager.solve(Aliases).fact(point)
    assert isinstance(names, Names)
    return names
