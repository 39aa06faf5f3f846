"""What an analysis of sets makes of the kinds of events and of the words they spell, asked once for each kind.

A method that looks at nothing of the cell it is given does the same to each. So it is asked with something that stands
for any cell and tells when it is looked at, and again with a cell that there is; of the point it may see who acts and
whether the write may be outranked, which the kind says.
"""

from __future__ import annotations

from contextlib import contextmanager, nullcontext
from typing import Any, NoReturn

from statemem.ir import Cell, How

from .lattices import Sets
from .transfer import Transfer, hears
from .words import EMPTY, Kind, Words


class NotPacked(Exception):
    """What an analysis does cannot be told beforehand; says why."""


class Looked(BaseException):
    """A method looks at what differs from event to event; nothing an author catches."""


class _Watch:
    """Takes down that something was looked at, whoever catches what that raises."""

    def __init__(self) -> None:
        self.seen: str | None = None

    def looked(self, what: str) -> NoReturn:
        self.seen = self.seen or what
        raise Looked(what)


class _AnyCell:
    """Stands for any cell; it is none, so that nothing can be read off it unseen."""

    __slots__ = ("_watch",)

    def __init__(self, watch: _Watch) -> None:
        object.__setattr__(self, "_watch", watch)

    def _look(self, *_: Any) -> Any:
        object.__getattribute__(self, "_watch").looked("a method looks at its cell")

    def __getattribute__(self, name: str) -> Any:
        object.__getattribute__(self, "_watch").looked(f"a method looks at its cell: .{name}")

    __getitem__ = __iter__ = __len__ = __contains__ = __bool__ = _look
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __hash__ = _look
    __str__ = __repr__ = __format__ = __add__ = __radd__ = __mod__ = __rmod__ = _look


class _Point:
    """The point of any event of one kind."""

    def __init__(self, kind: Kind, watch: _Watch) -> None:
        self.actor = kind.actor
        self.outrankable = kind.outrankable
        self._watch = watch

    def __getattr__(self, name: str) -> Any:
        self._watch.looked(f"a method looks at .{name}")


class _Verbs:
    """A state that can only be written, and only at the one cell."""

    def __init__(self, cell: Any, watch: _Watch, *, dominant: bool) -> None:
        self.holds: bool | None = None
        self._cell = cell
        self._watch = watch
        self._dominant = dominant

    def gen(self, member: Any) -> None:
        """The cell is put in."""
        self._write(member, True)

    def kill(self, member: Any) -> None:
        """The cell is taken out."""
        self._write(member, False)

    def _write(self, member: Any, holds: bool) -> None:
        if member is not self._cell:
            self._watch.looked("a method puts in or takes out another member than its cell")
        self.holds = holds

    @contextmanager
    def maybe(self) -> Any:
        """Of what may not happen, that is left which wins at a join."""
        before = self.holds
        yield
        if self.holds is not self._dominant:
            self.holds = before

    def _read(self, *_: Any) -> Any:
        self._watch.looked("a method reads its state")

    def __getattr__(self, name: str) -> Any:
        self._watch.looked(f"a method reads its state: .{name}")

    __contains__ = __iter__ = __len__ = __bool__ = _read


class Meanings:
    """Whether a word puts its place in or takes it out; None where it leaves the place as it was."""

    def __init__(self, transfer: Transfer, words: Words) -> None:
        sets = transfer.analysis.facts
        assert isinstance(sets, Sets)
        self._transfer = transfer
        self._words = words
        self._dominant = sets.dominant
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
        new = slice(len(kinds), None)
        kinds.extend(map(self._ask, words.kinds[new], words.first_cells[new]))
        for word in range(len(self._of_word), len(words.last)):
            if word == EMPTY:
                self._of_word.append(None)
                continue
            last, before = kinds[words.last[word]], self._of_word[words.shorter[word]]
            first, second = (last, before) if self._transfer.forward else (before, last)
            self._of_word.append(second if first is None else first)

    def _ask(self, kind: Kind, cell: Cell) -> bool | None:
        """What a method does to any cell, and to be sure to one that there is."""
        is_read = isinstance(kind.how, How)
        if not (self._hears_read if is_read else self._hears_write):
            return None
        holds = self._done(kind, None)
        if self._done(kind, cell) is not holds:
            raise NotPacked("a method does not do the same to every cell")
        return holds

    def _done(self, kind: Kind, cell: Cell | None) -> bool | None:
        """What a method does to a cell; to any where none is given."""
        watch = _Watch()
        given: Any = _AnyCell(watch) if cell is None else cell
        verbs: Any = _Verbs(given, watch, dominant=self._dominant)
        point: Any = _Point(kind, watch)
        try:
            with nullcontext() if kind.definite else verbs.maybe():
                if isinstance(kind.how, How):
                    self._transfer.analysis.on_read(given, kind.how, verbs, point)
                else:
                    self._transfer.write_event(given, kind.how, verbs, point)
        except (Exception, Looked) as error:  # what a method raises of its own it raises again where it really happens
            raise NotPacked(watch.seen or f"a method raises {type(error).__name__}") from None
        if watch.seen is not None:
            raise NotPacked(watch.seen)
        found: bool | None = verbs.holds
        return found
