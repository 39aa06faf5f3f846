import math
from fractions import Fraction

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from statemem.ir import Arm, Branch, ControlFlow, How, Mode, Origin, Program, Use, build, parse_cell, workflow
from statemem.ir.meaning.names import Names
from statemem.ir.meaning.resolve import reads, universe, writes
from statemem.passes import Manager
from statemem.passes.framework import NoFact
from statemem.passes.future.next_use import NextUse, Sink, next_uses
from statemem.passes.testing import SCOPE, chains, check_estimate, check_on, graphs

CELL = parse_cell("x", SCOPE)
HALF = Fraction(1, 2)


def expected(program, block=0, sink=None, cell=CELL, horizon=10):
    return round(next_uses(Manager(program), horizon).expected(cell, block, sink), 6)


def distance(program, block=0, sink=None, cell=CELL):
    return next_uses(Manager(program)).least_distance(cell, block, sink)


class Dense:
    """The equations of the definition, one for every block, solved over fractions."""

    def __init__(self, program, cell, sink, horizon):
        self.program, self.cell, self.sink = program, cell, sink
        self.gamma = 1 - Fraction(1, horizon)
        self.flow, self.places = ControlFlow(program), universe(program)
        self.inside = [self.block(number) for number in range(len(program.blocks))]

    def block(self, number):
        """The uses before a replacement, and how likely there is none."""
        uses, left = Fraction(0), Fraction(1)
        for position in self.program.executed(number):
            one = self.program.instructions[position]
            happens = HALF if one.maybe else Fraction(1)
            is_reply = isinstance(one, Use) and one.purpose == "reply"
            for read in reads(one, Names(), self.places):
                if read.place == self.cell and read.how is How.USED and is_reply == (self.sink is Sink.REPLY):
                    uses += left * happens
            for write in writes(position, one, Names(), self.places):
                if write.place == self.cell and write.mode in (Mode.REPLACE, Mode.DELETE):
                    is_told = one.maybe or write.definite
                    left *= 1 - (happens if is_told else HALF)
        return uses, left

    def share(self, source, target):
        terminator = self.program.blocks[source].terminator
        if not isinstance(terminator, Branch):
            return Fraction(1)
        given = [Fraction(arm.weight) for arm in terminator.arms if arm.weight is not None]
        mean = Fraction(sum(given)) / len(given) if given else Fraction(1)
        weights = [mean if arm.weight is None else Fraction(arm.weight) for arm in terminator.arms]
        name = self.program.blocks[target].name
        of_target = sum(weight for arm, weight in zip(terminator.arms, weights, strict=True) if arm.target == name)
        total = Fraction(sum(weights))
        return Fraction(of_target) / total if total else Fraction(1, len({arm.target for arm in terminator.arms}))

    def solve(self):
        count = len(self.inside)
        rows = []
        for source, (uses, left) in enumerate(self.inside):
            row = [Fraction(source == column) for column in range(count)] + [uses]
            for target in self.flow.successors[source]:
                row[target] -= self.gamma * left * self.share(source, target)
            rows.append(row)
        for column in range(count):
            rows[column] = [value / rows[column][column] for value in rows[column]]
            for other in (other for other in range(count) if other != column):
                rows[other] = [a - rows[other][column] * b for a, b in zip(rows[other], rows[column], strict=True)]
        return [row[-1] for row in rows]

    def distances(self):
        """The blocks to the nearest use from each, by as many rounds as there are blocks."""
        found: list[float] = [0 if uses else math.inf for uses, _ in self.inside]
        for _ in found:
            for source, (uses, left) in enumerate(self.inside):
                onward = [found[target] + 1 for target in self.flow.successors[source]]
                if not uses and left:
                    found[source] = min(onward, default=math.inf)
        return found


@st.composite
def weighed(draw):
    """Graphs whose branches have counts, some of them."""
    program = draw(graphs(names=False))
    for number, block in enumerate(program.blocks):
        if isinstance(block.terminator, Branch):
            weights = st.none() | st.integers(0, 9)
            arms = tuple(Arm(arm.target, arm.condition, draw(weights)) for arm in block.terminator.arms)
            program.blocks[number] = attrs.evolve(block, terminator=Branch(arms))
    for number, one in enumerate(program.instructions):  # no ranks: what may be outranked is another matter
        program.instructions[number] = attrs.evolve(one, origin=Origin())
    return program


@given(weighed(), st.sampled_from([1, 2, 20]))
@settings(max_examples=100, deadline=None)
def test_it_agrees_with_a_dense_solve_over_all_blocks(program, horizon):
    manager = Manager(program)
    uses, reached = next_uses(manager, horizon), [n for n in manager.graph.flow.order if n < len(program.blocks)]
    for cell in universe(program):
        for sink in Sink:
            dense = Dense(program, cell, sink, horizon)
            exact, nearest = dense.solve(), dense.distances()
            for block in reached:
                assert abs(exact[block] - Fraction(uses.expected(cell, block, sink))) <= Fraction(1, 10**9)
                assert nearest[block] == uses.least_distance(cell, block, sink)


@given(chains(names=False, ranked=False, most=10))
@settings(max_examples=80, deadline=None)
def test_on_a_straight_log_it_agrees_with_a_walk_to_the_end(program):
    uses = next_uses(Manager(program), 20)
    for cell in universe(program):
        for sink in Sink:
            inside = Dense(program, cell, sink, 20).inside
            for begin in range(len(program.blocks)):
                total, left = 0.0, 1.0
                for ahead, (here, passes) in enumerate(inside[begin:]):
                    total += left * 0.95**ahead * float(here)
                    left *= float(passes)
                assert total == pytest.approx(uses.expected(cell, begin, sink), abs=1e-9)


@given(weighed())
@settings(max_examples=100, deadline=None)
def test_no_more_is_expected_than_the_most_there_can_be_in_every_block(program):
    manager, one = Manager(program), NextUse(horizon=5)
    for site, quantity in manager.result(one).items():
        low, high = one.bounds(site)
        assert low <= quantity <= high + 1e-9
        assert high <= 5 * max(map(len, (block.instructions for block in program.blocks))) * 8


@given(weighed(), st.sampled_from([1, 3, 20]))
@settings(max_examples=40, deadline=None)
def test_the_pass_holds_what_the_kit_asks(program, horizon):
    check_on(NextUse(horizon=horizon), program)


@given(weighed())
@settings(max_examples=60, deadline=None)
def test_cells_are_ranked_by_what_is_expected_of_them(program):
    uses = next_uses(Manager(program))
    ranked = uses.ranked(0)
    assert sorted((quantity for _, quantity in ranked), reverse=True) == [quantity for _, quantity in ranked]
    assert {cell for cell in universe(program) if uses.expected(cell, 0) > 0} == {cell for cell, _ in ranked}


def test_a_use_counts_for_less_the_further_away_it_is():
    program = build().set("x", 1).block().block().use("x").open()
    assert [0.0, 0.9, 1.0] == [expected(program, block) for block in range(3)]
    assert [math.inf, 1, 0] == [distance(program, block) for block in range(3)]


def test_a_replacement_ends_what_is_expected_of_the_value_before():
    program = build().use("x").set("x", 1).use("x").block().use("x").open()
    assert (1.0, 0) == (expected(program), distance(program))


def test_an_append_and_a_default_replace_nothing():
    program = build().set("y", 1).append("x", 1).default("x", 2).block().use("x").open()
    assert 0.9 == expected(program)


def test_replies_and_arguments_are_told_apart():
    program = build().use("x", purpose="reply").derive("y", 1, "x").effect("pay", "x").use("x", purpose="search").open()
    assert (1.0, 3.0, 4.0) == (expected(program, 0, Sink.REPLY), expected(program, 0, Sink.ARGUMENT), expected(program))


def test_to_be_shown_and_to_be_carried_are_no_uses():
    assert (0.0, math.inf) == (
        expected(build().expose("x").append("x", 1).open()),
        distance(build().expose("x").open()),
    )


def branching(**weights):
    arms = tuple(Arm(name, None, weight) for name, weight in weights.items())
    return (
        workflow().block().terminate(Branch(arms)).block(name="a").use("x").ends().block(name="b").ends()
        .block(name="c").ends().program
    )  # fmt: skip


@pytest.mark.parametrize(
    ("weights", "share"),
    [
        ({"a": 7, "b": 3}, 0.7),
        ({"a": None, "b": None, "c": None}, 1 / 3),
        ({"a": 4, "b": 2, "c": None}, 4 / 9),
        ({"a": 0, "b": 0}, 0.5),
        ({"a": 0, "b": 5}, 0.0),
    ],
)
def test_branches_go_by_their_counts(weights, share):
    assert pytest.approx(0.9 * share, abs=1e-6) == expected(branching(**weights))
    assert 1 == distance(branching(**weights))


def test_a_loop_is_gone_round_as_often_as_its_counts_say():
    program = workflow().block(name="l").use("x").branch("l", done="e").block(name="e").ends().program
    assert pytest.approx(1 / (1 - 0.9 * 0.5), abs=1e-6) == expected(program)


def test_what_may_not_happen_does_so_half_the_time_or_as_often_as_it_was_counted():
    assert 0.45 == expected(build().set("x", 1, maybe=True).block().use("x").open())
    counted = workflow().block(origin=Origin(count=8)).at(count=2).set("x", 1, maybe=True).block().use("x").program
    assert 0.675 == expected(counted)


def test_the_arms_of_a_fork_are_all_executed_and_their_join_is_come_to_once():
    program = (
        build().fork("l", "r", join="j").block(name="l").use("x").goto("j").block(name="r").use("x").goto("j")
        .block(name="j").use("x").open()
    )  # fmt: skip
    assert pytest.approx(0.9 * 2 + 0.81, abs=1e-6) == expected(program)
    assert pytest.approx(1.9, abs=1e-6) == expected(program, 1)


def calling(first, second):
    program = workflow().block().call("ship", then="m").block(name="m")
    program = first(program).call("ship", then="e").block(name="e")
    return second(program).ends().task("ship").block().use("y").returns().program


def test_a_call_is_gone_through_and_comes_back_to_where_it_was_made():
    program = calling(lambda at: at.use("z"), lambda at: at.use("x"))
    assert [6, 3, 0] == [distance(program, block) for block in range(3)]
    assert [3, 0] == [distance(program, block, cell=parse_cell("z", SCOPE)) for block in range(2)]
    assert pytest.approx(0.9**6, abs=1e-6) == expected(program)
    assert pytest.approx((0.9**2 + 0.9**5) / 2, abs=1e-6) == expected(program, 3)
    assert 0.9 == expected(program, cell=parse_cell("task:ship/y", SCOPE), block=1)


def test_a_run_that_waits_for_the_world_goes_on():
    assert 0.9 == expected(workflow().block().suspend("b").block(name="b").use("x").program)


def test_a_block_that_nothing_reaches_and_a_cell_that_nobody_knows():
    program = build().block(name="a").goto("a").block(name="lost").use("x").open()
    with pytest.raises(NoFact, match="block 1 cannot be reached, so nothing is expected there"):
        expected(program, 1)
    assert (0.0, math.inf) == (expected(program, 0), distance(program, 0))


def test_a_horizon_is_an_option_of_at_least_one_block():
    program = build().use("x").block().use("x").open()
    assert [1.0, 1.5] == [expected(program, horizon=horizon) for horizon in (1, 2)]
    with pytest.raises(ValueError, match="horizon must be at least 1, not 0"):
        NextUse(horizon=0)


def test_unknowns_stand_only_where_a_cell_is_touched_or_a_run_begins():
    builder = build().set("x", 1)
    for _ in range(500):
        builder.block().set("y", 1)
    program = builder.block().use("x").open()
    (site,) = (one for one in Manager(program).result(NextUse))
    assert (CELL, 501, Sink.ARGUMENT) == (site.cell, site.node, site.sink)
    assert pytest.approx(0.95**500) == next_uses(Manager(program)).expected(CELL, 1)


def test_the_empty_program_expects_nothing():
    assert {} == Manager(Program("empty", SCOPE)).result(NextUse)
    check_estimate(NextUse, Program("empty", SCOPE))
