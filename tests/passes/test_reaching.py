from hypothesis import given, settings

from statemem.ir import run
from statemem.ir.testing import traces, workflows
from statemem.ir.text import parse
from statemem.passes import Manager, Reaching
from statemem.passes.framework import BlockEnd
from statemem.passes.testing import chains, check_exact, check_reaching, forked, graphs, paths
from statemem.passes.testing.states import decided


@given(chains(ranked=False))
@settings(max_examples=150)
def test_on_a_chain_reaching_is_what_the_state_has_in_force(program):
    check_exact(program)


@given(chains())
@settings(max_examples=100)
def test_on_a_ranked_chain_reaching_covers_the_path(program):
    check_reaching(program)


@given(graphs())
@settings(max_examples=120)
def test_on_any_graph_reaching_covers_every_path(program):
    check_reaching(program)


@given(traces())
def test_on_a_log_with_forks_and_several_ends_reaching_covers_every_path(program):
    check_reaching(program)


@given(workflows())
@settings(max_examples=200)
def test_on_a_workflow_reaching_covers_every_path_through_calls(program):
    check_reaching(program)


@given(forked())
@settings(max_examples=80)
def test_behind_a_fork_reaching_covers_what_all_arms_left(program):
    assert any({1, 2} < set(path) for path in paths(program)), "a path goes through both arms"
    check_reaching(program)


@given(forked(ranked=False))
@settings(max_examples=100)
def test_of_what_has_no_rank_reaching_behind_a_fork_is_what_the_state_holds(program):
    for one in decided(program):
        state, manager, last = run(one), Manager(one), BlockEnd(len(one.blocks) - 1)
        found = {cell: manager.solve(Reaching).value(cell, last) for cell in state.places}
        assert {cell: state.reaching_at(cell) for cell in state.places} == found


BRANCHES = """program "late"
task main in session:1/ {
  block a user {
    branch b, c
  }
  block b user {
    x = set 1 as one with {"version": 1}
    goto d
  }
  block c user {
    x = set 1 as three with {"version": 3}
    goto d
  }
  block d user {
    x = set 2 as two with {"version": 2}
    open
  }
}
"""


def test_what_confirms_may_have_come_along_another_branch():
    (program,) = parse(BRANCHES)
    check_reaching(program)
    there = Manager(program).solve(Reaching).at_end(3)[program.entries[0].cell]
    told = {(entry.id, one.yields) for one in there if (entry := program.entry_of(one))}
    assert {("one", False), ("three", False), ("two", False), ("two", True)} == told
