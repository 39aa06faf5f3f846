"""Programs: growth is the same as building at once, and every number goes on meaning what it meant."""

from collections import deque

import pytest
from hypothesis import given

from statemem.ir import Block, Goto, Program, Return, build, run, workflow
from statemem.ir.testing import programs, traces, workflows
from statemem.ir.text import dumps


def appended(program):
    """A copy that grows block by block, with what each of its states says."""
    copy = Program(program.name, program.tasks[next(iter(program.tasks))].scope, shape=program.shape)
    copy.tasks.clear()
    for task in program.tasks.values():
        copy.add_task(task)
    copy.scopes.clear()
    copy.scopes.update(program.scopes)
    for one in (*program.declarations, *program.requirements):
        copy.declare(one)
    copy.metadata.update(program.metadata)
    for block, task in zip(program.blocks, program.body, strict=True):
        copy.append(block, task=task)
        yield copy


def last(copies):
    kept = deque(copies, maxlen=1)
    return kept.pop() if kept else None


@given(traces() | workflows() | programs())
def test_appending_is_the_same_as_building_at_once(program):
    copy = last(appended(program))
    if copy is None:
        return
    copy.stand_at(program.current_end)
    assert program.same_as(copy)
    assert dumps(program) == dumps(copy)
    assert (program.instructions, program.entries) == (copy.instructions, copy.entries)


@given(traces() | workflows())
def test_what_was_there_keeps_its_number_and_its_entries(program):
    seen: list[object] = []
    for copy in appended(program):
        assert seen == copy.instructions[: len(seen)]
        seen = list(copy.instructions)
        assert all(copy.entry_named(entry.id) == entry for entry in copy.entries)
        assert all(entry in copy.entries_of(entry.instruction) for entry in copy.entries)


@given(traces())
def test_the_state_of_what_grew_is_the_state_of_the_whole(program):
    whole, grown = run(program), last(appended(program))
    assert grown is not None
    state = run(grown)
    assert {cell: whole.reaching_at(cell) for cell in whole.places} == {
        cell: state.reaching_at(cell) for cell in state.places
    }


def test_the_instructions_of_a_call_have_numbers_like_all_others():
    program = (
        workflow("user:7/").block().call("ship", "size", result="label", then="t2", id="c1").block().ends()
        .task("ship", "size").block().returns("size").program
    )  # fmt: skip
    assert [range(2), range(4, 4), range(4, 5)] == [program.executed(block) for block in range(3)]
    assert [range(2, 4), range(4, 4), range(5, 5)] == [program.landed(block) for block in range(3)]
    assert ["c1/size", "c1", "e1"] == [entry.id for entry in program.entries]
    assert [0, 0, 2] == [entry.block for entry in program.entries]


def test_the_entries_of_an_object_are_named_by_the_object_too():
    program = build().set("order", {"size": 42, "color": "red"}, id="e1").program
    assert ["e1/size", "e1/color"] == [entry.id for entry in program.named("e1")]
    assert ["e1/color"] == [entry.id for entry in program.named("e1/color")]


def test_a_log_goes_on_from_where_it_stands():
    program = build().branch("a", "b").block(name="a").stays_open().block(name="b").standing_at("a").program
    program.extend(Block("c"))
    assert Goto("c") == program.blocks[1].terminator
    assert 3 == program.current_end


def test_a_call_or_a_return_is_given_with_its_block():
    program = build().set("x", 1).program
    with pytest.raises(ValueError, match="given with its block"):
        program.set_terminator(0, Return())


def test_an_edit_keeps_all_numbers():
    program = build().set("x", 1).program
    other = build().set("x", 1).set("y", 2).program
    with pytest.raises(ValueError, match="leaves the number"):
        program.become(other)


def test_what_is_not_there_is_refused_and_changes_nothing():
    program = build().set("x", 1).program
    before = dumps(program)
    with pytest.raises(ValueError, match="no task is called 'nope'"):
        program.append(Block("t2"), task="nope")
    with pytest.raises(ValueError, match="no block 7 to stand at"):
        program.stand_at(7)
    assert before == dumps(program)
