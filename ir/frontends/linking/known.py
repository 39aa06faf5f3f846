"""The values known at a point of a log, looked up by value."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterator
from typing import Any

from ...cells import Cell, Place
from ...entries import Entry
from ...identity import singular
from ...state import State
from ...values import Value
from .distinctive import is_distinctive, is_proper_name, is_quotable, link_key
from .entities import CALL, FORM

Excluded = Callable[[Cell], bool]
Entries = dict[Cell, Entry]
#: Longer texts are not quoted word by word; so few lengths are tried at each word of a reply.
_LONGEST_PHRASE = 256
FIRST_WORD = re.compile(r"[A-Za-z0-9_]+|[^\W\d_a-zA-Z]+")


class KnownValues:
    """Every entry made so far under its value, by field, the latest of a cell last.

    In a log an entry that has left force never comes back, so each is moved aside once, when it is first met so.
    """

    def __init__(self, state: State) -> None:
        self._state = state
        self._current: dict[Hashable, Entries] = {}
        self._by_field: dict[tuple[Hashable, str], Entries] = {}
        self._replaced: dict[Hashable, dict[tuple[Cell, str], Entry]] = {}
        self._phrases: dict[str, dict[int, set[str]]] = {}

    def copy(self, state: State) -> KnownValues:
        """The same values, of which those in force are told by another state."""
        other = KnownValues(state)
        other._current = {known: dict(entries) for known, entries in self._current.items()}
        other._by_field = {known: dict(entries) for known, entries in self._by_field.items()}
        other._replaced = {known: dict(entries) for known, entries in self._replaced.items()}
        other._phrases = {
            word: {length: set(phrases) for length, phrases in lengths.items()}
            for word, lengths in self._phrases.items()
        }
        return other

    def add(self, entry: Entry) -> None:
        """Make an entry findable by its value, a list by each scalar in it."""
        if not isinstance(entry.cell, Cell):
            return
        for field, value in _scalars(_field(entry.cell), entry.value):
            known = link_key(value)
            if known is not None:
                _put_last(self._current.setdefault(known, {}), entry)
                _put_last(self._by_field.setdefault((known, field), {}), entry)
                self._add_phrase(value)

    def in_force(self, value: Value, field: str, excluded: Excluded) -> tuple[Entry, bool] | None:
        """The entry in force that holds a value, and whether its field is named `field`: those first."""
        known = link_key(value)
        named = self._latest(self._by_field.get((known, singular(field)), {}), known, singular(field), excluded)
        if named is not None:
            return named, True
        if not _is_telling(value):
            return None
        latest = self._latest(self._current.get(known, {}), known, None, excluded)
        return None if latest is None else (latest, False)

    def replaced(self, value: Value, field: str, excluded: Excluded) -> Entry | None:
        """The entry no longer in force that held a value: distinctive in a field of that name, an identifier in any.

        A date or an amount that some other field once held is no sign that this one was meant.
        """
        if not is_distinctive(value):
            return None
        found = self._replaced.get(link_key(value), {})
        held = [(name, entry) for (cell, name), entry in reversed(found.items()) if not excluded(cell)]
        named = next((entry for name, entry in held if name == singular(field)), None)
        return named or (held[0][1] if held and is_proper_name(value) else None)

    def phrases(self, text: str, start: int) -> Iterator[str]:
        """The quotable texts of several words that stand in a text at a place, longest first."""
        word = FIRST_WORD.match(text, start)
        lengths = self._phrases.get(word[0], {}) if word else {}
        for length in sorted(lengths, reverse=True):
            end = start + length
            phrase = text[start:end]
            if phrase in lengths[length] and not (text[end : end + 1].isalnum() and phrase[-1].isalnum()):
                yield phrase

    def _latest(self, entries: Entries, known: Hashable, field: str | None, excluded: Excluded) -> Entry | None:
        gone: list[Entry] = []
        found: Entry | None = None
        for cell, entry in reversed(entries.items()):
            if not self._state.holds(entry):
                gone.append(entry)
            elif not excluded(cell):
                found = entry
                break
        for entry in reversed(gone):
            self._set_aside(entries, entry, known, field)
        return found

    def _set_aside(self, entries: Entries, entry: Entry, known: Hashable, field: str | None) -> None:
        assert isinstance(entry.cell, Cell)
        del entries[entry.cell]
        name = _field(entry.cell) if field is None else field
        self._replaced.setdefault(known, {})[entry.cell, singular(name)] = entry

    def _add_phrase(self, value: Value) -> None:
        text = value.strip() if isinstance(value, str) and len(value) <= _LONGEST_PHRASE else ""
        word = FIRST_WORD.match(text) if " " in text and is_quotable(text) else None
        if word is not None:
            self._phrases.setdefault(word[0], {}).setdefault(len(text), set()).add(text)


def is_argument(cell: Cell) -> bool:
    """Whether a cell holds what a call was given, by itself or in a form, which is no source of its own."""
    return _is_below(cell, CALL) or is_slot(cell)


def is_slot(place: Place) -> bool:
    """Whether a place belongs to a form, whose calls fill in anew what others filled in: an old value is no slip."""
    return isinstance(place, Cell) and _is_below(place, FORM)


def _is_below(cell: Cell, kind: str) -> bool:
    return len(cell.path) > 1 and cell.path[0].text == kind and cell.path[1].kind == "key"


def _put_last(entries: Entries, entry: Entry) -> None:
    assert isinstance(entry.cell, Cell)
    entries.pop(entry.cell, None)
    entries[entry.cell] = entry


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
