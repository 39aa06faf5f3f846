"""Families of a workflow, `order[*].x`: places of their own, for whatever key there may be."""

from statemem.ir import build, run, workflow
from statemem.passes import Liveness, Manager, Reaching
from statemem.passes.framework.points import BlockEnd, BlockStart


def places(program):
    return [str(place).removeprefix("session:1/") for place in Manager(program).accesses.places]


def test_a_workflow_that_names_no_key_has_a_place_for_the_family():
    assert {"order[*].status", "phone"} == {*places(workflow().use("order[*].status").set("phone", "1").program)}


def test_a_log_has_the_keys_that_it_names():
    assert ['order["A"].status'] == places(build().set("order[A].status", 1).use("order[*].status").program)


def test_a_family_below_which_something_is_known_is_no_place_of_its_own():
    assert ["order[*].status"] == places(workflow().set("order[*].status", 1).use("order[*]").program)


def test_a_write_to_a_family_replaces_nothing_for_sure():
    program = workflow().set("order[*].n", 1).set("order[*].n", 2).program
    assert [1, 2] == [entry.value for entry in run(program, [0]).in_force(program.entries[0].cell)]
    (cell,) = Manager(program).accesses.places
    assert 3 == len(Manager(program).solve(Reaching).value(cell, BlockEnd(0))), "what there was before, and both"


def test_a_write_to_one_key_leaves_the_others_alone():
    program = workflow().block().use("phone").block().set("order[A].n", 1).block().use("order[*].n").program
    live = {str(cell) for cell in Manager(program).solve(Liveness).at_start(1)}
    assert {"session:1/order[*].n"} == live


def test_a_read_of_one_key_may_read_what_was_written_for_any():
    program = workflow().set("order[*].n", 1).block().use("order[A].n").program
    live = {str(cell) for cell in Manager(program).solve(Liveness).fact(BlockStart(1))}
    assert {"session:1/order[*].n", 'session:1/order["A"].n'} == live


def test_a_whole_that_is_set_replaces_the_family_in_it():
    program = workflow().set("order[*].n", 1).block().set("order", {"n": 2}).block().use("order[*].n").program
    assert frozenset() == Manager(program).solve(Liveness).fact(BlockStart(1))
