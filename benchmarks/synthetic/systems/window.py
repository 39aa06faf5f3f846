"""A sliding window: what was said in the last turns is known, and nothing else. The latest word on a cell counts."""

from __future__ import annotations

from ..dialogue import Question
from ..questions import NOTHING, shown
from .base import Seen, Setting, Written
from .lookups import Lookups

TURNS = 20


class Window(Lookups):
    """The last turns, twenty unless it is told otherwise."""

    def __init__(self, _: Setting, turns: int = TURNS) -> None:
        self._turns = turns
        self._now = 0
        self._latest: dict[str, tuple[int, str]] = {}
        self._written: dict[str, tuple[int, Written]] = {}

    def read(self, seen: Seen) -> None:
        """Take in a turn; what is withdrawn in the window is known to be withdrawn."""
        self._now = seen.number
        for one in seen.writes:
            self._latest[str(one.cell)] = seen.number, shown(one.value)
            self._written[one.id] = seen.number, one
        for cell in seen.withdrawn:
            self._latest[cell] = seen.number, NOTHING

    def values(self, cell: str, question: Question) -> list[str]:
        """The latest value of a cell, if it was said within the window."""
        turn, value = self._latest.get(cell, (0, NOTHING))
        return [value] if turn and self._reaches(turn) else []

    def trusted(self, entry: str, question: Question) -> list[str]:
        """What still stands in the window is believed, if nothing else was said of its cell since."""
        turn, written = self._written.get(entry, (0, None))
        if written is None or not self._reaches(turn):
            return []
        return ["yes" if self._latest[str(written.cell)][1] == shown(written.value) else "no"]

    def _reaches(self, turn: int) -> bool:
        return self._now - turn < self._turns
