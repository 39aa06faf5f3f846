"""An operation that names what does not exist is told with its place, and takes nothing else with it."""

import json

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from statemem import analyze, lower
from statemem.actions import Kind
from statemem.cli import main
from statemem.ir import Scope, run
from statemem.ir.diagnostics import InputError

SESSION = Scope("session", "42")
GOOD_BEFORE = {"op": "set", "name": "before", "value": 1, "id": "good1"}
GOOD_AFTER = {"op": "set", "name": "after", "value": 2, "id": "good2"}

#: Operations on ids that do not exist, and others that cannot be carried out, each with the code that tells it.
BAD = [
    ({"op": "set", "id": "m999", "value": "x"}, "FE032"),
    ({"op": "delete", "id": "m999"}, "FE032"),
    ({"op": "update", "id": "m999", "value": "x"}, "FE032"),
    ({"op": "use", "name": "topic", "was": "m999"}, "IR006"),
    ({"op": "use", "name": [{"name": "topic", "was": "m999"}], "for": "reply"}, "IR006"),
    ({"op": "derive", "name": "sum", "value": 3, "from": [{"name": "topic", "was": "m999"}]}, "IR006"),
    ({"op": "effect", "name": "pay", "args": [{"name": "topic", "was": "m999"}]}, "IR006"),
    ({"op": "leave", "name": "never entered"}, "IR008"),
    ({"op": "set", "name": "user 7//x", "value": 1}, "FE032"),
    ({"op": "set", "name": "x", "value": 1, "scope": "nobody"}, "FE033"),
    ({"name": "x", "value": 1}, "FE032"),
    ("set x", "FE031"),
    (None, "FE031"),
]


def log(*ops):
    return [
        {"turn": 1, "actor": "user", "scope": "session:42", "ops": [{"op": "set", "name": "topic", "value": "a", "id": "m1"}]},
        {"turn": 2, "actor": "assistant", "scope": "session:42", "ops": list(ops)},
    ]  # fmt: skip


@pytest.mark.parametrize(("bad", "code"), BAD)
def test_it_is_a_warning_with_its_place(bad, code):
    (problem,) = analyze(log(GOOD_BEFORE, bad, GOOD_AFTER)).problems
    assert (code, "warning", "/ops/1", 2) == (
        problem.code, problem.severity, problem.location.pointer, problem.location.record
    )  # fmt: skip


@pytest.mark.parametrize(("bad", "code"), BAD)
def test_the_good_operations_of_its_turn_stay(bad, code):
    held = run(lower(log(GOOD_BEFORE, bad, GOOD_AFTER))).snapshot(SESSION)
    assert {"topic": "a", "before": 1, "after": 2}.items() <= held.items()


@pytest.mark.parametrize(("bad", "code"), BAD)
def test_the_plan_is_made_of_what_there_is(bad, code):
    report = analyze(log(GOOD_BEFORE, bad, GOOD_AFTER))
    known = {one.entry.id for one in report.entries}
    assert "m999" not in known
    assert {"m1", "good1", "good2"} <= {one.entry for one in report.actions}
    assert all(one.entry in known for one in report.actions if one.entry is not None)
    assert [] == [one for one in report.actions if one.kind is Kind.FLAG_STALE_USE]


@given(st.lists(st.sampled_from(range(len(BAD) + 2)), min_size=1, max_size=8))
def test_of_any_turn_every_bad_operation_is_told_where_it_stands_and_no_good_one(chosen):
    known = [*BAD, (GOOD_BEFORE, None), (GOOD_AFTER, None)]
    ops = [known[number] for number in chosen]
    report = analyze(log(*(op for op, _ in ops)))
    told = {(one.location.pointer, one.code) for one in report.problems if one.code != "FE035"}
    assert {(f"/ops/{number}", code) for number, (_, code) in enumerate(ops) if code} == told


def test_an_id_of_another_cell_is_told_too():
    bad = {"op": "use", "name": "before", "was": "m1"}
    (problem,) = analyze(log(GOOD_BEFORE, bad)).problems
    assert ("IR007", "'m1' is an entry of session:42/topic, not of session:42/before") == (
        problem.code,
        problem.message,
    )


def test_an_id_that_is_given_only_later_is_one_that_did_not_exist():
    problems = analyze([*log({"op": "use", "name": "topic", "was": "m2"}), *log()[:1]]).problems
    assert "IR006" in [one.code for one in problems]


def test_a_turn_of_bad_operations_alone_is_still_a_turn():
    report = analyze(log(*(bad for bad, _ in BAD)))
    assert (2, len(BAD)) == (report.now, len(report.problems))


def test_the_command_line_tells_it_on_standard_error_and_in_json(tmp_path):
    file = tmp_path / "turns.jsonl"
    file.write_text("\n".join(map(json.dumps, log(GOOD_BEFORE, BAD[3][0]))), encoding="utf-8")
    done = CliRunner().invoke(main, ["analyze", str(file), "--json"])
    assert 0 == done.exit_code
    (told,) = json.loads(done.stdout)["problems"]
    assert ("IR006", "no entry has the id 'm999'") == (told["code"], told["message"])
    assert f"{file}:2" in told["where"]
    assert "no entry has the id 'm999'" in CliRunner().invoke(main, ["analyze", str(file)]).stderr


def test_a_strict_reader_refuses_a_line_that_is_no_record(tmp_path):
    file = tmp_path / "turns.jsonl"
    file.write_text(f"{json.dumps(log()[0])}\n{{broken\n", encoding="utf-8")
    assert ["FE007"] == [one.code for one in analyze(file).problems]
    with pytest.raises(InputError, match="FE007"):
        analyze(file, strict=True)
