from hypothesis import given, settings

from statemem.ir import ControlFlow, Default, build, run
from statemem.ir.flow.routes import path_to
from statemem.ir.testing import traces, workflows
from statemem.ir.text import dumps
from statemem.passes import Assigned, Manager, solve
from statemem.passes.assigned import HELD, KEPT, NOTHING, SuretyLattice, assigned
from statemem.passes.testing import chains, check_laws, graphs, paths
from statemem.passes.testing.states import decided


def cells(program, block=None):
    fact = solve(program, Assigned).at_end(program.current_end if block is None else block)
    return sorted(str(cell).removeprefix("session:1/") for cell in assigned(fact))


def is_held(state, cell):
    """Whether a cell holds something under one of its names."""
    return any(state.held(target.cell) for target in state.names.denoted(cell))


def check_along(program, ways):
    ends = solve(program, Assigned).block_ends()
    for path in ways:
        for one in decided(program):
            state = run(one, path)
            for cell in assigned(ends[path[-1]]):
                assert is_held(state, cell), f"{dumps(one)}\n{path} {cell}"


@given(graphs())
@settings(max_examples=200)
def test_what_is_assigned_holds_something_along_every_path(program):
    check_along(program, paths(program, most=40))


@given(workflows())
@settings(max_examples=100)
def test_so_it_does_through_calls(program):
    check_along(program, paths(program, most=40))


@given(traces())
@settings(max_examples=200)
def test_so_it_does_behind_forks(program):
    flow = ControlFlow(program)
    check_along(program, [path_to(program, flow, block) for block in flow.order])


@given(chains(names=False, ranked=False))
@settings(max_examples=150)
def test_on_a_chain_nothing_that_was_set_for_sure_is_left_out(program):
    found, state = assigned(solve(program, Assigned).at_end(program.current_end)), run(program)
    accesses = Manager(program).accesses
    defaults = (number for number, one in enumerate(program.instructions) if isinstance(one, Default))
    filled = {write.place for number in defaults for write in accesses.writes(number)}
    sure = {cell for cell in state.places if not any(one.is_tombstone for one in state.reaching_at(cell))}
    assert sure - filled <= found, dumps(program)


def test_a_cell_is_assigned_where_both_branches_assign_it():
    program = (
        build().block(name="s").branch("l", "r")
        .block(name="l").set("x", 1).set("y", 1).goto("j").block(name="r").set("x", 2).goto("j").block(name="j").program
    )  # fmt: skip
    assert ["x"] == cells(program)


def forked(left, right, begin=lambda builder: builder):
    start = begin(build().block(name="s")).fork("l", "r", join="j")
    return right(left(start.block(name="l")).goto("j").block(name="r")).goto("j").block(name="j").program


def test_at_the_join_of_a_fork_what_one_arm_assigned_holds():
    assert ["x", "y"] == cells(forked(lambda arm: arm.set("x", 1), lambda arm: arm.set("y", 1)))


def test_what_an_arm_deleted_is_not_assigned_behind_the_join():
    assert [] == cells(forked(lambda arm: arm, lambda arm: arm.delete("x"), lambda begin: begin.set("x", 0)))


def test_an_arm_that_fills_does_not_hold_against_one_that_deletes():
    program = forked(
        lambda arm: arm.default("x", 1), lambda arm: arm.delete("x"), lambda begin: begin.set("x", 0, maybe=True)
    )
    assert [] == cells(program)


def test_an_arm_that_unites_does_not_hold_against_one_that_deletes():
    program = forked(
        lambda arm: arm.same("o[A]", "o[B]").use("o[B].c"),
        lambda arm: arm.delete("o[A].c"),
        lambda begin: begin.set("o[A].c", 0).set("o[B].c", 0, maybe=True),
    )
    assert [] == cells(program)


def test_a_default_assigns():
    assert ["x"] == cells(build().default("x", 1).open())


def test_a_default_of_a_whole_may_leave_a_field_empty():
    assert ["o.x"] == cells(build().set("o.x", 1).default("o", {"x": 2, "y": 3}).open())


def test_an_append_assigns_and_a_delete_does_not():
    assert ["x"] == cells(build().append("x", 1).set("y", 1).delete("y").open())


def test_what_may_not_happen_assigns_nothing():
    assert [] == cells(build().set("x", 1, maybe=True).open())


def test_a_delete_that_outranks_a_write_leaves_nothing_assigned():
    assert [] == cells(build().at(version=2).delete("x").at(version=1).set("x", 1).open())


def test_the_cells_of_a_task_are_not_assigned_behind_its_end():
    program = build().enter("f").block(task="f").set("x", 1).block().leave("f", ended=True).open()
    assert [["task:f/x"], []] == [cells(program, block) for block in (1, 2)]


def test_a_united_entity_is_assigned_under_both_its_names():
    program = build().set("o[A].c", 1).set("o[B].c", 0, maybe=True).same("o[A]", "o[B]").open()
    assert ['o["A"].c', 'o["B"].c'] == cells(program)


def test_the_end_of_the_scope_of_one_name_ends_what_the_other_rested_on():
    program = (
        build().enter("f").set("o.c", 0, maybe=True).block(task="f").set("o.c", 1).same("o", "session:1/o")
        .block().leave("f", ended=True).open()
    )  # fmt: skip
    assert [] == cells(program)


def test_the_laws_of_its_lattice_hold():
    check_laws(SuretyLattice(), [NOTHING, HELD, KEPT, HELD | KEPT])
