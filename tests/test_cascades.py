"""A ground that changes, and the conclusions on it: in the profile, in a task, and in another session."""

import pytest
from click.testing import CliRunner

from statemem import analyze, lower
from statemem.actions import Kind
from statemem.cli import main
from statemem.ir.text import dumps

CHANGE = {"op": "set", "scope": "user:7", "name": "address", "value": "9 Harbour Row", "id": "moved"}


def turn(number, actor, session, *ops, task=None):
    return {"turn": number, "actor": actor, "scope": session, "ops": list(ops), **({"task": task} if task else {})}


def conclude(name, value, entry, *premises, **fields):
    return {"op": "derive", "name": name, "value": value, "from": list(premises), "id": entry, **fields}


def log(*more, change=CHANGE, ended=False):
    """An address; the zone it lies in; the fee that a task concludes from that; the total of the next session."""
    return [
        turn(1, "user", "session:mon", {**CHANGE, "value": "4 Mill Lane", "id": "address"}),
        turn(2, "tool:zones", "session:mon", conclude("zone", "north", "zone", "address", scope="user:7")),
        turn(3, "user", "session:mon", {"op": "enter", "name": "ship"}),
        turn(4, "assistant", "session:mon", conclude("fee", 9, "fee", "user:7/zone"), task="ship"),
        turn(5, "assistant", "session:mon", conclude("user:7/quote", 9, "quote", "fee"), task="ship"),
        turn(6, "user", "session:mon", {"op": "leave", "name": "ship", "ended": ended}),
        turn(7, "assistant", "session:tue", conclude("total", 59, "total", "user:7/quote")),
        *more,
        turn(20, "user", "session:tue", change),
    ]


def as_ops(source, tmp_path):
    return source


def as_text(source, tmp_path):
    file = tmp_path / "cascade.smir"
    file.write_text(dumps(lower(source)), encoding="utf-8")
    return file


def stale(report):
    """What is to be looked at again, each with the premise that changed."""
    return {one.entry: one.other for one in report.actions if one.kind is Kind.REVALIDATE}


@pytest.mark.parametrize("source", [as_ops, as_text])
class TestWithoutOtherSupport:
    def test_the_conclusion_the_task_and_the_other_session_are_to_be_looked_at_again(self, source, tmp_path):
        report = analyze(source(log(), tmp_path))
        assert {"zone": "address", "fee": "address", "quote": "address", "total": "address"} == stale(report)
        assert {} == stale(analyze(source(log(), tmp_path), at=7))

    def test_each_tells_its_whole_chain_down_to_what_changed(self, source, tmp_path):
        report = analyze(source(log(), tmp_path))
        (total,) = [one for one in report.actions if one.kind is Kind.REVALIDATE and one.entry == "total"]
        assert (
            'step 7: 59 (total) was concluded from 9 (quote)',
            'step 5: 9 (quote) was concluded from 9 (fee)',
            'step 4: 9 (fee) was concluded from "north" (zone)',
            'step 2: "north" (zone) was concluded from "4 Mill Lane" (address)',
            'step 20: address was replaced by "9 Harbour Row" (moved)',
        ) == total.proof  # fmt: skip
        assert (
            '59 (total) rests on "4 Mill Lane" (address), through quote, fee, zone, which was replaced at step 20 by '
            '"9 Harbour Row" (moved)'
        ) == total.reason
        assert ("session:tue/total", 20) == (str(total.cell), total.step)

    def test_a_deleted_ground_is_one_that_changed(self, source, tmp_path):
        gone = {"op": "delete", "scope": "user:7", "name": "address"}
        assert {"zone", "fee", "quote", "total"} == set(stale(analyze(source(log(change=gone), tmp_path))))

    def test_the_same_said_again_changes_nothing(self, source, tmp_path):
        same = {**CHANGE, "value": " 4 Mill Lane"}
        assert {} == stale(analyze(source(log(change=same), tmp_path)))

    def test_a_change_in_the_middle_concerns_what_lies_above_it_alone(self, source, tmp_path):
        zone = {"op": "set", "scope": "user:7", "name": "zone", "value": "south", "id": "south"}
        report = analyze(source(log(change=zone), tmp_path))
        assert {"fee": "zone", "quote": "zone", "total": "zone"} == stale(report)

    def test_what_ended_with_its_task_is_not_told_but_what_rests_on_it_is(self, source, tmp_path):
        found = stale(analyze(source(log(ended=True), tmp_path)))
        assert "fee" not in found
        assert {"zone", "quote", "total"} == set(found)


@pytest.mark.parametrize("source", [as_ops, as_text])
class TestWithOtherSupport:
    def test_a_conclusion_that_the_user_states_too_stands_and_so_does_all_above_it(self, source, tmp_path):
        said = turn(
            8, "user", "session:tue", {"op": "set", "scope": "user:7", "name": "zone", "value": "north", "id": "said"}
        )
        assert {} == stale(analyze(source(log(said), tmp_path)))

    def test_one_that_was_concluded_from_something_else_too_stands(self, source, tmp_path):
        other = [
            turn(
                8,
                "user",
                "session:tue",
                {"op": "set", "scope": "user:7", "name": "postcode", "value": "N-4", "id": "code"},
            ),
            turn(9, "tool:zones", "session:tue", conclude("zone", "north", "again", "postcode", scope="user:7")),
        ]
        assert {} == stale(analyze(source(log(*other), tmp_path)))

    def test_support_in_the_middle_holds_up_what_is_above_and_not_what_is_below(self, source, tmp_path):
        said = turn(
            8, "user", "session:tue", {"op": "set", "scope": "user:7", "name": "quote", "value": 9, "id": "said"}
        )
        assert {"zone", "fee"} == set(stale(analyze(source(log(said), tmp_path))))

    def test_that_the_agent_concludes_it_again_from_the_same_ground_is_no_other_support(self, source, tmp_path):
        again = turn(8, "tool:zones", "session:tue", conclude("zone", "north", "again", "address", scope="user:7"))
        assert {"zone", "fee", "quote", "total"} == set(stale(analyze(source(log(again), tmp_path))))

    def test_support_that_says_another_thing_is_none(self, source, tmp_path):
        other = turn(
            8, "user", "session:tue", {"op": "set", "scope": "user:7", "name": "zone", "value": "east", "id": "east"}
        )
        assert {"fee": "zone", "quote": "zone", "total": "zone"} == stale(analyze(source(log(other), tmp_path)))

    def test_concluded_anew_after_the_change_they_are_in_order_again(self, source, tmp_path):
        anew = [
            turn(21, "tool:zones", "session:tue", conclude("zone", "south", "zone2", "address", scope="user:7")),
            turn(22, "assistant", "session:tue", conclude("quote", 12, "quote2", "zone", scope="user:7")),
            turn(23, "assistant", "session:tue", conclude("total", 62, "total2", "user:7/quote")),
        ]
        report = analyze(source([*log(), *anew], tmp_path))
        assert {"fee"} == set(stale(report))


def test_the_command_line_tells_the_chain(tmp_path):
    file = as_text(log(), tmp_path)
    text = CliRunner().invoke(main, ["explain", str(file), "total"]).output
    assert "Revalidate (SM801)" in text
    assert 'step 2: "north" (zone) was concluded from "4 Mill Lane" (address)' in text
    assert 1 == CliRunner().invoke(main, ["analyze", str(file), "--check", "SM801"]).exit_code
