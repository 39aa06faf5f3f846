"""A fact and the one that replaced it: never none of them, never both as if nothing told them apart."""

from datetime import UTC, datetime, timedelta

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from statemem import analyze, lower
from statemem.actions import Kind
from statemem.cli import main
from statemem.ir import Scope, run
from statemem.passes import Word

USER = Scope("user", "ilke")


def turn(number, *ops, **fields):
    return {"turn": number, "actor": "user", "scope": "user:ilke", "ops": list(ops), **fields}


def put(name, value, entry=None, **fields):
    return {"op": "set", "name": name, "value": value, **({"id": entry} if entry else {}), **fields}


def in_force(report, cell):
    return [one.entry.value for one in report.entries if one.in_force and one.cell.path[-1].text == cell]


def actions(report, entry):
    return [(one.kind, one.other) for one in report.actions if one.entry == entry]


DIET = [turn(1, put("diet", "vegan", "m1")), turn(2, put("diet", "omnivore", "m2"))]
VALUES = st.sampled_from(["vegan", "omnivore", 1, 2.5, None, False, ["fish", "eggs"]])


# a contradiction leaves the new fact, and the old one linked to it


def test_the_new_fact_is_in_force_and_the_old_one_linked_to_it():
    report = analyze(DIET)
    assert ["m1"] == [one.entry.id for one in report.of(Word.SUPERSEDED)]
    assert ["omnivore"] == in_force(report, "diet")
    assert [(Kind.SUPERSEDE, "m2"), (Kind.ARCHIVE, None)] == actions(report, "m1")
    assert [(Kind.KEEP, None)] == actions(report, "m2")


@given(st.lists(VALUES, min_size=1, max_size=8))
def test_after_any_sets_of_one_cell_exactly_one_fact_is_in_force_and_it_is_the_last(values):
    log = [turn(number, put("diet", value)) for number, value in enumerate(values, 1)]
    for step, value in enumerate(values, 1):
        report = analyze(log, at=step)
        there = in_force(report, "diet")
        assert there
        assert all(one == value for one in there)
        assert step == len(report.entries)


@given(st.lists(VALUES, min_size=1, max_size=8))
def test_what_left_force_names_a_later_fact_of_another_value(values):
    report = analyze([turn(number, put("diet", value)) for number, value in enumerate(values, 1)])
    entries = {one.entry.id: one for one in report.entries}
    linked = {str(one.entry): str(one.other) for one in report.actions if one.kind is Kind.SUPERSEDE}
    assert {one.entry.id for one in report.of(Word.SUPERSEDED)} == set(linked)
    for old, new in linked.items():
        assert entries[old].created < entries[new].created
        assert entries[old].entry.value != entries[new].entry.value


@given(st.lists(st.tuples(st.sampled_from(["vegan", "omnivore", "raw"]), st.booleans()), min_size=1, max_size=8))
def test_nor_is_there_none_where_the_change_comes_in_the_same_turn_or_as_a_part_of_a_whole(changes):
    ops = [put("food", {"diet": value}) if whole else put("food.diet", value) for value, whole in changes]
    report = analyze([turn(1, *ops)])
    assert {changes[-1][0]} == set(in_force(report, "diet"))


# the stale and the current fact are told apart


def test_the_state_holds_the_current_fact_alone():
    assert {"diet": "omnivore"} == run(lower(DIET)).snapshot(USER)


def test_the_history_holds_both_and_what_superseded_the_old_one():
    text = analyze(DIET).explain("diet")
    assert 'now, step 2: "omnivore"' in text
    assert 'm1 = "vegan": superseded, replaced at step 2 by m2' in text
    assert 'm2 = "omnivore": unknown' in text


def test_the_report_as_json_tells_them_apart():
    told = {one["id"]: (one["word"], one["ended_at"], one["ended_by"]) for one in analyze(DIET).to_dict()["entries"]}
    assert {"m1": ("superseded", 2, "m2"), "m2": ("unknown", None, None)} == told


def test_as_of_the_step_before_the_old_fact_is_the_current_one():
    assert ["vegan"] == in_force(analyze(DIET, at=1), "diet")


def test_the_command_line_shows_both_and_which_holds(tmp_path):
    log = tmp_path / "diet.jsonl"
    log.write_text('{"turn": 1, "scope": "user:ilke", "ops": [{"op": "set", "name": "diet", "value": "vegan", "id": "m1"}]}\n'
                   '{"turn": 2, "scope": "user:ilke", "ops": [{"op": "set", "name": "diet", "value": "fish", "id": "m2"}]}\n',
                   encoding="utf-8")  # fmt: skip
    done = CliRunner().invoke(main, ["explain", str(log), "diet"])
    assert 0 == done.exit_code
    assert 'now, step 2: "fish"' in done.output
    assert 'm1 = "vegan": superseded, replaced at step 2 by m2' in done.output


# a fact about the past that comes late

LATE = [
    turn(1, put("employer", "Norve", "now"), time="2024-01-15T00:00:00Z"),
    turn(2, put("employer", "Halden", "then"), time="2021-01-10T00:00:00Z"),
]


def test_what_comes_late_goes_into_the_history_and_the_current_fact_stays():
    report = analyze(LATE)
    assert ["Norve"] == in_force(report, "employer")
    assert ["then"] == [one.entry.id for one in report.of(Word.HISTORY)]
    assert [] == [one for one in report.actions if one.kind is Kind.SUPERSEDE]
    (archived,) = [one for one in report.actions if one.entry == "then"]
    assert ("SM703", '"Halden" (then) came after now, which outranks it') == (archived.code, archived.reason)


def test_in_the_order_of_their_dates_the_old_fact_is_superseded():
    report = analyze(list(reversed(LATE)))
    assert (["Norve"], ["then"]) == (in_force(report, "employer"), [one.entry.id for one in report.of(Word.SUPERSEDED)])


@given(st.lists(st.tuples(st.sampled_from(["Norve", "Halden", "Kestrel"]), st.integers(0, 4)), min_size=1, max_size=8))
def test_of_dated_facts_the_latest_holds_in_whatever_order_they_come(facts):
    began = datetime(2021, 1, 1, tzinfo=UTC)
    log = [
        turn(number, put("employer", value), time=(began + timedelta(days=day)).isoformat())
        for number, (value, day) in enumerate(facts, 1)
    ]
    holds, since = facts[0]
    for value, day in facts[1:]:
        if day >= since or value == holds:
            holds, since = value, max(since, day)
    assert {holds} == set(in_force(analyze(log), "employer"))


# one person after another, and several at once


def lead(*ops):
    return [turn(1, put("project[Quill].lead", "Bram", "bram")), turn(5, *ops)]


@pytest.mark.parametrize(
    "op",
    [
        put("project[Quill].lead", "Ines", "ines"),
        put("project[Quill]", {"lead": "Ines"}, "ines"),
        {"op": "derive", "name": "project[Quill].lead", "value": "Ines", "from": [], "id": "ines"},
    ],
)
def test_who_is_put_in_anothers_place_ends_the_other(op):
    report = analyze(lead(op))
    ended = [(one["id"], one["ended_at"]) for one in report.to_dict()["entries"] if one["word"] == "superseded"]
    assert (["Ines"], [("bram", 5)]) == (in_force(report, "lead"), ended)


def test_where_several_may_be_named_both_are_kept():
    report = analyze(lead({"op": "append", "name": "project[Quill].lead", "value": "Ines", "id": "ines"}))
    assert (["Bram", "Ines"], []) == (in_force(report, "lead"), report.of(Word.SUPERSEDED))


def test_another_project_keeps_its_own():
    report = analyze([*lead(put("project[Quill].lead", "Ines")), turn(6, put("project[Reed].lead", "Bram"))])
    assert ["Ines", "Bram"] == in_force(report, "lead")
