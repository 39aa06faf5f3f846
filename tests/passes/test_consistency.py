import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from statemem.ir import Add, Append, Declaration, Mode, Open, Program, Scope, build, parse_cell, workflow
from statemem.ir.meaning.force import Judge
from statemem.ir.meaning.resolve import universe, writes
from statemem.ir.meaning.walk import Walk
from statemem.ir.state import State
from statemem.ir.testing import workflows
from statemem.passes import Consistency, Manager
from statemem.passes.dependencies.consistency import open_at
from statemem.passes.dependencies.out_of_step import OutOfStep
from statemem.passes.framework import After, BlockEnd, BlockStart
from statemem.passes.testing import SCOPE, chains, check_on, forked, graphs, paths
from statemem.passes.testing.states import decided

PAIRS = [("b", "a"), ("o.x", "a"), ("o", "b"), ("a", "o"), ("b", 'order["1"]'), ('order["1"].c', "b")]
FAMILIES = [("order[*].c", "a"), ("a", "order[*].c"), ("order[*].c", "order[*]"), ('order["1"].c', "o")]


def shown(program):
    found = Consistency().show(Manager(program).result(Consistency), program)
    return [text.replace("session:1/", "") for text in found]


def still(program, block=None):
    manager = Manager(program)
    return [one.change for one in open_at(manager, BlockEnd(len(program.blocks) - 1 if block is None else block))]


def depending(program, *pairs, steps=lambda number: number + 1):
    """A program with declarations and steps of another count."""
    for left, right in pairs:
        program.declare(Declaration(parse_cell(left, SCOPE), depends=(parse_cell(right, SCOPE),)))
    program.blocks = [attrs.evolve(block, step=steps(number)) for number, block in enumerate(program.blocks)]
    return program


class Oracle:
    """Steps along one path and tells whether one cell is out of step with another, whatever the pass makes of it."""

    def __init__(self, program, cell, on):
        self.program, self.cell, self.on = program, cell, on
        self.judge = Judge(program)
        self.walk = Walk(program, State(program, universe(program)))
        self.out, self.last = False, None
        self.begin()

    def begin(self):
        self.before, self.touched, self.added = self.content(), False, False

    def content(self):
        state = self.walk.state
        there = {place: state.reaching_at(place) for place in state.places.overlapping(self.on)}
        return {place: self.stated(found) for place, found in there.items() if self.stated(found)}

    def stated(self, definitions):
        return {self.judge.statement(one) for one in self.judge.in_force(definitions) if not one.is_tombstone}

    def through(self, path):
        for block in path:
            if self.last is not None and not self.is_one_turn(self.last, block):
                self.end()
            self.last = block
            for number in self.program.executed(block):
                self.note(number)
                self.walk.state.execute(number, self.program.instructions[number])
        self.end()
        return self.out

    def is_one_turn(self, one, other):
        steps = [block.step for block in self.program.blocks]
        return steps[one] is not None and steps[one] == steps[other] and steps.count(steps[one]) > 1

    def note(self, number):
        instruction, state = self.program.instructions[number], self.walk.state
        after = state.copy()
        after.execute(number, instruction)
        for write in writes(number, instruction, state.names, state.places):
            is_there = any(one.instruction == number and not one.yields for one in after.reaching_at(write.place))
            held = any(not one.is_tombstone for one in self.judge.in_force(state.reaching_at(write.place)))
            if is_there and (held or not write.made.is_tombstone) and not self.is_idle_fill(write, held, state):
                self.touched = self.touched or self.cell.overlaps(write.place)
            if write.mode is Mode.EXTEND and self.on.overlaps(write.place):
                self.added = self.added or not (isinstance(instruction, Add) and instruction.value == 0)

    def is_idle_fill(self, write, held, state):
        target = self.program.instructions[write.made.instruction].target if write.mode is Mode.FILL else None
        return target is not None and bool(state.in_force(target))

    def end(self):
        holds = any(
            self.stated(self.walk.state.reaching_at(one)) for one in self.walk.state.places.overlapping(self.cell)
        )
        if self.touched:
            self.out = False
        elif holds and (self.added or self.content() != self.before):
            self.out = True
        self.begin()


@given(
    st.one_of(chains(names=False, ranked=False), chains(names=False), graphs(names=False)),
    st.sampled_from(PAIRS),
    st.sampled_from([1, 2, 3]),
)
@settings(max_examples=80, deadline=None)
def test_along_every_path_what_is_out_of_step_is_found_and_what_is_surely_so_is(program, pair, share):
    depending(program, pair, steps=lambda number: number // share)
    cell, on = (parse_cell(text, SCOPE) for text in pair)
    manager = Manager(program)
    for one in decided(program):
        for path in paths(one, longest=5, most=25):
            steps = [block.step for block in program.blocks]
            goes_on = any(steps[s] == steps[path[-1]] != path[-1] for s in manager.graph.flow.successors[path[-1]])
            if share > 1 and goes_on:
                continue  # the turn is not over
            found, expected = open_at(manager, BlockEnd(path[-1])), Oracle(one, cell, on).through(path)
            assert bool(found) or not expected
            assert expected or not any(told.surely for told in found)


@given(chains(names=False, ranked=False), st.sampled_from(PAIRS))
@settings(max_examples=80, deadline=None)
def test_on_a_straight_log_of_plain_values_it_is_told_exactly(program, pair):
    plain = Program("plain", SCOPE)
    for block in program.blocks:
        kept = tuple(attrs.evolve(one, maybe=False) for one in block.instructions if is_plain(one))
        plain.extend(attrs.evolve(block, instructions=kept, terminator=Open()))
    depending(plain, pair)
    cell, on = (parse_cell(text, SCOPE) for text in pair)
    manager = Manager(plain)
    for block in range(len(plain.blocks)):
        found = open_at(manager, BlockEnd(block))
        assert Oracle(plain, cell, on).through(range(block + 1)) == bool(found)
        assert all(told.surely for told in found)


def is_plain(instruction):
    named = [write.place for write in instruction.writes()]
    return not isinstance(instruction, (Append, Add)) and not any(
        getattr(place, "is_pattern", False) for place in named
    )


@given(
    st.one_of(chains(), graphs(), forked()),
    st.lists(st.sampled_from(PAIRS + FAMILIES), min_size=1, max_size=2, unique=True),
    st.sampled_from([1, 2]),
)
@settings(max_examples=60, deadline=None)
def test_both_passes_hold_what_the_kit_asks(program, pairs, share):
    depending(program, *pairs, steps=lambda number: number // share)
    check_on(OutOfStep, program)
    check_on(Consistency, program)


@given(
    workflows(),
    st.sampled_from([("order[*].total", "phone"), ("phone", "order[*].total"), ("topic", "order[*].color")]),
)
@settings(max_examples=40, deadline=None)
def test_they_hold_it_for_workflows_and_their_families_too(program, pair):
    left, right = (parse_cell(text, Scope("user", "7")) for text in pair)
    program.declare(Declaration(left, depends=(right,)))
    check_on(OutOfStep, program)
    check_on(Consistency, program)


@given(st.one_of(chains(), graphs(), forked()))
@settings(max_examples=50, deadline=None)
def test_where_nothing_is_declared_nothing_is_found(program):
    manager = Manager(program)
    assert ([], []) == (manager.result(Consistency), open_at(manager, BlockEnd(0)))


def order(**how):
    return build().declare("total", "items").set("items", 2, id="i1").set("total", 20, id="t1").block(**how)


def test_a_change_that_the_dependant_does_not_follow_is_told_with_both_values():
    program = order().set("items", 3, id="i2").block().set("x", 1).open()
    (found,) = Manager(program).result(Consistency)
    assert ["total (t1) did not follow items: i1 -> i2"] == shown(program)
    assert (2, BlockEnd(1), True) == (found.change, found.where, found.surely)
    assert [["i1"], ["i2"], ["t1"]] == [
        [e.id for e in those] for those in (found.before, found.after, found.dependants)
    ]
    assert [[], [2], [2]] == [still(program, block) for block in range(3)]


@pytest.mark.parametrize("first", [True, False])
def test_within_a_turn_the_order_does_not_matter(first):
    builder = order()
    builder = builder.set("total", 30).set("items", 3) if first else builder.set("items", 3).set("total", 30)
    assert [] == shown(builder.open())


def test_a_dependant_that_is_confirmed_or_deleted_in_the_turn_has_followed():
    assert [] == shown(order().set("items", 3).set("total", 20).open())
    assert [] == shown(order().set("items", 3).delete("total").open())


def test_one_that_follows_in_a_later_turn_was_out_of_step_until_then():
    program = order().set("items", 3, id="i2").block().set("total", 20).open()
    assert ["total (t1) did not follow items: i1 -> i2"] == shown(program)
    assert [[], [2], []] == [still(program, block) for block in range(3)]


def test_a_default_where_something_is_held_follows_nothing():
    assert ["total (t1) did not follow items: i1 -> i2"] == shown(
        order().set("items", 3, id="i2").default("total", 9).open()
    )


def test_an_equal_value_and_one_that_the_turn_takes_back_are_no_change():
    assert [] == shown(order().set("items", 2.0).open())
    assert [] == shown(order().set("items", 3).set("items", 2).open())
    assert [] == shown(order().add("items", 0).open())


def test_a_delete_an_addition_and_a_first_value_are_changes():
    assert ["total (t1) did not follow items: i1 -> nothing"] == shown(order().delete("items").open())
    assert ["total (t1) did not follow items: i1 -> i2"] == shown(order().append("items", 3, id="i2").open())
    first = build().declare("total", "items").set("total", 20, id="t1").block().set("items", 3, id="i2").open()
    assert ["total (t1) did not follow items: nothing -> i2"] == shown(first)


def test_a_dependant_that_holds_nothing_cannot_be_out_of_step():
    assert [] == shown(build().declare("total", "items").set("items", 2).block().set("items", 3).open())


def test_chains_of_dependences_are_told_each_by_itself():
    program = (
        build().declare("b", "a").declare("c", "b").set("a", 1, id="a1").set("b", 1, id="b1").set("c", 1, id="c1")
        .block().set("a", 2, id="a2").block().set("b", 2, id="b2").open()
    )  # fmt: skip
    assert ["b (b1) did not follow a: a1 -> a2", "c (c1) did not follow b: b1 -> b2"] == shown(program)
    assert [[3], [4]] == [still(program, block) for block in (1, 2)]


def test_families_pair_the_keys_of_one_position():
    program = (
        build().declare("order[*].total", "order[*].items").set("order[A].items", 1, id="a1").set("order[A].total", 10, id="a2")
        .set("order[B].items", 1, id="b1").set("order[B].total", 10, id="b2")
        .block().set("order[A].items", 2, id="a3").open()
    )  # fmt: skip
    assert ['order["A"].total (a2) did not follow order["A"].items: a1 -> a3'] == shown(program)


def test_a_cell_may_depend_on_every_member_of_a_family():
    program = (
        build().declare("sum", "order[*].total").set("sum", 9, id="s").block().set("order[A].total", 1, id="a")
        .block().set("sum", 9).block().set("order[B].total", 2, id="b").open()
    )  # fmt: skip
    assert [
        "sum (s) did not follow order[*].total: nothing -> a",
        "sum (s | e1) did not follow order[*].total: nothing -> b",
    ] == shown(program)


def test_a_whole_object_that_brings_both_has_followed():
    program = (
        build().declare("order[*].total", "order[*].items").set("order[A]", {"items": 1, "total": 10})
        .block().set("order[A]", {"items": 2, "total": 10}).open()
    )  # fmt: skip
    assert [] == shown(program)


def test_what_may_not_happen_leaves_it_possible():
    assert ["perhaps total (t1) did not follow items: i1 -> i2"] == shown(
        order().set("items", 3, id="i2", maybe=True).open()
    )
    assert ["perhaps total (t1) did not follow items: i1 -> i2"] == shown(
        order().set("items", 3, id="i2").set("total", 30, maybe=True).open()
    )


def test_on_one_branch_alone_it_is_possible_behind_both():
    program = (
        build().declare("total", "items").set("items", 2, id="i1").set("total", 20, id="t1").branch("l", "r")
        .block(name="l").set("items", 3, id="i2").goto("j").block(name="r").goto("j").block(name="j").use("total").open()
    )  # fmt: skip
    (told,) = open_at(Manager(program), BlockEnd(3))
    assert (2, False) == (told.change, told.surely)


def arms(left, right, steps=(None, None, None, None)):
    start = (
        build()
        .declare("total", "items")
        .block(name="s", step=steps[0])
        .set("items", 2, id="i1")
        .set("total", 20, id="t1")
    )
    start = start.fork("l", "r", join="j").block(name="l", step=steps[1])
    return right(left(start).goto("j").block(name="r", step=steps[2])).goto("j").block(name="j", step=steps[3]).open()


def changing(arm):
    return arm.set("items", 3, id="i2")


def following(arm):
    return arm.set("total", 30)


def test_arms_of_one_step_are_one_turn_and_both_are_executed():
    program = arms(changing, following, (1, 2, 2, 3))
    assert ([], []) == (shown(program), still(program))
    assert [2] == still(arms(changing, lambda arm: arm, (1, 2, 2, 3)))


def test_of_arms_that_are_turns_of_their_own_either_may_come_last():
    program = arms(changing, following)
    assert ["perhaps total (t1) did not follow items: i1 -> i2"] == shown(program)
    assert [2] == still(program)


def test_blocks_that_share_a_step_are_judged_at_its_end():
    program = order(step=5).set("items", 3).block(step=5).set("total", 30).block(step=6).set("x", 1).open()
    assert [] == shown(program)
    late = order(step=5).set("items", 3, id="i2").block(step=5).set("x", 1).block(step=6).set("total", 30).open()
    assert ["total (t1) did not follow items: i1 -> i2"] == shown(late)


def test_in_the_middle_of_a_turn_nothing_is_judged_yet():
    program = order().set("items", 3).set("x", 1).block().set("y", 1).open()
    manager = Manager(program)
    points = (BlockStart(1), After(2), After(3), BlockEnd(1), BlockStart(2))
    assert [0, 0, 0, 1, 1] == [len(open_at(manager, point)) for point in points]


def test_a_second_name_follows_as_well():
    program = (
        build().declare("o[A].total", "o[A].items").set("o[A].items", 1).set("o[A].total", 10).same("o[A]", "o[B]")
        .block().set("o[B].items", 2).set("o[B].total", 20).open()
    )  # fmt: skip
    assert [] == shown(program)


def test_a_change_under_a_second_name_is_one():
    program = (
        build().declare("o[A].total", "o[A].items").set("o[A].items", 1, id="i1").set("o[A].total", 10, id="t1")
        .same("o[A]", "o[B]").block().set("o[B].items", 2, id="i2").open()
    )  # fmt: skip
    assert ['o["A"].total (t1) did not follow o["A"].items: i1 -> i2'] == shown(program)


def test_a_dependant_that_ended_with_its_task_is_out_of_step_no_more():
    program = (
        build().scope("task:f1/", "session:1/").declare("task:f1/plan", "budget").set("budget", 1, id="b1").enter("f1")
        .block(task="f1").set("plan", 1, id="p1").block().set("budget", 2, id="b2").block().leave("f1", ended=True).open()
    )  # fmt: skip
    assert ["task:f1/plan (p1) did not follow budget: b1 -> b2"] == shown(program)
    assert [3] == still(program, 2)
    assert [] == still(program)


def test_of_the_families_of_a_workflow_one_stands_for_whichever_member_it_is():
    def flow(*written):
        builder = workflow().declare("order[*].total", "order[*].items").set("order[*].items", 1, id="i1")
        builder = builder.set("order[*].total", 1, id="t1").block()
        for cell in written:
            builder.set(cell, 2, id="e2")
        return builder.block().ends().program

    assert ["perhaps order[*].total (t1) did not follow order[*].items: i1 -> e2"] == shown(flow("order[*].items"))
    assert [] == shown(flow("order[*].total"))
