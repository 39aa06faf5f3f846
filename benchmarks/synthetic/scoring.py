"""Judging answers: what was asked, what was answered, what of it is right.

Of a form that cannot express a story nothing of that story is judged, neither what is missed nor what is told of it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

import attrs

from .dialogue import Dialogue, Question
from .questions import NOTHING, shown
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
        system.read(Seen.of(turn, dialogue))
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
    if question.kind == "holds":
        told = frozenset(map(_spelled, told))
    if question.plant is None:
        expected = frozenset(one for one in expected if all(_can_tell(one, dialogue, form)))
        told = frozenset(one for one in told if any(_can_tell(one, dialogue, form) or [True]))
    return Judged(number, question, expected, expected & told, expected - told, told - expected, answer is not None)


def _spelled(value: str) -> str:
    """A value as answers write it, however it was spelled: as other JSON, or as the bare text."""
    if value == NOTHING:
        return value
    try:
        return shown(json.loads(value))
    except ValueError:
        return shown(value)


def _can_tell(text: str, dialogue: Dialogue, form: str) -> list[bool]:
    """Of each story that an answer speaks of, whether a form can express it; none where it speaks of none."""
    return [form in plant.forms for plant in dialogue.plants_in(text)]
