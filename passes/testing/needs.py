"""Needed passes in the kit: their solutions, and whether they work the way the needs say."""

from __future__ import annotations

import random
from typing import Any

import attrs

from statemem.ir import Program

from ..framework import Analysis, At, Manager, Polarity, Solution
from .reports import fail, instance

#: How many facts are tried at each instruction.
MOST_TRIED = 4


def solutions_needed(one: Analysis, manager: Manager) -> dict[type, Solution]:
    """The solutions that an analysis looks at, by class."""
    return {need.one: manager.result(need.one) for need in one.needed()}


def check_needs(one: type[Analysis] | Analysis, program: Program, *, seed: int = 0) -> None:
    """With more facts of a `may` need no less is found after each instruction, of a `must` need no more."""
    analysis, manager, draw = instance(one), Manager(program), random.Random(seed)
    assert isinstance(analysis, Analysis)
    solution = manager.solve(analysis)
    for need in analysis.needed():
        if need.polarity is not None:
            others = [fact for fact in manager.result(need.one).block_ends().values() if fact is not None]
            chosen = draw.sample(others, min(len(others), MOST_TRIED))
            for node in solution.graph.segments.order:
                following = solution.at_node(node)
                for at in following.points:
                    for more in chosen if at.number is not None else ():
                        _check(solution, at, following.state.freeze(), (need.one, need.polarity), more)


def _check(solution: Solution, at: At, fact: Any, need: tuple[type, Polarity], more: Any) -> None:
    one, polarity = need
    lattice = one.facts  # type: ignore[attr-defined]
    more_known = lattice.open(lattice.join(at.facts[one].freeze(), more))
    less = _after(solution, at, fact)
    greater = _after(solution, attrs.evolve(at, facts={**at.facts, one: more_known}), fact)
    low, high = (less, greater) if polarity is Polarity.MAY else (greater, less)
    if not solution.analysis.facts.leq(low, high):
        told = f"with more facts of {one.__name__} instruction {at.number} gives {greater}, without {less}"
        fail(solution.analysis, f"does not work as its {polarity.value} need says: {told}", solution.program)


def _after(solution: Solution, at: At, fact: Any) -> Any:
    state = solution.analysis.facts.open(fact)
    assert at.number is not None
    solution.transfer.instruction(at.number, state, at)
    return state.freeze()
