"""Counting answers: how many were right, missed or wrong, by what they are answers to."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from typing import TypeVar

import attrs

from .dialogue import Plant
from .scoring import Judged, Result

K = TypeVar("K", bound=Hashable)


@attrs.frozen
class Tally:
    """How many answers were right, missed and wrong; `unanswered` are those missed because a system cannot answer."""

    right: int = 0
    missed: int = 0
    wrong: int = 0
    unanswered: int = 0

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.right + other.right,
            self.missed + other.missed,
            self.wrong + other.wrong,
            self.unanswered + other.unanswered,
        )

    @property
    def recall(self) -> float | None:
        """The share of what was to be told that was told; None where nothing was."""
        return self.right / (self.right + self.missed) if self.right + self.missed else None

    @property
    def precision(self) -> float | None:
        """The share of what was told that is so; None where nothing was told."""
        return self.right / (self.right + self.wrong) if self.right + self.wrong else None

    @property
    def is_beyond(self) -> bool:
        """Whether the system cannot answer any of it."""
        return self.unanswered > 0 and self.unanswered == self.missed and not self.right + self.wrong


#: Stands for the story of an answer that belongs to none.
NO_STORY = "?"


@attrs.frozen
class Place:
    """What answers are counted by: who was asked in which dialogue, what, and of what kind of story."""

    suite: str
    system: str
    level: str
    turns: int
    kind: str
    story: str
    depth: int
    distance: int


Counts = Mapping[Place, Tally]


def counted(suite: str, level: str, result: Result) -> dict[Place, Tally]:
    """All answers of a system on a dialogue, counted."""
    found: dict[Place, Tally] = {}
    turns = len(result.dialogue.turns)
    for judged in result.judged:
        for text, tally in _answers(judged):
            plant = plant_of(judged, text, result)
            about = (NO_STORY, 0, 0) if plant is None else (plant.kind, plant.depth, plant.distance)
            place = Place(suite, result.system, level, turns, judged.question.kind, *about)
            found[place] = found.get(place, Tally()) + tally
    return found


def _answers(judged: Judged) -> Iterator[tuple[str, Tally]]:
    missed = Tally(missed=1, unanswered=0 if judged.answered else 1)
    for texts, tally in ((judged.right, Tally(right=1)), (judged.missed, missed), (judged.wrong, Tally(wrong=1))):
        yield from ((text, tally) for text in sorted(texts))


def plant_of(judged: Judged, text: str, result: Result) -> Plant | None:
    """The story to which an answer belongs: the one that asked, else the first of those that the answer speaks of."""
    if judged.question.plant is not None:
        return judged.question.plant
    return next(iter(result.dialogue.plants_in(text)), None)


def summed(counts: Iterable[Counts], key: Callable[[Place], K | None]) -> dict[K, Tally]:
    """Counts put together by a key; what has none is left out."""
    found: dict[K, Tally] = {}
    for each in counts:
        for place, tally in each.items():
            own = key(place)
            if own is not None:
                found[own] = found.get(own, Tally()) + tally
    return found
