"""What each entry is at a point: superseded, ended, history, live, unknown, spent or unread.

The words and their order are those of the specification: the first that fits is the one. An entry is dead, spent or
unread, only where the horizon speaks of its cell.
"""

from __future__ import annotations

import enum
from typing import Any, NamedTuple

from statemem.ir import Cell, Definition, Program
from statemem.ir.entries import Entry
from statemem.ir.meaning.names import Names
from statemem.ir.meaning.resolve import renames

from .awaited import Awaited, holds
from .endings import Ending, Endings, How
from .framework import Manager, Point
from .framework.points import After, Before, BlockEnd, BlockStart, node_of
from .last_use import LastUse, key_of
from .observed import Observed
from .reaching import Reaching
from .undecided import Undecided


class Word(enum.Enum):
    """What an entry is."""

    SUPERSEDED = "superseded"
    ENDED = "ended"
    HISTORY = "history"
    LIVE = "live"
    UNKNOWN = "unknown"
    SPENT = "spent"
    UNREAD = "unread"


class Standing(NamedTuple):
    """One entry at a point: the word, and the facts it rests on.

    `ending` says what took a superseded or ended entry out of force, `outranked_by` what an entry of history yielded
    to; `observed` whether a live one is used later in the log itself; `last_used` is a step, None if it never was.
    """

    entry: Entry
    cell: Cell
    word: Word
    created: int
    last_used: int | None
    ending: Ending | None = None
    outranked_by: tuple[Definition, ...] = ()
    observed: bool = False

    @property
    def in_force(self) -> bool:
        """Whether the entry is in force."""
        return self.word not in (Word.SUPERSEDED, Word.ENDED, Word.HISTORY)


def standings(manager: Manager, point: Point) -> list[Standing]:
    """The standing at a point of every entry made on the way to it, in order of creation."""
    return _Standings(manager, point).all()


class _Standings:
    def __init__(self, manager: Manager, point: Point) -> None:
        self._program = manager.program
        self._judge = manager.accesses.judge
        self._reaching = manager.solve(Reaching).fact(point)
        self._awaited = manager.solve(Awaited).fact(point)
        self._observed = manager.solve(Observed).fact(point)
        self._undecided = manager.solve(Undecided).fact(point)
        self._last_use = manager.solve(LastUse).fact(point)
        self._endings = manager.result(Endings)
        self._made = _made_before(manager, point)
        self._names = _names_after(manager, max(self._made, default=-1))
        self._standing_at: dict[tuple[int, int], list[Definition]] = {}
        for there in self._reaching.values():
            for one in there:
                if not one.is_tombstone:
                    self._standing_at.setdefault((one.instruction, one.leaf), []).append(one)

    def all(self) -> list[Standing]:
        made = (self._standing(entry) for entry in self._program.entries if entry.instruction in self._made)
        return [standing for standing in made if standing is not None]

    def _standing(self, entry: Entry) -> Standing | None:
        found = self._standing_at.get(key_of(entry))
        used = self._last_use.get(key_of(entry))
        created = self._program.step_of(entry.block)
        if not found:
            return self._gone(entry, created, used)
        own = min(found, key=lambda one: (one.yields, one.cell))
        stronger = self._stronger(own)
        if stronger:
            return Standing(entry, own.cell, Word.HISTORY, created, used, outranked_by=stronger)
        observed = holds(self._observed, own, self._judge)
        return Standing(entry, own.cell, self._word(own, used), created, used, observed=observed)

    def _stronger(self, own: Definition) -> tuple[Definition, ...]:
        """What keeps an entry that reaches out of force: what it yielded to, or outranks it under another name."""
        if own.yields:
            return self._yielded_to(own)
        names = self._names.denoted(own.cell) if self._names.may_be_one else []
        if len(names) < 2:
            return ()
        group = [self._reaching[target.cell] for target in names if target.cell in self._reaching]
        together = self._judge.in_force_together(group)
        return () if own in together else tuple(sorted(one for one in together if self._judge.outranks(one, own)))

    def _yielded_to(self, own: Definition) -> tuple[Definition, ...]:
        """What an entry yielded to when it came, or at the join of a fork to what another arm made."""
        endings = self._endings.get((own.instruction, own.leaf))
        if endings:
            return (endings[0].by,)
        came = own._replace(yields=False)
        return tuple(sorted(one for one in self._reaching[own.cell] if self._judge.outranks(one, came))) or (own,)

    def _word(self, own: Definition, used: int | None) -> Word:
        if holds(self._awaited, own, self._judge):
            return Word.LIVE
        if holds(self._undecided, own, self._judge):
            return Word.UNKNOWN
        return Word.UNREAD if used is None else Word.SPENT

    def _gone(self, entry: Entry, created: int, used: int | None) -> Standing | None:
        """An entry that reaches no place; None for one that never took effect.

        That is a default where something was in force, or a write through a reference that points nowhere.
        """
        endings = [one for one in self._endings.get(key_of(entry), ()) if one.by.instruction in self._made]
        if not endings:
            return None
        ending = endings[-1]
        if endings[0].how is How.OUTRANKED:
            return Standing(entry, ending.entry.cell, Word.HISTORY, created, used, outranked_by=(endings[0].by,))
        word = Word.ENDED if ending.how is How.SCOPE else Word.SUPERSEDED
        return Standing(entry, ending.entry.cell, word, created, used, ending)


def _names_after(manager: Manager, instruction: int) -> Names:
    """What is known of names after an instruction."""
    if instruction < 0:
        return Names()
    return renames(manager.program.instructions[instruction], manager.accesses.names(instruction))


def _made_before(manager: Manager, point: Point) -> Any:
    """The instructions on some way to a point."""
    program = manager.program
    last = _last_before(point, program)
    flow = manager.graph.flow
    node = node_of(point, flow)
    predecessors = flow.predecessors
    seen: set[int] = set()
    work = list(predecessors[node])
    while work:
        current = work.pop()
        if current not in seen:
            seen.add(current)
            work.extend(predecessors[current])
    made = {number for earlier in seen for number in flow.executed(earlier)}
    return made | {number for number in flow.executed(node) if number <= last}


def _last_before(point: Point, program: Program) -> int:
    match point:
        case Before(instruction):
            return instruction - 1
        case After(instruction):
            return instruction
        case BlockStart():
            return -1
        case BlockEnd(block):
            return program.executed(block).stop - 1
