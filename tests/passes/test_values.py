from hypothesis import assume, given, settings

from statemem.ir import UNKNOWN, ControlFlow, Default, build, run
from statemem.ir.flow.routes import path_to
from statemem.ir.meaning.facts import fold
from statemem.ir.testing import traces, workflows
from statemem.ir.text import dumps
from statemem.ir.values import dumps as dumps_value
from statemem.ir.values import equal
from statemem.passes import Manager, Values, solve
from statemem.passes.testing import chains, check_laws, graphs, paths
from statemem.passes.testing.states import decided
from statemem.passes.values import candidates


def shown(program, block=None, **options):
    ends = Manager(program).solve(Values(**options)).block_ends()
    texts = Values(**options).show(ends[program.current_end if block is None else block])
    return [text.replace("session:1/", "") for text in texts]


def folded(program, candidate):
    return fold(program, [entry for entry in map(program.entry_of, candidate) if entry is not None])


def same(left, right):
    return equal(left, right) or dumps_value(left) == dumps_value(right)  # what is unknown in both equals nothing


def is_among(program, state, fact, cell):
    """Whether what the state says of a place is among what the pass says."""
    found, there = candidates(fact, cell), state.held(cell)
    if found is None:
        return True
    if not there:
        return () in found
    return any(one and same(fold(program, there), folded(program, one)) for one in found)


def check_along(program, ways):
    ends = Manager(program).solve(Values).block_ends()
    for path in ways:
        for one in decided(program):
            state = run(one, path)
            for cell in state.places:
                assert is_among(one, state, ends[path[-1]], cell), f"{dumps(one)}\n{path} {cell}"


@given(graphs())
@settings(max_examples=150)
def test_along_every_path_the_value_is_among_the_candidates(program):
    check_along(program, paths(program, most=40))


@given(graphs())
@settings(max_examples=100)
def test_what_the_state_says_of_what_may_not_happen_is_among_them_too(program):
    ends = Manager(program).solve(Values).block_ends()
    for path in paths(program):
        state = run(program, path)
        held = (cell for cell in state.places if state.held(cell))
        assert all(is_among(program, state, ends[path[-1]], cell) for cell in held), f"{dumps(program)}\n{path}"


@given(workflows())
@settings(max_examples=100)
def test_so_it_is_through_loops_and_calls(program):
    check_along(program, paths(program, most=40))


@given(traces())
@settings(max_examples=100)
def test_so_it_is_behind_forks(program):
    flow = ControlFlow(program)
    check_along(program, [path_to(program, flow, block) for block in flow.order])


@given(chains(names=False, ranked=False, most=3))
@settings(max_examples=200)
def test_on_a_chain_there_is_no_candidate_that_cannot_be(program):
    manager = Manager(program)
    fact = manager.solve(Values(most=64)).at_end(program.current_end)
    defaults = (number for number, one in enumerate(program.instructions) if isinstance(one, Default))
    assume(sum(one.maybe for one in program.instructions) <= 4)
    assume("[*]" not in dumps(program))  # what is said of a family may happen to each of it
    assume(
        not any(len(manager.accesses.reads(number)) > 1 for number in defaults)
    )  # whether it fills, several cells say
    states = [(one, run(one)) for one in decided(program)]
    for cell in states[0][1].places:
        known = [fold(one, state.held(cell)) if state.held(cell) else None for one, state in states]
        for candidate in candidates(fact, cell) or []:
            value = folded(program, candidate) if candidate else None
            assert any(same(value, one) for one in known), f"{dumps(program)}\n{cell}"


def test_one_value_is_definite():
    assert ['color = "white"'] == shown(build().set("color", "black").set("color", "white").open())


def test_a_write_that_may_not_happen_leaves_two_candidates():
    assert ['color = "black" | "white"'] == shown(
        build().set("color", "black").set("color", "white", maybe=True).open()
    )


def test_what_no_path_surely_wrote_may_be_nothing():
    assert ["x = nothing | 1"] == shown(build().set("x", 1, maybe=True).open())


def test_what_was_appended_stands_behind_its_base():
    program = build().set("notes", "a").append("notes", "b").set("n", 1).add("n", 2).add("m", 3).open()
    assert ["m = nothing + 3", "n = 1 + 2", 'notes = "a" + "b"'] == shown(program)


def test_an_append_on_one_branch_is_no_part_of_the_value_on_the_other():
    program = (
        build()
        .block(name="s")
        .set("n", "a")
        .branch("l", "r")
        .block(name="l")
        .append("n", "b")
        .goto("j")
        .block(name="r")
        .goto("j")
        .block(name="j")
        .program
    )
    assert ['n = "a" | "a" + "b"'] == shown(program)


def test_arms_of_a_fork_both_append():
    program = (
        build().block(name="s").set("n", "a").fork("l", "r", join="j")
        .block(name="l").append("n", "b").goto("j").block(name="r").append("n", "c").goto("j").block(name="j").program
    )  # fmt: skip
    assert ['n = "a" + "b" + "c"'] == shown(program)


def test_what_one_arm_of_a_fork_replaced_is_gone_and_a_race_leaves_both():
    def forked(right):
        begin = build().block(name="s").set("x", 0).fork("l", "r", join="j").block(name="l").set("x", 1).goto("j")
        return right(begin.block(name="r")).goto("j").block(name="j").program

    assert ["x = 1"] == shown(forked(lambda arm: arm))
    assert ["x = 1 | 2"] == shown(forked(lambda arm: arm.set("x", 2)))


def test_an_unknown_value_is_a_question_mark():
    assert ["x = ?"] == shown(build().set("x", UNKNOWN).open())


def test_what_was_outranked_is_no_candidate():
    assert ['plan = "new"'] == shown(build().at(version=2).set("plan", "new").at(version=1).set("plan", "old").open())


def test_equal_values_are_one_candidate():
    program = (
        build()
        .block(name="s")
        .branch("l", "r")
        .block(name="l")
        .set("p", 561)
        .goto("j")
        .block(name="r")
        .set("p", 561.0)
        .goto("j")
        .block(name="j")
        .program
    )
    assert ["p = 561"] == shown(program)


def test_a_default_fills_only_the_ways_on_which_nothing_is_there():
    assert ["x = 1 | 2"] == shown(build().set("x", 1, maybe=True).default("x", 2).open())


def test_beyond_the_bound_it_is_anything_until_it_is_set_again():
    builder = build()
    for number in range(4):
        builder.set("x", number, maybe=True)
    program = builder.block().set("x", 9).open()
    assert (["x = nothing | 0 | 1 | 2 | 3"], ["x = anything"], ["x = 9"]) == (
        shown(program, 0), shown(program, 0, most=3), shown(program, 1, most=3)
    )  # fmt: skip


def test_the_laws_of_its_lattice_hold():
    program = build().set("x", 1).set("y", 2, maybe=True).append("x", 3, maybe=True).open()
    solution = solve(program, Values)
    check_laws(Values.facts, [None, *(solution.after(number) for number in range(3))])
