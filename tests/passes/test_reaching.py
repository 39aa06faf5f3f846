from hypothesis import given, settings

from statemem.ir.testing import traces, workflows
from statemem.passes.testing import chains, check_exact, check_reaching, graphs


@given(chains(ranked=False))
@settings(max_examples=300)
def test_on_a_chain_reaching_is_what_the_state_has_in_force(program):
    check_exact(program)


@given(chains())
@settings(max_examples=200)
def test_on_a_ranked_chain_reaching_covers_the_path(program):
    check_reaching(program)


@given(graphs())
@settings(max_examples=300)
def test_on_any_graph_reaching_covers_every_path(program):
    check_reaching(program)


@given(traces())
def test_on_a_log_with_forks_and_several_ends_reaching_covers_every_path(program):
    check_reaching(program)


@given(workflows())
@settings(max_examples=200)
def test_on_a_workflow_reaching_covers_every_path_through_calls(program):
    check_reaching(program)
