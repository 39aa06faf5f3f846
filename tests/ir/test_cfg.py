"""The control-flow graph: what it finds, and that growing it is the same as building it."""

import attrs
from hypothesis import given
from hypothesis import strategies as st

from statemem.ir import Arm, Block, Branch, ControlFlow, Goto, How, Mode, Program, Task, build, workflow
from statemem.ir.flow.footprints import Footprints, mask
from statemem.ir.meaning.names import Names
from statemem.ir.meaning.places import Places
from statemem.ir.meaning.resolve import reads, writes
from statemem.ir.terminators import OPEN
from statemem.ir.testing import workflows
from statemem.passes.testing import SCOPE, chains, graphs


def described(flow):
    order, parts = flow.order, flow.chains
    return flow.successors, flow.predecessors, flow.ends, flow.entries, order, parts, flow.loops


def a_workflow():
    return (
        workflow("user:7/")
        .block("user", name="ask").set("size", 42).call("ship", "size", result="label", then="again")
        .block("user", name="again").call("ship", "size", then="done")
        .block("user", name="done").use("label").ends()
        .task("ship", "size").block("tool:ship", name="ship").derive("paper", "L", "size").returns("paper").program
    )  # fmt: skip


def test_the_graph_is_handed_to_the_tools_of_networkx():
    program = build().block("user").set("x", 1).block("assistant").use("x").program
    graph = ControlFlow(program).to_networkx()
    assert [(0, "user", 1), (1, "assistant", 2)] == [(n, at["actor"], at["step"]) for n, at in graph.nodes(data=True)]
    assert [(0, 1)] == list(graph.edges)
    assert [block.name for block in program.blocks] == [at["name"] for _, at in graph.nodes(data=True)]


def test_a_call_leads_into_its_task_and_each_return_back_to_every_landing():
    flow = ControlFlow(a_workflow())
    assert {4: 0, 5: 1} == flow.landings
    assert [[3], [3], [], [4, 5], [1], [2]] == flow.successors
    assert ([0], {2}) == (flow.entries, flow.ends)


def test_a_call_of_nothing_goes_on_at_its_landing():
    program = workflow("user:7/").block().call("lost", then="on").block(name="on").ends().program
    assert [[2], [], [1]] == ControlFlow(program).successors


def test_many_ends_of_a_message_tree():
    program = (
        build().block("user", name="q").branch("a", "b")
        .block("assistant", name="a").goto("d").block("assistant", name="b").goto("e")
        .block("user", name="d").terminate(OPEN).block("user", name="e").standing_at("d").program
    )  # fmt: skip
    assert ({3, 4}, 3) == (ControlFlow(program).ends, program.current_end)


def test_loops_within_loops_and_with_two_ways_in():
    def edges(program):
        return [(sorted(loop.headers), sorted(loop.nodes), loop.depth) for loop in ControlFlow(program).loops]

    nested = build().block(name="a").block(name="b").block(name="c").branch("b", "d").block(name="d").branch("a", "e")
    assert [([0], [0, 1, 2, 3], 1), ([1], [1, 2], 2)] == edges(nested.block(name="e").program)
    irreducible = build().block(name="a").branch("b", "c").block(name="b").block(name="c").branch("b", "d")
    assert [([1, 2], [1, 2], 1)] == edges(irreducible.block(name="d").program)
    assert [False] == [loop.is_reducible for loop in ControlFlow(irreducible.program).loops]


@given(graphs())
def test_every_loop_is_strongly_connected_and_entered_through_its_headers_only(program):
    import networkx

    flow = ControlFlow(program)
    graph = flow.to_networkx()
    for loop in flow.loops:
        assert networkx.is_strongly_connected(graph.subgraph(loop.nodes))
        for node in loop.nodes - loop.headers:
            assert set(flow.predecessors[node]) & set(flow.order) <= loop.nodes
    cyclic = {node for part in networkx.strongly_connected_components(graph) if len(part) > 1 for node in part}
    assert cyclic & set(flow.order) <= {node for loop in flow.loops for node in loop.nodes}


@given(graphs())
def test_every_edge_goes_forward_in_the_order_but_those_that_close_a_loop(program):
    flow = ControlFlow(program)
    place = {node: position for position, node in enumerate(flow.order)}
    for node in flow.order:
        for target in flow.successors[node]:
            closes = any(target in loop.nodes and node in loop.nodes for loop in flow.loops)
            assert place[node] < place[target] or closes


def grown(program):
    """A copy of a program, block by block, standing anywhere in between."""
    copy = Program(program.name, program.tasks["main"].scope)
    for block in program.blocks:
        copy.append(block)
        yield copy


def said(footprints):
    """What footprints say, by cell: places are numbered as they come to be known."""
    places = footprints.places

    def named(numbers):
        return {places[number] for number in numbers}

    chains = [(named(one.exposed), named(one.read), named(one.replaced), one.is_plain) for one in footprints.chains]
    return set(places), chains, footprints.united


def naive(program, flow):
    """What each chain exposes, reads and replaces, instruction by instruction over places known beforehand."""
    places = Footprints(program, flow).places
    known = Places()
    for place in places:
        known.add(place)
    for chain in flow.chains:
        exposed, read, replaced = set(), set(), set()
        for number in (number for node in chain for number in flow.executed(node)):
            one = program.instructions[number]
            for access in reads(one, Names(), known):
                read.add(access.place)
                if access.how is How.USED and access.place not in replaced:
                    exposed.add(access.place)
            for write in writes(number, one, Names(), known):
                if write.definite and write.mode in (Mode.REPLACE, Mode.DELETE):
                    replaced.add(write.place)
        yield tuple(mask(places.index(place) for place in found) for found in (exposed, read, replaced))


@given(graphs())
def test_a_graph_that_grows_is_the_graph_of_the_whole(program):
    flow = None
    for copy in grown(program):
        flow = flow or ControlFlow(copy)
        flow.grow()
        assert described(ControlFlow(copy)) == described(flow)
        assert copy.version == flow.version


@given(workflows())
def test_a_workflow_that_grows_is_looked_at_as_a_whole(program):
    copy = Program(program.name, program.tasks["main"].scope, shape="workflow")
    for task in program.tasks.values():
        copy.add_task(task)
    flow, footprints = ControlFlow(copy), Footprints(copy, ControlFlow(copy))
    for block, task in zip(program.blocks, program.body, strict=True):
        copy.append(block, task=task)
        flow.grow()
        footprints.grow()
        assert described(ControlFlow(copy)) == described(flow)
        assert said(Footprints(copy, ControlFlow(copy))) == said(footprints)


def a_tree(blocks):
    """A log that branches to as many blocks, from each of which it may go on."""
    program = Program("tree", SCOPE)
    program.append(Block("root", terminator=Branch(tuple(Arm(block.name) for block in blocks))))
    for block in blocks:
        program.append(block)
    return program


@given(chains(most=9), st.integers(2, 3), st.lists(st.tuples(st.integers(0, 2), st.booleans()), min_size=9, max_size=9))
def test_a_log_that_goes_on_from_any_of_its_ends_grows_as_the_whole(program, arms, stands):
    blocks = [attrs.evolve(block, terminator=OPEN) for block in program.blocks]
    copy = a_tree(blocks[:arms])
    flow, footprints = ControlFlow(copy), Footprints(copy, ControlFlow(copy))
    known, ends = described(flow), list(range(1, len(copy.blocks)))
    for block, (end, is_looked_at) in zip(blocks[arms:], stands, strict=False):
        copy.stand_at(ends[end % len(ends)])
        ends[end % len(ends)] = copy.extend(block)
        if is_looked_at:
            assert (True, True) == (flow.grow(), footprints.grow())
            assert described(ControlFlow(copy)) == described(flow)
            assert said(Footprints(copy, ControlFlow(copy))) == said(footprints)
    assert (1, known[3]) == (flow.reorderings, flow.entries)


@given(st.lists(st.tuples(st.sampled_from(("append", "extend", "link")), st.integers(0, 9), st.integers(0, 9))))
def test_a_graph_grows_as_the_whole_whatever_its_ends_lead_to(steps):
    program = Program("any", SCOPE)
    flow = ControlFlow(program)
    for what, one, other in steps:
        ends = [number for number, block in enumerate(program.blocks) if block.terminator == OPEN]
        name, target = Block(f"b{len(program.blocks)}"), Goto(f"b{other}")
        if what == "append" or not ends:
            program.append(attrs.evolve(name, terminator=target) if one % 2 else name)
        elif what == "link":
            program.set_terminator(ends[one % len(ends)], target)
        else:
            program.stand_at(ends[one % len(ends)])
            program.extend(name)
        assert flow.grow()
        assert described(ControlFlow(program)) == described(flow)


def test_each_end_of_a_tree_goes_on_straight():
    program = a_tree([Block("a"), Block("b")])
    flow = ControlFlow(program)
    footprints = Footprints(program, flow)
    for end, name in ((1, "c"), (2, "d"), (3, "e"), (4, "f")):
        program.stand_at(end)
        program.extend(Block(name))
        assert footprints.grow()
    assert (1, [[0], [1, 3, 5], [2, 4, 6]]) == (flow.reorderings, flow.chains)
    assert [(1, 3), (2, 4), (1, 5), (2, 6)] == flow.carried_on


def test_an_end_that_leads_to_a_block_that_was_there_prolongs_no_chain():
    program = a_tree([Block("a"), Block("b")])
    flow = ControlFlow(program)
    assert [0, 1, 2] == flow.order
    program.set_terminator(2, Goto("a"))
    assert (True, [0, 2, 1]) == (flow.grow(), flow.order)


def test_the_first_block_of_a_task_prolongs_no_chain_since_it_is_an_entry():
    program = workflow("user:7/").block(name="a").stays_open().program
    flow = ControlFlow(program)
    assert [[0]] == flow.chains
    program.add_task(Task("ship", program.tasks["main"].scope))
    program.extend(Block("b"))
    assert (True, [0, 1]) == (flow.grow(), flow.entries)
    assert described(ControlFlow(program)) == described(flow)


def test_a_log_that_merely_goes_on_is_not_looked_at_again():
    program = build().block("user").set("x", 1).program
    flow = ControlFlow(program)
    footprints = Footprints(program, flow)
    program.extend(Block("t2"))
    assert (True, 1) == (footprints.grow(), len(flow.chains))


def test_a_graph_of_an_edited_program_is_made_anew():
    program = build().block("user", name="a").goto("b").block(name="b").program
    flow = ControlFlow(program)
    program.set_terminator(0, OPEN)
    assert (False, {0, 1}) == (flow.grow(), flow.ends)


@given(graphs(names=False))
def test_the_footprint_of_a_chain_is_what_its_instructions_do(program):
    flow = ControlFlow(program)
    found = [chain.masks() for chain in Footprints(program, flow).chains]
    assert list(naive(program, flow)) == found


def test_control_may_come_to_a_later_block_first():
    program = (
        build().block(name="a").goto("c").block(name="b").set("x", 2).stays_open()
        .block(name="c").use("x").goto("b").program
    )  # fmt: skip
    assert [(1, 1, 1)] == [chain.masks() for chain in Footprints(program, ControlFlow(program)).chains]


def test_the_cells_of_a_turn_and_of_a_task_are_replaced_at_its_end():
    program = (
        build().block(name="t1").set("turn:t1/draft", "…").enter("f1").block(task="f1").set("line", "down")
        .block().leave("f1", ended=True).use("turn:t1/draft", "task:f1/line").program
    )  # fmt: skip
    assert [(0, 0b11, 0b11)] == [chain.masks() for chain in Footprints(program, ControlFlow(program)).chains]


@given(graphs(names=False))
def test_footprints_grow_with_their_program(program):
    footprints = None
    for copy in grown(program):
        footprints = footprints or Footprints(copy, ControlFlow(copy))
        footprints.grow()
        assert said(Footprints(copy, ControlFlow(copy))) == said(footprints)
