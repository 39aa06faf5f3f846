"""Tracker events to programs: slots, loops, and turns that were taken back."""

import json
import sqlite3
from contextlib import closing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statemem.ir import Branch, Delete, Derive, Enter, How, Leave, Use, run
from statemem.ir.frontends.reader import parse, read
from statemem.ir.frontends.tracker import Tracker
from statemem.ir.text import dumps
from statemem.ir.text import parse as parse_text
from statemem.ir.verifier import verify


def event(kind, **fields):
    return {"event": kind, "timestamp": 1.0, **fields}


def slot(name, value):
    return event("slot", name=name, value=value)


def user(*entities):
    found = [{"entity": kind, "value": value} for kind, value in entities]
    return event("user", text="…", parse_data={"entities": found})


LISTEN = event("action", name="action_listen")


def lowered(*events, problems=None, **dump):
    found = [] if problems is None else problems
    document = read({"sender_id": "ann", "events": list(events), **dump}, found)
    assert Tracker().recognises(document)
    (program,) = Tracker().lower(document, found)
    if problems is None:
        assert [] == found
    assert [] == [problem for problem in verify(program) if problem.severity == "error"]
    return program


def slots(program):
    scope = program.tasks["main"].scope
    held = run(program).snapshot(scope)
    return {str(cell): value for cell, value in held.items() if not str(cell).startswith("said")}


def instructions(program, kind):
    return [one for one in program.instructions if isinstance(one, kind)]


def test_a_slot_is_a_cell_of_the_session_and_null_empties_it():
    program = lowered(user(), slot("color", "red"), slot("size", 4), slot("color", None))
    assert {"size": 4} == slots(program)
    assert "session:ann/size" == str(program.entries[1].cell)


def test_emptying_an_empty_slot_says_nothing():
    assert [] == instructions(lowered(user(), slot("color", None)), Delete)


def test_a_slot_that_an_entity_filled_derives_from_what_was_said():
    program = lowered(user(("city", "Rome")), slot("town", "Rome"), slot("seats", 4))
    (derived,) = instructions(program, Derive)
    assert 'session:ann/said.city["Rome"]' == str(derived.premises[0].place)


def test_numbers_of_entities_and_slots_compare_by_value():
    assert 1 == len(instructions(lowered(user(("seats", "4")), slot("seats", 4)), Derive))


def test_of_slots_with_one_value_a_reply_uses_the_latest():
    program = lowered(user(), slot("a", "Rome"), slot("b", "Rome"), event("bot", text="To Rome."))
    (use,) = instructions(program, Use)
    assert ["session:ann/b"] == [str(read.place) for read in use.reads()]


def test_a_second_entity_of_a_kind_replaces_no_first():
    program = lowered(user(("city", "Rome")), user(("city", "Paris")))
    assert ["Rome", "Paris"] == [program.entries[n].value for n in range(2) if run(program).holds(program.entries[n])]


def test_a_reply_uses_the_slots_it_quotes():
    program = lowered(user(), slot("dish", "pad thai"), slot("town", "Rome"), event("bot", text="One pad thai, Romeo!"))
    (use,) = instructions(program, Use)
    assert ["session:ann/dish"] == [str(read.place) for read in use.reads() if read.how is How.USED]


@pytest.mark.parametrize(("value", "text"), [("北京饭店", "我推荐北京饭店。"), ("北京", "北京的天气")])
def test_a_reply_without_blanks_uses_them_too(value, text):
    assert 1 == len(instructions(lowered(user(), slot("名称", value), event("bot", text=text)), Use))


@pytest.mark.parametrize("kind", ["restart", "session_started", "reset_slots"])
def test_slots_are_emptied_together(kind):
    assert {"b": 2} == slots(lowered(user(), slot("a", 1), slot("c", 3), event(kind), slot("b", 2)))


def test_a_loop_is_a_task_that_ends():
    program = lowered(
        event("action", name="form_a"), event("active_loop", name="a"), user(), event("active_loop", name=None)
    )
    assert [("a", "a")] == [(one.task, one.kind) for one in instructions(program, Enter)]
    assert [("a", True)] == [(one.task, one.ended) for one in instructions(program, Leave)]
    assert [None, "a"] == [block.task for block in program.blocks]


def test_a_loop_that_follows_another_leaves_it():
    program = lowered(user(), event("active_loop", name="a"), event("active_loop", name="b"), user())
    assert ["a"] == [one.task for one in instructions(program, Leave)]
    assert "b" == program.blocks[-1].task


def test_a_restart_leaves_the_loop():
    program = lowered(user(), event("active_loop", name="a"), event("restart"), user())
    assert [] == run(program).open_tasks
    assert program.blocks[-1].task is None


def test_rewind_goes_back_before_the_turn_and_the_listening_for_it():
    turn = user(), slot("city", "Paris")
    program = lowered(
        user(), slot("city", "Rome"), event("action", name="utter"), LISTEN, *turn, event("rewind"), user()
    )
    assert {"city": "Rome"} == slots(program)
    (branch,) = [one.terminator for one in program.blocks if isinstance(one.terminator, Branch)]
    assert ["t4", "t7"] == [arm.target for arm in branch.arms]
    assert "assistant:utter" == str(next(one for one in program.blocks if one.terminator is branch).actor)
    assert program.current_end == program.block_named("t8")


def test_rewinding_the_first_turn_begins_anew():
    program = lowered(user(), slot("city", "Paris"), event("rewind"), user(), slot("seats", 2))
    assert {"seats": 2} == slots(program)
    assert "start" == program.blocks[0].name


def test_undo_takes_back_the_last_action():
    program = lowered(
        user(), event("action", name="a"), slot("x", 1), event("action", name="b"), slot("x", 2), event("undo")
    )
    assert {"x": 1} == slots(program)


def test_rewind_restores_the_loop_and_what_was_said():
    problems = []
    program = lowered(
        user(("city", "Rome")),
        event("active_loop", name="a"),
        user(("city", "Paris")),
        event("active_loop", name=None),
        event("rewind"),
        event("action", name="x"),
        slot("city", "Rome"),
        problems=problems,
    )
    assert [] == problems
    assert "a" == program.blocks[-1].task
    (derived,) = instructions(program, Derive)
    assert 'session:ann/said.city["Rome"]' == str(derived.premises[0].place)


@pytest.mark.parametrize("kind", ["rewind", "undo"])
def test_nothing_to_take_back_is_said(kind):
    problems = []
    assert {"x": 1} == slots(lowered(slot("x", 1), event(kind), problems=problems))
    assert ["FE124"] == [problem.code for problem in problems]


def test_nothing_before_a_restart_is_taken_back():
    problems = []
    program = lowered(user(), slot("x", 1), event("restart"), slot("y", 2), event("rewind"), problems=problems)
    assert {"y": 2} == slots(program)
    assert ["FE124"] == [problem.code for problem in problems]


def test_slots_that_no_event_set_are_those_of_the_dump():
    program = lowered(user(), slot("x", 1), slots={"x": 1, "language": "en", "empty": None})
    assert {"x": 1, "language": "en"} == slots(program)


def test_a_dump_that_differs_from_its_events_is_said_and_believed():
    problems = []
    program = lowered(user(), slot("x", 1), slot("y", 1), slots={"x": 2, "y": None}, problems=problems)
    assert {"x": 2} == slots(program)
    assert [("FE125", "/slots/x"), ("FE125", "/slots/y")] == [(one.code, one.location.pointer) for one in problems]


def test_unknown_types_are_counted_once_and_known_silent_ones_are_not():
    problems = []
    lowered(user(), event("new"), event("pause"), event("new"), event("followup", name="x"), problems=problems)
    ((code, message),) = [(problem.code, problem.message) for problem in problems]
    assert "FE122" == code
    assert "2 events of the unknown type 'new'" in message


def test_lines_of_several_senders_are_told_apart():
    lines = [
        {**event("user", text="hi"), "sender_id": "ann"},
        {**event("user", text="hi"), "sender_id": "bob"},
        {**slot("x", 1), "sender_id": "ann"},
        {**slot("x", 2), "sender_id": "bob"},
    ]
    document = parse("\n".join(map(json.dumps, lines)), "log.jsonl", [])
    assert Tracker().recognises(document)
    programs = list(Tracker().lower(document, []))
    assert [("ann", {"x": 1}), ("bob", {"x": 2})] == [(one.name, slots(one)) for one in programs]
    assert [3, 4] == [one.instructions[0].origin.line for one in programs]


def test_rows_of_the_table_hold_their_event_as_text():
    rows = [
        {
            "id": 1,
            "sender_id": "ann",
            "type_name": "user",
            "timestamp": 1.0,
            "data": json.dumps(user(("city", "Rome"))),
        },
        {"id": 2, "sender_id": "ann", "type_name": "slot", "timestamp": 2.0, "data": json.dumps(slot("city", "Rome"))},
        {"id": 3, "sender_id": "ann", "type_name": "action", "action_name": "greet", "timestamp": 3.0, "data": "{"},
    ]
    problems = []
    document = read(rows, problems)
    assert Tracker().recognises(document)
    (program,) = Tracker().lower(document, problems)
    assert {"city": "Rome"} == slots(program)
    assert "assistant:greet" == str(program.blocks[-1].actor)
    assert ["FE126"] == [problem.code for problem in problems]


def test_a_database_is_read_a_sender_at_a_time(tmp_path):
    file = tmp_path / "rasa.db"
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute(
            "CREATE TABLE events (id INTEGER, sender_id TEXT, type_name TEXT, timestamp REAL, data TEXT)"
        )
        rows = [(1, "bob", user()), (2, "ann", user()), (3, "bob", slot("x", 2)), (4, "ann", slot("x", 1))]
        written = [(number, sender, one["event"], 1.0, json.dumps(one)) for number, sender, one in rows]
        connection.executemany("INSERT INTO events VALUES (?, ?, ?, ?, ?)", written)
    problems = []
    document = read(file, problems)
    assert Tracker().recognises(document)
    programs = list(Tracker().lower(document, problems))
    assert [] == problems
    assert [("ann", {"x": 1}), ("bob", {"x": 2})] == [(one.name, slots(one)) for one in programs]
    assert [4, 3] == [one.instructions[0].origin.record for one in programs]


@pytest.mark.parametrize(
    "record",
    [
        {"role": "user", "content": "hi"},
        {"messages": []},
        {"event": "ADD", "memory": "x"},
        {"entry_id": "m1", "content": "x", "created_step": 1},
        {"ops": []},
        {"events": [{"name": "x"}]},
        {"event": ["slot"], "timestamp": 1},
        7,
    ],
)
def test_records_of_other_formats_are_not_taken(record):
    assert not Tracker().recognises(read([record], []))


def test_each_instruction_says_where_it_stands():
    program = lowered(user(("city", "Rome")), slot("city", "Rome"))
    found = [(one.origin.record, one.origin.pointer) for one in program.instructions]
    assert [(1, "/events/0/parse_data/entities/0"), (1, "/events/1")] == found


NAMES = st.sampled_from(["a", "b", "c"])
STEPS = st.one_of(
    st.builds(slot, NAMES, st.one_of(st.none(), st.integers(0, 3))),
    st.builds(lambda value: user(("a", value)), st.integers(0, 3)),
    st.just(LISTEN),
    st.builds(lambda name: event("action", name=name), NAMES),
    st.builds(lambda name: event("active_loop", name=name), st.one_of(st.none(), NAMES)),
    st.sampled_from([event(kind) for kind in ("rewind", "rewind", "undo", "restart", "reset_slots", "pause", "bot")]),
)


def replayed(events):
    """The slots after some events, by taking events off a list: nothing here knows of blocks."""
    applied = []
    for one in events:
        if one["event"] == "restart":
            applied = []
        elif one["event"] == "rewind" and any(earlier["event"] == "user" for earlier in applied):
            without(applied, lambda earlier: earlier["event"] == "user")
            turns = [earlier for earlier in applied if earlier["event"] in ("user", "bot", "action")]
            if turns and turns[-1] == LISTEN:
                without(applied, lambda earlier: earlier == LISTEN)
        elif one["event"] == "undo" and any(earlier["event"] == "action" for earlier in applied):
            without(applied, lambda earlier: earlier["event"] == "action")
        else:
            applied.append(one)
    held = {}
    for one in applied:
        if one["event"] == "reset_slots":
            held = {}
        elif one["event"] == "slot":
            held[one["name"]] = one["value"]
    return {name: value for name, value in held.items() if value is not None}


def without(applied, is_last):
    while not is_last(applied.pop()):
        pass


@given(st.lists(STEPS, max_size=40))
def test_slots_are_those_of_an_independent_replay(events):
    document = read({"sender_id": "ann", "events": [user(), *events]}, [])
    (program,) = Tracker().lower(document, [])
    assert replayed([user(), *events]) == slots(program)
    assert set() == {problem.code for problem in verify(program)} - {"IR104"}  # a loop that is active at the end


@given(st.lists(STEPS, max_size=12))
def test_programs_read_back_from_their_text(events):
    (program,) = Tracker().lower(read({"sender_id": "ann", "events": [user(), *events]}, []), [])
    (again,) = parse_text(dumps(program))
    assert dumps(program) == dumps(again)


JUNK = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=4), st.floats(allow_nan=False)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=5), inner, max_size=3)),
    max_leaves=6,
)
FIELDS = st.sampled_from(
    ["name", "value", "parse_data", "entities", "text", "timestamp", "event", "slots", "sender_id"]
)
KINDS = st.sampled_from(["user", "slot", "bot", "action", "active_loop", "entities", "rewind", "restart", "form"])
BROKEN = st.builds(lambda kind, rest: {"event": kind, **rest}, KINDS, st.dictionaries(FIELDS, JUNK, max_size=4))


@given(st.lists(st.one_of(BROKEN, JUNK), min_size=1, max_size=8), JUNK)
def test_bad_events_end_in_a_warning_never_in_an_exception(events, slot_values):
    dump = {"sender_id": "ann", "events": events, "slots": slot_values}
    for records in ([dump], events):
        for program in Tracker().lower(read(records, []), []):
            assert [] == [problem for problem in verify(program) if problem.severity == "error"]
