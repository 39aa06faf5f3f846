"""A dictionary: the last word on a cell replaces what was there, whatever it says and however old its news is."""

from __future__ import annotations

from collections.abc import Iterable

from ..dialogue import Question
from ..questions import NOTHING, shown
from .base import Seen, Setting, Written
from .lookups import Lookups


class Overwrite(Lookups):
    """What each cell holds: the entry that wrote it, and those that said the same since."""

    def __init__(self, _: Setting) -> None:
        self._there: dict[str, list[Written]] = {}
        self._cells: dict[str, str] = {}
        self._known: set[str] = set()
        self._replaced: list[str] = []

    def read(self, seen: Seen) -> None:
        """Take in a turn."""
        for one in seen.writes:
            self._write(one)
        for cell in seen.withdrawn:
            self._there.pop(cell, None)

    def _write(self, entry: Written) -> None:
        cell = self._cells[entry.id] = str(entry.cell)
        self._known.add(cell)
        before = self._there.get(cell, [])
        if before and shown(before[0].value) == shown(entry.value):
            before.append(entry)
            return
        self._replaced += (f"{old.id} by {entry.id}" for old in before)
        self._there[cell] = [entry]

    def values(self, cell: str, question: Question) -> list[str]:
        """The value of a cell; nothing where there was one."""
        there = [shown(one.value) for one in self._there.get(cell, ())[:1]]
        return there or ([NOTHING] if cell in self._known else [])

    def trusted(self, entry: str, question: Question) -> list[str]:
        """What is in the dictionary is believed, and what was replaced is not."""
        if entry not in self._cells:
            return []
        return ["yes" if any(one.id == entry for one in self._there.get(self._cells[entry], ())) else "no"]

    def findings(self, kind: str) -> Iterable[str] | None:
        """What was replaced, and what was written again with the same value."""
        if kind == "Supersede":
            return self._replaced
        if kind == "Merge":
            return [f"{new.id} into {there[0].id}" for there in self._there.values() for new in there[1:]]
        return None
