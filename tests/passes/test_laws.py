"""The check of the laws: silent on what is sound, and on each broken law the text that names it."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from statemem.ir import build
from statemem.ir.testing import traces, workflows
from statemem.passes import Analysis, Manager
from statemem.passes.framework import (
    BoundedSet,
    Boxed,
    DualPowerset,
    Flat,
    MapOf,
    Maximum,
    Minimum,
    Powerset,
    Product,
    passes,
)
from statemem.passes.framework.laws import MOST_FACTS, broken, broken_laws, broken_transfer, facts_met, law_of

SETS = [frozenset(), frozenset("a"), frozenset("b"), frozenset("ab")]
LATTICES = [
    (Powerset(), SETS),
    (DualPowerset(), [None, *SETS]),
    (Flat(), ["red", "blue"]),
    (BoundedSet(1), SETS[:3]),
    (Maximum(), [0, 1, 2]),
    (Minimum(), [0, 1, 2]),
    (MapOf(Maximum(), lambda key: 0), [None, {}, {"a": 0}, {"a": 1}, {"b": 1}]),
    (Product((Maximum(), MapOf(Maximum(), lambda key: 0))), [(0, {}), (1, {"a": 0}), (0, {"a": 1})]),
]


@pytest.mark.parametrize(("lattice", "facts"), LATTICES)
def test_the_lattices_of_the_framework_keep_the_laws(lattice, facts):
    assert [] == broken_laws(lattice, facts)


class Numbers:
    """A sound lattice of numbers, to be broken in one place each."""

    bottom: Any = 0

    def join(self, left, right):
        return max(left, right)

    def leq(self, left, right):
        return left <= right

    def open(self, fact):
        return Boxed(fact, self.join)


class Last(Numbers):
    def join(self, left, right):
        return right


class Sum(Numbers):
    def join(self, left, right):
        return left + right


class Mean(Numbers):
    def join(self, left, right):
        return (left + right) / 2


class High(Numbers):
    bottom = 2


class Backwards(Numbers):
    def leq(self, left, right):
        return left >= right


class Always(Numbers):
    def leq(self, left, right):
        return True


class Raising(Numbers):
    def leq(self, left, right):
        raise ZeroDivisionError("by nothing")


@pytest.mark.parametrize(
    ("lattice", "laws"),
    [
        (Numbers(), []),
        (Last(), ["commutative", "order"]),
        (Sum(), ["idempotent", "order"]),
        (Mean(), ["associative", "bottom", "order"]),
        (High(), ["bottom"]),
        (Backwards(), ["bottom", "order"]),
        (Always(), ["order"]),
        (Raising(), ["bottom", "order"]),
    ],
)
def test_each_broken_law_is_told_once(lattice, laws):
    assert laws == list(map(law_of, broken_laws(lattice, [1, 2, 3])))


def test_the_facts_that_break_a_law_are_shown():
    assert "commutative: joining 1 and 2 gives 2, the other way round 1" == broken_laws(Last(), [1, 2, 3])[0]
    assert "bottom: raised ZeroDivisionError: by nothing" == broken_laws(Raising(), [1])[0]
    told = broken_laws(Incomparable(), SETS, lambda fact: f"{{{','.join(sorted(fact))}}}")
    assert "order: {} lies below {a} by `join`, but `leq` does not say so" == told[-1]


class Incomparable(Powerset[str]):
    def leq(self, left, right):
        return left == right


@given(st.sampled_from([one for one in passes().values() if issubclass(one, Analysis)]), traces() | workflows())
@settings(max_examples=60)
def test_every_registered_analysis_keeps_the_laws(kind, program):
    assert [] == broken(Manager(program).solve(kind))


def log():
    return build("session:1/").block("user").set("x", 1).set("y", 1).block("assistant").use("x").use("y").open()


class Toggle(Analysis):
    """More in, fewer out."""

    def on_read(self, cell, how, state, at):
        if cell in state:
            state.kill(cell)
        else:
            state.gen(cell)

    def on_write(self, cell, mode, state, at):
        state.gen(cell)


def test_a_transfer_that_is_not_monotone_is_told_with_facts_and_place():
    [told] = broken(Manager(log()).solve(Toggle))
    assert told.startswith(
        "monotone: {} lies below {session:1/x, session:1/y}, but across instruction 2 of block 't2' "
    )
    assert told.endswith("{session:1/x} does not lie below {session:1/y}")


def test_a_pair_at_which_methods_raise_says_nothing():
    class Picky(Analysis):
        """Knows only facts that hold x."""

        def on_write(self, cell, mode, state, at):
            state.gen(cell)

        def on_read(self, cell, how, state, at):
            if not list(state):
                raise LookupError

    solution = Manager(log()).solve(Picky)
    assert [] == broken_transfer(solution, [frozenset(), *facts_met(solution)])


def test_facts_are_different_known_and_not_too_many():
    builder = build("session:1/").block("user")
    for number in range(100):
        builder.block("user").set(f"x{number}", 1)
    facts = facts_met(Manager(builder.open()).solve(Toggle))
    assert MOST_FACTS == len(facts) == len(set(facts))
    assert None not in facts


def test_many_members_of_a_fact_are_counted():
    builder = build("session:1/").block("user").use("x")
    for number in range(20):
        builder.set(f"x{number}", 1)
    [told] = broken(Manager(builder.block("user").use("x1").open()).solve(Toggle))
    assert "… " in told
