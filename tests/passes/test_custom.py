"""What a pass of one's own takes: liveness itself in twelve lines, a lattice in twenty-five."""

import inspect

import pytest
from hypothesis import given, settings

from statemem.ir import How, Mode
from statemem.passes import Analysis, Direction, Horizon, Liveness, solve
from statemem.passes.framework import Boxed, MapOf
from statemem.passes.testing import check_file, check_laws, check_pass, programs


class Live(Analysis):
    """Cells that some path uses before it replaces them."""

    direction = Direction.BACKWARD

    def on_read(self, cell, how, state, at):
        if how is How.USED:
            state.gen(cell)

    def on_delete(self, cell, state, at):
        if not at.outrankable:
            state.kill(cell)

    def on_write(self, cell, mode, state, at):
        if mode is Mode.REPLACE:
            self.on_delete(cell, state, at)


LEVELS = ("nothing", "user", "tool", "assistant")


class Trust:
    """The weakest source of a value; the weaker is above."""

    bottom = "nothing"

    def join(self, left, right):
        return max(left, right, key=LEVELS.index)

    def leq(self, left, right):
        return LEVELS.index(left) <= LEVELS.index(right)

    def open(self, fact):
        return Boxed(fact, self.join)


class Weakest(Analysis):
    """The weakest source that wrote each cell."""

    facts = MapOf(Trust(), lambda cell: "nothing")

    def on_write(self, cell, mode, state, at):
        state[cell] = at.actor.kind if at.actor.kind in LEVELS else "tool"


def lines(one):
    return sum(1 for line in inspect.getsource(one).splitlines() if line.strip())


def test_liveness_takes_twelve_lines_and_holds_all_checks():
    assert 12 >= lines(Live)
    check_pass(Live, examples=40)


@given(programs())
@settings(max_examples=60)
def test_it_finds_what_the_shipped_one_finds_behind_a_closed_end(program):
    closed = Horizon(closed=True)
    expected, found = (solve(program, one, closed).block_ends() for one in (Liveness, Live))
    assert expected == found


def test_a_lattice_takes_less_than_twenty_five_lines_and_is_one():
    assert 25 >= lines(Trust)
    check_laws(Trust(), LEVELS)
    check_pass(Weakest, examples=40)


PROGRAM = """program "tea"
task main in session:1/ {
  block t1 user {
    topic = set "tea"  ;; after liveness = topic
    use topic          ;; after liveness %s
    end
  }
}
"""


def test_expected_facts_that_hold_pass():
    check_file(PROGRAM % "=")


@pytest.mark.parametrize(
    ("expected", "told"),
    [
        ("= topic", 'program "tea", block t1, after statement 2: liveness lacks topic'),
        ("+= topic", 'program "tea", block t1, after statement 2: liveness lacks topic'),
    ],
)
def test_a_fact_that_is_missing_is_told_with_its_place(expected, told):
    with pytest.raises(AssertionError) as failed:
        check_file(PROGRAM % expected)
    assert told == str(failed.value)


def test_a_fact_that_is_not_expected_is_told_with_its_place():
    with pytest.raises(AssertionError, match="liveness has session:1/topic, which is not expected"):
        check_file(PROGRAM.replace("= topic", "=") % "=")


def test_a_file_that_expects_nothing_is_no_test():
    with pytest.raises(AssertionError, match="no facts are expected"):
        check_file(PROGRAM.replace(";; after liveness = topic", "").replace(";; after liveness %s", ""))
