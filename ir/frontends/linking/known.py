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
from .distinctive import HAN, han, is_distinctive, is_proper_name, is_quotable, link_key
from .entities import CALL, FORM
from .layers import Layered

Excluded = Callable[[Cell], bool]
Entries = dict[Cell, Entry]
#: Longer texts are not quoted word by word; so few lengths are tried at each word of a reply.
_LONGEST_PHRASE = 256
FIRST_WORD = re.compile(r"[A-Za-z0-9_]+|[^\W\d_a-zA-Z]+")
#: Chinese has no words to begin at: a text is looked up by so many of its first characters.
_FIRST_HAN = 2


class KnownValues:
    """Every entry made so far under its value, by field, the latest of a cell last.

    In a log an entry that has left force never comes back, so each is moved aside once, when it is first met so.
    """

    def __init__(self, state: State) -> None:
        self._state = state
        self._current: Layered[Hashable, Entries] = Layered(dict)
        self._by_field: Layered[Hashable, Entries] = Layered(dict)
        self._replaced: Layered[Hashable, dict[tuple[Cell, str], Entry]] = Layered(dict)
        self._phrases: Layered[str, dict[int, set[str]]] = Layered(_copied_sets)

    def copy(self, state: State) -> KnownValues:
        """The same values, of which those in force are told by another state."""
        other = KnownValues(state)
        other._current, other._by_field = self._current.copy(), self._by_field.copy()
        other._replaced, other._phrases = self._replaced.copy(), self._phrases.copy()
        return other

    def add(self, entry: Entry) -> None:
        """Make an entry findable by its value, a list by each scalar in it."""
        if not isinstance(entry.cell, Cell):
            return
        for field, value in _scalars(_field(entry.cell), entry.value):
            known = link_key(value)
            if known is not None:
                _put_last(self._current.owned(known, dict), entry)
                _put_last(self._by_field.owned((known, field), dict), entry)
                self._add_phrase(value)

    def in_force(self, value: Value, field: str, excluded: Excluded) -> tuple[Entry, bool] | None:
        """The entry in force that holds a value, and whether its field is named `field`: those first."""
        known = link_key(value)
        named = self._latest(self._by_field, (known, singular(field)), excluded)
        if named is not None:
            return named, True
        if not _is_telling(value):
            return None
        latest = self._latest(self._current, known, excluded)
        return None if latest is None else (latest, False)

    def replaced(self, value: Value, field: str, excluded: Excluded) -> Entry | None:
        """The entry no longer in force that held a value: distinctive in a field of that name, an identifier in any.

        A date or an amount that some other field once held is no sign that this one was meant.
        """
        if not is_distinctive(value):
            return None
        found = self._replaced.get(link_key(value)) or {}
        held = [(name, entry) for (cell, name), entry in reversed(found.items()) if not excluded(cell)]
        named = next((entry for name, entry in held if name == singular(field)), None)
        return named or (held[0][1] if held and is_proper_name(value) else None)

    def phrases(self, text: str, start: int) -> Iterator[str]:
        """The quotable texts of several words that stand in a text at a place, longest first."""
        lengths = self._phrases.get(_beginning(text, start)) or {}
        for length in sorted(lengths, reverse=True):
            end = start + length
            phrase = text[start:end]
            if phrase in lengths[length] and not _is_one_word(phrase[-1], text[end : end + 1]):
                yield phrase

    def unspaced(self, text: str) -> Iterator[str]:
        """The quotable texts that begin in Chinese, wherever in a text they stand: the longest, and none within it."""
        end = 0
        for character in HAN.finditer(text):
            phrase = next(self.phrases(text, character.start()), "") if character.start() >= end else ""
            if phrase:
                end = character.start() + len(phrase)
                yield phrase

    def _latest(self, table: Layered[Hashable, Entries], under: Hashable, excluded: Excluded) -> Entry | None:
        gone: list[Entry] = []
        found: Entry | None = None
        for cell, entry in reversed((table.get(under) or {}).items()):
            if not self._state.holds(entry):
                gone.append(entry)
            elif not excluded(cell):
                found = entry
                break
        if gone:
            self._set_aside(gone, table, under)
        return found

    def _set_aside(self, gone: list[Entry], table: Layered[Hashable, Entries], under: Hashable) -> None:
        """Move entries that have left force, the latest first, from where they stand to those that were replaced."""
        known, field = under if table is self._by_field and isinstance(under, tuple) else (under, None)
        entries, replaced = table.owned(under, dict), self._replaced.owned(known, dict)
        for entry in reversed(gone):
            assert isinstance(entry.cell, Cell)
            del entries[entry.cell]
            replaced[entry.cell, singular(_field(entry.cell) if field is None else field)] = entry

    def _add_phrase(self, value: Value) -> None:
        text = value.strip() if isinstance(value, str) and len(value) <= _LONGEST_PHRASE else ""
        beginning = _beginning(text, 0) if (" " in text or han(text)) and is_quotable(text) else ""
        if beginning:
            self._phrases.owned(beginning, dict).setdefault(len(text), set()).add(text)


def is_argument(cell: Cell) -> bool:
    """Whether a cell holds what a call was given, by itself or in a form, which is no source of its own."""
    return _is_below(cell, CALL) or is_slot(cell)


def is_slot(place: Place) -> bool:
    """Whether a place belongs to a form, whose calls fill in anew what others filled in: an old value is no slip."""
    return isinstance(place, Cell) and _is_below(place, FORM)


def _is_below(cell: Cell, kind: str) -> bool:
    return len(cell.path) > 1 and cell.path[0].text == kind and cell.path[1].kind == "key"


def _beginning(text: str, start: int) -> str:
    """By what a text that stands at a place is looked up: its first word, or in Chinese its first characters."""
    if HAN.match(text, start):
        return text[start : start + _FIRST_HAN]
    word = FIRST_WORD.match(text, start)
    return word[0] if word else ""


def _is_one_word(last: str, following: str) -> bool:
    """Whether a word goes on from one character to the next; Chinese does not say where it ends."""
    return last.isalnum() and following.isalnum() and not han(last + following)


def _copied_sets(sets: dict[int, set[str]]) -> dict[int, set[str]]:
    return {length: set(texts) for length, texts in sets.items()}


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
