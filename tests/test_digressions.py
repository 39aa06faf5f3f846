"""Digressions within digressions: which task's cells leave the context at each step, and which come back whole."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from statemem import analyze, lower
from statemem.actions import Kind
from statemem.ir import Scope, run

MOVES = {Kind.SUSPEND, Kind.RESUME, Kind.RELEASE}


def turn(number, *ops, task=None):
    return {"turn": number, "actor": "user", "scope": "session:1", "ops": list(ops), **({"task": task} if task else {})}


def put(name, value, entry):
    return {"op": "set", "name": name, "value": value, "id": entry}


def enter(task):
    return {"op": "enter", "name": task}


def leave(task, *, ended=False):
    return {"op": "leave", "name": task, "ended": ended}


def nested(*, left):
    """A trip; within it a lost card; within that a new phone; each ended before the one around it goes on.

    With `left` a task is put aside before the next is entered, else it waits below it.
    """

    def into(task, of):
        return [*([leave(of)] if left and of else []), enter(task)]

    def back(task, to):
        return [leave(task, ended=True), *([enter(to)] if left else [])]

    return [
        turn(1, *into("trip", None)),
        turn(2, put("city", "Lyon", "city"), put("nights", 2, "nights"), task="trip"),
        turn(3, *into("card", "trip")),
        turn(4, put("bank", "Nord", "bank"), task="card"),
        turn(5, *into("phone", "card")),
        turn(6, put("model", "P7", "model"), task="phone"),
        turn(7, *back("phone", "card")),
        turn(8, put("code", "C-11", "code"), task="card"),
        turn(9, *back("card", "trip")),
        turn(10, {"op": "use", "name": ["city", "nights"], "for": "reply"}, task="trip"),
        turn(11, leave("trip", ended=True)),
    ]


#: What is suspended, resumed and released at the end of each step.
EXPECTED = {
    1: {},
    2: {},
    3: {Kind.SUSPEND: {"city", "nights"}},
    4: {Kind.SUSPEND: {"city", "nights"}},
    5: {Kind.SUSPEND: {"city", "nights", "bank"}},
    6: {Kind.SUSPEND: {"city", "nights", "bank"}},
    7: {Kind.SUSPEND: {"city", "nights"}, Kind.RESUME: {"bank"}, Kind.RELEASE: {"model"}},
    8: {Kind.SUSPEND: {"city", "nights"}, Kind.RELEASE: {"model"}},
    9: {Kind.RESUME: {"city", "nights"}, Kind.RELEASE: {"model", "bank", "code"}},
    10: {Kind.RELEASE: {"model", "bank", "code"}},
    11: {Kind.RELEASE: {"model", "bank", "code", "city", "nights"}},
}


def moved(report):
    found = {}
    for one in report.actions:
        if one.kind in MOVES:
            found.setdefault(one.kind, set()).add(one.entry)
    return found


@pytest.mark.parametrize("step", EXPECTED)
def test_at_each_step_the_outer_ones_are_aside_the_inner_one_runs_and_what_ended_is_released(step, source):
    assert EXPECTED[step] == moved(analyze(source(nested(left=True)), at=step))


@pytest.mark.parametrize("step", [3, 4, 5, 6, 7, 8])
def test_a_task_that_waits_below_another_is_aside_as_one_that_was_left(step):
    assert EXPECTED[step] == moved(analyze(nested(left=False), at=step))


@pytest.mark.parametrize("step", [1, 2, 9, 10, 11])
def test_where_none_waits_both_ways_of_nesting_are_alike(step):
    assert EXPECTED[step] == moved(analyze(nested(left=False), at=step))


def test_each_action_names_its_task_and_the_step_of_the_switch():
    actions = [one for one in analyze(nested(left=True), at=7).actions if one.kind in (Kind.SUSPEND, Kind.RESUME)]
    assert {("city", "trip", 3), ("nights", "trip", 3), ("bank", "card", 7)} == {
        (one.entry, one.task, one.step) for one in actions
    }


@pytest.mark.parametrize("left", [True, False])
def test_the_outer_task_comes_back_exactly_as_it_was(left):
    program = lower(nested(left=left))
    before, after = run(program, range(2)), run(program, range(9))
    assert (
        {"city": "Lyon", "nights": 2} == before.snapshot(Scope("task", "trip")) == after.snapshot(Scope("task", "trip"))
    )
    assert [{}, {}] == [after.snapshot(Scope("task", task)) for task in ("card", "phone")]


def test_two_digressions_that_both_wait_come_back_one_by_one():
    log = [*nested(left=True)[:6], turn(7, leave("phone"), enter("trip")), turn(8, leave("trip"), enter("phone"))]
    assert {Kind.RESUME: {"city", "nights"}, Kind.SUSPEND: {"bank", "model"}} == moved(analyze(log, at=7))
    assert {Kind.RESUME: {"model"}, Kind.SUSPEND: {"bank", "city", "nights"}} == moved(analyze(log, at=8))


@given(st.integers(1, 6), st.data())
@settings(max_examples=60)
def test_however_deep_at_the_innermost_point_all_outer_ones_are_aside_and_on_the_way_back_one_comes_back(depth, data):
    log = []
    for level in range(depth):
        log.append(turn(len(log) + 1, *([leave(f"t{level - 1}")] if level else []), enter(f"t{level}")))
        log.append(turn(len(log) + 1, put("fact", level, f"e{level}"), task=f"t{level}"))
    innermost = len(log)
    for level in reversed(range(depth)):
        again = [enter(f"t{level - 1}")] if level else []
        log.append(turn(len(log) + 1, leave(f"t{level}", ended=True), *again))
    outer = {f"e{level}" for level in range(depth - 1)}
    assert ({Kind.SUSPEND: outer} if outer else {}) == moved(analyze(log, at=innermost))
    gone = data.draw(st.integers(1, depth))
    found = moved(analyze(log, at=innermost + gone))
    back = depth - 1 - gone
    assert {f"e{level}" for level in range(depth - gone, depth)} == found.get(Kind.RELEASE)
    assert ({f"e{back}"} if back >= 0 else set()) == found.get(Kind.RESUME, set())
    assert {f"e{level}" for level in range(back)} == found.get(Kind.SUSPEND, set())
