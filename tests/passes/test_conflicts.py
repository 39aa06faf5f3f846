from datetime import UTC, datetime
from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from statemem.ir import UNKNOWN, ControlFlow, Fork, Program, build, run
from statemem.ir.flow.routes import path_to
from statemem.ir.origin import Authority
from statemem.ir.testing import traces
from statemem.ir.text import dumps
from statemem.passes import Conflicts, Manager
from statemem.passes.conflicts import Rule
from statemem.passes.framework import BlockEnd
from statemem.passes.testing import SCOPE, chains, graphs
from statemem.planning import plan
from statemem.policy import Policy


def found(program, **options):
    conflicts = Manager(program).result(Conflicts(**options))
    return [(side(program, one.left), side(program, one.right), one.rule) for one in conflicts]


def side(program, definition):
    entry = program.entry_of(definition)
    return None if entry is None else entry.id


def flags(program):
    actions = plan(Manager(program), BlockEnd(program.current_end), 99, Policy())
    return [(one.code, one.entry, one.other) for one in actions if one.kind.name == "FLAG_CONFLICT"]


@given(traces())
@settings(max_examples=150)
def test_races_are_found_where_the_state_has_them(program):
    flow, races = ControlFlow(program), set()
    for block in program.blocks:
        if isinstance(block.terminator, Fork):
            races |= run(program, path_to(program, flow, program.block_named(block.terminator.join))).races
    pairs = [one for one in Manager(program).result(Conflicts) if one.rule in (Rule.RACE, Rule.SAME, Rule.ALIAS)]
    assert races <= {one.right.cell for one in pairs}, dumps(program)


@given(chains())
@settings(max_examples=150)
def test_without_branches_and_forks_nothing_conflicts_by_them(program):
    assert not {rule for _, _, rule in found(program)} & {Rule.BRANCHES, Rule.RACE, Rule.AUTHORITY}


@given(graphs())
@settings(max_examples=150)
def test_each_pair_is_told_once_and_never_of_equal_values(program):
    conflicts, judge = Manager(program).result(Conflicts), Manager(program).accesses.judge
    pairs = [frozenset((one.left, one.right)) for one in conflicts]
    assert len(pairs) == len(set(pairs))
    assert not any(judge.equal(one.left, one.right) for one in conflicts)


def test_the_empty_program_has_no_conflict():
    assert [] == found(Program("empty", SCOPE))


def branched(left, right, end=lambda builder: builder.use("x")):
    start = build().block(name="s").set("x", 0).branch("l", "r")
    arms = right(left(start.block(name="l")).goto("j").block(name="r")).goto("j")
    return end(arms.block(name="j")).open()


def test_different_values_of_two_branches_that_reach_one_use_conflict():
    program = branched(lambda arm: arm.set("x", 1), lambda arm: arm.set("x", 2))
    assert [("e2", "e3", Rule.BRANCHES)] == found(program)
    assert [("SM203", "e2", "e3")] == flags(program)


def test_equal_values_of_two_branches_do_not():
    assert [] == found(branched(lambda arm: arm.set("x", 1), lambda arm: arm.set("x", 1.0)))


def test_an_update_on_one_branch_alone_does_not():
    assert [] == found(branched(lambda arm: arm.set("x", 1), lambda arm: arm))


def test_without_a_use_they_do_not_meet():
    assert [] == found(
        branched(lambda arm: arm.set("x", 1), lambda arm: arm.set("x", 2), lambda end: end.set("x", 3).use("x"))
    )


def test_an_exposure_is_no_use():
    assert [] == found(branched(lambda arm: arm.set("x", 1), lambda arm: arm.set("x", 2), lambda end: end.expose("x")))


def test_what_nobody_knows_differs_from_nothing():
    assert [] == found(branched(lambda arm: arm.set("x", UNKNOWN), lambda arm: arm.set("x", 2)))


def test_a_value_that_a_loop_changes_is_an_update():
    program = (
        build().block(name="s").set("x", 0).block(name="l").use("x").set("x", 1).branch("l", "e").block(name="e").end()
    )
    assert [] == found(program)


def test_a_write_that_may_not_happen_is_an_update():
    assert [] == found(build().set("x", 1).set("x", 2, maybe=True).use("x").open())


def test_a_conflict_that_was_decided_is_open_no_more():
    program = branched(lambda arm: arm.set("x", 1), lambda arm: arm.set("x", 2), lambda end: end.use("x").set("x", 3))
    assert [("e2", "e3", Rule.BRANCHES)] == found(program)
    assert [] == flags(program)


def forked(left, right):
    start = build().block(name="s").set("x", 0).fork("l", "r", join="j")
    return right(left(start.block(name="l")).goto("j").block(name="r")).goto("j").block(name="j").use("x").open()


def test_two_arms_of_a_fork_race():
    program = forked(lambda arm: arm.set("x", 1), lambda arm: arm.set("x", 2))
    assert [("e2", "e3", Rule.RACE)] == found(program)
    assert [("SM204", "e2", "e3")] == flags(program)


def test_an_arm_that_deletes_what_another_writes_races_with_it():
    program = forked(lambda arm: arm.delete("x"), lambda arm: arm.set("x", 2))
    assert [(None, "e3", Rule.RACE)] == found(program)
    assert [("SM204", "e3", "e2")] == flags(program)
    assert ["what e2 emptied against e3: two arms of a fork wrote it and did not see each other"] == (
        Conflicts().show(Manager(program).result(Conflicts), program)
    )


def test_arms_that_only_append_or_say_the_same_do_not_race():
    assert [] == found(forked(lambda arm: arm.append("x", 1), lambda arm: arm.append("x", 2)))
    assert [] == found(forked(lambda arm: arm.set("x", 1), lambda arm: arm.set("x", 1)))


def test_rank_decides_a_race():
    first, second = (datetime(2026, 1, day, tzinfo=UTC) for day in (1, 2))
    program = forked(lambda arm: arm.at(observed=first).set("x", 1), lambda arm: arm.at(observed=second).set("x", 2))
    assert [] == found(program)


def test_an_arm_that_another_does_not_touch_is_no_race():
    assert [] == found(forked(lambda arm: arm.set("x", 1), lambda arm: arm.use("x")))


def test_a_weaker_source_conflicts_only_where_authority_counts():
    program = build().block("tool").set("price", 10).block("assistant").set("price", 12).open()
    assert [] == found(program)
    assert [("e1", "e2", Rule.AUTHORITY)] == found(program, authority=Authority())


def test_a_stronger_source_and_one_that_agrees_update_and_confirm():
    stronger = build().block("assistant").set("price", 10).block("tool").set("price", 12).open()
    agreeing = build().block("tool").set("price", 10).block("assistant").set("price", 10).open()
    assert ([], []) == tuple(found(one, authority=Authority()) for one in (stronger, agreeing))


def test_of_a_persons_own_facts_the_persons_word_counts_most():
    builder = build("session:1/", parent="user:7/").scope("user:7/").block("user").set("user:7/phone", "1")
    program = builder.block("tool").set("user:7/phone", "2").open()
    assert [("e1", "e2", Rule.AUTHORITY)] == found(program, authority=Authority())


def test_two_names_that_may_be_one_conflict_by_another_rule_than_two_that_are():
    def united(**how):
        return build().block().set("o[A].c", 1).set("o[B].c", 2).same("o[A]", "o[B]", **how).use("o[A].c").open()

    assert [("e1", "e2", Rule.SAME)] == found(united())
    assert [("e1", "e2", Rule.ALIAS)] == found(united(maybe=True))
    assert [("SM206", "e1", "e2")] == flags(united(maybe=True))


def test_a_write_through_a_reference_that_may_mean_another_replaces_nothing_for_sure():
    program = (
        build().set("o[A].c", 1).set("o[B].c", 2).bind("it", "o[A]").bind("it", "o[B]", maybe=True)
        .set("@it.c", 3).use("o[A].c").open()
    )  # fmt: skip
    assert [("e1", "e3", Rule.ALIAS)] == found(program)


def test_equal_versions_and_different_content_conflict():
    program = build().at(version=3).set("x", "a").at(version=3).set("x", "b").open()
    assert [("e1", "e2", Rule.VERSION)] == found(program)
    assert [("SM201", "e1", "e2")] == flags(program)


def test_names_are_one_through_a_third_name_of_which_nothing_is_known():
    def three(*unions):
        program = build().set("o[A].c", 1).set("o[C].c", 2)
        for left, right in unions:
            program = program.same(left, right)
        return program.use("o[A].c").open()

    forth, back = (
        three(*order) for order in ((("o[A]", "o[B]"), ("o[B]", "o[C]")), (("o[B]", "o[C]"), ("o[A]", "o[B]")))
    )
    assert [("e1", "e2", Rule.SAME)] == found(forth) == found(back)


def test_names_that_are_one_along_one_branch_alone_may_be_one_behind_it():
    builder = build().set("o[B].c", 1).branch("l", "r").block(name="l").set("o[A].c", 2).goto("j")
    program = builder.block(name="r").same("o[A]", "o[B]").goto("j").block(name="j").block().use("o[A].c").open()
    assert [("e1", "e2", Rule.ALIAS)] == found(program)


NAMED = st.sampled_from(["o[A]", "o[B]", "o[C]", "o[D]"])
ACTS = st.one_of(
    st.tuples(st.just("set"), NAMED, st.integers(1, 3)),
    st.tuples(st.just("same"), NAMED, NAMED).filter(lambda act: act[1] != act[2]),
)


@given(st.lists(ACTS, max_size=12))
@settings(max_examples=150)
def test_what_is_in_force_of_one_entity_and_differs_is_told(acts):
    builder = build().block()
    for kind, one, other in acts:
        builder = builder.set(f"{one}.c", other) if kind == "set" else builder.same(one, other)
    program = builder.open()
    state = run(program)
    there = {frozenset(entry.id for entry in state.in_force(cell)) for cell in state.cells()}
    values = {entry.id: entry.value for entry in program.entries}
    pairs = {
        frozenset(pair) for group in there for pair in combinations(group, 2) if values[pair[0]] != values[pair[1]]
    }
    assert pairs <= {frozenset((left, right)) for left, right, _ in found(program)}


def test_two_of_one_version_under_two_names_are_told_once():
    builder = build().same("o[A]", "o[B]").at(version=3).set("o[A].x", 1).at(version=3).set("o[B].x", 2)
    assert [("e1", "e2")] == [one[:2] for one in found(builder.use("o[A].x").open())]
