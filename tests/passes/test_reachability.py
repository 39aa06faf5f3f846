import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from statemem.ir import Derive, build, run, workflow
from statemem.ir.flow.routes import path_to_end
from statemem.ir.meaning.resolve import universe
from statemem.ir.meaning.walk import Walk
from statemem.ir.rewriting.attach import attach
from statemem.ir.state import State
from statemem.ir.testing import traces
from statemem.ir.text import dumps
from statemem.passes import Generation, Manager, Reachability, Survival, generation, reachable_at, survived
from statemem.passes.framework import Before, BlockEnd
from statemem.passes.last_use import LastUse
from statemem.passes.testing import chains, graphs, programs


def marked(program, point=None):
    """The way of every entry in force, as texts."""
    told = reachable_at(Manager(program), point or BlockEnd(program.current_end))
    return {one.entry.id: [str(mark) for mark in one.way] for one in told}


def collectable(program, point=None):
    return [one for one, way in marked(program, point).items() if not way]


# marking, against the plain rule applied until nothing changes


def naive(program):
    """The entries marked at the end of a log, by the rule read off the state there."""
    state = run(program)
    there = {(one.instruction, one.leaf): cell for cell in state.cells() for one in state.held(cell)}
    kept = {key: state.in_force(cell) for key, cell in there.items()}
    there = {key: cell for key, cell in there.items() if any((one.instruction, one.leaf) == key for one in kept[key])}
    block = program.current_end
    open_scopes = {program.scope_of(block), program.tasks[program.body[block]].scope}
    ended = {one.task for one in program.instructions if getattr(one, "ended", False)}
    entered = {one.task for one in program.instructions if type(one).__name__ == "Enter"}
    open_scopes |= {f"task:{task}/" for task in entered - ended}
    scopes = {str(scope) for scope in open_scopes}
    found = {key for key, cell in there.items() if str(cell.scope) in scopes or is_profile(cell)}
    seen = premises_along(program)
    while True:
        new = set(found)
        names = {name for key in found & there.keys() for name in named_by(program, key, there[key])}
        new |= {key for key, cell in there.items() if names & {one.text for one in cell.path if one.kind == "key"}}
        new |= {premise for key in found for premise in seen.get(key[0], ())}
        if new == found:
            return found & there.keys(), set(there)
        found = new


def is_profile(cell):
    return cell.scope.kind in ("user", "org", "project", "agent") and all(one.kind == "name" for one in cell.path)


def named_by(program, key, cell):
    value = program.entries_of(key[0])[key[1]].value
    values = value if isinstance(value, list) else [value]
    yield from (str(one) for one in values if isinstance(one, (str, int)) and not isinstance(one, bool))
    yield from (one.text for one in cell.path if one.kind == "key")


def premises_along(program):
    seen = {}

    class Reading(State):
        def execute(self, number, instruction):
            if isinstance(instruction, Derive):
                met = [one for read in instruction.reads() for one in self.in_force(read.place)]
                seen[number] = {(one.instruction, one.leaf) for one in met}
            super().execute(number, instruction)

    walk = Walk(program, Reading(program, universe(program)))
    for block in path_to_end(program):
        walk.through(block)
    return seen


@st.composite
def logs(draw):
    """Logs in which values name entities, conclusions rest on cells, and tasks come and go."""
    keys, cells = ("A", "B", "C"), ["x", "y", "user:7/p", 'user:7/o["A"].c', 'user:7/o["B"].c', 'user:7/o["C"].c']
    builder = build(parent="user:7/").scope("user:7/").block()
    if draw(st.booleans()):
        builder.enter("f1").block(task="f1")
        builder.set("line", draw(st.sampled_from(keys))).derive(
            "user:7/o[C].c", 1, "line", draw(st.sampled_from(cells[2:]))
        )
        builder.block().leave("f1", ended=draw(st.booleans()))
    for _ in range(draw(st.integers(1, 8))):
        cell = draw(st.sampled_from(cells))
        if draw(st.booleans()):
            builder.set(cell, draw(st.sampled_from((*keys, 1, ["A", "C"]))))
        else:
            builder.derive(cell, draw(st.sampled_from((*keys, 2))), *draw(st.lists(st.sampled_from(cells), max_size=2)))
    return builder.program


@given(logs())
@settings(max_examples=80, deadline=None)
def test_marking_is_the_least_set_closed_under_the_rule(program):
    expected, in_force = naive(program)
    told = reachable_at(Manager(program), BlockEnd(program.current_end))
    assert in_force == {(one.entry.instruction, one.entry.leaf) for one in told}, dumps(program)
    found = {(one.entry.instruction, one.entry.leaf) for one in told if one.way}
    assert expected == found, dumps(program)


@given(programs())
@settings(max_examples=60, deadline=None)
def test_with_more_roots_no_less_is_marked(program):
    if not program.blocks:
        return
    manager = Manager(program)
    for block in (one for one in range(len(program.blocks)) if one in manager.graph.segments):
        before = {one.entry.id for one in reachable_at(manager, BlockEnd(block)) if one.way}
        declared = list(program.declarations)
        program.declarations += build().declare("a", pinned=True).declare("o", pinned=True).program.declarations
        after = {one.entry.id for one in reachable_at(Manager(program), BlockEnd(block)) if one.way}
        program.declarations = declared
        assert before <= after


@given(graphs())
@settings(max_examples=50, deadline=None)
def test_what_is_in_the_scope_of_the_session_is_never_collectable(program):
    manager = Manager(program)
    for block in (one for one in range(len(program.blocks)) if one in manager.graph.segments):
        assert not [one for one in reachable_at(manager, BlockEnd(block)) if one.is_collectable]


@given(logs())
@settings(max_examples=50, deadline=None)
def test_each_way_ends_at_a_root_and_leads_through_entries(program):
    roots = ("of the profile", "of the open", "pinned by", "meant by")
    for way in filter(None, marked(program).values()):
        assert way[-1].startswith(roots)
        assert not any(step.startswith(roots) for step in way[:-1])


# examples


def session():
    return build(parent="user:7/").scope("user:7/")


def test_the_profile_the_session_and_pinned_cells_are_roots():
    program = (
        session().declare('user:7/o["A"].c', pinned=True).set("user:7/phone", 1).set("topic", 2)
        .set("user:7/o[A].c", 3).set("user:7/o[B].c", 4).program
    )  # fmt: skip
    assert {
        "e1": ["of the profile user:7/"],
        "e2": ["of the open session:1/"],
        "e3": ['pinned by user:7/o["A"].c'],
        "e4": [],
    } == marked(program)


def test_metadata_may_say_that_an_entry_is_of_the_profile():
    builder = session().set("user:7/o[A].c", 3, id="e1")
    assert ["e1"] == collectable(builder.program)
    assert [] == collectable(builder.describe("e1", generation="profile").program)


def test_premises_are_marked_however_far_back():
    builder = session().set("user:7/o[A].c", 1).derive("user:7/o[B].c", 2, "user:7/o[A].c")
    assert ["e1", "e2"] == collectable(builder.program)
    way = marked(builder.derive("sum", 3, "user:7/o[B].c").program)["e1"]
    assert ["premise of e2", "premise of e3", "of the open session:1/"] == way


def test_a_way_leads_through_what_is_not_in_force_any_more():
    builder = session().set("user:7/o[A].c", 1).derive("s", 1, "user:7/o[A].c").derive("s", 2, "s")
    assert ["premise of e2", "premise of e3", "of the open session:1/"] == marked(builder.program)["e1"]


def test_what_a_reference_points_to_is_marked():
    builder = session().set("user:7/o[A].c", 1).set("user:7/o[B].c", 2).bind("it", "user:7/o[A]")
    assert {"e1": ["meant by @it"], "e2": []} == marked(builder.program)
    assert ["e1"] == collectable(builder.bind("it", "user:7/o[B]").program)


def test_a_value_marks_the_entity_it_names_and_so_does_a_key_in_a_path():
    builder = session().set("user:7/order[W15].color", "red").set("user:7/paid[W15].sum", 5).set("user:7/o[X].c", 1)
    assert ["e1", "e2", "e3"] == collectable(builder.program)
    program = builder.set("current", "W15").program
    assert ["e3"] == collectable(program)
    assert ["of the entity named by e4", "of the open session:1/"] == marked(program)["e2"]


def test_a_second_name_of_a_marked_entity_is_marked():
    builder = session().set("user:7/a[A].c", 1).set("user:7/b[B].c", 2).same("user:7/a[A]", "user:7/b[B]", maybe=True)
    assert ["second name of the cell of e1", "of the entity named by e3", "of the open session:1/"] == marked(
        builder.set("x", "A").program
    )["e2"]


def test_a_task_that_is_left_is_open_still_and_one_that_ended_is_not():
    def left(**how):
        builder = session().enter("f1").block(task="f1").set("line", "W15").set("user:7/o[W15].c", 1)
        return builder.block().leave("f1", **how).program

    assert [] == collectable(left())
    assert ["e2"] == collectable(left(ended=True))


def test_an_earlier_session_is_not_open():
    one = session().set("topic", 1, id="a").program
    two = build("session:2/", parent="user:7/").scope("user:7/").set("topic", 2, id="b").program
    assert ["a"] == collectable(attach([one, two], "both"))


def test_at_an_earlier_point_what_was_so_there_is_told():
    program = session().enter("f1").block(task="f1").set("line", "down").block().leave("f1", ended=True).program
    assert {"e1": ["of the open task:f1/"]} == marked(program, Before(2))


def test_a_workflow_is_told_at_every_end():
    program = workflow().set("x", 1).branch("l", "r").block(name="l").ends().block(name="r").set("y", 1).ends().program
    assert [
        "e1 of the open session:1/ at the end of l",
        "e1 of the open session:1/ at the end of r",
        "e2 of the open session:1/ at the end of r",
    ] == Reachability().show(Manager(program).result(Reachability), program)


# generations and survival


def test_generations_follow_scope_and_metadata():
    builder = session().scope("turn:t1/", "session:1/").set("turn:t1/tmp", 1, id="a").set("x", 1, id="b")
    builder.set("user:7/phone", 1, id="c").set("user:7/o[A].c", 1, id="d").describe("d", generation="turn")
    program = builder.program
    assert ["turn", "session", "profile", "turn"] == [generation(program, entry).value for entry in program.entries]
    assert Generation.SESSION is generation(program, program.entries[1])


def told(program, every):
    return Survival(every=every).show(Manager(program).result(Survival(every=every)), program)


def naive_survival(program, every):
    """The collections each entry survives, by looking at every multiple and every block before it."""
    path, found = path_to_end(program), {}
    manager = Manager(program)
    last = max((program.step_of(block) for block in path), default=0)
    for at in range(every, last + 1, every):
        beyond = next((number for number, block in enumerate(path) if program.step_of(block) > at), len(path))
        upto = path[:beyond]
        if not upto or max(program.step_of(block) for block in upto) < at - every:
            continue
        reached = {one.entry.id for one in reachable_at(manager, BlockEnd(upto[-1]))}
        uses = manager.solve(LastUse).fact(BlockEnd(upto[-1]))
        for entry in (one for one in program.entries if one.id in reached):
            touched = max(program.step_of(entry.block), uses.get((entry.instruction, entry.leaf), -1))
            if at - every <= touched <= at:
                found.setdefault(entry.id, []).append(at)
    return found


@given(chains(names=False, ranked=False), st.integers(1, 3))
@settings(max_examples=60, deadline=None)
def test_survival_is_what_a_look_at_every_collection_tells(program, every):
    found = {one.entry.id: list(one.collections) for one in survived(Manager(program), every) if one.collections}
    assert naive_survival(program, every) == found, dumps(program)


@given(traces(), st.integers(1, 4))
@settings(max_examples=50, deadline=None)
def test_what_survives_was_made_or_used_not_long_before(program, every):
    for one in survived(Manager(program), every):
        made = program.step_of(one.entry.block)
        assert all(at % every == 0 and at >= made for at in one.collections)


def test_an_entry_survives_while_it_is_used_and_not_once_it_is_replaced():
    builder = build().set("a", 1).set("b", 1)
    for number in range(2, 9):
        builder.block().use("a") if number != 6 else builder.block().set("a", 2)
    assert ["e1 survived 2 and 4", "e2 survived 2", "e3 survived 6 and 8"] == told(builder.program, 2)


def test_steps_of_the_log_count_and_gaps_are_passed_over():
    program = build().block(step=3).set("a", 1).block(step=10**9).use("a").program
    assert ["e1 survived 5 and 1000000000"] == told(program, 5)


def test_sessions_that_used_an_entry_are_told():
    one = session().set("user:7/phone", 1, id="a").program
    two = build("session:2/", parent="user:7/").scope("user:7/").use("user:7/phone").program
    assert ["a used in session:2/"] == told(attach([one, two], "both"), 5)


def test_every_is_at_least_one():
    with pytest.raises(ValueError, match="at least 1, not 0"):
        Survival(every=0)
