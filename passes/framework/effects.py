"""What the methods of a set analysis gen and kill, asked once per kind of event instead of once per event.

An event has one effect wherever it happens, as long as a method looks at nothing but its cell. What else a method looks
at is seen while it is asked: who acts, or whether the write may be outranked, and its effect is kept for each of these
apart; of what differs from event to event, the instruction say, it is asked each time. A method that reads its own
state or facts of other passes has no such effect.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import nullcontext
from typing import Any, Final

from statemem.ir import How, Mode
from statemem.ir.meaning.resolve import PlaceWrite

from .analysis import At
from .everywhere import NEITHER, Everywhere
from .lattices import Sets
from .numbering import Numbering
from .transfer import Transfer, hears
from .verbs import KEPT, Glance, Verbs

#: What an event does to members, by their numbers.
Effect = Mapping[int, bool]
NONE: Final[Effect] = {}


class Effects:
    """The effects of the events of one analysis, on members by their numbers."""

    def __init__(self, transfer: Transfer) -> None:
        self._transfer = transfer
        self._graph = transfer.graph
        lattice = transfer.analysis.facts
        assert isinstance(lattice, Sets)
        self._dominant = lattice.dominant
        self._unranked = self._graph.accesses.is_unranked()
        self.numbering = Numbering(self._graph.accesses.numbers)
        self._everywhere = Everywhere(transfer, unranked=self._unranked)
        self._known: dict[int, Effect] = {}  # of each code whose effect is one for all its events
        self._looked: dict[int, tuple[str, ...]] = {}
        self._kept: dict[tuple[Any, ...], Effect] = {}
        self._hears_end = hears(transfer.analysis, "on_end")

    def grow(self) -> None:
        """Take in that a program has grown: what was found without ranks holds for programs without ranks."""
        if self._unranked and not self._graph.accesses.is_unranked():
            self._unranked = False
            self._everywhere = Everywhere(self._transfer, unranked=False)
            for kept in (self._known, self._looked, self._kept):
                kept.clear()

    def node(self, node: int) -> dict[int, bool]:
        """The effect of a node: of all its events in the order facts flow, the last on each member."""
        forward, accesses = self._transfer.forward, self._graph.accesses
        codes, places = accesses.tape(node), accesses.place_of
        own = self._everywhere.own()
        found: dict[int, bool] = {} if forward else dict(self.end(node))
        for code in codes if forward else reversed(codes):
            holds = own[code]
            if holds is None:
                return self._asked(node)
            if holds is not NEITHER:
                found[places[code]] = holds
        if forward:
            found.update(self.end(node))
        return found

    def _asked(self, node: int) -> dict[int, bool]:
        """As `node`, asking for the effects of events that do not do the same to every place."""
        forward, accesses = self._transfer.forward, self._graph.accesses
        found: dict[int, bool] = {} if forward else dict(self.end(node))
        numbers = self._graph.flow.executed(node)
        for number in numbers if forward else reversed(numbers):
            codes = accesses.codes(number)
            for code in codes if forward else reversed(codes):
                effect = self._known.get(code)
                found.update(self._ask(code, number, node) if effect is None else effect)
        if forward:
            found.update(self.end(node))
        return found

    def end(self, node: int) -> Effect:
        """What the end of the program does at a node."""
        if not self._hears_end or self._graph.flow.successors[node]:
            return NONE
        verbs = Verbs(dominant=self._dominant)
        at = At(self._graph.program, self._graph.accesses, self._graph.flow.block_of(node), node=node)
        self._transfer.end(node, verbs, Glance(at, unranked=self._unranked))  # type: ignore[arg-type]
        return self._numbered(verbs.effect)

    def _numbered(self, effect: Mapping[Any, bool]) -> Effect:
        return {self.numbering.number(member): holds for member, holds in effect.items()}

    def _ask(self, code: int, number: int, node: int) -> Effect:
        """The effect of one event, kept for each value of what its method looks at."""
        if not self._everywhere.is_heard(self._graph.accesses.events[code]):
            return self._known.setdefault(code, NONE)
        at = At(self._graph.program, self._graph.accesses, self._graph.flow.block_of(node), number, node)
        at.write, at.was = self._write(code, number), self._graph.accesses.events[code].was
        looked = self._looked.get(code)
        if looked is not None and KEPT.issuperset(looked):
            key = (code, looked, *(getattr(at, name) for name in looked))
            if key in self._kept:
                return self._kept[key]
        glance = Glance(at, unranked=self._unranked)
        effect = self._happen(code, number, glance, at.write)
        self._looked[code] = tuple(sorted({*(looked or ()), *glance.looked}))
        self._keep(code, at, effect)
        return effect

    def _keep(self, code: int, at: At, effect: Effect) -> None:
        looked = self._looked[code]
        if not looked:
            self._known[code] = effect
        elif KEPT.issuperset(looked):
            self._kept[(code, looked, *(getattr(at, name) for name in looked))] = effect

    def _happen(self, code: int, number: int, glance: Any, write: PlaceWrite | None) -> Effect:
        """Calls the method for one event."""
        event, verbs = self._graph.accesses.events[code], Verbs(dominant=self._dominant)
        with nullcontext() if event.definite else verbs.maybe():
            if write is not None:
                self._transfer.written(write, verbs, glance)
            elif isinstance(event.how, How):
                self._transfer.analysis.on_read(self._graph.accesses.place(code), event.how, verbs, glance)
            else:
                self._transfer.other(self._graph.program.instructions[number], verbs, glance)
        return self._numbered(verbs.effect)

    def _write(self, code: int, number: int) -> PlaceWrite | None:
        """The write of an instruction that is an event of one code."""
        event = self._graph.accesses.events[code]
        writes = self._graph.accesses.writes(number)
        found = (one for one in writes if (one.mode, one.place, one.definite) == event[:3])
        return next(found, None) if isinstance(event.how, Mode) else None
