import attrs
from hypothesis import given, settings
from hypothesis import strategies as st

from statemem.ir import UNKNOWN, Block, Branch, Effect, End, Goto, Origin, Program, build
from statemem.ir.terminators import Arm
from statemem.ir.values import canonical
from statemem.passes import Effects, Manager
from statemem.passes.effects import done_on_all, done_on_some, key_of
from statemem.passes.testing import SCOPE, check_on, forked, graphs, paths, programs

KEYS = ["k", "l", 1, 1.0, {"a": [1, "x"]}, {"a": [1.0, "x "]}, None, UNKNOWN, {"a": UNKNOWN}]


@st.composite
def with_keys(draw, of):
    """Programs some of whose instructions are effects with keys, instead of what they were."""
    program = draw(of)
    built = Program(program.name, next(iter(program.tasks.values())).scope)
    for block in program.blocks:
        found = [_effect(draw, one) if draw(st.booleans()) else one for one in block.instructions]
        built.append(attrs.evolve(block, instructions=tuple(found)))
    return built


def _effect(draw, instead_of):
    action = draw(st.sampled_from(["pay", "ship"]))
    return Effect(action=action, key=draw(st.sampled_from(KEYS)), maybe=instead_of.maybe and draw(st.booleans()))


def certain(program):
    return not any(one.maybe for one in program.instructions if isinstance(one, Effect))


def known(key):
    return key is not None and "?" not in repr(key)


def done_along(program, path):
    """What is done along a path, by plain book-keeping."""
    instructions = (program.instructions[number] for block in path for number in program.executed(block))
    effects = (one for one in instructions if isinstance(one, Effect) and known(one.key))
    return {(one.action, canonical(one.key)) for one in effects}


def as_pairs(keys):
    return {(one.action, one.identity) for one in keys}


def at_ends(program):
    ends = Manager(program).solve(Effects).block_ends()
    return {n: (as_pairs(done_on_all(fact)), as_pairs(done_on_some(fact))) for n, fact in ends.items()}


def traces_of_any_shape():
    return with_keys(st.one_of(graphs(most=3), forked()))


@given(traces_of_any_shape())
@settings(max_examples=60)
def test_done_on_all_paths_and_on_some_is_what_the_paths_say(program):
    found = at_ends(program)
    along = {}
    for path in paths(program, longest=7, most=3_000):
        along.setdefault(path[-1], []).append(done_along(program, path))
    for block, each in along.items():
        on_all, on_some = found[block]
        assert set().union(*each) == on_some
        if certain(program):
            assert set.intersection(*each) == on_all
        else:
            assert on_all <= set.intersection(*each)


@given(with_keys(programs()))
@settings(max_examples=60)
def test_the_laws_of_passes_hold_with_keys(program):
    check_on(Effects(), program)


def shown(program, block=None):
    end = program.current_end if block is None else block
    return Effects().show(Manager(program).solve(Effects).at_end(end))


def test_an_effect_is_done_from_then_on():
    program = build().effect("pay", key="k").block().effect("ship", key=[1, "x"]).open()
    assert ['pay key "k": on all paths', 'ship key [1, "x"]: on all paths'] == shown(program)
    assert ['pay key "k": on all paths'] == shown(program, 0)


def test_what_is_done_on_one_branch_is_done_on_some_path():
    log = build().branch("t2", "t3").block(name="t2").effect("pay", key="k").goto("t4")
    program = log.block(name="t3").goto("t4").block(name="t4").open()
    assert ['pay key "k": on some path'] == shown(program)


def test_what_one_arm_of_a_fork_does_is_done():
    log = build().fork("a", "b", join="c").block(name="a").effect("pay", key="k").goto("c")
    program = log.block(name="b").goto("c").block(name="c").open()
    assert ['pay key "k": on all paths'] == shown(program)


def test_what_an_arm_may_do_is_done_on_some_path():
    program = Program("forked", SCOPE)
    maybe = Effect(action="pay", key="k", maybe=True)
    program.append(attrs.evolve(build().fork("a", "b", join="c").program.blocks[0]))
    program.append(Block("a", instructions=(maybe,), terminator=Goto("c")))
    program.append(Block("b", terminator=Goto("c")))
    program.append(Block("c"))
    assert ['pay key "k": on some path'] == shown(program)


def test_keys_are_compared_by_value_and_actions_by_name():
    assert 1 == len(shown(build().effect("pay", key=7).effect("pay", key=7.0).open()))
    assert 2 == len(shown(build().effect("pay", key=7).effect("Pay", key=7).open()))
    assert 2 == len(shown(build().effect("pay", key=1).effect("pay", key=True).open()))


def test_an_effect_without_a_key_or_with_an_unknown_one_has_no_identity():
    keys = [None, UNKNOWN, [UNKNOWN], {"a": {"b": UNKNOWN}}]
    assert [None] * 4 == [key_of(Effect(action="pay", key=key)) for key in keys]
    assert [] == shown(build().effect("pay").open())


def test_a_loop_that_acts_has_done_so_when_it_comes_round():
    program = Program("loop", SCOPE)
    program.append(Block("a", terminator=Goto("b")))
    loop = Branch((Arm("b"), Arm("c")))
    program.append(Block("b", instructions=(Effect(action="pay", key="k", origin=Origin()),), terminator=loop))
    program.append(Block("c", terminator=End()))
    solution = Manager(program).solve(Effects)
    assert [1, 0] == [len(done_on_some(solution.at_start(1))), len(done_on_all(solution.at_start(1)))]
