"""The check of what an analysis makes of the arms of a fork."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from itertools import islice, product
from typing import Any

import attrs

from statemem.ir import Program

from ..framework import Analysis, Manager, Solution
from ..framework.forking import arms_of
from ..framework.keyed import keyed
from ..framework.lattices import Sets
from ..framework.transfer import hears
from .reports import fail, instance

#: How many keys of a program are tried, and how many values are joined with each other.
MOST_KEYS, MOST_VALUES = 4, 4


def check_joins(one: type[Analysis] | Analysis, program: Program) -> None:
    """Of `on_join`: the order of the arms does not matter, and more in gives no less.

    An analysis that does not give the method passes, and so does every one where there is no fork.
    """
    analysis = instance(one)
    if not isinstance(analysis, Analysis) or not hears(analysis, "on_join"):
        return
    manager = Manager(program)
    forks = arms_of(manager.graph, manager.graph.segments.order) if program.blocks else {}
    for join, forked in forks.items():
        numbers = [arm.numbers for arm in forked.arms][:2]
        if len(numbers) == 2 and join in manager.graph.segments:
            for key, values in islice(_by_key(manager.solve(analysis)), MOST_KEYS):
                _Joining(analysis, manager, join, key, numbers).check(values)


@attrs.frozen
class _Joining:
    """What a pass makes of two arms of one fork, at one key."""

    analysis: Analysis
    manager: Manager
    join: int
    key: Any
    numbers: Sequence[Set[int]]

    def check(self, values: list[Any]) -> None:
        leq = keyed(self.analysis.facts).leq_values
        for before, left, right in product(values, repeat=3):
            if left == right == before:
                continue  # where no arm changed anything it is not asked
            joined = self.joined(before, left, right)
            if joined != self.joined(before, right, left, turned=True):
                self._fail(f"on_join tells the arms {left} and {right} apart by their order")
            for more in (one for one in values if leq(left, one) and not right == one == before):
                if not leq(joined, self.joined(before, more, right)):
                    self._fail(f"on_join gives less of {more} and {right} than of {left} and {right}")

    def joined(self, before: Any, left: Any, right: Any, *, turned: bool = False) -> Any:
        numbers = self.numbers[::-1] if turned else self.numbers
        at = self.manager.solve(self.analysis).transfer.at_join(self.join, numbers)
        at.key = self.key
        return self.analysis.on_join(before, [left, right], at)

    def _fail(self, told: str) -> None:
        fail(self.analysis, told, self.manager.program)


def _by_key(solution: Solution) -> Iterator[tuple[Any, list[Any]]]:
    """Truth values of each member, or what the facts of a program hold at each key, or whole facts."""
    facts = [fact for fact in solution.block_ends().values() if fact is not None]
    if isinstance(solution.analysis.facts, Sets):
        yield from ((key, [False, True]) for key in dict.fromkeys(key for fact in facts for key in sorted(fact)))
    elif all(isinstance(fact, Mapping) for fact in facts):
        for key in dict.fromkeys(key for fact in facts for key in fact):
            yield key, _different(fact[key] for fact in facts if key in fact)
    else:
        yield None, _different(facts)


def _different(values: Any) -> list[Any]:
    found: list[Any] = []
    for value in values:
        if value not in found and len(found) < MOST_VALUES:
            found.append(value)
    return found
