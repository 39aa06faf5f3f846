import attrs
from hypothesis import given, settings
from hypothesis import strategies as st

from statemem.ir import Cell, Enter, How, Leave, Program, State, build, workflow
from statemem.ir.meaning.names import Names
from statemem.ir.meaning.resolve import reads, universe
from statemem.ir.testing import traces, workflows
from statemem.ir.verifier import verify
from statemem.passes import Manager, Switches, undefined_reads
from statemem.passes.framework import Horizon
from statemem.passes.tasks.later_uses import LaterUses, Why, task_uses
from statemem.passes.testing import SCOPE, chains, check_on, graphs, programs

TASKS = ("f1", "f2")
CELLS = ("x", "y", "task:f1/a", "task:f2/a")


def switches(program, horizon=None):
    return Manager(program, horizon).result(Switches)


def shown(program, horizon=None):
    return [text.replace("session:1/", "") for text in Switches().show(switches(program, horizon), program)]


def ids(held):
    return [one.entry.id for one in held]


@st.composite
def logs(draw):
    """Straight logs that go to and fro between two tasks."""
    builder = build()
    for _ in range(draw(st.integers(1, 7))):
        builder.block("user", task=draw(st.sampled_from([None, None, *TASKS])))
        for _ in range(draw(st.integers(0, 3))):
            cell, task = draw(st.sampled_from(CELLS)), draw(st.sampled_from(TASKS))
            how = draw(st.integers(0, 6))
            if how == 0:
                builder.enter(task)
            elif how == 1:
                builder.leave(task, ended=draw(st.booleans()))
            elif how in (2, 3):
                builder.set(cell, draw(st.integers(1, 2)))
            elif how == 4:
                builder.append(cell, 1)
            elif how == 5:
                builder.delete(cell)
            else:
                builder.use(cell)
    return builder.open() if draw(st.booleans()) else builder.end()


class Oracle:
    """Steps along a straight log: who works at each instruction, and what is in force before it."""

    def __init__(self, program):
        self.program, self.places = program, universe(program)
        self.working, self.suspends, self.in_force, self.ended = [], [], [], []
        state = State(program, self.places)
        entered: dict[str, int] = {}
        aside: set[str] = set()
        for number, one in enumerate(program.instructions):
            self.in_force.append({place: state.held(place) for place in self.places})
            before = self.top(entered, aside)
            self.working.append(program.blocks[program.block_of(number)].task or before)
            if isinstance(one, Enter):
                entered[one.task] = number
                aside.discard(one.task)
            elif isinstance(one, Leave) and one.ended:
                entered.pop(one.task, None)
            elif isinstance(one, Leave):
                aside.add(one.task)
            gave_way = before in entered and before is not None and before != self.top(entered, aside)
            self.suspends.append(before if gave_way else None)
            state.execute(number, one)
        self.in_force.append({place: state.held(place) for place in self.places})

    @staticmethod
    def top(entered, aside):
        return max((task for task in entered if task not in aside), key=entered.__getitem__, default=None)

    def uses(self, number):
        found = reads(self.program.instructions[number], Names(), self.places)
        return [one.place for one in found if one.how is How.USED]

    def is_of(self, place, task):
        return str(place.scope) == f"task:{task}/"

    def uses_by(self, task, number):
        return [one for one in self.uses(number) if self.is_of(one, task) or self.working[number] == task]

    def saved(self, number):
        """What is to be saved at an instruction that suspends a task: entries, why, and the first later use."""
        task = self.suspends[number]
        everything = range(len(self.program.instructions))
        spoken = {place for other in everything for place in self.uses_by(task, other)}
        for place, entries in self.in_force[number].items():
            if self.is_of(place, task) or place in spoken:
                for entry in entries:
                    found = self.later(entry, place, task, number + 1)
                    if found is not None:
                        yield entry.id, *found

    def later(self, entry, place, task, begin):
        for number in range(begin, len(self.program.instructions)):
            if entry not in self.in_force[number][place]:
                return None
            if place in self.uses_by(task, number):
                return Why.OBSERVED, number
            one = self.program.instructions[number]
            if isinstance(one, Leave) and one.ended and one.task == task:
                return None
        is_open = not Horizon().speaks_of_all(self.program, len(self.program.blocks) - 1)
        return (Why.UNKNOWN, None) if is_open and entry in self.in_force[-1][place] else None


@given(logs())
@settings(max_examples=80, deadline=None)
def test_on_a_straight_log_what_is_saved_is_what_stepping_along_it_shows(program):
    oracle = Oracle(program)
    found = {one.instruction: one for one in switches(program)}
    for number, task in enumerate(oracle.suspends):
        told = found[number].save if number in found else ()
        expected = set(oracle.saved(number)) if task is not None else set()
        assert expected == {(one.entry.id, one.why, one.use) for one in told}
        assert all(one.task == task for one in told)


@given(logs())
@settings(max_examples=80, deadline=None)
def test_a_task_that_is_entered_again_gets_its_scope_back_whole(program):
    oracle = Oracle(program)
    for one in switches(program):
        for task in (*one.opened, *one.resumed):
            own = {
                e.id
                for place, held in oracle.in_force[one.instruction].items()
                if oracle.is_of(place, task)
                for e in held
            }
            assert own <= set(ids(one.load))


@given(logs())
@settings(max_examples=80, deadline=None)
def test_what_is_released_of_its_scope_is_what_was_in_force_there(program):
    oracle = Oracle(program)
    for one in switches(program):
        for task in one.ended:
            there = oracle.in_force[one.instruction].items()
            own = {entry.id for place, held in there if oracle.is_of(place, task) for entry in held}
            assert own == {held.entry.id for held in one.release if held.why is Why.ENDS}


@given(st.one_of(logs(), traces(), programs()))
@settings(max_examples=50, deadline=None)
def test_the_pass_holds_what_the_kit_asks(program):
    check_on(Switches, program)


@given(st.one_of(logs(), traces(), graphs(), workflows()))
@settings(max_examples=40, deadline=None)
def test_the_analysis_behind_it_holds_what_the_kit_asks(program):
    manager = Manager(program)
    if program.blocks:
        check_on(LaterUses(uses=task_uses(manager, TASKS)), program)


@given(chains(), st.booleans())
@settings(max_examples=80, deadline=None)
def test_reads_that_meet_nothing_are_told_and_no_others(program, happens):
    if happens:  # then what is told is not only sure, but all there is
        program.instructions = [attrs.evolve(one, maybe=False) for one in program.instructions]
    state, told = State(program, universe(program)), undefined_reads(Manager(program))
    found = {(one.instruction, one.read) for one in told}
    for number, one in enumerate(program.instructions):
        for position, read in enumerate(one.reads()):
            is_empty = isinstance(read.place, Cell) and not state.in_force(read.place)
            assert is_empty or (number, position) not in found
            if happens and is_empty and read.how is not How.CARRIED and not read.place.is_pattern:
                assert (number, position) in found
        state.execute(number, one)


def nested(depth, ended):
    """Digressions within digressions, each with a note of its own, and the way back, on which each is used."""
    names = [f"f{number}" for number in range(depth)]
    builder = build()
    for name in names:
        builder.block().enter(name).block(task=name).set("note", name, id=f"of_{name}")
    for name in reversed(names):
        builder.block(task=name).use("note").block().leave(name, ended=ended)
    return builder.end()


@given(st.integers(2, 9), st.booleans())
@settings(deadline=None)
def test_digressions_of_any_depth_save_and_load_what_each_task_needs(depth, ended):
    found = switches(nested(depth, ended))
    entering, leaving = found[:depth], found[depth:]
    for number, one in enumerate(entering):
        assert ([f"of_f{number - 1}"] if number else []) == ids(one.save)
    for number, one in zip(reversed(range(depth)), leaving, strict=True):
        assert ([f"of_f{number - 1}"] if number else []) == ids(one.load)
        assert ([f"of_f{number}"] if ended else []) == ids(one.release)


def test_a_phone_plan_then_a_broadband_fault_then_back():
    program = (
        build("session:1/", parent="user:7/").scope("user:7/")
        .block("user").set("user:7/phone", "1", id="phone").enter("plan")
        .block(task="plan").set("tariff", "5G", id="tariff").use("user:7/phone")
        .block("user").enter("fault").block(task="fault").set("line", "down", id="line").use("line")
        .block("user").leave("fault", ended=True)
        .block(task="plan").use("tariff").effect("book", "user:7/phone").block().leave("plan", ended=True).open()
    )  # fmt: skip
    assert [
        "t1 opens plan",
        "t1 loads phone of plan: used later",
        "t3 suspends plan",
        "t3 opens fault",
        "t3 saves phone of plan: used later",
        "t3 saves tariff of plan: used later",
        "t5 ends fault",
        "t5 resumes plan",
        "t5 loads phone of plan: used later",
        "t5 loads tariff of plan: used later",
        "t5 releases line of fault: ends with it",
        "t7 ends plan",
        "t7 releases tariff of plan: ends with it",
    ] == shown(program)
    saved = {one.entry.id: one.use for one in switches(program)[1].save}
    assert {"phone": 9, "tariff": 8} == saved


def test_a_read_of_what_only_another_task_defined_is_undefined_with_the_near_miss():
    program = (
        build().enter("a").block(task="a").set("cwd", "/x", id="e1").block().leave("a").enter("b")
        .block(task="b").use("cwd").open()
    )  # fmt: skip
    (found,) = undefined_reads(Manager(program))
    assert (4, "task:b/cwd", ["e1"], ()) == (found.instruction, str(found.cell), ids_of(found.near), found.ended_by)
    assert ["IR101"] == [one.code for one in verify(program) if one.code == "IR101"]
    assert ["e1"] == ids(switches(program)[1].save)
    assert [] == [one for one in switches(program)[2].load if one.task == "b"]


def ids_of(entries):
    return [entry.id for entry in entries]


def test_a_read_behind_the_end_of_the_task_names_what_emptied_the_cell():
    program = (
        build()
        .enter("a")
        .block(task="a")
        .set("cwd", "/x")
        .block()
        .leave("a", ended=True)
        .block(task="a")
        .use("cwd")
        .open()
    )
    (found,) = undefined_reads(Manager(program))
    assert ((), (2,)) == (found.near, found.ended_by)
    assert [] == [one for one in verify(program) if one.code == "IR101"]


def test_a_read_that_some_path_defines_is_not_told():
    assert [] == undefined_reads(Manager(build().set("x", 1, maybe=True).use("x").append("n", 1).open()))


def test_a_promise_is_live_across_fifty_turns_of_another_task():
    builder = (
        build().enter("a").block(task="a").set("todo", "send draft to Orla", id="todo").block().leave("a").enter("b")
    )
    for _ in range(50):
        builder.block(task="b").set("line", "x").use("line")
    program = builder.block().leave("b").enter("a").block(task="a").use("todo").open()
    left, resumed = switches(program)[1], switches(program)[-1]
    last = len(program.instructions) - 1
    assert [("todo", Why.OBSERVED, last)] == [(one.entry.id, one.why, one.use) for one in left.save]
    assert [("todo", Why.OBSERVED, last)] == [(one.entry.id, one.why, one.use) for one in resumed.load]


def test_a_topic_that_was_left_is_saved_and_nothing_of_it_is_loaded_for_the_new_one():
    builder = build().enter("boat")
    for number in range(20):
        builder.block(task="boat").set(f"engine{number}", "worn", id=f"n{number}")
    program = builder.block().leave("boat").enter("tax").block(task="tax").set("form", "A").use("form").open()
    left, opened = switches(program)[1:]
    assert [f"n{number}" for number in range(20)] == ids(left.save)
    assert {Why.UNKNOWN} == {one.why for one in left.save}
    assert () == opened.load


def leaving(end, *expected):
    builder = (
        build().set("x", 1, id="x").enter("a").block(task="a").set("n", 1, id="n").use("session:1/x").block().leave("a")
    )
    return builder.open(*expected) if end == "open" else builder.end()


def test_the_horizon_says_what_of_a_task_that_is_left_may_still_be_used():
    assert [("x", Why.UNKNOWN), ("n", Why.UNKNOWN)] == why(leaving("open"))
    assert [("x", Why.UNKNOWN), ("n", Why.EXPECTED)] == why(leaving("open", "task:a/n"))
    assert [] == why(leaving("end"))
    assert [] == why(leaving("open"), Horizon(closed=True))


def why(program, horizon=None):
    return [(one.entry.id, one.why) for one in switches(program, horizon)[-1].save]


def test_what_is_replaced_before_the_task_runs_again_is_not_saved():
    program = (
        build().set("x", 1, id="x1").enter("a").block(task="a").use("session:1/x").block().leave("a")
        .set("x", 2, id="x2").enter("a").block(task="a").use("session:1/x").end()
    )  # fmt: skip
    assert [] == ids(switches(program)[1].save)
    assert ["x2"] == ids(switches(program)[2].load)


def test_what_is_confirmed_meanwhile_is():
    program = (
        build().set("x", 1, id="x1").enter("a").block(task="a").use("session:1/x").block().leave("a")
        .set("x", 1, id="x2").enter("a").block(task="a").use("session:1/x").end()
    )  # fmt: skip
    assert ["x1"] == ids(switches(program)[1].save)


def test_of_other_scopes_what_the_ended_task_alone_used_is_released_if_nothing_will():
    def ending(close, also=lambda builder: builder):
        builder = build().set("x", 1, id="x").enter("a").block(task="a").use("session:1/x")
        builder = also(builder.block().leave("a", ended=True).block())
        return builder.end() if close else builder.open()

    assert [("x", Why.DEAD)] == [(one.entry.id, one.why) for one in switches(ending(True))[-1].release]
    assert () == switches(ending(False))[-1].release
    assert () == switches(ending(True, lambda builder: builder.use("x")))[-1].release


def test_a_switch_that_only_some_path_makes_is_told_as_possible():
    begun = build().block(name="s").branch("l", "r").block(name="l").enter("a").goto("j")
    program = begun.block(name="r").goto("j").block(name="j").enter("b").open()
    assert ["l opens a", "j perhaps suspends a", "j perhaps opens b"] == shown(program)


def test_calls_and_their_landings_are_switches():
    program = (
        workflow().block().set("size", 42, id="size").call("ship", "size", result="label", then="done", id="label")
        .block(name="done").use("label").ends()
        .task("ship", "size").block().derive("paper", "L-1", "size", id="paper").returns("paper", id="back").program
    )  # fmt: skip
    opened, ended = switches(program)
    assert (("ship",), ("ship",)) == (opened.opened, ended.ended)
    assert {"label/size": Why.ENDS, "paper": Why.ENDS, "back": Why.ENDS, "size": Why.DEAD} == {
        one.entry.id: one.why for one in ended.release
    }


def test_the_empty_program_switches_nothing():
    assert [] == switches(Program("empty", SCOPE))
    assert [] == undefined_reads(Manager(Program("empty", SCOPE)))
