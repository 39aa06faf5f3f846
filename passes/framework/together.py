"""What holds at one block under different calls: the join of what holds at its nodes, point by point."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from typing import TYPE_CHECKING, Any

import attrs

from .analysis import Analysis, At, NeededFacts
from .transfer import Following

if TYPE_CHECKING:
    from .solution import Solution


def together(nodes: Sequence[Following], analysis: Analysis, needed: Mapping[type, Solution]) -> Following:
    """The states of several nodes of one block as one."""
    following = Following(_joined(analysis, [one.state for one in nodes]), iter(()))
    following.points = _points(following, nodes, analysis, needed)
    return following


def _points(
    following: Following, nodes: Sequence[Following], analysis: Analysis, needed: Mapping[type, Solution]
) -> Iterator[At]:
    for points in zip(*(one.points for one in nodes), strict=True):
        following.state = _joined(analysis, [one.state for one in nodes])
        facts = {one: _joined(need.analysis, [at.facts[one] for at in points]) for one, need in needed.items()}
        yield attrs.evolve(points[0], facts=NeededFacts(analysis.name, facts))


def _joined(analysis: Analysis, states: Iterable[Any]) -> Any:
    return analysis.facts.open(reduce(analysis.facts.join, (state.freeze() for state in states)))
