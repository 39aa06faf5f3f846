"""What was missed or told wrongly, each with the command that explains it."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from typing import Any

import attrs

from .causes import Causes
from .scoring import Judged, Result
from .tallies import plant_of

COMMAND = "python -m benchmarks.synthetic"


@attrs.frozen
class Wrong:
    """One question that was not answered as it had to be. Questions are numbered from 1, as the dialogue asks them."""

    dialogue: str
    system: str
    number: int
    turn: int
    kind: str
    text: str
    expected: tuple[str, ...]
    missed: tuple[str, ...]
    wrong: tuple[str, ...]
    stories: tuple[str, ...]
    #: Why each was missed, where that is known.
    causes: Mapping[str, str] = attrs.field(factory=dict)

    @property
    def command(self) -> str:
        """What to type to have it explained."""
        return f"{COMMAND} explain {self.dialogue} {shlex.quote(self.system)} {self.number}"

    def record(self) -> dict[str, Any]:
        """It as JSON types."""
        return attrs.asdict(self) | {"command": self.command}


def wrongs(result: Result, system: str) -> Iterator[Wrong]:
    """The questions that a system did not answer as it had to, but for those that it cannot answer at all."""
    causes = Causes(result)
    for judged in result.judged:
        if judged.answered and (judged.missed or judged.wrong):
            yield _wrong(judged, result, system, causes.of(judged))


def _wrong(judged: Judged, result: Result, system: str, causes: Mapping[str, str]) -> Wrong:
    question = judged.question
    plants = (plant_of(judged, text, result) for text in sorted(judged.missed | judged.wrong))
    return Wrong(
        dialogue=result.dialogue.name,
        system=system,
        number=judged.number,
        turn=question.turn,
        kind=question.kind,
        text=question.text,
        expected=tuple(sorted(judged.expected)),
        missed=tuple(sorted(judged.missed)),
        wrong=tuple(sorted(judged.wrong)),
        stories=tuple(dict.fromkeys(one.story for one in plants if one is not None)),
        causes=causes,
    )
