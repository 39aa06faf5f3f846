"""Several logs of one user as one program."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statemem.ir import Enter, Goto, Origin, Program, Scope, attach, build, parse_cell, run, workflow
from statemem.ir.blocks import Block
from statemem.ir.diagnostics import UsageError
from statemem.ir.instructions import places
from statemem.ir.rewriting import attach as attach_module
from statemem.ir.testing import traces
from statemem.ir.text import dumps, parse
from statemem.ir.verifier import findings


def day(number):
    return datetime(2026, 3, number, tzinfo=UTC)


def log(number, *, at=None, session="1", user="7"):
    """A log that reads and writes one order of its user."""
    return (
        build(f"session:{session}/", name=f"log {number}", parent=f"user:{user}/")
        .block("user", step=1).at(observed=at).set(f"user:{user}/order[W1].status", f"said {number}")
        .set("topic", number, id="e2").block("assistant", step=2).use(("topic", "e2")).enter("f1")
        .block("tool", step=3, task="f1").set("line", number).block("user", step=4).leave("f1").open()
    )  # fmt: skip


def status(program):
    return run(program).value(parse_cell("user:7/order[W1].status", Scope("user", "7")))


def test_logs_come_in_the_order_of_their_times():
    program = attach([log(1, at=day(9)), log(2, at=day(3))], "both")
    assert ["said 2", "said 1"] == [entry.value for entry in program.entries if str(entry.cell).endswith("status")]
    assert "said 1" == status(program)


def test_an_undated_log_stays_behind_the_one_before_it():
    program = attach([log(1, at=day(9)), log(2), log(3, at=day(3))], "all")
    assert ["said 3", "said 1", "said 2"] == [
        entry.value for entry in program.entries if str(entry.cell).endswith("status")
    ]


def test_each_log_keeps_its_own_session_tasks_blocks_and_entries():
    program = attach([log(1), log(2)], "both")
    assert [] == [found.code for found in findings(program)]
    assert {"session:1/": 1, "session:1-2/": 2, "task:f1/": 1, "task:f1-2/": 2} == {
        str(entry.cell).partition("/")[0] + "/": entry.value
        for entry in program.entries
        if entry.cell.path[-1].text in ("topic", "line")
    }
    assert [1, 2, 3, 4, 5, 6, 7, 8] == [block.step for block in program.blocks]


def test_logs_without_a_user_of_their_own_get_the_one_they_share():
    logs = [log(1, user="conversation-1"), log(2, user="conversation-2")]
    with pytest.raises(UsageError, match="different users, user:conversation-1/, user:conversation-2/"):
        attach(logs, "both")
    assert "said 2" == status(attach(logs, "both", user="7"))


def test_a_closed_log_goes_on_to_the_next_one():
    closed = build("session:1/", parent="user:7/").set("user:7/x", 1).end()
    program = attach([closed, closed, closed], "three")
    assert [0, 1, 2] == [program.block_of(entry.instruction) for entry in program.entries]
    assert ["t1", "t1-2", "t1-3"] == [block.name for block in program.blocks]
    assert 3 == len(run(program).in_force(program.entries[0].cell))


def test_names_that_look_like_new_ones_are_left_free():
    one = build().block(name="a").set("x", 1, id="e1").set("y", 1, id="e1-2").program
    program = attach([one, one], "both")
    assert ["e1", "e1-2", "e1-2-2", "e1-2-2-2"] == sorted(entry.id for entry in program.entries)


def test_new_names_of_scopes_are_free_among_those_of_their_log():
    one = build("session:1/", parent="user:7/").block(name="a").set("x", 1).enter("f").enter("f-2").program
    two = (
        build("session:1/", parent="user:7/").scope("session:1-2/", "user:7/").block(name="a").set("x", 2)
        .set("turn:a/x", 1).enter("f").enter("f-2").block(name="a-2").set("turn:a-2/x", 2).program
    )  # fmt: skip
    program = attach([one, two], "both")
    assert ["1", "1-2-2", "1-2"] == [scope.key for scope in program.scopes if scope.kind == "session"]
    assert ["f", "f-2", "f-2-2", "f-2-2-2"] == sorted(scope.key for scope in program.scopes if scope.kind == "task")
    assert ["a-2-2", "a-2"] == [block.name for block in program.blocks[1:]]
    assert ["turn:a-2-2/x", "turn:a-2/x"] == [str(one.cell) for one in program.entries if str(one.cell)[0] == "t"]


def test_a_reference_of_an_earlier_log_is_another_one():
    one = build("session:1/", parent="user:7/").bind("it", "user:7/a").program
    two = build("session:2/", parent="user:7/").set("@it", 2).use("@that").program
    program = attach([one, two, two], "all")
    named = [str(place) for item in program.instructions for place in places(item)]
    assert ["user:7/a", "@it-2", "@that", "@it-3", "@that-3"] == named
    assert [] == run(program).in_force(parse_cell("user:7/a", Scope("user", "7")))


def test_a_session_without_a_parent_belongs_to_the_user_they_share():
    bare = build("session:1/").scope("session:x/", "project:p/").set("x", 1).program
    program = attach([bare, log(2, user="own")], "both", user="7")
    user = Scope("user", "7")
    assert {"session:1/": user, "session:x/": Scope("project", "p"), "session:1-2/": user} == {
        str(scope): parent for scope, parent in program.scopes.items() if scope.kind == "session"
    }


def stepped(*steps):
    builder = build("session:1/")
    for step in steps:
        builder.block(step=step).set("x", 1)
    return builder.program


@pytest.mark.parametrize(
    ("logs", "expected"),
    [
        ([(None, None), (1, 2), (None, None)], [1, 2, 3, 4, 5, 6]),
        ([(7, 8), (None, None)], [7, 8, 9, 10]),
        ([(None,), (0, 1), (0, 1)], [1, 2, 3, 4, 5]),
        ([(-3, -2), (1,)], [-3, -2, -1]),
        ([(1, None, 3), (None, None, 1, 2)], [1, 2, 3, 4, 4, 4, 5]),
        ([(100, None, 101), (None,)], [100, 100, 101, 102]),
        ([(None, None), (None,)], [None, None, None]),
        ([(None, 5, None)], [None, 5, None]),
    ],
)
def test_steps_are_counted_on_where_a_log_has_any(logs, expected):
    program = attach([stepped(*steps) for steps in logs], "all")
    assert expected == [block.step for block in program.blocks]
    assert [] == [found.code for found in findings(program) if found.code == "IR103"]


def test_a_renamed_task_keeps_its_kind():
    one = build().requires("ship", "address").enter("ship").enter("f", "return").leave("f").enter("f").program
    program = attach([one, one], "both")
    entered = [(one.task, one.kind) for one in program.instructions if isinstance(one, Enter)]
    assert [("ship", None), ("f", "return"), ("f", None)] == entered[:3]
    assert [("ship-2", "ship"), ("f-2", "return"), ("f-2", None)] == entered[3:]


def test_calls_of_two_logs_did_not_run_in_parallel():
    one = build().at(group="m1").set("x", 1).at(group="m2").set("y", 1).program
    program = attach([one, one], "both")
    assert ["m1", "m2", "m1-2", "m2-2"] == [item.origin.group for item in program.instructions]
    block = Program("log", Scope("session", "1"))
    block.append(Block("a", origin=Origin(group="m1")))
    assert ["m1", "m1-2"] == [one.origin.group for one in attach([block, block], "both").blocks]


def test_the_names_of_earlier_logs_are_not_collected_anew(monkeypatch):
    collected, names = [], attach_module._names

    def counting(program):
        collected.append(program.name)
        return names(program)

    monkeypatch.setattr(attach_module, "_names", counting)
    attach([log(number) for number in range(5)], "all")
    assert [f"log {number}" for number in range(5)] == collected


def test_uses_and_descriptions_of_parts_go_with_the_whole():
    one = build().set("o", {"size": 42}, id="e1").use(("o.size", "e1/size")).describe("e1/size", keywords=["x"]).program
    program = attach([one, one], "both")
    assert ["e1/size", "e1-2/size"] == [read.was for item in program.instructions for read in item.reads()]
    assert ["e1/size", "e1-2/size"] == list(program.metadata)


def test_without_logs_there_is_nothing_to_attach():
    with pytest.raises(UsageError, match="no logs"):
        attach([], "none")


def test_the_other_ends_of_a_message_tree_stay_open():
    tree = build().branch("a", "b").block(name="a").stays_open().block(name="b").standing_at("a").program
    program = attach([tree, build().set("x", 1).program], "both")
    assert ["b", "t1-2"] == [program.blocks[number].name for number in (2, 3)]
    assert Goto("t1-2") == program.blocks[1].terminator


def test_workflows_are_refused():
    with pytest.raises(UsageError, match="no workflows"):
        attach([workflow().block().ends().program], "flow")


@given(st.lists(traces(), min_size=1, max_size=3))
def test_any_valid_logs_attach_to_a_valid_one(logs):
    program = attach(logs, "all")
    assert [] == [found for found in findings(program) if found.severity == "error"]
    assert sum(len(one.instructions) for one in logs) == len(program.instructions)
    assert program.same_as(parse(dumps(program))[0])


@given(traces())
def test_one_log_alone_stays_what_it_is(one):
    assert dumps(one) == dumps(attach([one], one.name))
