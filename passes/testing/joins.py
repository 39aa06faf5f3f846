"""The check of what an analysis makes of the arms of a fork."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any

from statemem.ir import Program

from ..framework import Analysis, Manager
from ..framework.keyed import keyed
from ..framework.lattices import Sets
from ..framework.transfer import hears
from .reports import fail, instance

#: How many values are joined with each other.
MOST_VALUES = 4


def check_joins(one: type[Analysis] | Analysis, program: Program) -> None:
    """Of `on_join`: the order of the arms does not matter, and more in gives no less.

    An analysis that does not give the method passes.
    """
    analysis = instance(one)
    if not isinstance(analysis, Analysis) or not hears(analysis, "on_join"):
        return
    values, leq = _values(analysis, program), keyed(analysis.facts).leq_values
    for before, left, right in product(values, repeat=3):
        if left == right == before:
            continue  # where no arm changed anything it is not asked
        joined = analysis.on_join(before, [left, right])
        if joined != analysis.on_join(before, [right, left]):
            fail(analysis, f"on_join tells the arms {left} and {right} apart by their order", program)
        for more in (one for one in values if leq(left, one) and not right == one == before):
            if not leq(joined, analysis.on_join(before, [more, right])):
                fail(analysis, f"on_join gives less of {more} and {right} than of {left} and {right}", program)


def _values(analysis: Analysis, program: Program) -> list[Any]:
    """Truth values, or what the facts of a program hold at their keys, or whole facts."""
    if isinstance(analysis.facts, Sets):
        return [False, True]
    facts = [fact for fact in Manager(program).solve(analysis).block_ends().values() if fact is not None]
    held = [value for fact in facts for value in (fact.values() if isinstance(fact, Mapping) else [fact])]
    found: list[Any] = []
    for value in held:
        if value not in found and len(found) < MOST_VALUES:
            found.append(value)
    return found
