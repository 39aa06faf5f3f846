"""Of which entries and stories a question and its answers speak."""

from __future__ import annotations

from collections.abc import Iterable

from .dialogue import Dialogue, Entry, Plant, Question
from .scoring import Judged


def entries_of(text: str, question: Question, dialogue: Dialogue) -> list[Entry]:
    """The entries that an answer names, else those that the question is about: of its entry, or of its cell so far."""
    return dialogue.entries_in(text) or entries_asked(question, dialogue)


def entries_asked(question: Question, dialogue: Dialogue) -> list[Entry]:
    """The entries that a question is about, none where it is about the whole dialogue."""
    if question.about in dialogue.entries:
        return [dialogue.entries[question.about]]
    cell = question.about.partition(" = ")[0]
    return [one for one in dialogue.entries.values() if str(one.cell) == cell and one.turn <= question.turn]


def with_premises(entries: Iterable[Entry], dialogue: Dialogue) -> list[Entry]:
    """Entries with all that they rest on, however far below."""
    found = {one.id: one for one in entries}
    work = list(found.values())
    while work:
        below = [dialogue.entries[one] for one in work.pop().premises if one not in found]
        found |= {one.id: one for one in below}
        work += below
    return list(found.values())


def plants_of(judged: Judged, dialogue: Dialogue) -> list[Plant]:
    """The stories of a question: the one that asks, else those of what was missed or wrong, else of what was right."""
    if judged.question.plant is not None:
        return [judged.question.plant]
    texts = sorted(judged.missed | judged.wrong) or sorted(judged.expected)
    found = {plant.story: plant for text in texts for plant in dialogue.plants_in(text)}
    return list(found.values())
