"""What one task knows stays with it: another does not begin from it, and nothing is lost while it waits."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from statemem import analyze, lower
from statemem.actions import Kind
from statemem.ir import Scope, run


def turn(number, *ops, task=None, session="session:1"):
    return {"turn": number, "actor": "user", "scope": session, "ops": list(ops), **({"task": task} if task else {})}


def put(name, value):
    return {"op": "set", "name": name, "value": value, "id": name}


def use(*names):
    return {"op": "use", "name": list(names), "for": "reply"}


ENTER, LEAVE = ({"op": "enter", "name": name} for name in "AB"), {"op": "leave", "name": "A"}
ENTER_A, ENTER_B = ENTER
BACK = [{"op": "leave", "name": "B"}, ENTER_A]


def kinds(report, entry):
    return {one.kind for one in report.actions if one.entry == entry}


def asked(report):
    return [one for one in report.actions if one.kind is Kind.ASK]


# a task begins with nothing of another


def second(*, ended, same_session=True):
    session = "session:1" if same_session else "session:2"
    return [
        turn(1, ENTER_A),
        turn(2, put("cwd", "/x"), task="A"),
        turn(3, {**LEAVE, "ended": ended}),
        turn(4, ENTER_B, session=session),
        turn(5, use("cwd"), task="B", session=session),
    ]


@pytest.mark.parametrize("ended", [False, True])
@pytest.mark.parametrize("same_session", [True, False])
def test_what_another_task_left_is_not_there_and_its_read_is_told(ended, same_session):
    log = second(ended=ended, same_session=same_session)
    assert {} == run(lower(log)).snapshot(Scope("task", "B"))
    (ask,) = asked(analyze(log))
    assert ("SM914", "task:B/cwd", 5) == (ask.code, str(ask.cell), ask.step)
    assert "step 5 reads task:B/cwd, of which nothing is known there" == ask.reason


def test_what_the_other_task_knows_is_a_suggestion_and_no_value():
    (ask,) = asked(analyze(second(ended=False)))
    assert ('task:A/cwd = "/x" (cwd)',) == ask.candidates
    assert {"cwd"} == {one.entry.id for one in analyze(second(ended=False)).entries}


def test_what_the_task_has_set_itself_is_not_asked_for():
    log = second(ended=False)
    log.insert(4, turn(4, {**put("cwd", "/y"), "id": "own"}, task="B"))
    assert [] == asked(analyze(log))


def test_what_is_the_users_is_there_in_every_task():
    log = second(ended=True)
    log[1]["ops"] = [{**put("user:7/cwd", "/x"), "id": "cwd"}]
    log[4]["ops"] = [use("user:7/cwd")]
    assert [] == asked(analyze(log))


@given(st.sampled_from([False, True]), st.lists(st.sampled_from(["cwd", "branch", "file"]), min_size=1, unique=True))
def test_of_any_cells_that_a_task_reads_those_alone_are_asked_for_that_it_did_not_set(ended, cells):
    log = second(ended=ended)
    log[3]["ops"].append(put("task:B/branch", "main"))
    log[4]["ops"] = [use(*cells)]
    assert {f"task:B/{cell}" for cell in cells if cell != "branch"} == {str(one.cell) for one in asked(analyze(log))}


# what was promised in a task is there when it is taken up again


def promised(between):
    other = [turn(4 + n, put(f"note{n}", n), task="B") for n in range(between)]
    back = 4 + between
    return [
        turn(1, ENTER_A),
        turn(2, put("todo", "send draft to Orla"), task="A"),
        turn(3, LEAVE, ENTER_B),
        *other,
        turn(back, *BACK),
        turn(back + 1, use("todo"), task="A"),
    ]


def test_it_is_live_across_fifty_turns_of_another_task_and_comes_back_whole():
    log = promised(50)
    assert {Kind.SUSPEND} == kinds(analyze(log, at=3), "todo")
    assert {Kind.SUSPEND} == kinds(analyze(log, at=53), "todo")
    assert {Kind.RESUME} == kinds(analyze(log, at=54), "todo")
    assert {Kind.KEEP} == kinds(analyze(log, at=55), "todo")
    assert ["live"] == [one["word"] for one in analyze(log, at=53).to_dict()["entries"] if one["id"] == "todo"]


@given(st.integers(1, 40), st.data())
@settings(max_examples=30)
def test_at_no_step_in_between_it_falls_out_of_the_memory(between, data):
    report = analyze(promised(between), at=data.draw(st.integers(2, between + 5)))
    assert not kinds(report, "todo") & {Kind.DEMOTE, Kind.ARCHIVE, Kind.RELEASE, Kind.SUPERSEDE}
    assert ["todo"] == [one.entry.id for one in report.entries if one.in_force and one.cell.scope.key == "A"]


def test_time_spent_in_the_other_task_does_not_age_it():
    log = promised(50)
    log[-1]["ops"] = [put("seen", 1)]
    (kept,) = [one for one in analyze(log, at=55).actions if one.entry == "todo"]
    assert Kind.KEEP is kept.kind
    assert "51 more while its task was put aside" in kept.reason


def test_without_a_return_it_waits_however_long_that_takes():
    log = promised(200)[:-2]
    assert {Kind.SUSPEND} == kinds(analyze(log), "todo")


def test_what_ends_with_its_task_is_released_and_no_promise_any_more():
    log = promised(3)
    log[2]["ops"][0] = {**LEAVE, "ended": True}
    assert {Kind.RELEASE} == kinds(analyze(log, at=6), "todo")
