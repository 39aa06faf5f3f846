"""Calls: a task is entered with its parameters, and left with its result; its cells end."""

import pytest
from hypothesis import given

from statemem.ir import Program, Scope, build, parse_cell, run, workflow
from statemem.ir.diagnostics import UsageError
from statemem.ir.testing import workflows
from statemem.ir.text import dumps
from statemem.passes import Liveness, Manager, Reaching
from statemem.passes.testing import paths


def value(state, text):
    return state.value(parse_cell(text, Scope("user", "7")))


def shipping():
    return (
        workflow("user:7/").block(name="ask").set("size", 42).call("ship", "size", result="label", then="done", id="c1")
        .block(name="done").use("label").ends()
        .task("ship", "size").block(name="pack").set("note", "fragile").derive("user:7/sent", True, "size", id="e9")
        .returns("note").program
    )  # fmt: skip


def test_within_a_task_its_parameters_rest_on_the_arguments():
    program = shipping()
    state = run(program, [0, 2])
    assert ["ship"] == state.open_tasks
    assert {"size", "note", "return"} == {cell.path[0].text for cell in state.cells() if cell.scope.kind == "task"}
    [parameter] = program.named("c1/size")
    assert ["user:7/size"] == [str(read.place) for read in program.instructions[parameter.instruction].reads()]


def test_back_from_it_only_the_result_and_what_it_wrote_elsewhere_are_left():
    program = shipping()
    state = run(program, [0, 2, 1])
    assert ["user:7/label", "user:7/sent", "user:7/size"] == sorted(map(str, state.cells()))
    assert ([], True) == (state.open_tasks, value(state, "sent"))
    assert ["c1"] == [entry.id for entry in state.in_force(parse_cell("user:7/label", Scope("user", "7")))]


def test_a_call_of_nothing_goes_on_at_once():
    program = workflow("user:7/").block().call("lost", then="t2", result="x").block().set("y", 1).ends().program
    assert {"x", "y"} == {cell.path[0].text for cell in run(program, [0, 1]).cells()}


def test_a_task_called_from_two_places_comes_back_to_each():
    program = (
        workflow("user:7/").block(name="a").call("ship", result="one", then="b")
        .block(name="b").call("ship", result="two", then="c").block(name="c").ends()
        .task("ship").block(name="s").add("user:7/count", 1).returns("user:7/count").program
    )  # fmt: skip
    assert {"one", "count"} == {cell.path[0].text for cell in run(program, [0, 3, 1]).cells()}
    assert {"one", "two", "count"} == {cell.path[0].text for cell in run(program, [0, 3, 1, 3, 2]).cells()}


def test_an_instruction_that_is_executed_again_makes_no_second_entry():
    program = build("user:7/").block(name="a").add("count", 1).branch("a", "b").block(name="b").program
    assert 1 == value(run(program, [0, 0, 0, 1]), "count")


def test_what_a_task_reads_is_live_before_its_call_and_what_it_writes_reaches_behind_it():
    program = shipping()
    manager = Manager(program)
    live = manager.solve(Liveness).before(0)
    assert "user:7/size" not in map(str, live)
    reaching = manager.solve(Reaching).at_start(1)
    sent = parse_cell("user:7/sent", Scope("user", "7"))
    assert program.named("e9") == [program.entry_of(one) for one in reaching[sent] if not one.is_tombstone]


def test_facts_at_the_landing_of_a_call_are_not_those_at_its_block():
    program = shipping()
    manager = Manager(program)
    [result, leave] = program.landed(0)
    reaching, live = manager.solve(Reaching), manager.solve(Liveness)
    note, label = parse_cell("task:ship/note", Scope("user", "7")), parse_cell("user:7/label", Scope("user", "7"))
    assert all(one.is_tombstone for one in reaching.at_end(0).get(note, ()))
    assert not all(one.is_tombstone for one in reaching.before(leave)[note])
    assert all(one.is_tombstone for one in reaching.after(leave).get(note, ()))
    assert (True, False) == (label in live.after(result), label in live.before(result))
    assert {0, 1, 2} == set(reaching.block_ends())


@given(workflows())
def test_any_path_through_a_workflow_can_be_executed(program: Program):
    for path in paths(program, most=30):
        state = run(program, path)
        assert len(state.open_tasks) <= len(path), dumps(program)


def test_a_log_is_executed_without_a_path():
    assert 1 == value(run(build("user:7/").set("x", 1).program), "x")


def test_a_workflow_is_executed_along_a_path_that_is_one():
    program = shipping()
    for path, said in ((None, "say which"), ([0, 1], "leads past the task 'ship'"), ([0, 7], "leads to block 7")):
        with pytest.raises(UsageError, match=said):
            run(program, path)
