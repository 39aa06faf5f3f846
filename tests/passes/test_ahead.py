"""A workflow as horizon: what may still be read, given where a log stands in it."""

from collections import defaultdict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from statemem.ir import Call, ControlFlow, Return, build, workflow
from statemem.ir.diagnostics import UsageError
from statemem.ir.testing import workflows
from statemem.passes import Liveness, Manager, Word, standings
from statemem.passes.framework import BlockEnd, NoFact
from statemem.passes.future.ahead import horizon_of


def cells(program, *stack):
    future = horizon_of(program, *stack).future
    assert future is not None
    return [str(one.cell) for one in future.expected]


def desk():
    return (
        workflow("user:c/").scope("session:s/", "user:c/")
        .block("user", name="ask").set("session:s/topic", "x").goto("choose")
        .block("assistant", name="choose").branch("look", "pay", "end")
        .block("tool:look", name="look").derive("order[*].status", None, "session:s/topic").goto("choose")
        .block("assistant", name="pay").call("settle", "order[*].total", result="session:s/receipt", then="tell")
        .block("assistant", name="tell").use("session:s/receipt", "order[*].note", purpose="reply").goto("end")
        .block(name="end").ends()
        .task("settle", "sum").block("assistant", name="check").suspend("do")
        .block("tool:pay", name="do").effect("pay", "sum", "user:c/card").goto("done")
        .block("assistant", name="done").returns("sum").program
    )  # fmt: skip


def test_what_no_position_reads_is_not_expected():
    assert "user:c/order[*].status" not in cells(desk())
    assert {"user:c/card", "user:c/order[*].total", "user:c/order[*].note"} <= set(cells(desk()))


def test_behind_a_use_that_does_not_come_again_nothing_is_expected():
    assert [] == cells(desk(), ["tell"])
    assert [] == cells(desk(), ["end"])


def test_several_positions_expect_what_any_of_them_does():
    assert set(cells(desk(), ["tell"])) | set(cells(desk(), ["look"])) == set(cells(desk(), ["tell", "look"]))


def test_a_task_goes_on_when_the_one_it_called_returns():
    within = cells(desk(), ["pay"], ["check"])
    assert {"task:settle/sum", "user:c/card", "user:c/order[*].note"} == set(within)
    assert {"task:settle/sum", "user:c/order[*].note"} == set(cells(desk(), ["pay"], ["do"]))


def test_a_single_task_may_have_been_called_by_anyone():
    assert set(cells(desk(), ["pay"], ["check"])) == set(cells(desk(), ["check"]))


def test_a_task_that_was_put_aside_goes_on_by_itself():
    aside = cells(desk(), ["tell"], ["look"])
    assert cells(desk(), ["look"]) == aside


def test_what_is_read_as_a_whole_is_expected_with_fields_that_the_workflow_does_not_name():
    program = workflow("user:c/").block(name="a").set("order[*].x", 1).goto("b").block(name="b").use("order[*]").program
    log = build("session:1/", parent="user:7/").scope("user:7/").set("user:7/order[A].color", "red").open()
    (standing,) = standings(Manager(log, horizon_of(program, ["a"])), BlockEnd(0))
    assert Word.LIVE is standing.word


def test_a_log_has_the_cells_of_a_workflow_in_its_own_scopes():
    log = (
        build("session:1/", parent="user:7/").scope("user:7/")
        .set("user:7/card", "c1").set("user:7/mail", "m").set("user:7/order[A].status", "open").open()
    )  # fmt: skip
    found = {str(one.cell): one.word for one in standings(Manager(log, horizon_of(desk(), ["ask"])), BlockEnd(0))}
    assert {
        "user:7/card": Word.LIVE,
        "user:7/mail": Word.UNREAD,
        'user:7/order["A"].status': Word.UNREAD,
    } == found


def test_cells_of_a_task_are_those_of_tasks_of_its_kind():
    log = build().enter("f1", "settle").block(task="f1").set("sum", 3).set("other", 4).open()
    found = {str(one.cell): one.word for one in standings(Manager(log, horizon_of(desk(), ["check"])), BlockEnd(1))}
    assert {"task:f1/sum": Word.LIVE, "task:f1/other": Word.UNREAD} == found


def test_other_ends_of_a_message_tree_stay_open():
    log = (
        build().set("a", 1).branch("left", "right")
        .block(name="left").stays_open().block(name="right").set("b", 2).open()
    )  # fmt: skip
    found = {str(one.cell): one.word for one in standings(Manager(log, horizon_of(desk(), ["tell"])), BlockEnd(0))}
    assert {"session:1/a": Word.UNKNOWN} == found


def test_who_reads_a_cell_is_told():
    future = horizon_of(desk(), ["pay"], ["check"]).future
    assert future is not None
    assert {"user:c/card": "do, reached from check", "user:c/order[*].note": "tell, reached from pay"} == {
        str(cell): reader for cell, reader in future.expected if cell.scope.kind == "user"
    }


def test_a_log_is_no_workflow_and_a_mistaken_block_is_told():
    with pytest.raises(UsageError, match="is a log"):
        horizon_of(build().program)
    with pytest.raises(UsageError, match="no block 'chose', did you mean 'choose'"):
        horizon_of(desk(), ["chose"])


def remaining(program, flow, stack):
    """The cells read along some path that goes on from a stack of open calls: an oracle that follows paths."""
    live = Manager(program, depth=0)
    found, seen, work = set(), set(), [(*stack, frozenset())]
    for node, calls, written in work:
        if (node, calls, written) in seen or len(seen) > 3_000:
            continue
        seen.add((node, calls, written))
        for number in flow.executed(node):
            found.update(
                one.place for one in live.accesses.reads(number) if one.how.value == "used" and one.place not in written
            )
            written |= {
                one.place
                for one in live.accesses.writes(number)
                if one.definite and one.mode.value != "extend" and one.mode.value != "fill"
            }
        work += [(target, left, written) for target, left in onward(program, flow, node, calls)]
    return found, len(seen) > 3_000


def onward(program, flow, node, calls):
    last = None if node in flow.landings else program.blocks[node].terminator
    if isinstance(last, Return):
        landing = next((one for one, call in flow.landings.items() if calls and call == calls[-1]), None)
        return [] if landing is None else [(landing, calls[:-1])]
    inside = (*calls, node) if isinstance(last, Call) else calls
    return [(target, calls if target in flow.landings else inside) for target in flow.successors[node]]


def stacks(program, flow):
    """A block with the calls that are open there, for every one that can be come to."""
    found, work = defaultdict(list), [(entry, ()) for entry in flow.entries]
    for node, calls in work:
        if node not in flow.landings and calls not in found[node] and len(calls) < 4:
            found[node].append(calls)
            work += onward(program, flow, node, calls)
        elif node in flow.landings:
            work += onward(program, flow, node, calls)
        if len(work) > 2_000:
            break
    return [(node, calls) for node, all_calls in found.items() for calls in all_calls]


@given(program=workflows(), data=st.data())
@settings(max_examples=150)
def test_with_the_stack_of_calls_exactly_what_paths_read_is_expected(program, data):
    flow = ControlFlow(program)
    node, calls = data.draw(st.sampled_from(stacks(program, flow)))
    names = [[program.blocks[one].name] for one in (*calls, node)]
    found, places = set(), Manager(program).accesses.places
    for target, left in onward(program, flow, node, calls):
        more, is_cut = remaining(program, flow, (target, left))
        if is_cut:
            return
        found |= more
    future = horizon_of(program, *names).future
    assert future is not None
    expected = {one.cell for one in future.expected if one.cell in places}
    assert {cell for cell in found if not ranked(program)} <= expected
    if not ranked(program):
        assert expected == found


def ranked(program):
    return any(one.origin.version is not None or one.origin.observed is not None for one in program.instructions)


def test_a_block_that_nothing_reaches_is_no_position():
    program = workflow().block(name="a").ends().block(name="lost").ends().program
    with pytest.raises(NoFact, match="'lost' cannot be reached"):
        horizon_of(program, ["lost"])


def test_a_position_without_blocks_is_refused_since_nothing_would_be_expected():
    with pytest.raises(UsageError, match="names no block"):
        horizon_of(desk(), [])


def test_what_is_read_behind_a_call_that_never_comes_back_is_not_expected():
    program = (
        workflow().block(name="begin").call("wait", then="end").block(name="end").use("r", purpose="reply").ends()
        .task("wait").block(name="round").goto("round").program
    )  # fmt: skip
    assert [] == cells(program, ["begin"], ["round"])
    with pytest.raises(NoFact, match="'begin' cannot be reached"):
        Manager(program).solve(Liveness).follow(len(program.blocks))


def test_a_workflow_is_as_live_as_its_positions():
    program = desk()
    for number, block in enumerate(program.blocks):
        live = {str(cell) for cell in Manager(program).solve(Liveness).at_end(number)}
        assert live <= set(cells(program, [block.name]))
