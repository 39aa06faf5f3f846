"""The smallest program: valid, still failing, never larger, always the same, and found within its budget."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from statemem.ir import Append, Bind, Block, Call, Delete, Fork, Program, Same, Set, Use, build, workflow
from statemem.ir.testing import traces, workflows
from statemem.ir.text import dumps
from statemem.ir.verifier import verify
from statemem.passes import Analysis, Manager
from statemem.passes.framework import PassError
from statemem.passes.framework.smallest import draft_of, smallest

KINDS = (Set, Append, Delete, Use, Bind, Same)


def has(kind):
    return lambda program: any(isinstance(one, kind) for one in program.instructions)


def size(program):
    return len(program.blocks), len(program.instructions), len(dumps(program))


@given(traces() | workflows())
@settings(max_examples=40)
def test_a_draft_of_a_program_says_the_same(program):
    assert draft_of(program).program().same_as(program)


@given(traces() | workflows(), st.sampled_from(KINDS))
@settings(max_examples=60)
def test_it_is_valid_still_fails_and_is_always_the_same(program, kind):
    fails = has(kind)
    found = smallest(program, fails, seconds=60)
    assert fails(found) == fails(program)
    assert size(found) <= size(program)
    assert [] == [problem for problem in verify(found) if problem.severity == "error"]
    assert dumps(smallest(program, fails, seconds=60)) == dumps(found)
    if fails(program) and program.is_trace:
        assert (1, 1) == size(found)[:2]


@given(traces() | workflows())
@settings(max_examples=20)
def test_where_nothing_fails_it_is_the_program_itself(program):
    assert program is smallest(program, lambda one: False)


@given(traces(), st.integers(0, 30))
@settings(max_examples=20)
def test_no_more_is_tried_than_allowed_and_what_is_found_still_fails(program, tries):
    asked = []

    def fails(one):
        asked.append(one)
        return len(one.blocks) > 1

    found = smallest(program, fails, tries=tries)
    assert len(asked) <= 1 + tries
    assert len(found.blocks) > 1 or found is program


def test_no_time_is_no_try():
    program = build("session:1/").block().set("x", 1).set("y", 1).open()
    assert program is smallest(program, has(Set), seconds=-1)


def long_log(count=300):
    builder = build("session:1/", name="log", parent="user:7/").scope("user:7/").declare("user:7/phone", sensitive=True)
    for number in range(count):
        builder.block("user").set(f"x{number}", {"a": number, "b": [1, 2]}, id=f"m{number}").set("user:7/phone", "1")
    builder.block("assistant").use(("x7", "m7"), "x8", purpose="reply")
    return builder.open()


def test_a_log_is_cut_down_to_the_two_turns_that_matter():
    class Seen(Analysis):
        """Raises where a use names the entry that was written before it."""

        def on_write(self, cell, mode, state, at):
            assert at.entry is not None
            state.gen(at.entry.id.partition("/")[0])

        def on_read(self, cell, how, state, at):
            if at.was in list(state):
                raise LookupError

    def fails(program):
        try:
            Manager(program).result(Seen)
        except PassError:
            return True
        return False

    expected = """\
program "log"

scope session:1/

task main in session:1/ {
  block t8 user {
    x7 = set {} as m7
    goto t301
  }
  block t301 assistant {
    use x7 was m7 for reply
    open
  }
}
"""
    assert expected == dumps(smallest(long_log(), fails, seconds=60))


def test_seen_entries_that_are_gone_are_forgotten():
    found = smallest(long_log(20), has(Use))
    assert ["use () for reply", "open"] == [line.strip() for line in dumps(found).split("\n")[6:8]]


def test_a_loop_stays_where_it_matters():
    builder = workflow("user:7/", name="flow").block("user", name="a").set("x", 1)
    builder.block("user", name="b").set("x", 2).branch("b", out="c").block("user", name="c").use("x").ends()

    def fails(program: Program):
        return any(block.name in _targets(block) for block in program.blocks)

    found = smallest(builder.program, fails)
    assert [("b", "Goto", 0)] == [
        (one.name, type(one.terminator).__name__, len(one.instructions)) for one in found.blocks
    ]


def _targets(block: Block):
    from statemem.ir.terminators import targets

    return targets(block.terminator)


def test_a_fork_and_a_call_are_made_plain_where_they_do_not_matter():
    builder = workflow("user:7/", name="flow").block("user", name="a").call("ship", then="b", result="res")
    builder.block("user", name="b").fork("l", "r", join="j").block("user", name="l").set("x", 1).goto("j")
    builder.block("user", name="r").set("y", 1).goto("j").block("user", name="j").use("x").ends()
    program = builder.task("ship").block("tool", name="s").set("out", 1).returns("out").program
    found = smallest(program, has(Use))
    assert ([], ["main"]) == (
        [one for one in found.blocks if isinstance(one.terminator, (Fork, Call))],
        list(found.tasks),
    )


@pytest.mark.parametrize("kind", [Fork, Call])
def test_a_fork_or_a_call_that_matters_stays(kind):
    builder = workflow("user:7/", name="flow").block("user", name="a").call("ship", then="b", result="res")
    builder.block("user", name="b").fork("l", "r", join="j").block("user", name="l").set("x", 1).goto("j")
    builder.block("user", name="r").set("y", 1).goto("j").block("user", name="j").use("x").ends()
    program = builder.task("ship").block("tool", name="s").set("out", 1).returns("out").program
    found = smallest(program, lambda one: any(isinstance(block.terminator, kind) for block in one.blocks))
    assert [] == [problem for problem in verify(found) if problem.severity == "error"]
    assert len(found.blocks) <= 4
