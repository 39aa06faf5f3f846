"""Judging answers: what was asked, what was answered, what of it is right.

Of a form that cannot express a story nothing of that story is judged, neither what is missed nor what is told of it.
"""

from __future__ import annotations

from collections.abc import Iterable

import attrs

from .dialogue import Dialogue, Plant, Question
from .systems.base import Entrant, Seen, System


@attrs.frozen
class Judged:
    """One question with what a system missed and what it told that is not so; `answered` is False where it cannot.

    `number` counts the questions of the dialogue from 1.
    """

    number: int
    question: Question
    expected: frozenset[str]
    right: frozenset[str]
    missed: frozenset[str]
    wrong: frozenset[str]
    answered: bool = True


@attrs.frozen
class Result:
    """What one system made of one dialogue."""

    system: str
    form: str
    dialogue: Dialogue
    judged: tuple[Judged, ...]


def judge(entrant: Entrant, dialogue: Dialogue) -> Result:
    """Let a system read a dialogue, and ask it what there is to ask on the way."""
    system = entrant.make(dialogue)
    asked: dict[int, list[int]] = {}
    for number, question in enumerate(dialogue.questions, 1):
        if is_expressible(question, entrant.form):
            asked.setdefault(question.turn, []).append(number)
    found: list[Judged] = []
    for turn in dialogue.turns:
        system.read(Seen(turn, dialogue))
        found += (_asked(system, number, dialogue, entrant.form) for number in asked.get(turn.number, ()))
    return Result(entrant.name, entrant.form, dialogue, tuple(found))


def _asked(system: System, number: int, dialogue: Dialogue, form: str) -> Judged:
    """What a system answers to a question, which it sees without the answer."""
    question = dialogue.questions[number - 1]
    answer = system.answer(attrs.evolve(question, answer=frozenset(), plant=None))
    if isinstance(answer, str):
        raise TypeError(f"answer() has to give several texts, or None; it gave the one text {answer!r}")
    return _judged(number, question, answer, dialogue, form)


def is_expressible(question: Question, form: str) -> bool:
    """Whether a form can express the story that asks; of the whole dialogue anything can be asked."""
    return question.plant is None or form in question.plant.forms


def _judged(number: int, question: Question, answer: Iterable[str] | None, dialogue: Dialogue, form: str) -> Judged:
    expected, told = question.answer, frozenset(answer or ())
    if question.plant is None:
        expected, told = (_expressible(texts, dialogue, form) for texts in (expected, told))
    return Judged(number, question, expected, expected & told, expected - told, told - expected, answer is not None)


def _expressible(texts: Iterable[str], dialogue: Dialogue, form: str) -> frozenset[str]:
    return frozenset(one for one in texts if all(form in plant.forms for plant in plants_in(one, dialogue)))


def plants_in(text: str, dialogue: Dialogue) -> list[Plant]:
    """The stories that an answer speaks of."""
    return dialogue.plants_in(text)
