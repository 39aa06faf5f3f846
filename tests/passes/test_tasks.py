from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from statemem.ir import Arm, Block, Branch, End, Enter, Fork, Goto, Leave, Open, Program, build, run, workflow
from statemem.ir.testing import traces
from statemem.passes import Manager, Tasks
from statemem.passes.framework import ANYTHING, After, Before, BlockEnd
from statemem.passes.tasks.stacks import Status, may_run, running, shown, statuses
from statemem.passes.testing import SCOPE, check_on, paths
from statemem.passes.testing.states import decided

NAMES = ("f1", "f2", "f3")
MARKS = st.one_of(
    st.builds(Enter, task=st.sampled_from(NAMES), maybe=st.booleans()),
    st.builds(Leave, task=st.sampled_from(NAMES), ended=st.booleans(), maybe=st.booleans()),
)


@st.composite
def tasked(draw):
    """Programs that enter, leave and end few tasks along lines, branches and loops."""
    program, count = Program("tasked", SCOPE), draw(st.integers(1, 5))
    target = st.integers(0, count - 1).map("b{}".format)
    arms = st.lists(target, min_size=2, max_size=2, unique=True) if count > 1 else st.nothing()
    ends = st.one_of(st.just(Open()), st.builds(Goto, target), arms.map(lambda names: Branch(tuple(map(Arm, names)))))
    for number in range(count):
        marks = tuple(draw(st.lists(MARKS, max_size=3)))
        program.append(Block(f"b{number}", instructions=marks, terminator=draw(ends)))
    return program


@st.composite
def forking(draw):
    """Logs with a fork, whose arms enter, leave and end tasks."""
    program = Program("forking", SCOPE)
    arms = tuple(f"a{number}" for number in range(draw(st.integers(2, 3))))
    ends: dict[str, Any] = {"first": Fork(arms, "join"), "join": End()}
    for name in ("first", *arms, "join"):
        marks = tuple(draw(st.lists(MARKS, max_size=3)))
        program.append(Block(name, instructions=marks, terminator=ends.get(name, Goto("join"))))
    return program


def stacks(program, point=None, **options):
    fact = Manager(program).solve(Tasks(**options)).fact(point or BlockEnd(len(program.blocks) - 1))
    return Tasks(**options).show(fact)


def opened(stack):
    return {task for task, status in statuses(stack).items() if status is not Status.LEFT}


@given(st.one_of(tasked(), forking(), traces()))
@settings(max_examples=100)
def test_along_every_path_some_stack_has_the_tasks_that_are_open_there(program):
    ends = Manager(program).solve(Tasks(most=200)).block_ends()
    for one in decided(program):
        for path in paths(one, longest=6, most=60):
            expected, fact = set(run(one, path).open_tasks), ends[path[-1]]
            assert fact is ANYTHING or expected in [opened(stack) for stack in fact]


@given(st.lists(MARKS, max_size=8))
@settings(max_examples=100)
def test_on_a_straight_line_the_tasks_that_may_be_open_are_exactly_those(marks):
    program = Program("line", SCOPE)
    program.extend(Block("b", instructions=tuple(marks)))
    fact = Manager(program).solve(Tasks(most=10_000)).fact(BlockEnd(0))
    assert set(run(program).open_tasks) == set().union(*map(opened, fact))


@given(st.lists(MARKS, max_size=10))
@settings(max_examples=100)
def test_on_a_straight_line_one_stack_is_known_as_it_is_told_step_by_step(marks):
    """What is known is told here by the numbers of the last entrances and by what was left since."""
    program = Program("line", SCOPE)
    program.extend(Block("b", instructions=tuple(type(one)(task=one.task, **_ended(one)) for one in marks)))
    entered: dict[str, int] = {}
    aside: set[str] = set()
    for number, one in enumerate(program.instructions):
        assert isinstance(one, (Enter, Leave))
        if isinstance(one, Enter):
            entered[one.task] = number
            aside.discard(one.task)
        elif one.ended:
            entered.pop(one.task, None)
        elif one.task in entered:
            aside.add(one.task)
    (found,) = Manager(program).solve(Tasks).fact(BlockEnd(0))
    assert sorted(entered, key=entered.__getitem__) == [one.task for one in found]
    assert aside & entered.keys() == {one.task for one in found if one.left}
    working = [task for task in entered if task not in aside]
    assert max(working, key=entered.__getitem__, default=None) == running(found)


def _ended(one):
    return {"ended": one.ended} if isinstance(one, Leave) else {}


@given(st.one_of(tasked(), forking()), st.integers(1, 9))
@settings(max_examples=80, deadline=None)
def test_the_pass_holds_what_the_kit_asks(program, most):
    check_on(Tasks(most=most), program)


@given(st.integers(1, 12), st.booleans())
def test_digressions_of_any_depth_are_come_back_from_one_by_one(depth, ended):
    names = [f"f{number}" for number in range(depth)]
    builder = build()
    for name in names:
        builder.block().enter(name)
    for name in reversed(names):
        builder.block().leave(name, ended=ended)
    solution = Manager(builder.open()).solve(Tasks)
    tops = [running(stack) for block in range(2 * depth) for stack in solution.at_end(block)]
    assert [*names, *reversed(names[:-1]), None] == tops
    (last,) = solution.at_end(2 * depth - 1)
    assert ([] if ended else names) == [one.task for one in last]


def test_nothing_is_known_before_a_task_is_entered():
    assert ["none"] == stacks(build().set("x", 1).open())


def test_a_digression_three_deep_and_the_way_back():
    program = (
        build().enter("plan").block().enter("fault").block().enter("refund").block().leave("refund", ended=True)
        .block().leave("fault", ended=True).open()
    )  # fmt: skip
    assert [
        ["plan running"],
        ["plan waiting < fault running"],
        ["plan waiting < fault waiting < refund running"],
        ["plan waiting < fault running"],
        ["plan running"],
    ] == [stacks(program, BlockEnd(block)) for block in range(5)]


def test_a_task_that_was_left_runs_again_only_when_it_is_entered():
    program = build().enter("a").leave("a").enter("b").leave("b", ended=True).enter("a").open()
    assert [
        ["a running"], ["a left"], ["a left < b running"], ["a left"], ["a running"],
    ] == [stacks(program, After(number)) for number in range(5)]  # fmt: skip


def test_a_waiting_task_that_is_entered_comes_to_the_top():
    assert ["b waiting < a running"] == stacks(build().enter("a").enter("b").enter("a").open())


def test_a_task_that_ends_beneath_another_is_gone():
    assert ["b running"] == stacks(build().enter("a").enter("b").leave("a", ended=True).open())


def test_to_leave_what_is_not_known_does_nothing():
    assert ["a running"] == stacks(build().enter("a").leave("b").leave("c", ended=True).open())


def test_branches_and_what_may_not_happen_give_several_stacks():
    program = Program("maybe", SCOPE)
    program.extend(Block("b", instructions=(Enter(task="a"), Leave(task="a", maybe=True))))
    assert ["a left", "a running"] == stacks(program)
    assert frozenset({"a", None}) == may_run(Manager(program).solve(Tasks).fact(BlockEnd(0)))


def test_more_stacks_than_asked_for_are_anything():
    program = Program("many", SCOPE)
    program.extend(Block("b", instructions=tuple(Enter(task=f"f{number}", maybe=True) for number in range(4))))
    assert (["anything"], 16) == (stacks(program), len(stacks(program, most=16)))
    assert may_run(ANYTHING) is None
    with pytest.raises(ValueError, match="most must be at least 1, not 0"):
        Tasks(most=0)


def forked(left, right):
    start = build().block(name="s").enter("a").fork("l", "r", join="j")
    arms = right(left(start.block(name="l")).goto("j").block(name="r")).goto("j")
    return stacks(arms.block(name="j").open())


def test_behind_a_fork_a_task_is_open_if_no_arm_left_it():
    assert ["a running"] == forked(lambda arm: arm, lambda arm: arm)
    assert ["a left"] == forked(lambda arm: arm.leave("a"), lambda arm: arm)
    assert ["none"] == forked(lambda arm: arm.leave("a", ended=True), lambda arm: arm.leave("a"))


def test_of_the_tasks_that_two_arms_opened_either_may_have_come_last():
    assert ["a waiting < b running"] == forked(lambda arm: arm.enter("b"), lambda arm: arm)
    assert [
        "a waiting < b waiting < c running",
        "a waiting < c waiting < b running",
    ] == forked(lambda arm: arm.enter("b"), lambda arm: arm.enter("c"))


def test_a_called_task_runs_from_its_call_to_its_landing():
    program = (
        workflow().block().call("ship", then="done").block(name="done").use("x").ends()
        .task("ship").block().use("y").returns().program
    )  # fmt: skip
    read = {str(one.place): n for n, done in enumerate(program.instructions) for one in done.reads()}
    found = [stacks(program, Before(read[cell])) for cell in ("session:1/x", "task:ship/y")]
    assert [["none"], ["ship running"]] == found


def test_a_task_is_running_waiting_or_left():
    (stack,) = Manager(build().enter("a").enter("b").enter("c").leave("b").open()).solve(Tasks).fact(BlockEnd(0))
    assert "a waiting < b left < c running" == shown(stack)
    assert {"a": True, "b": True, "c": False} == {task: one.is_suspended for task, one in statuses(stack).items()}
