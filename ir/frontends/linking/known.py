"""The values known at a point of a log, looked up by value."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from typing import Any

from ...cells import Cell
from ...identity import singular
from ...program import Entry
from ...state import State
from ...values import Value
from .distinctive import is_distinctive, link_key

Excluded = Callable[[Cell], bool]


class KnownValues:
    """Every entry made so far under its value, the latest of a cell last."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._entries: dict[Hashable, dict[tuple[Cell, str], Entry]] = {}
        self._phrases: dict[str, dict[str, None]] = {}

    def add(self, entry: Entry) -> None:
        """Make an entry findable by its value, a list by each scalar in it."""
        if not isinstance(entry.cell, Cell):
            return
        for field, value in _scalars(_field(entry.cell), entry.value):
            known = link_key(value)
            if known is not None:
                entries = self._entries.setdefault(known, {})
                entries.pop((entry.cell, field), None)
                entries[entry.cell, field] = entry
                self._add_phrase(value)

    def in_force(self, value: Value, field: str, excluded: Excluded) -> tuple[Entry, bool] | None:
        """The entry in force that holds a value, and whether its field is named `field`: those first."""
        latest: Entry | None = None
        for (cell, name), entry in self._candidates(value):
            if excluded(cell) or not self._state.holds(entry):
                continue
            if name == singular(field):
                return entry, True
            latest = latest or entry
        if latest is None or not _is_telling(value):
            return None
        return latest, False

    def replaced(self, value: Value, field: str, excluded: Excluded) -> Entry | None:
        """The entry no longer in force that held a distinctive value, those of the field's name first."""
        if not is_distinctive(value):
            return None
        held = [(name, entry) for (cell, name), entry in self._candidates(value) if not excluded(cell)]
        named = (entry for name, entry in held if name == singular(field))
        return next(named, held[0][1] if held else None)

    def phrases(self, first_word: str) -> Iterator[str]:
        """The distinctive texts of several words that begin with a word, longest first."""
        return iter(sorted(self._phrases.get(first_word, ()), key=len, reverse=True))

    def _candidates(self, value: Value) -> list[tuple[tuple[Cell, str], Entry]]:
        """The entries with a value, latest first."""
        return list(reversed(self._entries.get(link_key(value), {}).items()))

    def _add_phrase(self, value: Value) -> None:
        if isinstance(value, str) and " " in value.strip() and is_distinctive(value):
            self._phrases.setdefault(value.split()[0], {})[value.strip()] = None


def _is_telling(value: Value) -> bool:
    """Whether equality with a field of another name means anything: `true`, nothing and one digit do not."""
    return not (value is None or isinstance(value, bool) or len(str(value).strip()) < 2)


def _field(cell: Cell) -> str:
    """The nearest attribute name of a cell."""
    return next((segment.text for segment in reversed(cell.path) if segment.kind == "name"), "")


def _scalars(field: str, value: Any) -> Iterator[tuple[str, Value]]:
    """The scalars of a leaf with the folded name of the field they stand in."""
    work = [(field, value)]
    while work:
        name, item = work.pop()
        if isinstance(item, dict):
            work.extend(item.items())
        elif isinstance(item, list):
            work.extend((name, part) for part in item)
        else:
            yield singular(name), item
