"""Calls: what comes back from a task comes back to the call it was made by."""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings

from statemem.ir import Call, ControlFlow, Return, workflow
from statemem.ir.flow.contexts import Contexts
from statemem.ir.testing import workflows
from statemem.passes import Assigned, Liveness, Manager, Reaching
from statemem.passes.assigned import assigned
from statemem.passes.framework.points import BlockEnd, BlockStart
from statemem.passes.framework.transfer import Transfer

from .written import Written, WrittenForSure


def number_of(program, block):
    found = program.block_named(block)
    assert found is not None
    return found


def along_valid_paths(analysis, manager, most=4_000):
    """The facts at the start of each block along paths whose returns go to the call they belong to; None for too many.

    Written against the plain graph with the stack of open calls itself, of any depth.
    """
    flow, transfer, program = manager.graph.flow, Transfer(analysis, manager.graph, {}), manager.program
    found: dict[int, set[Any]] = {}
    seen = set()
    work = [(entry, (), analysis.boundary(program)) for entry in flow.entries]
    for one in work:
        if len(work) > most:
            return None
        if one in seen:
            continue
        seen.add(one)
        node, calls, fact = one
        found.setdefault(node, set()).add(fact)
        state = analysis.facts.open(fact)
        for number in flow.executed(node):
            for at in transfer.node(node, analysis.facts.open(fact)):
                if at.number == number:
                    transfer.instruction(number, state, at)
                    break
        work += [(*onward, state.freeze()) for onward in valid(program, flow, node, calls)]
    return found


def valid(program, flow, node, calls) -> Iterator[tuple[Any, ...]]:
    terminator = None if node in flow.landings else program.blocks[node].terminator
    if isinstance(terminator, Return):
        landing = next((one for one, call in flow.landings.items() if calls and call == calls[-1]), None)
        if landing is not None:
            yield landing, calls[:-1]
        return
    inside = (*calls, node) if isinstance(terminator, Call) else calls
    for target in flow.successors[node]:
        yield target, calls if target in flow.landings else inside


@pytest.mark.parametrize("analysis", [Written(), WrittenForSure()])
@given(program=workflows())
@settings(max_examples=150)
def test_at_each_block_holds_what_valid_paths_come_to(analysis, program):
    manager = Manager(program)
    found = along_valid_paths(analysis, manager)
    for block, facts in (found or {}).items():
        if block < len(program.blocks):
            joined = next(iter(facts))
            for fact in facts:
                joined = analysis.facts.join(joined, fact)
            assert joined == manager.solve(analysis).at_start(block)


def two_callers(depth=3):
    program = (
        workflow().block(name="one").set("size", 1).call("ship", "size", result="first", then="two")
        .block(name="two").set("mark", 1).call("ship", "size", result="second", then="end")
        .block("user", name="end").use("first", "second", purpose="reply").ends()
        .task("ship", "size").block("tool:ship", name="ship").set("session:1/log", "sent").returns("size").program
    )  # fmt: skip
    return Manager(program, depth=depth)


def test_what_one_caller_did_does_not_come_back_to_another():
    manager = two_callers()
    landed = manager.graph.flow.successors[number_of(manager.program, "ship")][0]
    assert "session:1/mark" not in shown(manager.solve(Reaching).follow(landed).state.freeze())
    mark = next(cell for cell in manager.accesses.places if str(cell) == "session:1/mark")
    two = number_of(manager.program, "two")
    (nobody,) = manager.solve(Reaching).value(mark, BlockStart(two))
    assert nobody.is_tombstone, "the second call has not happened when the first comes back"
    assert 2 == len(two_callers(depth=0).solve(Reaching).value(mark, BlockStart(two)))


def shown(fact):
    return {str(cell) for cell, there in fact.items() if any(not one.is_tombstone for one in there)}


def test_inside_a_task_holds_what_holds_for_any_caller():
    manager = two_callers()
    ship = number_of(manager.program, "ship")
    held = assigned(manager.solve(Assigned).at_start(ship))
    assert {"session:1/size", "task:ship/size"} <= set(map(str, held))
    assert "session:1/mark" not in set(map(str, held)), "the first caller has not set it"
    assert {"session:1/mark"} <= shown(manager.solve(Reaching).at_start(ship)), "the second has"


def test_what_only_one_caller_reads_afterwards_is_live_in_the_task_for_that_one():
    manager = two_callers()
    two = number_of(manager.program, "two")
    assert "session:1/first" in set(map(str, manager.solve(Liveness).at_end(two)))
    assert "session:1/mark" not in set(map(str, manager.solve(Liveness).at_start(two)))


def recursive():
    return (
        workflow().block(name="begin").set("n", 3).call("count", "n", result="r", then="end")
        .block(name="end").use("r", purpose="reply").ends()
        .task("count", "n").block("assistant", name="count").branch("deeper", "done")
        .block(name="deeper").set("session:1/seen", 1).call("count", "n", result="m", then="done")
        .block(name="done").returns("n").program
    )  # fmt: skip


@pytest.mark.parametrize("depth", range(5))
def test_a_task_that_calls_itself_is_solved_at_any_depth(depth):
    manager = Manager(recursive(), depth=depth)
    end = BlockStart(number_of(manager.program, "end"))
    seen = next(cell for cell in manager.accesses.places if str(cell) == "session:1/seen")
    assert {True, False} == {one.is_tombstone for one in manager.solve(Reaching).value(seen, end)}


def many_tasks(count):
    """Tasks each of which calls every later one twice: the calls that may be open grow exponentially."""
    builder = workflow().block(name="begin").call("t0", then="end").block(name="end").ends()
    for number in range(count):
        builder.task(f"t{number}")
        for call in range(2 * (count - number - 1)):
            block, after = f"t{number}_{call}", f"t{number}_{call + 1}"
            builder.block(name=block).call(f"t{number + 1 + call // 2}", then=after)
        builder.block(name=f"t{number}_{2 * (count - number - 1)}").returns()
    return builder.program


def test_where_calls_are_too_many_fewer_open_ones_tell_them_apart():
    program = many_tasks(12)
    flow = ControlFlow(program)
    contexts = Contexts(flow, program, depth=12)
    assert 0 < contexts.depth < 12
    assert len(contexts.successors) <= 21 * len(flow.successors)
    assert isinstance(Manager(program).solve(Liveness).at_end(0), frozenset)


@given(workflows())
@settings(max_examples=60)
def test_told_apart_by_calls_no_more_holds_than_for_all_callers_together(program):
    fine, coarse = Manager(program).solve(Written), Manager(program, depth=0).solve(Written)
    for block, fact in fine.block_ends().items():
        assert fact <= coarse.fact(BlockEnd(block))


@given(workflows())
@settings(max_examples=60)
def test_the_first_copy_of_a_node_has_its_number(program):
    flow = ControlFlow(program)
    contexts = Contexts(flow, program)
    for node, copies in contexts.copies.items():
        assert node == copies[0]
        assert {flow.block_of(node)} == {contexts.block_of(copy) for copy in copies}
        assert {flow.executed(node)} == {contexts.executed(copy) for copy in copies}
