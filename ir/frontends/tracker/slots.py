"""The slots in force at a point of a tracker, looked up by name and by what a text quotes of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Final

from ...values import Value
from ..linking.distinctive import is_distinctive

#: What a slot holds that is empty.
MISSING: Final = object()
#: A word of Latin letters, or one letter of a script that may write without blanks.
_WORD = re.compile(r"[A-Za-z0-9_]+|[^\W\d_a-zA-Z]")
_SHORTEST = 3
_SHORTEST_ELSEWHERE = 2


class Slots:
    """Slots by name, and by their value as it stands in a text."""

    def __init__(self) -> None:
        self._held: dict[str, Value] = {}
        self._by_text: dict[str, dict[str, None]] = {}
        self._lengths: dict[str, Counter[int]] = {}  # of the values that begin with a word

    def get(self, slot: str) -> Value:
        """What a slot holds, MISSING where it is empty."""
        return self._held.get(slot, MISSING)

    def names(self) -> list[str]:
        """The slots that hold something, in the order in which they came to."""
        return list(self._held)

    def put(self, slot: str, value: Value) -> Value:
        """Set or empty a slot and return what it held before."""
        before = self._held.pop(slot, MISSING)
        self._forget(slot, before)
        if value is MISSING:
            return before
        self._held[slot] = value
        word = _first_word(value)
        if word is not None:
            self._by_text.setdefault(str(value), {})[slot] = None
            self._lengths.setdefault(word, Counter())[len(str(value))] += 1
        return before

    def _forget(self, slot: str, value: Value) -> None:
        word = _first_word(value)
        if word is None:
            return
        del self._by_text[str(value)][slot]
        lengths = self._lengths[word]
        lengths[len(str(value))] -= 1
        if not lengths[len(str(value))]:
            del lengths[len(str(value))]

    def quoted(self, text: str) -> list[str]:
        """The slots whose value stands in a text in whole words; of several with one value the latest.

        >>> slots = Slots()
        >>> _ = slots.put("dish", "pad thai"), slots.put("seats", 4), slots.put("town", "Rome")
        >>> slots.quoted("Pad thai? We have pad thai for 4 in Romeo Street.")
        ['dish']
        """
        return list(dict.fromkeys(self._quoted(text)))

    def _quoted(self, text: str) -> Iterator[str]:
        for match in _WORD.finditer(text):
            for length in self._lengths.get(match[0], ()):
                end = match.start() + length
                slots = self._by_text.get(text[match.start() : end])
                if slots and not _goes_on(text, end):
                    yield next(reversed(slots))


def _first_word(value: Value) -> str | None:
    """The word by which a value is found in a text; None for one that is too short to mean anything there."""
    if isinstance(value, str):
        word = _WORD.match(value)
        return word[0] if word and len(value) >= (_SHORTEST if value.isascii() else _SHORTEST_ELSEWHERE) else None
    if isinstance(value, (int, float)) and is_distinctive(value):
        word = _WORD.match(str(value))
        return word[0] if word else None
    return None


def _goes_on(text: str, end: int) -> bool:
    """Whether a place lies within a word of Latin letters."""
    around = text[end - 1 : end + 1]
    return len(around) == 2 and around.isascii() and around.isalnum()
