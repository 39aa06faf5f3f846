"""Judging and counting: what was to be told, what was told, and what the tables make of it."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from benchmarks.synthetic import figures, suites, tables
from benchmarks.synthetic.argued import is_argued
from benchmarks.synthetic.causes import NOT_EXPLAINED
from benchmarks.synthetic.dialogue import Dialogue
from benchmarks.synthetic.figures import DEPTHS, DISTANCES, LENGTHS, bins
from benchmarks.synthetic.running import Outcome, Reading
from benchmarks.synthetic.scoring import judge
from benchmarks.synthetic.suites import FULL, QUICK, Size
from benchmarks.synthetic.systems.base import Entrant, Maker
from benchmarks.synthetic.tallies import Tally, counted, summed
from benchmarks.synthetic.wrongs import Wrong, wrongs
from statemem.ir.diagnostics import UsageError

SUITES = st.sampled_from(sorted(suites.SUITES))
SEEDS = st.integers(0, 1_000)
few = settings(max_examples=10)
TALLIES = st.builds(Tally, *[st.integers(0, 9)] * 3)


class Deaf:
    """One who reads nothing."""

    def __init__(self, dialogue: Dialogue) -> None:
        self._answers = {(one.turn, one.kind, one.about): one.answer for one in dialogue.questions}

    def read(self, seen):
        pass


class Gold(Deaf):
    """One who has looked at the answers."""

    def answer(self, question):
        assert frozenset() == question.answer, "nobody is told the answer with the question"
        return self._answers[question.turn, question.kind, question.about]


class Silent(Deaf):
    def answer(self, question):
        return None


class Liar(Deaf):
    def answer(self, question):
        return ["nothing of the kind"]


class Careless(Deaf):
    def answer(self, question):
        return "yes"


def dialogue(suite: str, seed: int) -> Dialogue:
    return suites.dialogue(suites.title(suite, "easy", "support", "en", seed))


def total(system, told: Dialogue, form: str = "smir") -> Tally:
    counts = counted("any", "easy", judge(Entrant("it", system, form), told))
    return sum(counts.values(), start=Tally())


@few
@given(SUITES, SEEDS)
def test_who_tells_all_and_nothing_else_has_all_of_recall_and_precision(suite, seed):
    found = total(Gold, dialogue(suite, seed))
    assert (1.0, 1.0, 0, 0) == (found.recall, found.precision, found.missed, found.wrong)


@few
@given(SUITES, SEEDS)
def test_who_cannot_answer_misses_all_and_tells_nothing_wrong(suite, seed):
    told = dialogue(suite, seed)
    found = total(Silent, told)
    assert Tally(missed=total(Gold, told).right, unanswered=found.missed) == found
    assert found.is_beyond


@few
@given(SUITES, SEEDS)
def test_who_invents_is_wrong_once_a_question_and_misses_all(suite, seed):
    told = dialogue(suite, seed)
    assert (total(Gold, told).right, len(told.questions)) == (total(Liar, told).missed, total(Liar, told).wrong)


def test_an_answer_that_is_one_text_is_refused():
    with pytest.raises(TypeError, match="answer\\(\\) has to give several texts, or None"):
        total(Careless, dialogue("cascade", 0))


@few
@given(SUITES, SEEDS)
def test_of_what_a_form_cannot_tell_nothing_is_asked(suite, seed):
    told = dialogue(suite, seed)
    result = judge(Entrant("it", Gold, "steps"), told)
    plants = [plant for one in result.judged for text in one.expected for plant in told.plants_in(text)]
    assert all("steps" in plant.forms for plant in plants)


@few
@given(SUITES, SEEDS)
def test_every_answer_is_counted_once_whatever_one_counts_by(suite, seed):
    counts = counted(suite, "easy", judge(Entrant("it", Gold), dialogue(suite, seed)))
    for key in (lambda place: place.kind, lambda place: place.story, lambda place: place.depth):
        assert sum(counts.values(), start=Tally()) == sum(summed([counts], key).values(), start=Tally())


@few
@given(SUITES, SEEDS)
def test_what_was_wrong_is_listed_with_the_number_by_which_it_can_be_asked_for(suite, seed):
    told = dialogue(suite, seed)
    found = list(wrongs(judge(Entrant("liar", Liar, "smir"), told), "liar"))
    assert [told.questions[one.number - 1].kind for one in found] == [one.kind for one in found]
    assert len(told.questions) == len(found)
    assert f"python -m benchmarks.synthetic explain {told.name} liar {found[0].number}" == found[0].command


def test_what_cannot_be_asked_is_not_listed_as_wrong():
    assert [] == list(wrongs(judge(Entrant("silent", Silent), dialogue("basic", 0)), "silent"))


# dialogues by their names


@few
@given(SUITES, SEEDS)
def test_a_name_tells_how_to_generate_the_dialogue_again(suite, seed):
    told = dialogue(suite, seed)
    again = suites.dialogue(told.name)
    assert (told.name, told.turns, told.questions[0].text) == (again.name, again.turns, again.questions[0].text)


def test_the_names_of_a_run_are_those_of_dialogues_each_once():
    for size in (QUICK, FULL):
        names = [name for suite in suites.NAMES for name in suites.names(suite, size, 3)]
        assert sorted(set(names)) == sorted(names)
        assert all(suites.recipe_of(name).stories for name in names)


def test_a_quick_run_reads_some_of_what_a_full_one_does():
    for suite in suites.SUITES:
        assert set(suites.names(suite, QUICK, 0)) < set(suites.names(suite, FULL, 0))


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("", "a name is such as basic-easy-support-en-0"),
        ("basic-easy-support-en", "a name is such as"),
        ("basic-easy-support-en-x", "a name is such as"),
        ("basik-easy-support-en-0", "no suite is called 'basik', did you mean 'basic'?"),
        ("basic-simple-support-en-0", "no level is called 'simple'"),
        ("basic-easy-suport-en-0", "no domain is called 'suport', did you mean 'support'?"),
        ("basic-easy-support-fr-0", "no language is called 'fr'; known are en, zh"),
        ("long_-easy-support-en-0", "'' is no number of turns"),
    ],
)
def test_a_name_that_is_none_says_what_is_wrong_with_it(name, said):
    with pytest.raises(UsageError) as error:
        suites.dialogue(name)
    assert said in str(error.value)


def test_a_long_dialogue_is_as_long_as_it_is_asked_to_be_and_asks_at_its_end_alone():
    (long,) = suites.names("long", Size(QUICK.settings, turns=600), 0)
    told = suites.dialogue(long)
    assert 600 <= len(told.turns)
    assert {len(told.turns)} == {one.turn for one in told.questions}


# tables


@given(TALLIES)
def test_a_cell_shows_every_wrong_answer_and_never_rounds_up(tally):
    found = re.fullmatch(r"(\d+|·)/(\d+|·)(?: !(\d+))?|·", tables.cell(tally))
    assert found is not None
    assert tally.wrong == int(found[3] or 0)
    assert (found[1] == "100") == (tally.recall == 1)


@given(st.integers(0, 200_000))
def test_every_number_has_its_bin(number):
    for ends in (DEPTHS, DISTANCES, LENGTHS):
        assert figures.bin_of(number, ends) in bins(ends)


def test_bins_are_called_by_their_ends():
    assert ("1", "2", "3-4", ">4") == bins((1, 2, 4))
    assert ["1", "1", "2", "3-4", ">4"] == [figures.bin_of(one, (1, 2, 4)) for one in (0, 1, 2, 4, 5)]


@few
@given(SUITES, SEEDS)
def test_no_line_of_a_table_is_wider_than_a_screen(suite, seed):
    told = dialogue(suite, seed)
    readers: dict[str, Maker] = {"gold": Gold, "silent": Silent, "liar": Liar}
    readings = tuple(
        Reading(suite, told.name, name, len(told.turns), counted(suite, "easy", judge(Entrant(name, system), told)), ())
        for name, system in readers.items()
    )
    outcome = Outcome((suite,), ("gold", "silent", "liar", "gone"), readings, {"gone": "not installed"})
    lines = [line for grid in figures.kinds(outcome) for line in tables.table(grid, outcome)]
    assert lines
    assert max(map(cell_len, lines)) <= tables.WIDTH
    assert any(line.startswith("gone") and line.endswith("not installed") for line in lines)


def test_only_what_was_missed_for_a_known_reason_is_argued():
    wrong = Wrong("d", "s", 1, 1, "Merge", "?", (), missed=("e2 into e1",), wrong=(), stories=("reworded 3",))
    assert is_argued(wrong)
    assert not is_argued(Wrong("d", "s", 1, 1, "Merge", "?", (), ("e2 into e1",), ("e3 into e1",), ("reworded 3",)))
    assert not is_argued(Wrong("d", "s", 1, 1, "Merge", "?", (), ("e2 into e1",), (), ("reworded 3", "update 1")))


def test_a_miss_of_the_chat_has_a_cause():
    from benchmarks.synthetic.systems.registry import ENTRANTS

    found = list(wrongs(judge(ENTRANTS["statemem/chat"], dialogue("conflict", 0)), "statemem/chat"))
    assert all(set(one.missed) == set(one.causes) for one in found)
    assert NOT_EXPLAINED not in {cause for one in found for cause in one.causes.values()}
