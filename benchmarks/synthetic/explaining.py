"""One question explained: what was asked and answered, the turns of its story, and what statemem says of its cells."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import attrs

from statemem.ir.diagnostics import UsageError
from statemem.ir.text import statement
from statemem.report.layout import cut, plural
from statemem.report.report import Report

from . import suites
from .causes import LINKED, Causes
from .dialogue import FORMS, SESSION, Dialogue, Question, Turn
from .forms import chat
from .running import judged as judged_by
from .scoring import Judged, Result
from .speaking import entries_of, plants_of, with_premises
from .stories import STORIES
from .systems.registry import entrant, why_not
from .systems.statemem import Labels, report_on

_WIDTH = 160
_MOST_STORIES = _MOST_CELLS = 4


def explained(name: str, system: str, number: int) -> list[str]:
    """What there is to say of a question. Raises `UsageError` where there is no such question or system."""
    own = entrant(system)
    if (reason := why_not(system)) is not None:
        raise UsageError(f"{system}: {reason}")
    dialogue = suites.dialogue(name)
    question = _question(dialogue, number)
    result = judged_by(system, attrs.evolve(dialogue.upto(question.turn), questions=(question,)))
    if not result.judged:
        raise UsageError(f"question {number} of {name} is not asked of {own.name}: {own.form} cannot tell its story")
    (judged,) = result.judged
    lines = [f"{name}, question {number} of {len(dialogue.questions)}, asked of {own.name} after turn {question.turn}"]
    lines += _asked(judged, Causes(result))
    lines += _stories(judged, dialogue)
    form, _, known = own.name.removeprefix("statemem/").partition("+")
    return lines + list(_reported(judged, result, form, knows=bool(known))) if form in FORMS else lines


def _question(dialogue: Dialogue, number: int) -> Question:
    if not 1 <= number <= len(dialogue.questions):
        raise UsageError(f"{dialogue.name} has no question {number}; it asks 1 to {len(dialogue.questions)}")
    return dialogue.questions[number - 1]


# what was asked and told


def _asked(judged: Judged, causes: Causes) -> Iterator[str]:
    question, why = judged.question, causes.of(judged)
    about = f" [{question.about}]" if question.about else ""
    yield f"{question.kind}: {question.text}{about}"
    if not judged.answered:
        yield "  the system cannot answer such questions"
    for what, texts in (("right", judged.right), ("missed", judged.missed), ("wrong", judged.wrong)):
        for text in sorted(texts):
            yield f"  {what:7} {text}" + (f"  ({why[text]})" if what == "missed" and text in why else "")
    if not judged.expected:
        yield "  expected: nothing"


# the turns of the stories


def _stories(judged: Judged, dialogue: Dialogue) -> Iterator[str]:
    plants = plants_of(judged, dialogue)
    for plant in plants[:_MOST_STORIES]:
        yield ""
        yield f"{plant.story}: {STORIES[plant.kind].title} (depth {plant.depth}, over {plural(plant.distance, 'turn')})"
        for turn in dialogue.turns:
            if turn.story == plant.story and turn.number <= judged.question.turn:
                yield from _turn(turn, dialogue)
    if len(plants) > _MOST_STORIES:
        yield from ("", f"… and {plural(len(plants) - _MOST_STORIES, 'more story')} that it belongs to")


def _turn(turn: Turn, dialogue: Dialogue) -> Iterator[str]:
    yield f"{turn.number:6}  {turn.actor}" + (f", in {turn.task}" if turn.task else "")
    for one in turn.instructions:
        yield f"          {statement(one, SESSION)}"
    for message in chat.messages(turn, dialogue):
        yield from (cut(f"        > {line}", _WIDTH) for line in _said(message))


def _said(message: dict[str, Any]) -> Iterator[str]:
    """A chat message on a line, and each of its calls on one."""
    if message.get("content"):
        yield f"{message.get('role')}: {' '.join(str(message['content']).split())}"
    for call in message.get("tool_calls") or ():
        function = call.get("function", {})
        yield f"{message.get('role')} calls {function.get('name')}({function.get('arguments')})"


# what statemem reports


def _reported(judged: Judged, result: Result, form: str, *, knows: bool) -> Iterator[str]:
    """The explanation of each cell that a question is about, as it was when it was asked."""
    dialogue, question = result.dialogue, judged.question
    texts = sorted(judged.missed | judged.wrong) or sorted(judged.expected)
    entries = [one for text in texts for one in entries_of(text, question, dialogue)]
    entries = with_premises(entries, dialogue) if question.kind in LINKED else entries
    labels = Labels(dialogue, form)
    report = report_on(dialogue, form, knows=knows)
    cells = dict.fromkeys(labels.place(one.cell) for one in entries)
    for cell in list(cells)[:_MOST_CELLS]:
        yield from ("", f"what statemem has of {cell}")
        yield from _indented(_explanation(report, cell).splitlines())
    if len(cells) > _MOST_CELLS:
        yield from ("", f"… and {plural(len(cells) - _MOST_CELLS, 'more cell')}")


def _explanation(report: Report, cell: str) -> str:
    try:
        return report.explain(cell)
    except UsageError as error:
        return f"nothing: {error}"


def _indented(lines: Iterable[str]) -> Iterator[str]:
    return (f"  {line}".rstrip() for line in lines)
