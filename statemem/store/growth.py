"""What a log says beyond what the store holds of it; where it says otherwise it is refused.

What makes up the log are its blocks and operations, each at its position. What a program states beside them (scopes,
bodies, declarations, where control goes after a block) stands in events of its own, since a longer log may add to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any

import attrs
from sqlalchemy import Connection

from statemem.ir import Goto, Open, Program
from statemem.ir.terminators import Terminator, targets

from . import log, schema
from .difference import end_differs, log_differs, statement_differs, statement_missing
from .effects import effects
from .events import Draft, Kind, canonical, event_id
from .preamble import Item, preambles
from .problems import refusal
from .recording import check_readable, logged, read_terminator, terminator_record

_MOST_STEPS = 2**63 - 1


class Growth:
    """One log against what is stored of its conversation."""

    def __init__(self, program: Program, held: log.Stored) -> None:
        self._program = program
        self._held = held
        self._found = list(logged(program))
        self._items = preambles(program)
        self._position = len(held.log)
        self._revisions = held.revisions

    @property
    def length(self) -> int:
        """How many blocks and operations the log has."""
        return len(self._found)

    @property
    def behind(self) -> int:
        """How many more the store holds."""
        return max(0, len(self._held.log) - len(self._found))

    # refusing

    def check(self, connection: Connection) -> None:
        """Refuse a log whose earlier part is not the one stored, at the first difference."""
        for (_, draft), stored in zip(self._found, self._held.log, strict=False):
            if draft.id != stored:
                event = next(log.events(connection, schema.events.c.id == stored))
                raise log_differs(self._program, event, draft)
        if not self.behind:
            self._check_statements()
            self._check_ends()

    def _check_statements(self) -> None:
        items = [item for group in self._items for item in group]
        for item in items:
            if self._held.known.contradicted(item):
                raise statement_differs(self._program, item, self._held.known.content(item))
        lost = self._held.known.beyond(items)
        if lost is not None:
            raise statement_missing(self._program, lost)

    def _check_ends(self) -> None:
        """The end of the last block stored was provisional; one before may only get more ways to go, or its first."""
        for number in range(len(self._held.heads) - 1):
            held = self._held.ends.get(number)
            before = Goto(self._program.blocks[number + 1].name) if held is None else read_terminator(held)
            after = self._program.blocks[number].terminator
            if before != after and not _adds_ways(before, after):
                raise end_differs(self._program, number, terminator_record(before), terminator_record(after))

    # growing

    def drafts(self) -> Iterator[Draft]:
        """The new events in order: first what is now known of the stored part, then block by block."""
        stored = len(self._held.heads)
        yield from self._preamble([item for group in self._items[:stored] for item in group])
        new = self._new()
        yield from self._placed(draft for block, draft in new if block < stored)
        for block in range(stored):
            yield from self._end(block)
        for block, drafts in groupby((pair for pair in new if pair[0] >= stored), lambda pair: pair[0]):
            yield from self._preamble(self._items[block])
            yield from self._placed(draft for _, draft in drafts)
            yield from self._end(block)
        yield from self._preamble(self._items[-1])
        yield from self._standing()

    def _new(self) -> list[tuple[int, Draft]]:
        """The blocks and operations that are not stored, with what each found and left, and the block of each."""
        new = self._found[len(self._held.log) :]
        for _, draft in new:
            _check_kept(draft)
        first = next((draft.instruction for _, draft in new if draft.instruction is not None), None)
        known = {} if first is None else effects(self._program, first)
        return [(block, _with_effect(draft, known)) for block, draft in new]

    def _preamble(self, items: list[Item]) -> Iterator[Draft]:
        fresh = [list(item) for item in items if self._held.known.is_new(item)]
        if fresh:
            yield self._beside(Kind.PREAMBLE, fresh)

    def _end(self, number: int) -> Iterator[Draft]:
        """The end of a block, where it is not what the order of the log says or was said before."""
        stated = _stated_end(self._program, number)
        if canonical(stated) != canonical(self._held.ends.get(number)):
            self._revisions += 1
            record = {"block": number, "terminator": stated, "revision": self._revisions}
            yield self._beside(Kind.TERMINATOR, record)

    def _standing(self) -> Iterator[Draft]:
        """Where the log stands, where that is not its last block, or was not when it was said before."""
        end = self._program.other_end
        name = None if end is None else self._program.blocks[end].name
        held = self._held.standing if len(self._program.blocks) == len(self._held.heads) else None
        if name != held:
            yield self._beside(Kind.STANDING, {"block": name, "revision": self._revisions + 1})

    def _placed(self, drafts: Iterator[Draft]) -> Iterator[Draft]:
        for draft in drafts:
            self._position = draft.position + 1
            yield draft

    def _beside(self, kind: Kind, record: object) -> Draft:
        named = event_id(self._program.name, self._position, kind, record)
        return Draft(id=named, position=self._position, kind=kind, record=record)


def _check_kept(draft: Draft) -> None:
    if draft.step is not None and abs(draft.step) > _MOST_STEPS:
        raise refusal("ST016", f"step {draft.step} is beyond what a store can count")
    if draft.kind == Kind.OPERATION:
        check_readable(draft)


def _with_effect(draft: Draft, known: dict[int, tuple[str | None, str | None]]) -> Draft:
    if draft.instruction not in known:
        return draft
    before, after = known[draft.instruction]
    return attrs.evolve(draft, before=before, after=after)


def _adds_ways(before: Terminator, after: Terminator) -> bool:
    """Whether control goes on every way it went before, and somewhere: from an end the log may go on."""
    return bool(targets(after)) and set(targets(before)) <= set(targets(after))


def _stated_end(program: Program, number: int) -> Any:
    """The end of a block, or None where it goes on to the next block, or stays open as the last."""
    following = program.blocks[number + 1].name if number + 1 < len(program.blocks) else None
    implied = Open() if following is None else Goto(following)
    terminator = program.blocks[number].terminator
    return None if terminator == implied else terminator_record(terminator)
