"""What the methods of a set analysis gen and kill, asked once per kind of event instead of once per event.

An event has one effect wherever it happens, as long as a method looks at nothing but its cell. What else a method looks
at is seen while it is asked: who acts, or whether the write may be outranked, and its effect is kept for each of these
apart; of what differs from event to event, the instruction say, it is asked each time. A method that reads its own
state or facts of other passes has no such effect.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

from statemem.ir import How

from .accesses import Event
from .analysis import At
from .lattices import Sets
from .transfer import Transfer, hears

Effect = Mapping[Any, bool]
NONE: Final[Effect] = {}

#: What a method may look at without being asked each time: its effect is kept for every value.
_KEPT = frozenset({"actor", "outrankable"})
#: What a method may look at, asked each time.
_VARYING = frozenset(
    {"block", "block_number", "closes", "entry", "instruction", "node", "number", "step", "was", "write"}
)


class NotPacked(Exception):
    """The effects of an analysis cannot be told beforehand; says why."""


class Verbs:
    """A state that can only be written: takes down what a method gens and kills."""

    def __init__(self, *, dominant: bool) -> None:
        self.effect: dict[Any, bool] = {}
        self._dominant = dominant

    def gen(self, member: Any) -> None:
        """Takes down a member put in."""
        self.effect[member] = True

    def kill(self, member: Any) -> None:
        """Takes down a member taken out."""
        self.effect[member] = False

    @contextmanager
    def maybe(self) -> Iterator[None]:
        """Of what may not happen, that is left which wins at a join."""
        before = dict(self.effect)
        yield
        happened, self.effect = self.effect, before
        for member, holds in happened.items():
            if holds is self._dominant:
                self.effect[member] = holds

    def __getattr__(self, name: str) -> Any:
        raise NotPacked(f"a method reads its state: .{name}")

    def __contains__(self, member: Any) -> bool:
        raise NotPacked("a method reads its state: in")

    def __iter__(self) -> Iterator[Any]:
        raise NotPacked("a method reads its state: iteration")

    def __len__(self) -> int:
        raise NotPacked("a method reads its state: len")


class _Glance:
    """A point of an event that takes down what is looked at."""

    def __init__(self, at: At, *, unranked: bool) -> None:
        self._at = at
        self._unranked = unranked
        self.looked: dict[str, Any] = {}

    def __getattr__(self, name: str) -> Any:
        if name == "outrankable" and self._unranked:
            return False
        if name not in _KEPT and name not in _VARYING:
            raise NotPacked(f"a method looks at .{name}")
        value = self.looked[name] = getattr(self._at, name)
        return value


class Effects:
    """The effects of the events of one analysis."""

    def __init__(self, transfer: Transfer) -> None:
        self._transfer = transfer
        self._graph = transfer.graph
        lattice = transfer.analysis.facts
        assert isinstance(lattice, Sets)
        self._dominant = lattice.dominant
        self._unranked = self._graph.accesses.is_unranked()
        self._known: dict[int, Effect] = {}  # of each code whose effect is one for all its events
        self._looked: dict[int, tuple[str, ...]] = {}
        self._kept: dict[tuple[Any, ...], Effect] = {}
        self._hears_end = hears(transfer.analysis, "on_end")
        self._hears_read = hears(transfer.analysis, "on_read")
        self._hears_write = hears(transfer.analysis, "on_write", "on_fill", "on_delete", "on_scope_end")
        self._hears_other = hears(transfer.analysis, "on_bind", "on_unite", "on_effect")

    def grow(self) -> None:
        """Take in that a program has grown: what was found without ranks holds for programs without ranks."""
        if self._unranked and not self._graph.accesses.is_unranked():
            self._unranked = False
            self._known.clear()
            self._looked.clear()
            self._kept.clear()

    def node(self, node: int) -> dict[Any, bool]:
        """The effect of a node: of all its events in the order facts flow, the last on each member."""
        forward = self._transfer.forward
        codes = self._graph.accesses.tape(node)
        found: dict[Any, bool] = {} if forward else dict(self.end(node))
        known = self._known
        try:
            for code in codes if forward else reversed(codes):
                found.update(known[code])
        except LookupError:
            self._learn(node, found)
        if forward:
            found.update(self.end(node))
        return found

    def _learn(self, node: int, found: dict[Any, bool]) -> None:
        """As `node`, asking for the effects that are not known."""
        forward, accesses = self._transfer.forward, self._graph.accesses
        numbers = self._graph.flow.executed(node)
        found.clear()
        if not forward:
            found.update(self.end(node))
        for number in numbers if forward else reversed(numbers):
            codes = accesses.codes(number)
            for code in codes if forward else reversed(codes):
                effect = self._known.get(code)
                found.update(self._ask(code, number, node) if effect is None else effect)

    def end(self, node: int) -> Effect:
        """What the end of the program does at a node."""
        if not self._hears_end or self._graph.flow.successors[node]:
            return NONE
        verbs = Verbs(dominant=self._dominant)
        at = At(self._graph.program, self._graph.accesses, self._graph.flow.block_of(node), node=node)
        self._transfer.end(node, verbs, _Glance(at, unranked=self._unranked))  # type: ignore[arg-type]
        return verbs.effect

    def _is_heard(self, event: Event) -> bool:
        if isinstance(event.how, int):
            return self._hears_other
        return self._hears_read if isinstance(event.how, How) else self._hears_write

    def _ask(self, code: int, number: int, node: int) -> Effect:
        """The effect of one event, kept for each value of what its method looks at."""
        if not self._is_heard(self._graph.accesses.events[code]):
            return self._known.setdefault(code, NONE)
        at = At(self._graph.program, self._graph.accesses, self._graph.flow.block_of(node), number, node)
        looked = self._looked.get(code)
        varies = looked is None or not _KEPT.issuperset(looked)
        if looked is not None and not varies:
            at.write = self._write(code, number)
            key = (code, looked, *(getattr(at, name) for name in looked))
            if key in self._kept:
                return self._kept[key]
        glance = _Glance(at, unranked=self._unranked)
        effect = self._happen(code, number, glance, at)
        self._looked[code] = tuple(sorted({*(looked or ()), *glance.looked}))
        if not self._looked[code]:
            self._known[code] = effect
        if _KEPT.issuperset(self._looked[code]):
            values = (getattr(at, name) for name in self._looked[code])
            self._kept[(code, self._looked[code], *values)] = effect
        return effect

    def _happen(self, code: int, number: int, glance: _Glance, at: At) -> Effect:
        """Calls the method for one event."""
        event, verbs = self._graph.accesses.events[code], Verbs(dominant=self._dominant)
        if event.definite:
            self._call(event, code, number, glance, at, verbs)
        else:
            with verbs.maybe():
                self._call(event, code, number, glance, at, verbs)
        return verbs.effect

    def _call(self, event: Event, code: int, number: int, glance: Any, at: At, verbs: Any) -> None:
        if isinstance(event.how, int):
            self._transfer.other(self._graph.program.instructions[number], verbs, glance)
        elif isinstance(event.how, How):
            assert event.place is not None
            self._transfer.analysis.on_read(event.place, event.how, verbs, glance)
        else:
            at.write = self._write(code, number)
            self._transfer.written(at.write, verbs, glance)

    def _write(self, code: int, number: int) -> Any:
        """The write of an instruction that is an event of one code."""
        event = self._graph.accesses.events[code]
        found = (one for one in self._graph.accesses.writes(number) if (one.mode, one.place) == event[:2])
        return next(found, None)
