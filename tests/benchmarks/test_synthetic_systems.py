"""What people have instead of statemem: each shows the faults it is known for, and no others."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.synthetic.dialogue import Dialogue
from benchmarks.synthetic.generator import Recipe, generate
from benchmarks.synthetic.scoring import Judged, judge
from benchmarks.synthetic.systems.base import Entrant, Setting
from benchmarks.synthetic.systems.lexical import TopK, terms
from benchmarks.synthetic.systems.overwrite import Overwrite
from benchmarks.synthetic.systems.registry import ENTRANTS, entrant, why_not
from benchmarks.synthetic.systems.window import Window
from benchmarks.synthetic.words import LANGUAGES
from statemem.ir.diagnostics import UsageError
from statemem.policy import Policy

SEEDS = st.integers(0, 10_000)
SPOKEN = st.sampled_from(LANGUAGES)
few = settings(max_examples=15)
baseline = pytest.mark.parametrize("name", ["window", "overwrite", "top-k", "langgraph"])
by_cell = pytest.mark.parametrize("name", ["overwrite", "langgraph"])


def told(story: str, seed: int = 0, *, level: str = "easy", language: str = "en", turns: int = 30) -> Dialogue:
    return generate(Recipe("test", {story: 1}, turns, level, language=language), seed)


def answers(name: str, dialogue: Dialogue, kind: str) -> list[Judged]:
    if (reason := why_not(name)) is not None:
        pytest.skip(reason)
    return [one for one in judge(ENTRANTS[name], dialogue).judged if one.question.kind == kind]


@few
@given(SEEDS, SPOKEN)
def test_a_window_over_everything_knows_what_a_fact_is_now(seed, language):
    dialogue = told("update", seed, language=language)
    (found,) = (
        one
        for one in judge(Entrant.of("all", lambda one: Window(one, 1_000)), dialogue).judged
        if one.question.kind == "holds"
    )
    assert (found.expected, frozenset()) == (found.right, found.wrong)


@few
@given(SEEDS)
def test_a_window_forgets_what_was_said_before_it(seed):
    dialogue = told("update", seed, level="hard")
    (found,) = (
        one
        for one in judge(Entrant.of("short", lambda one: Window(one, 5)), dialogue).judged
        if one.question.kind == "holds"
    )
    assert (found.expected, frozenset()) == (found.missed, found.wrong)


@by_cell
@few
@given(seed=SEEDS)
def test_the_last_word_counts_even_where_it_is_old_news(name, seed):
    for story in ("late_version", "late_news"):
        (found,) = answers(name, told(story, seed), "holds")
        assert found.missed
        assert found.wrong


@by_cell
@few
@given(seed=SEEDS)
def test_conclusions_that_have_lost_their_ground_are_believed(name, seed):
    dialogue = told("cascade", seed)
    after = [one for one in answers(name, dialogue, "trusted") if one.expected == {"no"}]
    assert after
    assert all(one.wrong == {"yes"} for one in after)


@few
@given(SEEDS, SPOKEN)
def test_the_best_documents_show_old_values_beside_the_new_one(seed, language):
    (found,) = answers("top-k", told("update", seed, language=language), "holds")
    assert found.expected == found.right
    assert 1 == len(found.wrong)


def test_a_withdrawn_value_still_comes_back_from_the_documents():
    dialogue = told("withdrawal")
    believed = [one.wrong for one in answers("top-k", dialogue, "trusted") if one.expected == {"no"}]
    assert {frozenset({"yes"})} == set(believed)


@few
@given(SEEDS)
def test_replacing_is_all_that_a_dictionary_tells_of_and_it_tells_all_of_it(seed):
    dialogue = told("many_updates", seed)
    (found,) = answers("overwrite", dialogue, "Supersede")
    assert (found.expected, frozenset()) == (found.right, found.wrong)
    assert {"Supersede", "Merge"} == {kind for kind in found_kinds(Overwrite, dialogue) if kind[0].isupper()}


def found_kinds(system, dialogue: Dialogue) -> set[str]:
    return {one.question.kind for one in judge(Entrant.of("it", system), dialogue).judged if one.answered}


@baseline
def test_no_baseline_knows_what_rests_on_what_or_claims_to(name):
    dialogue = told("cascade")
    assert answers(name, dialogue, "rests_on")
    assert not any(one.answered for one in answers(name, dialogue, "rests_on") + answers(name, dialogue, "Revalidate"))


@baseline
def test_the_same_dialogue_is_answered_alike_again(name):
    dialogue = told("cascade", language="zh")
    assert answers(name, dialogue, "trusted") == answers(name, dialogue, "trusted")


@given(st.text())
def test_any_text_can_be_searched_for(text):
    assert [] == TopK(Setting(told("update").words, (), Policy())).retrieved(text)


@given(st.text(alphabet="订单的状态W15 ,"))
def test_terms_are_all_that_a_text_is_made_of(text):
    assert set("".join(terms(text))) == set(text) - set(" ,")


def test_a_near_miss_of_a_name_says_what_may_be_meant():
    with pytest.raises(UsageError, match="no system is called 'overwite', did you mean 'overwrite'"):
        entrant("overwite")


def test_a_package_that_is_absent_is_named(monkeypatch):
    monkeypatch.setattr("benchmarks.synthetic.systems.registry.find_spec", lambda _: None)
    assert "not installed: pip install 'statemem[interop]'" == why_not("langgraph")
    assert why_not("overwrite") is None


# a newcomer's own file

NEWCOMER = '''
"""A memory that keeps the last value of each cell."""

import json


class Last:
    name = "last-value"

    def __init__(self, setting):
        self.values = {}

    def read(self, seen):
        for one in seen.writes:
            self.values[str(one.cell)] = json.dumps(one.value, ensure_ascii=False)
        for cell in seen.withdrawn:
            self.values.pop(cell, None)

    def answer(self, question):
        if question.kind != "holds":
            return None
        return [self.values[question.about]] if question.about in self.values else []
'''


@pytest.fixture(name="file")
def _file(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(NEWCOMER, encoding="utf-8")
    return path


def test_a_class_of_ones_own_is_judged_like_any_other(file):
    own = entrant(f"{file}:Last")
    assert ("last-value", "ops") == (own.name, own.form)
    (found,) = (one for one in judge(own, told("update")).judged if one.question.kind == "holds")
    assert found.expected == found.right


@pytest.mark.parametrize(
    ("text", "name", "said"),
    [
        (NEWCOMER, ":Lst", "mine.py: has no class 'Lst', did you mean 'Last'?"),
        (NEWCOMER, ":Other", "mine.py: has no class 'Other'; it has Last"),
        (NEWCOMER, ":json", "mine.py: has no class 'json'"),
        (NEWCOMER, "", "which class of it? Write"),
        (NEWCOMER, ":", "which class of it? Write"),
        ("x = 1", ":Last", "mine.py: has no class 'Last'; it has none"),
        (NEWCOMER.replace("def answer", "def reply"), ":Last", "Last has no method 'answer'"),
        (NEWCOMER.replace('name = "last-value"', 'form = "prose"'), ":Last", "Last.form is 'prose'; forms are smir"),
        ("class Last:\n    def read(:", ":Last", "mine.py:2: cannot be loaded: SyntaxError"),
        ("\nimport nothing_of_this_name", ":Last", "mine.py:2: cannot be loaded: ModuleNotFoundError"),
    ],
)
def test_what_is_wrong_with_a_file_is_said_where_it_is(tmp_path, text, name, said):
    path = tmp_path / "mine.py"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError) as error:
        entrant(f"{path}{name}")
    assert said in str(error.value)


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(UsageError, match=r"mine\.py: there is no such file"):
        entrant(f"{tmp_path / 'mine.py'}:Last")
