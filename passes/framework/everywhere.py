"""Events that do the same to every place: a method is asked once for each kind, with a cell that stands for all.

A method that looks at nothing of the cell it is given cannot treat two cells differently. So a cell is put to it that
tells when it is looked at.
"""

from __future__ import annotations

import enum
from contextlib import nullcontext
from typing import Any, Final, Literal

from statemem.ir import Cell, How, Mode

from .accesses import Event
from .lattices import Sets
from .transfer import Transfer, hears
from .verbs import NotPacked, Verbs


class Nothing(enum.Enum):
    """An event that changes no member."""

    NEITHER = "neither"


NEITHER: Final = Nothing.NEITHER
Own = bool | Literal[Nothing.NEITHER] | None


class Looked(BaseException):
    """A method looks at its cell, or at the point; nothing an author catches."""


def _raise_looked(*_: Any) -> Any:
    raise Looked


_look: Any = _raise_looked


class _AnyCell(Cell):
    """A cell that tells when it is looked at."""

    __slots__ = ()
    __getattribute__ = __getitem__ = __iter__ = __len__ = __contains__ = _look
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __hash__ = _look
    __str__ = __repr__ = __format__ = __bool__ = _look


class _AnyPoint:
    """A point of which nothing may be looked at, but that nothing is outranked where nothing has a rank."""

    def __init__(self, *, unranked: bool) -> None:
        self._unranked = unranked

    def __getattr__(self, name: str) -> Any:
        if name == "outrankable" and self._unranked:
            return False
        raise Looked


class _OwnVerbs(Verbs):
    """Takes down what a method does to the cell it is given; to do anything to another is to look."""

    def __init__(self, cell: Cell, *, dominant: bool) -> None:
        super().__init__(dominant=dominant)
        self._cell = cell

    def gen(self, member: Any) -> None:
        """Takes down that the cell is put in."""
        self._check(member)
        super().gen(None)

    def kill(self, member: Any) -> None:
        """Takes down that the cell is taken out."""
        self._check(member)
        super().kill(None)

    def _check(self, member: Any) -> None:
        if member is not self._cell:
            raise Looked


class Everywhere:
    """What events of each kind do to their own place, whatever it is."""

    def __init__(self, transfer: Transfer, *, unranked: bool) -> None:
        self._transfer = transfer
        self._events = transfer.graph.accesses.events
        self._cell: Cell = _AnyCell((), ())  # type: ignore[arg-type]
        self._at: Any = _AnyPoint(unranked=unranked)
        self._known: dict[tuple[Any, bool], Own] = {}
        self._own: list[Own] = []
        analysis = transfer.analysis
        self._hears_read = hears(analysis, "on_read")
        self._hears_write = hears(analysis, "on_write", "on_fill", "on_delete", "on_scope_end")
        self._hears_other = hears(analysis, "on_bind", "on_unite", "on_effect")

    def own(self) -> list[Own]:
        """Of each code what its events do to their place; None where the method has to be asked for each place."""
        if len(self._own) < len(self._events):
            self._own.extend(map(self._of, self._events[len(self._own) :]))
        return self._own

    def is_heard(self, event: Event) -> bool:
        """Whether the analysis gave a method for an event."""
        if isinstance(event.how, How):
            return self._hears_read
        return self._hears_write if isinstance(event.how, Mode) else self._hears_other

    def _of(self, event: Event) -> Own:
        if not self.is_heard(event):
            return NEITHER
        if event.place is None:
            return None
        kind = event.how, event.definite
        if kind not in self._known:
            self._known[kind] = self._ask(event)
        return self._known[kind]

    def _ask(self, event: Event) -> Own:
        sets = self._transfer.analysis.facts
        assert isinstance(sets, Sets)
        verbs = _OwnVerbs(self._cell, dominant=sets.dominant)
        try:
            with nullcontext() if event.definite else verbs.maybe():
                self._call(event.how, verbs)
        except (Looked, NotPacked):
            return None
        return verbs.effect.get(None, NEITHER)

    def _call(self, how: Any, verbs: Verbs) -> None:
        analysis = self._transfer.analysis
        if isinstance(how, How):
            analysis.on_read(self._cell, how, verbs, self._at)
        else:
            self._transfer.write_event(self._cell, how, verbs, self._at)
