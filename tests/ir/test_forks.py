"""Forks: arms start from one state, do not see each other, and come together at the join."""

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from statemem.ir import Block, Fork, Goto, Program, Scope, build, name, parse_cell, run
from statemem.ir.flow.cfg import ControlFlow
from statemem.ir.flow.routes import path_to, path_to_end
from statemem.ir.rewriting.rewriter import Rewriter
from statemem.passes.testing import SCOPE, instructions


def place(text):
    return parse_cell(text, Scope("session", "1"))


def values(state, text):
    return sorted(str(entry.value) for entry in state.in_force(place(text)))


def forked(left, right):
    """A fork of two arms after `a`, `b` and a list of notes are set."""
    start = build().block(name="start").set("a", 0).set("b", 0).set("notes", "first").fork("left", "right", join="end")
    arms = right(left(start.block(name="left")).goto("end").block(name="right")).goto("end")
    return arms.block(name="end").use("a", "b").program


def test_the_way_to_the_end_leads_through_all_arms():
    program = forked(lambda arm: arm.set("a", 1), lambda arm: arm.set("b", 1))
    assert [0, 1, 2, 3] == path_to_end(program)
    assert [0, 2] == path_to(program, ControlFlow(program), 2)


def test_a_fact_from_before_survives_if_every_arm_left_it():
    state = run(forked(lambda arm: arm.set("a", 1), lambda arm: arm.use("a", "b")))
    assert (["1"], ["0"]) == (values(state, "a"), values(state, "b"))


def test_an_arm_does_not_see_what_the_other_wrote():
    program = forked(lambda arm: arm.set("c", 1), lambda arm: arm.default("c", 2))
    state = run(program)
    assert ["1", "2"] == values(state, "c")
    assert {place("c")} == set(state.races)


def test_two_arms_that_write_one_place_race_and_both_hold():
    state = run(forked(lambda arm: arm.set("a", 1), lambda arm: arm.set("a", 2)))
    assert (["1", "2"], {place("a")}) == (values(state, "a"), set(state.races))


def test_two_arms_that_say_the_same_do_not_race():
    state = run(forked(lambda arm: arm.set("a", 1), lambda arm: arm.set("a", 1.0)))
    assert (["1", "1.0"], set()) == (values(state, "a"), set(state.races))


def test_arms_that_only_add_to_a_place_do_not_race():
    state = run(forked(lambda arm: arm.append("notes", "l"), lambda arm: arm.append("notes", "r")))
    assert (["first", "l", "r"], set()) == (values(state, "notes"), set(state.races))


def test_a_delete_in_one_arm_and_a_write_in_the_other_race():
    state = run(forked(lambda arm: arm.delete("a"), lambda arm: arm.set("a", 2)))
    assert (["2"], {place("a")}) == (values(state, "a"), set(state.races))


def test_a_race_is_over_when_the_place_is_written_again():
    program = forked(lambda arm: arm.set("a", 1), lambda arm: arm.set("a", 2))
    after = build().set("a", 3, id="new").program.blocks[0]
    program.extend(Block("later", instructions=after.instructions))
    assert (["3"], set()) == (values(run(program), "a"), set(run(program).races))


def test_rank_decides_between_arms():
    early, late = datetime(2021, 1, 1, tzinfo=UTC), datetime(2024, 1, 1, tzinfo=UTC)
    program = forked(lambda arm: arm.at(observed=late).set("a", 1), lambda arm: arm.at(observed=early).set("a", 2))
    state = run(program)
    assert (["1"], [2]) == (values(state, "a"), [entry.value for entry in state.history(place("a"))])


def test_what_may_not_have_happened_outranks_nothing_of_another_arm():
    early, late = datetime(2021, 1, 1, tzinfo=UTC), datetime(2024, 1, 1, tzinfo=UTC)
    program = forked(
        lambda arm: arm.at(observed=late).set("a", 1, maybe=True), lambda arm: arm.at(observed=early).set("a", 2)
    )
    assert ["1", "2"] == values(run(program), "a")


def test_names_and_tasks_come_together_too():
    program = forked(
        lambda arm: arm.bind("it", "order[A]").same("a", "x").enter("f1"), lambda arm: arm.bind("it", "order[B]")
    )
    state = run(program)
    assert {place("order[A]"), place("order[B]")} == state.names.references["it"]
    assert ({(place("a"), place("x"))}, ["f1"]) == (set(state.names.must_be_one), state.open_tasks)


def test_forks_within_forks():
    program = (
        build().set("a", 0).set("b", 0).fork("l", "r", join="end")
        .block(name="l").set("a", 1).fork("ll", "lr", join="lend")
        .block(name="ll").set("b", 1).goto("lend").block(name="lr").set("c", 1).goto("lend")
        .block(name="lend").append("notes", "done").goto("end")
        .block(name="r").set("d", 1).goto("end")
        .block(name="end").program
    )  # fmt: skip
    assert {"a": 1, "b": 1, "c": 1, "d": 1, "notes": ["done"]} == run(program).snapshot(program.scope_of(0))


def test_a_race_within_an_arm_is_one_behind_the_outer_join_too():
    program = (
        build().fork("l", "r", join="end")
        .block(name="l").fork("ll", "lr", join="lend")
        .block(name="ll").set("a", 1).goto("lend").block(name="lr").set("a", 2).goto("lend")
        .block(name="lend").goto("end").block(name="r").set("b", 1).goto("end").block(name="end").program
    )  # fmt: skip
    assert {place("a")} == set(run(program).races)


def test_what_confirms_a_fact_from_before_outranks_what_another_arm_says():
    early, late = datetime(2021, 1, 1, tzinfo=UTC), datetime(2024, 1, 1, tzinfo=UTC)
    program = forked(lambda arm: arm.at(observed=late).set("a", 0), lambda arm: arm.at(observed=early).set("a", 2))
    assert ["0"] == values(run(program), "a")


def test_the_way_through_a_fork_in_a_loop_is_gone_once():
    program = (
        build().block(name="start").fork("l", "r", join="end").block(name="l").goto("end").block(name="r").goto("end")
        .block(name="end").branch("start", "out").block(name="out").program
    )  # fmt: skip
    assert [0, 1, 2, 3, 4] == path_to_end(program)


def test_a_log_that_stands_in_an_arm_has_seen_that_arm_only():
    program = forked(lambda arm: arm.set("a", 1), lambda arm: arm.set("b", 1))
    assert {"a": 0, "b": 1, "notes": "first"} == run(program, [0, 2]).snapshot(program.scope_of(0))


class Elsewhere(Rewriter):
    """Puts every cell below a name of its own."""

    def __init__(self, own):
        self.own = own

    def cell(self, cell):
        return cell._replace(path=(name(self.own), *cell.path))


ARM = st.lists(instructions(names=False, ranked=False), max_size=4)


def with_arms(arms, before=()):
    program = Program("forked", SCOPE)
    labels = tuple(f"arm{number}" for number in range(len(arms)))
    program.append(Block("start", instructions=tuple(before), terminator=Fork(labels, "end")))
    for label, arm in zip(labels, arms, strict=True):
        program.append(Block(label, instructions=tuple(arm), terminator=Goto("end")))
    program.append(Block("end"))
    return program


def reaching(state):
    return {cell: state.reaching_at(cell) for cell in state.places}


@given(
    st.lists(instructions(ranked=True), max_size=4),
    st.lists(st.lists(instructions(), max_size=4), min_size=1, max_size=3),
)
def test_the_order_of_the_arms_does_not_matter(before, arms):
    program = with_arms(arms, before)
    there = [0, *range(1, len(arms) + 1), len(arms) + 1]
    back = [0, *range(len(arms), 0, -1), len(arms) + 1]
    one, other = run(program, there), run(program, back)
    assert (reaching(one), one.races, one.names) == (reaching(other), other.races, other.names)


@given(st.lists(instructions(), max_size=4), st.lists(instructions(), max_size=4))
def test_a_fork_with_one_arm_is_a_straight_line(before, arm):
    program = with_arms([arm], before)
    straight = Program("straight", SCOPE)
    for label, block in (("start", before), ("arm0", arm), ("end", ())):
        straight.extend(Block(label, instructions=tuple(block)))
    assert reaching(run(straight)) == reaching(run(program))


@given(ARM, ARM, ARM)
def test_arms_that_write_different_places_might_as_well_come_one_after_the_other(before, left, right):
    both = [[Elsewhere(own).instruction(one) for one in arm] for own, arm in (("l", left), ("r", right))]
    program = with_arms(both, before)
    straight = Program("straight", SCOPE)
    for label, block in (("start", before), ("arm0", both[0]), ("arm1", both[1]), ("end", ())):
        straight.extend(Block(label, instructions=tuple(block)))
    state = run(program)
    assert (reaching(run(straight)), set()) == (reaching(state), set(state.races))


def test_the_way_to_a_block_begins_at_the_start_whatever_the_numbers_are():
    program = (
        build().block(name="s").set("z", 1).goto("p").block(name="b").goto("a").block(name="p").goto("a")
        .block(name="a").branch("b", "e").block(name="e").program
    )  # fmt: skip
    assert [0, 2, 3, 4] == path_to_end(program)


def test_a_join_that_heads_a_loop_is_first_come_to_from_before_it():
    program = (
        build().block(name="s").set("z", 1).block(name="j").branch("f", "e")
        .block(name="f").fork("l", "r", join="j").block(name="l").goto("j").block(name="r").goto("j")
        .block(name="e").program
    )  # fmt: skip
    assert [0, 1, 5] == path_to_end(program)


def test_an_arm_that_branches_is_gone_through_by_one_way():
    program = (
        build().block(name="start").fork("l", "r", join="end").block(name="l").branch("l1", "l2")
        .block(name="l1").set("a", 1).goto("end").block(name="l2").set("a", 2).goto("end")
        .block(name="r").set("b", 1).goto("end").block(name="end").program
    )  # fmt: skip
    assert [0, 1, 2, 4, 5] == path_to_end(program)


def test_a_race_that_is_over_is_none_and_one_that_goes_on_is_one():
    def raced(then):
        start = build().fork("l", "r", join="j").block(name="l").set("a", 1).goto("j").block(name="r").set("a", 2)
        return set(run(then(start.goto("j").block(name="j")).program).races)

    assert set() == raced(lambda log: log.set("a", 3))
    assert {place("a")} == raced(lambda log: log.append("a", 3))
    assert {place("a")} == raced(lambda log: log.set("a", 3, maybe=True))
    second = raced(
        lambda log: log.fork("x", "y", join="k").block(name="x").set("a", 5).goto("k")
        .block(name="y").set("b", 1).goto("k").block(name="k")
    )  # fmt: skip
    assert set() == second


def test_where_rank_decides_there_is_no_race():
    early, late = datetime(2021, 1, 1, tzinfo=UTC), datetime(2024, 1, 1, tzinfo=UTC)
    program = forked(lambda arm: arm.at(observed=late).set("a", 1), lambda arm: arm.at(observed=early).set("a", 2))
    assert set() == set(run(program).races)
