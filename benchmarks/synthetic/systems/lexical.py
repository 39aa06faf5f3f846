"""An append-only log with a search by words: SQLite's FTS5, ranked by BM25, of which the best few come back.

Every write is a document in the words of the dialogue. Nothing is ever removed: a withdrawal is one more document. The
answer is what a reader of the documents would see, old values beside new ones.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from weakref import finalize

import attrs

from statemem.ir import Cell

from ..dialogue import Question
from ..questions import shown
from ..words import Words
from .base import Seen, Setting
from .lookups import Lookups

FOUND = 5
#: Runs of ideographs, kana and hangul, which are written without spaces, and runs of any other letters and digits.
_RUNS = re.compile(r"([\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+)|([^\W\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+)")


@attrs.frozen
class Document:
    """What one write says of which cell; a withdrawal has no value and no entry."""

    cell: str
    value: str | None
    entry: str | None


class TopK(Lookups):
    """The documents so far, and the best of them for a question."""

    def __init__(self, setting: Setting, found: int = FOUND) -> None:
        self._words = setting.words
        self._found = found
        self._documents: list[Document] = []
        self._spoken: dict[str, str] = {}
        self._index = sqlite3.connect(":memory:")
        finalize(self, self._index.close)
        self._index.execute("CREATE VIRTUAL TABLE documents USING fts5(words, tokenize='unicode61')")

    def read(self, seen: Seen) -> None:
        """Take in a turn: a document a write, and one a withdrawal."""
        for one in seen.writes:
            name = self._spoken[str(one.cell)] = spoken(one.cell, self._words)
            self._append(f"{name}: {one.value}", Document(str(one.cell), shown(one.value), one.id))
        for cell in seen.withdrawn:
            self._append(self._spoken.get(cell, cell), Document(cell, None, None))

    def _append(self, text: str, document: Document) -> None:
        self._index.execute("INSERT INTO documents VALUES (?)", (" ".join(terms(text)),))
        self._documents.append(document)

    def values(self, cell: str, question: Question) -> list[str]:
        """All values of the cell among what comes back."""
        return [one.value for one in self.retrieved(question.text) if one.cell == cell and one.value is not None]

    def trusted(self, entry: str, question: Question) -> list[str]:
        """What comes back is believed."""
        return ["yes"] if any(one.entry == entry for one in self.retrieved(question.text)) else []

    def retrieved(self, text: str) -> list[Document]:
        """The documents that share the most telling words with a text, the best first, later ones before earlier."""
        asked = dict.fromkeys(terms(text))
        if not asked:
            return []
        query = " OR ".join(f'"{one}"' for one in asked)
        found = self._index.execute(
            "SELECT rowid FROM documents WHERE documents MATCH ? ORDER BY rank, rowid DESC LIMIT ?",
            (query, self._found),
        )
        return [self._documents[row - 1] for (row,) in found]


def terms(text: str) -> Iterator[str]:
    """The words of a text; a run that is written without spaces counts as each two signs that stand side by side.

    >>> list(terms("订单 W15的状态"))
    ['订单', 'W15', '的状', '状态']
    """
    for dense, word in _RUNS.findall(text):
        yield from [word] if word else _pairs(dense)


def _pairs(run: str) -> list[str]:
    return [run[at : at + 2] for at in range(len(run) - 1)] or [run]


def spoken(cell: Cell, words: Words) -> str:
    """A cell in the words of the dialogue; notes and other cells without words of their own as they are written."""
    try:
        return words.spoken(cell)
    except KeyError:
        return str(cell)
