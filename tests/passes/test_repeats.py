from itertools import pairwise

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from statemem.ir import UNKNOWN, ControlFlow, Effect, Program, build, workflow
from statemem.ir.values import canonical
from statemem.passes import Manager, Repeats
from statemem.passes.repeats import Certainty
from statemem.passes.testing import chains, check_on, forked, graphs, paths, programs


@st.composite
def with_keys(draw, of):
    """Programs some of whose instructions are effects with keys, instead of what they were."""
    program = draw(of)
    built = Program(program.name, next(iter(program.tasks.values())).scope)
    keys = st.sampled_from(["k", "l", 1, 1.0, None, UNKNOWN])
    for block in program.blocks:
        instructions = [
            Effect(action="pay", key=draw(keys), maybe=one.maybe) if draw(st.booleans()) else one
            for one in block.instructions
        ]
        built.append(attrs.evolve(block, instructions=tuple(instructions)))
    return built


def known(key):
    return key is not None and key is not UNKNOWN


def certain(program):
    return not any(one.maybe for one in program.instructions if isinstance(one, Effect))


def found(program):
    return Manager(program).result(Repeats)


def shown(program):
    return Repeats().show(found(program), program)


def identity(program, number):
    one = program.instructions[number]
    return (one.action, canonical(one.key)) if isinstance(one, Effect) and known(one.key) else None


def repeated_along(program, path):
    """Every effect that a path comes to, with whether it was done on the path before."""
    seen = set()
    for number in (number for block in path for number in program.executed(block)):
        key = identity(program, number)
        if key is not None:
            yield number, key in seen
            seen.add(key)


@given(with_keys(st.one_of(chains(), graphs(most=3))))
@settings(max_examples=60)
def test_repeats_are_those_of_the_paths(program):
    said = {}
    for path in paths(program, longest=7, most=3_000):
        for number, is_repeated in repeated_along(program, path):
            said.setdefault(number, set()).add(is_repeated)
    expected = {number for number, told in said.items() if True in told}
    known_ = {one.instruction: one.certainty for one in found(program) if one.certainty is not Certainty.POSSIBLE}
    assert expected == set(known_)
    sure = {number for number, certainty in known_.items() if certainty is Certainty.ALL}
    always = {number for number, told in said.items() if told == {True}}
    assert always == sure if certain(program) else sure <= always


@given(with_keys(st.one_of(chains(), forked(), graphs())))
@settings(max_examples=80)
def test_every_repeat_names_earlier_effects_and_a_way_from_one_of_them(program):
    flow = ControlFlow(program)
    for one in found(program):
        way = [program.block_of(one.instruction)] if len(one.path) == 1 else list(one.path)
        assert way[-1] == program.block_of(one.instruction)
        assert all(after in flow.successors[before] for before, after in pairwise(one.path))
        assert one.earlier
        alike = {identity(program, other) == identity(program, one.instruction) for other in one.earlier}
        assert {True} == alike
        if one.certainty is not Certainty.ARMS and one.path[0] not in map(program.block_of, one.earlier):
            assert one.certainty is Certainty.POSSIBLE  # two arms; the way leads from the fork


@given(with_keys(programs()))
@settings(max_examples=60)
def test_the_laws_of_passes_hold_with_keys(program):
    check_on(Repeats(), program)


@given(programs())
@settings(max_examples=50)
def test_where_no_effect_is_repeated_with_the_same_entries_nothing_is_told(program):
    effects = [one for one in program.instructions if isinstance(one, Effect)]
    if len(effects) < 2:
        assert not [one for one in found(program) if one.instruction not in one.earlier]


def test_a_retry_on_every_path_is_told_with_the_first():
    program = build().effect("pay", key="k").block().effect("ship", key="k").block().effect("pay", key="k").open()
    (one,) = found(program)
    assert (2, Certainty.ALL, (0,), (0, 1, 2)) == one
    assert ['pay key "k" in t3 was done in t1 on all paths'] == shown(program)


def test_within_one_block_the_later_one_is_the_retry():
    (one,) = found(build().effect("pay", key=7).effect("pay", key=7.0).open())
    assert (1, Certainty.ALL, (0,), (0,)) == one


def test_a_retry_on_one_branch_is_told_as_such():
    program = (
        build().branch("t2", "t3").block(name="t2").effect("pay", key="k").goto("t4")
        .block(name="t3").goto("t4").block(name="t4").effect("pay", key="k").open()
    )  # fmt: skip
    (one,) = found(program)
    assert (1, Certainty.SOME, (0,), (1, 3)) == one


def test_done_on_both_branches_is_done_on_all_paths():
    program = (
        build().branch("t2", "t3").block(name="t2").effect("pay", key="k").goto("t4")
        .block(name="t3").effect("pay", key="k").goto("t4").block(name="t4").effect("pay", key="k").open()
    )  # fmt: skip
    (one,) = found(program)
    assert (2, Certainty.ALL, (0, 1)) == one[:3]


@pytest.mark.parametrize(("key", "certainty"), [("k", Certainty.ARMS), (None, Certainty.POSSIBLE)])
def test_two_arms_of_a_fork_that_do_the_same_do_it_twice(key, certainty):
    program = (
        build().set("a", 1).fork("x", "y", join="z").block(name="x").effect("pay", "a", key=key).goto("z")
        .block(name="y").effect("pay", "a", key=key).goto("z").block(name="z").open()
    )  # fmt: skip
    assert [(2, certainty, (1,), (0, 2))] == found(program)


def test_a_loop_repeats_its_own_effect():
    program = build().block().block(name="t2").effect("pay", key="k").branch("t2", "t3").block(name="t3").open()
    (one,) = found(program)
    assert (0, Certainty.SOME, (0,), (1, 1)) == one
    assert ['pay key "k" in t2 was done in t2 on some path'] == shown(program)


def test_other_keys_and_unknown_ones_are_no_repeats():
    program = build().set("a", 1).effect("pay", "a", key="k").effect("pay", "a", key="l").open()
    assert [] == found(program)


def test_a_task_that_is_called_twice_repeats_its_own_effect():
    called = workflow().block().call("pay", then="t2").block(name="t2").call("pay", then="t3").block(name="t3").ends()
    program = called.task("pay").block(name="p").effect("pay", key="k").returns().program
    number = next(n for n, one in enumerate(program.instructions) if isinstance(one, Effect))
    (one,) = found(program)
    assert (number, Certainty.SOME, (number,)) == one[:3]
    assert ["p", "t1", "t2", "p"] == [program.blocks[block].name for block in one.path]


def test_without_a_key_the_same_entries_make_a_possible_repeat():
    program = build().set("a", 1).effect("pay", "a").block().effect("pay", "a").open()
    assert [(2, Certainty.POSSIBLE, (1,), (0, 1))] == found(program)
    told = "pay in t2 was done in t1 possibly: no key tells, but it is the same action with the same entries"
    assert [told] == shown(program)


def test_without_a_key_other_entries_even_of_equal_value_and_none_at_all_make_none():
    program = build().set("a", 1).effect("pay", "a").set("a", 2).effect("pay", "a").effect("ring").effect("ring")
    assert [] == found(program.effect("pay", "never").effect("pay", "never").open())


def test_a_loop_that_makes_its_arguments_anew_repeats_nothing():
    again = build().block().block(name="t2").set("a", 1).effect("pay", "a").branch("t2", "t3").block(name="t3").open()
    assert [] == found(again)
    same = build().set("a", 1).block(name="t2").effect("pay", "a").branch("t2", "t3").block(name="t3").open()
    assert [(1, Certainty.POSSIBLE, (1,), (1, 1))] == found(same)


@given(st.lists(st.sampled_from(["k", "l", None]), max_size=8))
def test_on_a_straight_line_each_key_is_repeated_once_less_than_it_is_there(keys):
    program = build()
    for key in keys:
        program = program.effect("pay", key=key)
    counts = {key: keys.count(key) for key in keys if key is not None}
    assert sum(count - 1 for count in counts.values()) == len(found(program.open()))
