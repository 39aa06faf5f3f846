"""Stories: what each plants, that two book-keepers agree on it, and that statemem finds all of it and nothing else."""

from collections import Counter

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.synthetic.agreement import disagreements
from benchmarks.synthetic.argued import ARGUED
from benchmarks.synthetic.forms import WRITERS
from benchmarks.synthetic.generator import Recipe, generate
from benchmarks.synthetic.levels import LEVELS
from benchmarks.synthetic.questions import FINDINGS
from benchmarks.synthetic.scoring import judge
from benchmarks.synthetic.stories import STORIES
from benchmarks.synthetic.systems.base import Entrant
from benchmarks.synthetic.systems.statemem import Statemem
from benchmarks.synthetic.words import DOMAINS, LANGUAGES

STRUCTURED = ("smir", "ops", "steps")
#: A policy with authority speaks of the whole dialogue, so these stand by themselves.
WITH_AUTHORITY = ("weaker_source", "stronger_source")
TOGETHER = [one for one in STORIES if one not in (*WITH_AUTHORITY, *ARGUED)]


def told(*stories, seed=1, turns=0, level="easy", **recipe):
    return generate(Recipe("test", Counter(stories), turns=turns, level=level, **recipe), seed)


def asked(dialogue):
    return [(one.turn, one.kind, one.about, one.text, one.answer) for one in dialogue.questions]


def at_the_end(dialogue):
    """The answers to what is asked of the whole dialogue at its end, as they stand there."""
    return {one.kind: one.answer for one in dialogue.questions if one.plant is None}


def faults(dialogue, form):
    judged = judge(Entrant(form, lambda known: Statemem(known, form), form), dialogue).judged
    return [(one.question.turn, one.question.kind, one.missed, one.wrong) for one in judged if one.missed or one.wrong]


# what each story plants, counted by hand

PLANTED = {
    "update": {"Supersede": 1, "spent": 1},
    "confirmation": {"Merge": 1, "unread": 2},
    "respelling": {"Merge": 1, "unread": 2},
    "late_version": {"history": 1, "unread": 1},
    "late_news": {"history": 1, "unread": 1},
    "reworded": {"Merge": 1, "unread": 2},
    "stale_use": {"Supersede": 1, "FlagStaleUse": 1, "unread": 1},
    "timely_use": {"Supersede": 1, "spent": 1},
    "returned_use": {"Supersede": 2, "spent": 1},
    "restated_use": {"Supersede": 2, "unread": 1},
    "others_value": {"Supersede": 1, "spent": 1, "unread": 1},
    "stale_conclusion": {"Supersede": 1, "FlagStaleUse": 1, "Revalidate": 1, "spent": 1, "unread": 1},
    "one_of_two": {"Supersede": 1, "Revalidate": 1, "spent": 1, "unread": 3},
    "diamond": {"Supersede": 1, "Revalidate": 3, "spent": 2, "unread": 2},
    "redone": {"Supersede": 3, "spent": 2, "unread": 1},
    "other_support": {"Supersede": 1, "Merge": 1, "spent": 2, "unread": 3},
    "last_support": {"Supersede": 2, "Merge": 1, "Revalidate": 2, "spent": 1, "unread": 4},
    "overruled": {"Supersede": 2, "unread": 2},
    "confirmed_conclusion": {"Supersede": 1, "Merge": 1, "unread": 3},
    "there_and_back": {"Supersede": 2, "Revalidate": 2, "unread": 3},
    "same_version": {"FlagConflict": 1, "unread": 2},
    "settled_version": {"Supersede": 2, "unread": 1},
    "race": {"FlagConflict": 1, "Supersede": 1, "spent": 2},
    "branches": {"FlagConflict": 1, "Supersede": 1, "spent": 2},
    "weaker_source": {"FlagConflict": 1, "unread": 1},
    "stronger_source": {"Supersede": 1, "unread": 1},
    "second_name": {"Supersede": 1, "unread": 1},
    "names_disagree": {"FlagConflict": 1, "unread": 2},
    "names_agree_again": {"Supersede": 2, "unread": 1},
    "lookalikes": {"Ask": 1, "unread": 2},
    "lookalikes_named": {"Supersede": 1, "unread": 1},
    "mention": {"Supersede": 1, "unread": 1},
    "ambiguous": {"Ask": 1, "spent": 2},
    "cleared_up": {"spent": 2},
    "unclear_write": {"FlagConflict": 2},
    "guarded_change": {"Supersede": 1, "Confirm": 1, "unread": 1},
    "agreed_change": {"Supersede": 1, "Merge": 1, "unread": 2},
    "own_change": {"Supersede": 1, "unread": 1},
    "repeated_effect": {"FlagRepeat": 1, "spent": 1},
    "repeated_without_key": {"FlagRepeat": 1, "spent": 1},
    "other_effect": {"spent": 1},
    "leak": {"Ask": 1, "Release": 1},
    "requirement": {"Release": 2},
    "abandoned": {"Suspend": 2, "unread": 2},
    "result_of_a_task": {"Release": 1, "spent": 1},
    "out_of_step": {"Supersede": 1, "Revalidate": 1, "unread": 2},
    "tainted_pin": {"Quarantine": 1, "spent": 1, "unread": 1},
    "late_ground": {"history": 1, "spent": 1, "unread": 1},
    "disputed_ground": {"Supersede": 2, "Revalidate": 1, "unread": 2},
    "ground_by_another_name": {"Supersede": 1, "Revalidate": 1, "unread": 2},
    "ground_lost_in_a_digression": {"Supersede": 1, "Revalidate": 1, "Release": 1, "unread": 2},
    "stale_effect": {"Supersede": 1, "FlagStaleUse": 1, "unread": 1},
    "use_of_the_withdrawn": {"FlagStaleUse": 1},
    "stale_by_another_name": {"Supersede": 1, "FlagStaleUse": 1, "unread": 1},
    "tainted_though_confirmed_by_a_tool": {"Quarantine": 1, "Merge": 1, "spent": 2, "unread": 1},
    "guarded_by_a_word": {"Supersede": 1, "Confirm": 1, "unread": 1},
    "repeated_across_tasks": {"FlagRepeat": 1, "spent": 1},
}
#: What these plant grows with how deep they go; they are counted by their depth below.
BY_DEPTH = {
    "many_updates",
    "cascade",
    "withdrawal",
    "confirmed_root",
    "digression",
    "tainted_effect",
    "quoted_only",
    "vouched_for",
}


def test_every_story_is_counted():
    assert set(STORIES) == PLANTED.keys() | BY_DEPTH


@pytest.mark.parametrize("story", PLANTED)
def test_a_story_plants_what_its_title_says_and_nothing_else(story):
    found = {kind: len(answer) for kind, answer in at_the_end(told(story)).items() if answer}
    expected = PLANTED[story]
    known = {kind: found.get(kind, 0) for kind in expected}
    assert expected == known
    assert {} == {
        kind: count for kind, count in found.items() if kind not in expected and kind not in ("spent", "unread")
    }


def test_a_cascade_takes_down_two_conclusions_a_level_and_a_digression_releases_each_task():
    cascade, digression = told("cascade", level="medium"), told("digression", level="medium")
    (above,), (tasks,) = (tuple(one.plants.values()) for one in (cascade, digression))
    assert 2 * above.depth == len(at_the_end(cascade)["Revalidate"])
    assert 2 * (tasks.depth + 1) == len(at_the_end(digression)["Release"])


def test_before_a_root_changes_all_is_trusted_and_afterwards_nothing_is():
    answers = [set(one.answer) for one in told("cascade").questions if one.kind == "trusted"]
    half = len(answers) // 2
    assert [{"yes"}] * half + [{"no"}] * half == answers


# two book-keepers


recipes = st.builds(
    Recipe,
    name=st.just("test"),
    stories=st.dictionaries(st.sampled_from(TOGETHER), st.integers(1, 2), min_size=1, max_size=8),
    turns=st.integers(0, 60),
    level=st.sampled_from(["easy", "medium"]),
    domain=st.sampled_from(DOMAINS),
    language=st.sampled_from(LANGUAGES),
)


@given(recipes, st.integers(0, 10**6))
@settings(max_examples=25, deadline=None)
def test_the_ledger_and_the_meaning_of_the_program_agree_at_every_turn(recipe, seed):
    assert [] == list(disagreements(generate(recipe, seed)))


def test_a_ledger_that_is_wrong_is_found_out():
    dialogue = told("update")
    (replaced,) = (one for one in dialogue.entries.values() if one.ended is not None)
    wrong = {**dialogue.entries, replaced.id: attrs.evolve(replaced, ended=None)}
    assert list(disagreements(attrs.evolve(dialogue, entries=wrong)))


# what is generated


@given(recipes, st.integers(0, 10**6))
@settings(max_examples=15, deadline=None)
def test_the_same_seed_gives_the_same_bytes_in_every_form(recipe, seed):
    one, other = generate(recipe, seed), generate(recipe, seed)
    assert [write(one) for write in WRITERS.values()] == [write(other) for write in WRITERS.values()]
    assert asked(one) == asked(other)


def test_another_seed_gives_another_dialogue():
    assert WRITERS["ops"](told("update", seed=1)) != WRITERS["ops"](told("update", seed=2))


def test_a_dialogue_is_as_long_as_it_is_asked_to_be():
    assert 150 == len(told("update", turns=150).turns)


def test_every_finding_is_asked_at_the_end():
    dialogue = told("update")
    assert set(FINDINGS) == {one.kind for one in dialogue.questions if one.turn == len(dialogue.turns)} & set(FINDINGS)


# statemem finds it


@pytest.mark.parametrize("form", STRUCTURED)
@pytest.mark.parametrize("story", [one for one in STORIES if one not in ARGUED])
def test_statemem_finds_what_a_story_plants_and_invents_nothing(story, form):
    assert [] == faults(told(story, level="medium"), form)


@given(recipes, st.integers(0, 10**6), st.sampled_from(STRUCTURED))
@settings(max_examples=25, deadline=None)
def test_statemem_finds_everything_of_stories_that_are_told_together(recipe, seed, form):
    assert [] == faults(generate(recipe, seed), form)


@pytest.mark.parametrize("form", STRUCTURED)
def test_statemem_follows_whose_word_counts_where_the_policy_says_so(form):
    stories = (*WITH_AUTHORITY, *WITH_AUTHORITY, "update", "confirmation", "cascade", "stale_use")
    assert [] == faults(told(*stories, turns=60), form)


@pytest.mark.parametrize("form", ["smir", "ops"])
@pytest.mark.parametrize("story", ["cascade", "digression", "withdrawal"])
def test_depth_does_not_matter(story, form, monkeypatch):
    monkeypatch.setitem(LEVELS, "deep", attrs.evolve(LEVELS["easy"], name="deep", depth=(60, 60)))
    dialogue = told(story, level="deep")
    assert {60} == {one.depth for one in dialogue.plants.values()}
    last = attrs.evolve(dialogue, questions=tuple(one for one in dialogue.questions if one.turn == len(dialogue.turns)))
    assert [] == faults(last, form)


@pytest.mark.parametrize("story", ARGUED)
def test_what_is_argued_is_missed_and_nothing_wrong_is_told(story):
    found = [(missed, wrong) for form in STRUCTURED for _, _, missed, wrong in faults(told(story), form)]
    assert found
    assert all(missed and not wrong for missed, wrong in found)
