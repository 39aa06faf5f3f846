import pytest
from hypothesis import given, settings

from statemem.ir import Block, Cell, Derive, Program, build, name, run, workflow
from statemem.ir.testing import traces, workflows
from statemem.ir.text import dumps
from statemem.passes import Manager, NoFact, Reaching, slice_back, slice_forward, use_def_chains
from statemem.passes.reaching import read_in_force
from statemem.passes.testing import SCOPE, chains, graphs


def ids(entries):
    return [entry.id for entry in entries]


def named(program, entry):
    return next(one for one in program.entries if one.id == entry)


@given(graphs() | traces() | workflows())
@settings(max_examples=150)
def test_each_read_meets_what_reaching_has_in_force_there(program):
    manager = Manager(program)
    solution, found = manager.solve(Reaching), use_def_chains(manager)
    for chain in found:
        state = solution.follow(manager.graph.flow.node_of(chain.instruction))
        for at in state.points:
            if at.number == chain.instruction:
                break
        assert read_in_force(manager.accesses, chain.instruction, chain.read, state.state) == chain.definitions


@given(graphs() | workflows())
@settings(max_examples=100)
def test_one_instruction_alone_is_told_as_in_the_walk(program):
    walked, manager = use_def_chains(Manager(program)), Manager(program)
    for chain in walked:
        assert chain.definitions == use_def_chains(manager.solve(Reaching)).of(chain.instruction)[chain.read]


@given(graphs())
@settings(max_examples=100)
def test_uses_are_the_inverse(program):
    found = use_def_chains(Manager(program))
    pairs = {(one, chain[:2]) for chain in found for one in chain.definitions}
    assert pairs == {(one, use[:2]) for one, _ in pairs for use in found.uses(one) if one in use.definitions}
    assert all(any(key[:2] == (one.instruction, one.leaf) for key, _ in pairs) for one, _ in pairs if found.uses(one))


@given(chains(names=False, ranked=False))
@settings(max_examples=100)
def test_on_a_chain_a_read_meets_what_the_state_has_in_force(program):
    found = use_def_chains(Manager(program))
    for number, instruction in enumerate(program.instructions):
        block = program.block_of(number)
        state = run(program, range(block))
        for earlier in range(program.executed(block).start, number):
            state.execute(earlier, program.instructions[earlier])
        for read, met in zip(instruction.reads(), found.of(number), strict=True):
            expected = {one for one in state.defined(read.place) if not one.is_tombstone}
            assert expected == {one for one in met if not one.is_tombstone}, dumps(program)


@given(graphs() | workflows())
@settings(max_examples=100)
def test_the_two_slices_are_each_other_s_inverse(program):
    found = use_def_chains(Manager(program))
    entries = [one for one in program.entries if is_reached(found, one)]
    back = {(key(one), key(other)) for one in entries for other in slice_back(found, one)}
    forward = {(key(one), key(other)) for other in program.entries for one in slice_forward(found, other)}
    assert back == forward


def key(entry):
    return entry.instruction, entry.leaf


def is_reached(found, entry):
    try:
        found.of(entry.instruction)
    except NoFact:
        return False
    return True


@given(graphs())
@settings(max_examples=60)
def test_a_slice_is_closed(program):
    found = use_def_chains(Manager(program))
    for entry in program.entries:
        if is_reached(found, entry):
            whole = slice_back(found, entry)
            assert all(set(map(key, slice_back(found, one))) <= set(map(key, whole)) for one in whole)


def test_the_empty_program_has_no_chains():
    assert [] == list(use_def_chains(Manager(Program("empty", SCOPE))))


def test_what_is_never_reached_has_none():
    program = build().block().use("x").end()
    program.append(Block("lost", instructions=(Derive(target=Cell(SCOPE, (name("x"),)), value=1),)))
    found = use_def_chains(Manager(program))
    for _ in range(2):
        with pytest.raises(NoFact, match="cannot be reached"):
            found.of(1)
        list(found)


def test_two_branches_reach_one_use():
    program = (
        build().block(name="s").branch("l", "r").block(name="l").set("x", 1).goto("j")
        .block(name="r").set("x", 2).goto("j").block(name="j").use("x").end()
    )  # fmt: skip
    (met,) = use_def_chains(Manager(program)).of(2)
    assert [0, 1] == sorted(one.instruction for one in met)


def test_what_was_outranked_reaches_no_use():
    program = build().at(version=2).set("x", 1).at(version=1).set("x", 2).use("x").open()
    (met,) = use_def_chains(Manager(program)).of(2)
    assert [0] == [one.instruction for one in met]


def test_a_slice_goes_through_conclusions_and_appends_and_not_through_constants():
    program = (
        build().set("a", 1).set("b", 1).append("b", 2).derive("c", 3, "a").derive("d", 4, "b", "c").set("e", 5)
        .derive("f", 6, "e").open()
    )  # fmt: skip
    manager = Manager(program)
    assert ["e1", "e2", "e3", "e4"] == ids(slice_back(manager, named(program, "e5")))
    assert ["e5"] == ids(slice_forward(manager, named(program, "e3")))
    assert ["e4", "e5"] == ids(slice_forward(manager, named(program, "e1")))
    assert [] == ids(slice_back(manager, named(program, "e1")))


def test_a_premise_that_names_what_it_saw_rests_on_that():
    program = build().set("a", 1).set("a", 2).derive("b", 3, ("a", "e1")).open()
    manager = Manager(program)
    assert ["e1"] == ids(slice_back(manager, named(program, "e3")))
    assert ["e3"] == ids(slice_forward(manager, named(program, "e1")))
    assert [] == slice_forward(manager, named(program, "e2"))


def test_an_entry_concluded_from_itself_in_a_loop_rests_on_itself():
    program = (
        build().block(name="s").set("n", 0).block(name="l").derive("n", 1, "n").branch("l", "e").block(name="e").end()
    )
    manager = Manager(program)
    assert ["e1", "e2"] == ids(slice_back(manager, named(program, "e2")))


def test_a_slice_goes_through_a_call():
    program = (
        workflow().block().set("size", 42, id="s").call("ship", "size", result="label", then="done", id="c")
        .block(name="done").use("label").ends()
        .task("ship", "size").block().derive("paper", "L-1", "size", id="p").returns("paper", id="r").program
    )  # fmt: skip
    assert ["s", "c/size", "p", "r"] == ids(slice_back(Manager(program), named(program, "c")))


def test_a_definition_is_as_good_as_its_entry():
    program = build().set("a", 1).derive("b", 2, "a").use("b").open()
    found = use_def_chains(Manager(program))
    ((one,),) = found.of(2)
    assert ["e1"] == ids(slice_back(found, one))
    assert [2] == [chain.instruction for chain in found.uses(one)]
