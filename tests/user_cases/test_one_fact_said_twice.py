"""What is said again is the same fact with another source, and what differs in its letters' case alone is asked about."""

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from statemem import analyze, lower
from statemem.actions import Kind
from statemem.cli import main
from statemem.ir import Scope, run
from statemem.passes import slice_back


def turn(number, *ops, actor="user"):
    return {"turn": number, "actor": actor, "scope": "user:7", "ops": list(ops)}


def put(value, entry, **fields):
    return {"op": "set", "name": "drink", "value": value, "id": entry, **fields}


def facts(report):
    """The entries that are kept, each with those that are merged into it."""
    merged = {}
    for one in report.actions:
        if one.kind is Kind.MERGE:
            merged.setdefault(one.other, []).append(one.entry)
    gone = {entry for entries in merged.values() for entry in entries}
    return {one.entry.id: merged.get(one.entry.id, []) for one in report.entries if one.entry.id not in gone}


# the same again

SAME = [
    ("tea", "tea"),
    ("tea", " tea "),
    ("caf\u00e9", "cafe\u0301"),
    (3, 3.0),
    (None, None),
    (["green", "black"], ["green", "black"]),
    ("喝茶", "喝茶"),
]


@pytest.mark.parametrize(("first", "again"), SAME)
def test_saving_the_same_again_leaves_one_fact_with_two_sources(first, again):
    report = analyze([turn(1, put(first, "m1")), turn(2, put(again, "m2"))])
    assert {"m1": ["m2"]} == facts(report)
    assert ["m1", "m2"] == [one.entry.id for one in report.entries if one.in_force]


@given(st.integers(2, 12))
def test_however_often_it_is_saved_it_is_there_once(times):
    log = [turn(number, put("tea", f"m{number}")) for number in range(1, times + 1)]
    assert {"m1": [f"m{number}" for number in range(2, times + 1)]} == facts(analyze(log))
    assert {"drink": "tea"} == run(lower(log)).snapshot(Scope("user", "7"))


def test_an_object_saved_again_merges_leaf_by_leaf():
    log = [turn(n, put({"hot": "tea", "cold": "water"}, f"m{n}")) for n in (1, 2)]
    assert {"m1/hot": ["m2/hot"], "m1/cold": ["m2/cold"]} == facts(analyze(log))


@pytest.mark.parametrize("other", ["Tea", "green tea", "", 0, False])
def test_what_is_not_the_same_is_an_update(other):
    report = analyze([turn(1, put("tea", "m1")), turn(2, put(other, "m2"))])
    assert ["m2"] == [one.entry.id for one in report.entries if one.in_force]


def test_said_again_after_a_change_it_is_a_fact_of_its_own():
    log = [turn(1, put("tea", "m1")), turn(2, put("rum", "m2")), turn(3, put("tea", "m3"))]
    report = analyze(log)
    assert ["m3"] == [one.entry.id for one in report.entries if one.in_force]
    assert [] == [one for one in report.actions if one.kind is Kind.MERGE]


# the agent repeats what it recalled


def recalled(*more):
    return [
        turn(1, put("tea", "fact")),
        turn(2, {"op": "use", "name": "drink", "for": "reply"}, actor="assistant"),
        turn(3, *more, actor="assistant"),
    ]


REPEATED = {"op": "derive", "name": "drink", "value": "tea", "from": ["drink"], "id": "again"}


@pytest.mark.parametrize("op", [REPEATED, put("tea", "again")])
def test_what_the_reply_repeats_is_no_new_fact(op):
    assert {"fact": ["again"]} == facts(analyze(recalled(op)))


def test_a_repetition_falls_with_what_it_repeats():
    report = analyze([*recalled(REPEATED), turn(4, put("rum", "new"))])
    assert ["new"] == [one.entry.id for one in report.entries if one.in_force]


def test_a_copy_kept_elsewhere_is_looked_at_again_when_its_source_changes():
    copy = {"op": "derive", "name": "note", "value": "tea", "from": ["drink"], "id": "copy"}
    report = analyze([*recalled(copy), turn(4, put("rum", "new"))])
    assert [("copy", "fact")] == [(one.entry, one.other) for one in report.actions if one.kind is Kind.REVALIDATE]


def test_a_reply_of_a_chat_that_quotes_a_result_adds_nothing():
    call = {"id": "c1", "function": {"name": "get_booking", "arguments": '{"booking_id": "BK-7731"}'}}
    asked = [
        {"role": "user", "content": "What do I have booked?"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": '{"booking_id": "BK-7731", "room": "Linden 4"}'},
    ]
    reply = {"role": "assistant", "content": "Booking BK-7731 is room Linden 4."}
    before = [one.entry.id for one in analyze(asked).entries]
    assert before == [one.entry.id for one in analyze([*asked, reply, reply]).entries]


def test_a_copy_kept_under_another_name_stays_and_rests_on_its_source():
    """What two cells hold is two facts, though they be equal: that both have one address is one too."""
    copied = [
        {"entry_id": "fact", "content": "likes tea", "created_step": 1},
        {"step_id": 2, "accessed_memory_ids": ["fact"]},
        {"entry_id": "copy", "content": "likes tea", "created_step": 2, "refs": ["fact"]},
    ]
    report = analyze(copied)
    assert {"fact": [], "copy": []} == facts(report)
    assert ["fact"] == [one.id for one in slice_back(report.manager, report.program.entries[-1])]


# one name in two spellings


def named(*keys, **more):
    ops = [{"op": "set", "name": f'person["{key}"].team', "value": "red", "id": f"e{n}"} for n, key in enumerate(keys)]
    return [turn(number, op) for number, op in enumerate(ops, 1)] + list(more.get("then", ()))


def questions(log, **options):
    return [one for one in analyze(log, **options).actions if one.code == "SM915"]


def test_one_name_in_four_episodes_stays_four_entities_until_somebody_says_that_they_are_one():
    log = named("DGQ", "dgq", "Dgq", "DGQ ")
    assert 6 == len(questions(log))
    assert 4 == len([one for one in analyze(log).entries if one.in_force])
    assert [] == [one for one in analyze(log).actions if one.kind is Kind.MERGE]


def test_the_very_same_name_is_one_entity_without_a_question():
    log = named("DGQ", "DGQ", "DGQ")
    assert ({"e0": ["e1", "e2"]}, []) == (facts(analyze(log)), questions(log))


def test_once_united_they_are_one_fact_with_two_sources_and_nothing_is_asked():
    united = turn(3, {"op": "same", "name": "person[DGQ]", "to": "person[dgq]"})
    assert [] == questions(named("DGQ", "dgq", then=[united]))


@given(st.sampled_from(["DGQ", "Straße", "Ines", "élan", "订单A"]), st.data())
def test_every_spelling_that_differs_in_case_or_space_alone_is_asked_about(name, data):
    other = data.draw(st.sampled_from([name.upper(), name.lower(), name.casefold(), f" {name}", f"{name} "]))
    assert (0 if other == name else 1) == len(questions(named(name, other)))


@given(st.lists(st.sampled_from(["DGQ", "DGR", "Bo", "Bob", "D-G-Q", "D G Q"]), unique=True, min_size=1, max_size=5))
def test_names_that_differ_otherwise_are_not(names):
    assert [] == questions(named(*names))


def test_a_script_can_check_for_it(tmp_path):
    log = tmp_path / "people.smir"
    log.write_text('program "people"\ntask main in session:1/ {\n  block a user {\n    person["DGQ"].team = set "red"\n'
                   '    person["dgq"].team = set "blue"\n    open\n  }\n}\n', encoding="utf-8")  # fmt: skip
    done = CliRunner().invoke(main, ["analyze", str(log), "--check", "SM915"])
    assert 1 == done.exit_code
    assert "may be one" in done.output
