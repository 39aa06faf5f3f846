"""Slots in force from text and calls, against the annotation that the log hides.

After each exchange every gold slot is looked for among the values in force that a person said or a call was given
(recall), and every such value among the gold slots (precision). What is missed or too much is counted by its cause.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.lowering.slots_found import Found, found_in, in_force, lowered, states
from benchmarks.lowering.slots_log import Dialogue, Forms, Point, norm
from benchmarks.lowering.tallies import Counts

MISSED = {
    "given": "a call was given it, and it is not in force",
    "dont_care": "nothing to say: any value will do",
    "said": "the user wrote it so, no pattern knows it, no call was given it yet",
    "told": "the system told it, no call was given it yet",
    "otherwise": "written otherwise in the log than in the annotation",
}
SURPLUS = {
    "changed": "a slot had this value and has another now",
    "early": "a call was given it before or without the annotation saying so",
    "said": "the user wrote it, and it is no value of a slot",
}


@dataclass
class Figures(Counts):
    """Counts of slot-turns: a slot counts after each exchange at which it is in force.

    Several slots may hold one value: `found_right` are the values in force that gold slots have.
    """

    named: int = 0
    found_right: int = 0

    @property
    def precision(self) -> float | None:
        """How many of the values in force are those of gold slots."""
        return self.found_right / self.found if self.found else None


def measure(dialogues: Iterable[Dialogue], domain: Path | None = None) -> Figures:
    """The figures of some dialogues together, by what a domain file says of their calls."""
    figures = Figures()
    for dialogue in dialogues:
        figures.dialogues += 1
        _Measuring(dialogue, figures).run(domain)
    return figures


class _Measuring:
    """One dialogue, exchange by exchange."""

    def __init__(self, dialogue: Dialogue, figures: Figures) -> None:
        self._dialogue = dialogue
        self._figures = figures
        self._known: list[Found] = []
        self._texts: dict[str, str] = {"user": "", "assistant": "", "tool": ""}
        self._before: set[str] = set()

    def run(self, domain: Path | None) -> None:
        """Step through the program and compare at every point."""
        program = lowered(self._dialogue, domain)
        points = {point.messages: point for point in self._dialogue.points}
        for block, state in states(program):
            self._known += found_in(program, self._dialogue, block)
            self._hear(block)
            point = points.get(block + 1)
            if point is not None:
                self._compare(point, [one for one in self._known if in_force(state, one)])

    def _hear(self, block: int) -> None:
        message = self._dialogue.messages[block]
        self._texts[message["role"]] += f"\n{(message['content'] or '').casefold()}"

    def _compare(self, point: Point, held: list[Found]) -> None:
        values = {one.value for one in held}
        names = {(self._service(one), one.name, one.value) for one in held}
        for (service, slot), forms in point.slots.items():
            self._figures.gold += 1
            self._figures.named += any((service, slot, form) in names for form in forms)
            if forms & values:
                self._figures.right += 1
            else:
                self._figures.missed[self._cause(forms)] += 1
        self._judge(held, frozenset[str]().union(*point.slots.values()))
        self._before |= frozenset[str]().union(*point.slots.values())

    def _judge(self, held: list[Found], gold: Forms) -> None:
        by_value = {one.value: one for one in reversed(held)}
        for value, one in by_value.items():
            self._figures.found += 1
            if value in gold:
                self._figures.found_right += 1
            else:
                cause = "changed" if value in self._before else "early" if one.tool else "said"
                self._figures.surplus[cause] += 1

    def _service(self, one: Found) -> str:
        return self._dialogue.services.get(one.message, "")

    def _cause(self, forms: Forms) -> str:
        if any(one.value in forms and one.tool for one in self._known):
            return "given"
        if "dontcare" in forms:
            return "dont_care"
        for role, cause in (("user", "said"), ("assistant", "told"), ("tool", "told")):
            if any(_stands_in(form, self._texts[role]) for form in _texts_of(forms)):
                return cause
        return "otherwise"


def _stands_in(form: str, text: str) -> bool:
    """Whether a text has a form in whole words."""
    return re.search(rf"(?<!\w){re.escape(form)}(?!\w)", text) is not None


def _texts_of(forms: Forms) -> Iterator[str]:
    """How the forms stand in a text: a whole number without its fraction."""
    for form in forms:
        yield form.removesuffix(".0") if norm(form.removesuffix(".0")) == form else form
