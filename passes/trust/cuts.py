"""Cuts: where a label was lost on the way from an entry to a sink."""

from __future__ import annotations

import enum
from typing import NamedTuple

from statemem.ir import Definition
from statemem.ir.entries import Entry

from ..chains import slice_forward
from ..endings import Endings
from ..framework import GaveUp, Manager
from .rules import NO_LABELS, STANDARD, UNTRUSTED, TrustRules
from .taint import writing_of
from .trails import BUDGET, Trails


class CutBy(enum.Enum):
    """What kept a label from going on."""

    UNLABELLED = "the entry never had it"
    SANITISED = "a sanitiser took it off"
    CONFIRMED = "a source without labels states the same"
    REPLACED = "the value was replaced, deleted, outranked or gone with its scope"
    UNUSED = "nothing took the value there"


class Cut(NamedTuple):
    """Where the flow of a label ended: the last entry on its way, and the instruction that cut it, if one did."""

    by: CutBy
    entry: Entry
    instruction: int | None = None


def why_not(
    manager: Manager,
    source: Entry,
    sink: int,
    *,
    label: str = UNTRUSTED,
    rules: TrustRules = STANDARD,
    budget: int = BUDGET,
) -> Cut | GaveUp | None:
    """Why a label does not come from an entry to the instruction of a sink; None where it does.

    >>> from statemem.ir import build
    >>> program = build().block("tool").set("note", "x").block("user").set("note", "x").effect("send", "note").open()
    >>> found = why_not(Manager(program), program.entries[0], sink=2)
    >>> found.by.name, found.instruction
    ('CONFIRMED', 1)
    """
    trails = Trails(manager, rules, budget=budget)
    carried = trails.between(source, sink, label)
    way = trails.between(source, sink) if carried is None else None
    if isinstance(carried, GaveUp) or isinstance(way, GaveUp):
        return GaveUp(label, budget)
    if carried is not None:
        return None
    return _Cutting(manager, rules, trails, label).along(way, sink) if way else _lost(manager, source, sink)


class _Cutting:
    """Looks along a way of entries for the place where a label is lost."""

    def __init__(self, manager: Manager, rules: TrustRules, trails: Trails, label: str) -> None:
        self._manager, self._rules, self._trails, self._label = manager, rules, trails, label
        self._program = manager.program

    def along(self, way: list[Definition], sink: int) -> Cut:
        """The first cut: at the writing of an entry, or before the next instruction saw it."""
        readers = [*(one.instruction for one in way[1:]), sink]
        for one, reader in zip(way, readers, strict=True):
            if self._label not in self._trails.labels(one):
                return self._unwritten(one)
            if reader != one.instruction and self._label not in self._trails.inputs(reader).get(one, NO_LABELS):
                return Cut(CutBy.CONFIRMED, self._trails.entry(one), self._confirming(one, reader))
        return Cut(CutBy.UNUSED, self._trails.entry(way[-1]))

    def _unwritten(self, one: Definition) -> Cut:
        """Why an entry was written without a label."""
        writing = writing_of(self._manager.accesses, one.instruction, one.cell)
        found = self._rules.given(writing).union(*self._trails.inputs(one.instruction).values())
        if self._label not in found:
            return Cut(CutBy.UNLABELLED, self._trails.entry(one))
        by = CutBy.SANITISED if self._label in self._rules.taken(writing) else CutBy.CONFIRMED
        return Cut(by, self._trails.entry(one), one.instruction)

    def _confirming(self, one: Definition, reader: int) -> int | None:
        """The first instruction between that wrote the same value to the same cell and has no labels."""
        for entry in self._program.entries:
            if one.instruction < entry.instruction < reader and entry.cell == one.cell:
                other = Definition(entry.instruction, entry.leaf, one.cell)
                if self._manager.accesses.judge.equal(one, other) and not self._trails.labels(other):
                    return entry.instruction
        return None


def _lost(manager: Manager, source: Entry, sink: int) -> Cut:
    """What ended the last of the entries that rest on one, where the sink saw none of them."""
    resting = [source, *(one for one in slice_forward(manager, source) if one.instruction < sink)]
    endings = manager.result(Endings)
    for entry in reversed(resting):
        for ending in endings.get((entry.instruction, entry.leaf), ()):
            if ending.by.instruction < sink:
                return Cut(CutBy.REPLACED, entry, ending.by.instruction)
    return Cut(CutBy.UNUSED, resting[-1])
