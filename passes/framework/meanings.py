"""What an analysis of sets makes of the kinds of events and of the words they spell, asked once for each kind.

A method that looks at nothing of the cell it is given does the same to each. So it is asked with a cell that tells when
it is looked at; of the point it may see who acts and whether the write may be outranked, which the kind says.
"""

from __future__ import annotations

from contextlib import contextmanager, nullcontext
from typing import Any

from statemem.ir import Cell, How

from .lattices import Sets
from .transfer import Transfer, hears
from .words import EMPTY, Kind, Words


class NotPacked(Exception):
    """What an analysis does cannot be told beforehand; says why."""


class Looked(BaseException):
    """A method looks at what differs from event to event; nothing an author catches."""


def _raise_looked(*_: Any) -> Any:
    raise Looked("a method looks at its cell")


_look: Any = _raise_looked


class _AnyCell(Cell):
    """A cell that tells when it is looked at."""

    __slots__ = ()
    __getattribute__ = __getitem__ = __iter__ = __len__ = __contains__ = _look
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __hash__ = _look
    __str__ = __repr__ = __format__ = __bool__ = __add__ = __mul__ = __reduce_ex__ = _look


class _Point:
    """The point of any event of one kind."""

    def __init__(self, kind: Kind) -> None:
        self.actor = kind.actor
        self.outrankable = kind.outrankable

    def __getattr__(self, name: str) -> Any:
        raise Looked(f"a method looks at .{name}")


class _Verbs:
    """A state that can only be written, and only at the one cell."""

    def __init__(self, cell: Any, *, dominant: bool) -> None:
        self.holds: bool | None = None
        self._cell = cell
        self._dominant = dominant

    def gen(self, member: Any) -> None:
        """The cell is put in."""
        self._write(member, True)

    def kill(self, member: Any) -> None:
        """The cell is taken out."""
        self._write(member, False)

    def _write(self, member: Any, holds: bool) -> None:
        if member is not self._cell:
            raise Looked("a method puts in or takes out another member than its cell")
        self.holds = holds

    @contextmanager
    def maybe(self) -> Any:
        """Of what may not happen, that is left which wins at a join."""
        before = self.holds
        yield
        if self.holds is not self._dominant:
            self.holds = before

    def _read(self, *_: Any) -> Any:
        raise Looked("a method reads its state")

    def __getattr__(self, name: str) -> Any:
        raise Looked(f"a method reads its state: .{name}")

    __contains__ = __iter__ = __len__ = __bool__ = _read


class Meanings:
    """Whether a word puts its place in or takes it out; None where it leaves the place as it was."""

    def __init__(self, transfer: Transfer, words: Words) -> None:
        sets = transfer.analysis.facts
        assert isinstance(sets, Sets)
        self._transfer = transfer
        self._words = words
        self._dominant = sets.dominant
        self._cell: Any = _AnyCell((), ())  # type: ignore[arg-type]
        self._of_kind: list[bool | None] = []
        self._of_word: list[bool | None] = []
        self._hears_read = hears(transfer.analysis, "on_read")
        self._hears_write = hears(transfer.analysis, "on_write", "on_fill", "on_delete", "on_scope_end")

    def of(self, word: int) -> bool | None:
        """What a word means. Raises `NotPacked` where a method looks at more than it may."""
        if word >= len(self._of_word):
            self._learn()
        return self._of_word[word]

    def _learn(self) -> None:
        """The last kind that changes anything, in the direction of the analysis, decides."""
        kinds, words = self._of_kind, self._words
        kinds.extend(map(self._ask, words.kinds[len(kinds) :]))
        for word in range(len(self._of_word), len(words.last)):
            if word == EMPTY:
                self._of_word.append(None)
                continue
            last, before = kinds[words.last[word]], self._of_word[words.shorter[word]]
            first, second = (last, before) if self._transfer.forward else (before, last)
            self._of_word.append(second if first is None else first)

    def _ask(self, kind: Kind) -> bool | None:
        is_read = isinstance(kind.how, How)
        if not (self._hears_read if is_read else self._hears_write):
            return None
        verbs, point = _Verbs(self._cell, dominant=self._dominant), _Point(kind)
        try:
            with nullcontext() if kind.definite else verbs.maybe():
                self._call(kind, verbs, point)
        except Looked as looked:
            raise NotPacked(str(looked)) from None
        return verbs.holds

    def _call(self, kind: Kind, verbs: Any, point: Any) -> None:
        if isinstance(kind.how, How):
            self._transfer.analysis.on_read(self._cell, kind.how, verbs, point)
        else:
            self._transfer.write_event(self._cell, kind.how, verbs, point)
