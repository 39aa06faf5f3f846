"""The scenarios the project grew from, end to end, with invented data."""

from importlib import resources

import pytest

from statemem import Policy, analyze, lower
from statemem.actions import Kind
from statemem.ir import Scope, build, run
from statemem.passes import Word


@pytest.fixture(name="examples", scope="module")
def _examples():
    with resources.as_file(resources.files("statemem").joinpath("examples")) as folder:
        yield folder


def kinds(report):
    found = {}
    for action in report.actions:
        found.setdefault(action.entry, []).append(action.kind)
    return found


class TestLiveness:
    """Cold threshold 3, archive factor 2, now step 10."""

    def test_what_was_used_lately_is_hot_and_the_rest_is_cold_and_then_archived(self, examples):
        report = analyze(examples / "java.json", at=10, policy=Policy.of(cold_after=3, archive_factor=2))
        assert kinds(report) == {
            "mem_001": [Kind.DEMOTE, Kind.ARCHIVE],
            "mem_002": [Kind.DEMOTE, Kind.ARCHIVE],
            "mem_003": [Kind.KEEP],
            "mem_004": [Kind.KEEP, Kind.PROMOTE],
        }

    def test_cold_comes_before_archived(self, examples):
        report = analyze(examples / "java.json", at=7, policy=Policy.of(cold_after=3, archive_factor=2))
        assert [Kind.DEMOTE] == kinds(report)["mem_001"]

    def test_a_pinned_entry_never_falls(self, examples):
        report = analyze(examples / "java.json", at=10_000, policy=Policy.of(cold_after=3))
        assert [Kind.KEEP, Kind.PROMOTE] == kinds(report)["mem_004"]

    def test_an_entry_is_not_cold_in_the_step_that_makes_it(self):
        records = [{"entry_id": "new", "content": "x", "created_step": 9}, {"step_id": 9, "accessed_memory_ids": []}]
        assert {"new": [Kind.KEEP]} == kinds(analyze(records, policy=Policy.of(cold_after=3)))

    def test_the_explanation_says_created_last_used_now_and_threshold(self, examples):
        text = analyze(examples / "java.json", at=10, policy=Policy.of(cold_after=3)).explain("mem_001")
        assert "created at step 1, last used at step 2, now step 10, 8 steps ago, session threshold 3" in text

    def test_with_one_fact_key_the_old_version_is_superseded_at_once(self):
        records = [
            {"entry_id": "old", "content": "Java 17", "created_step": 1, "semantic_fact": "Project: Java version"},
            {"entry_id": "new", "content": "Java 21", "created_step": 2, "semantic_fact": "project java-version"},
            {"step_id": 2, "accessed_memory_ids": ["old"]},
        ]
        report = analyze(records)
        assert [Word.SUPERSEDED, Word.UNKNOWN] == [one.word for one in report.entries]
        assert [Kind.SUPERSEDE, Kind.ARCHIVE] == kinds(report)["old"]

    def test_equal_version_and_different_content_is_flagged_and_left_open(self):
        records = [
            {"entry_id": "a", "content": "Java 17", "created_step": 1, "semantic_fact": "java", "version": 2},
            {"entry_id": "b", "content": "Java 21", "created_step": 2, "semantic_fact": "java", "version": 2},
        ]
        assert {"a": [Kind.FLAG_CONFLICT]} == kinds(analyze(records))

    def test_saying_the_same_again_is_merged(self):
        records = [
            {"entry_id": "a", "content": "short answers", "created_step": 1, "semantic_fact": "style"},
            {"entry_id": "b", "content": "short answers", "created_step": 2, "semantic_fact": "style"},
        ]
        assert {"a": [Kind.KEEP], "b": [Kind.MERGE]} == kinds(analyze(records))


PLAN, LINE, USER = Scope("task", "plan"), Scope("task", "line"), Scope("user", "7")


class TestDigression:
    """A phone plan, a broadband fault, and back."""

    @pytest.fixture(name="program")
    def _program(self, examples):
        return lower(examples / "phone-and-broadband.jsonl")

    def test_after_each_turn_the_state_is_exactly_what_was_said(self, program):
        topics = []
        for last in range(len(program.blocks)):
            state = run(program, range(last + 1))
            topics.append((state.snapshot(PLAN).get("topic"), state.snapshot(LINE).get("topic")))
        said, fault = "mobile plan", "broadband fault"
        expected = [(None, None)] + [(said, None)] * 3 + [(said, fault)] * 3 + [(said, None)] * 3
        assert expected == topics

    def test_the_digression_leaves_nothing_in_the_first_task(self, program):
        state = run(program)
        assert {} == state.snapshot(LINE)
        assert {
            "topic": "mobile plan",
            "wish": "20 GB or more",
            "offers": ["Plan M, 25 GB", "Plan L, 60 GB"],
            "choice": "Plan M, 25 GB",
        } == state.snapshot(PLAN)
        assert {"phone": "+33 6 55 50 19 87"} == state.snapshot(USER)

    def test_the_entries_of_the_ended_task_are_ended_and_its_conclusion_too(self, program):
        report = analyze(program)
        assert ["topic-line", "account", "status"] == [one.entry.id for one in report.of(Word.ENDED)]

    def test_what_the_first_task_needs_is_live_across_the_digression(self, program):
        live = {str(one.cell) for one in analyze(program, at=6).of(Word.LIVE)}
        assert {"task:plan/topic", "user:7/phone"} <= live

    def test_the_explanation_names_the_events(self, program):
        assert "made at step 2 by user, event 2" in analyze(program).explain("topic-plan")

    def test_the_phone_number_is_masked(self, program):
        text = analyze(program).explain("user:7/phone")
        assert "+33******1987" in text
        assert "55 50" not in text


class TestExchange:
    """Headphones bought last week, silent on the right; white instead of black; and the next day, the address."""

    @pytest.fixture(name="program")
    def _program(self, examples):
        return lower(examples / "headphones.jsonl")

    def test_white_replaced_black_and_the_history_keeps_it(self, program):
        report = analyze(program)
        assert ["bought/color"] == [one.entry.id for one in report.of(Word.SUPERSEDED)]
        text = report.explain("order/H-4471/color")
        assert 'now, step 8: "white"' in text
        assert 'bought/color = "black": superseded, replaced at step 4 by color-white' in text

    def test_the_state_before_the_change_is_black(self, program):
        state = run(program, range(3))
        order = state.snapshot(Scope("user", "ilke"))
        assert "black" == order['order["H-4471"].color']
        assert "right side silent" == order['order["H-4471"].fault']

    def test_one_session_does_not_see_what_was_said_in_the_other(self, program):
        state = run(program)
        assert {"wish": "change the address"} == state.snapshot(Scope("session", "tue"))
        assert "wish" not in state.snapshot(Scope("session", "mon"))

    def test_the_next_day_it_may_mean_either_order(self, program):
        targets = run(program).names.references["it"]
        assert {'user:ilke/order["C-5120"]', 'user:ilke/order["H-4471"]'} == {str(target) for target in targets}


class TestAnswersOfWhichOneWasKept:
    """A message was answered twice; what the other answer led to is no part of where the agent stands."""

    def log(self, at):
        return (
            build("user:7/", name="chat").block("user", name="ask", step=1).set("city", "Rome", id="e1")
            .branch("first", "second")
            .block("assistant", name="first", step=2).set("city", "Lyon", id="e2").stays_open()
            .block("assistant", name="second", step=2).set("city", "Paris", id="e3").goto("more")
            .block("user", name="more", step=3).use("city").standing_at(at).program
        )  # fmt: skip

    @pytest.mark.parametrize(("at", "now", "entries"), [("first", 2, ["e1", "e2"]), ("more", 3, ["e1", "e3"])])
    def test_a_report_is_as_of_the_end_the_log_stands_at(self, at, now, entries):
        report = analyze(self.log(at))
        assert (now, entries) == (report.now, [one.entry.id for one in report.entries])

    def test_a_step_before_the_branch_is_the_same_for_both(self):
        assert ["e1"] == [one.entry.id for one in analyze(self.log("first"), at=1).entries]


def test_what_is_in_force_under_another_name_is_told_under_this_one():
    log = build("user:7/").set("contact", "A", id="e1").same("contact", "reach").set("reach", "B", id="e2").program
    assert 'now, step 1: "B" under user:7/reach' in analyze(log).explain("contact")
