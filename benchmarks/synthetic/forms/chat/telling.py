"""One turn of a dialogue told in chat messages, instruction by instruction."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby
from random import Random
from typing import Any

import attrs

from statemem.ir import Bind, Cell, Delete, Derive, Effect, Enter, Instruction, Leave, Operand, Place, Same, Set, Use
from statemem.ir.instructions import EXPOSURE, Add, Append, Assignment, Default

from ...dialogue import Entry, Turn
from ...words import Words
from . import calls
from .calls import Call, Message
from .history import History, Moment


@attrs.define(eq=False)
class Telling:
    """A turn as it is told; calls are numbered within it."""

    turn: Turn
    name: str
    words: Words
    history: History
    _number: int = 0
    _calls: int = 0

    def messages(self) -> Iterator[Message]:
        """The messages, in order."""
        if not self.turn.instructions:
            yield self._chatter()
        for bound, group in groupby(self.turn.instructions, key=lambda one: isinstance(one, Bind) and one.reference):
            instructions = list(group)
            if bound:
                yield self._bound(instructions)
                self._number += len(instructions)
                continue
            for one in instructions:
                yield from _TOLD[type(one)](self, one)
                self._number += 1

    @property
    def now(self) -> Moment:
        """The moment of the instruction at hand."""
        return self.turn.number, self._number

    # who speaks

    @property
    def _tool(self) -> str | None:
        """The tool that has the turn."""
        kind, _, own = self.turn.actor.partition(":")
        return own if kind == "tool" else None

    @property
    def _role(self) -> str:
        """Who says what no tool can say."""
        return "user" if self._tool is not None else self.turn.actor

    def _says(self, form: str, role: str | None = None, **gaps: Any) -> Message:
        return {"role": role or self._role, "content": self.words.sentence(form, self.turn.number, **gaps)}

    def _calling(self, call: Call) -> list[Message]:
        self._calls += 1
        number = f"_{self._calls}" if self._calls > 1 else ""
        return call.messages(f"call_{self.turn.number}{number}")

    def _chatter(self) -> Message:
        """Small talk, the same whenever it is asked for."""
        said, answered = self.words.chatter(Random(f"{self.name} {self.turn.number}"))
        if self.turn.actor == "user":
            return {"role": "user", "content": said}
        return {"role": "assistant", "content": answered}

    # facts

    def _set(self, one: Assignment) -> Iterator[Message]:
        cell = self._cell(one)
        if self._tool is not None and cell is not None:
            yield from self._calling(calls.lookup(cell, one.value, self._tool))
        elif cell is not None and self._is_text(cell):
            yield self._says("noted", value=_shown(one.value))
        else:
            yield self._says(self._way(one, cell), cell=self._spoken(one.target), value=_shown(one.value))

    def _way(self, one: Assignment, cell: Cell | None) -> str:
        """How a fact is said: for the first time, once more, or against what was said."""
        if isinstance(one, Default):
            return "unless"
        before = self.history.held(cell, self.now)
        if before is None:
            return "told"
        return "confirmed" if _shown(before.value) == _shown(one.value) else "corrected"

    def _derived(self, one: Derive) -> Iterator[Message]:
        cell = self._cell(one)
        if self.turn.actor in ("user", "system") or cell is None:
            reasons = self.words.joined("since", map(self._reason, one.premises))
            yield self._says("concluded", reasons=reasons, cell=self._spoken(one.target), value=_shown(one.value))
        else:
            yield from self._calling(calls.conclusion(cell, one.value, self._read(one.premises)))

    def _reason(self, premise: Operand) -> str:
        entry = self.history.read(premise, self.now)
        value = "" if entry is None else _shown(entry.value)
        said = self.words.sentence("reason", cell=self._spoken(premise.place), value=value)
        return said[:1].lower() + said[1:]

    def _withdrawn(self, one: Delete) -> Iterator[Message]:
        cell = self.history.cell(one.target, self.now)
        if self._tool is not None and cell is not None:
            yield from self._calling(calls.removal(cell))
        else:
            yield self._says("withdrawn", cell=self._spoken(one.target))

    # uses and effects

    def _used(self, one: Use) -> Iterator[Message]:
        if one.purpose in (None, "reply", EXPOSURE):
            said = [self._quoted(operand, one.purpose == EXPOSURE) for operand in one.operands]
            space = " " if self.words.language == "en" else ""
            yield {"role": "system" if one.purpose == EXPOSURE else "assistant", "content": space.join(said)}
        else:
            yield from self._calling(calls.use(one.purpose or "", self._read(one.operands)))

    def _quoted(self, operand: Operand, is_shown: bool) -> str:
        entry = self.history.read(operand, self.now)
        if entry is None:
            return self.words.sentence("empty", cell=self._spoken(operand.place))
        if self._is_text(entry.cell):
            return self.words.sentence("quoted", value=_shown(entry.value))
        form = "shown" if is_shown else "used"
        spoken = self._spoken(operand.place)
        return self.words.sentence(form, self.turn.number, cell=spoken, value=_shown(entry.value))

    def _done(self, one: Effect) -> Iterator[Message]:
        yield from self._calling(calls.action(one.action, self._read(one.arguments), one.key))

    def _read(self, operands: tuple[Operand, ...]) -> dict[str, Any]:
        """What operands read, by the names of their fields."""
        found = ((operand, self.history.read(operand, self.now)) for operand in operands)
        return calls.arguments((_field(operand.place), entry.value) for operand, entry in found if entry is not None)

    # names and tasks

    def _bound(self, told: list[Instruction]) -> Message:
        binds = [one for one in told if isinstance(one, Bind)]
        word = binds[0].reference
        if len(binds) == 1:
            return self._says("bound", word=word, entity=self.words.spoken(binds[0].target))
        entities = self.words.joined("either", (self.words.spoken(one.target) for one in binds))
        return self._says("unclear", word=word, entities=entities)

    def _same(self, one: Same) -> Iterator[Message]:
        yield self._says("same", left=self.words.spoken(one.left), right=self.words.spoken(one.right))

    def _entered(self, one: Enter) -> Iterator[Message]:
        form = "resumed" if self.history.has_begun(one.task, self.now) else "entered"
        yield self._says(form, task=self.words.spoken_task(one.task))

    def _left(self, one: Leave) -> Iterator[Message]:
        yield self._says("ended" if one.ended else "left", task=self.words.spoken_task(one.task))

    # places

    def _cell(self, one: Assignment) -> Cell | None:
        """Where an entry was written, by whatever name."""
        entry: Entry | None = self.history.entries.get(one.id or "")
        return self.history.cell(one.target, self.now) if entry is None else entry.cell

    def _is_text(self, cell: Cell) -> bool:
        return len(cell.path) == 3 and self.words.is_text(cell.path[0].text)

    def _spoken(self, place: Place) -> str:
        """A place as one speaks of it: through a word if that is how it was reached."""
        if isinstance(place, Cell):
            return self.words.spoken(place)
        meant = self.history.cell(place, self.now)
        if meant is None or not place.path:
            return place.name
        return self.words.field_of(self.words.spec(meant.path[0].text, meant.path[-1].text), place.name)


def _shown(value: Any) -> str:
    return str(value).strip()


def _field(place: Place) -> str:
    """The name of the field that a place is, or of the word."""
    return next((part.text for part in reversed(place.path) if part.kind == "name"), "value")


_TOLD: dict[type[Instruction], Callable[[Telling, Any], Iterator[Message]]] = {
    Set: Telling._set,
    Default: Telling._set,
    Append: Telling._set,
    Add: Telling._set,
    Derive: Telling._derived,
    Delete: Telling._withdrawn,
    Use: Telling._used,
    Effect: Telling._done,
    Same: Telling._same,
    Enter: Telling._entered,
    Leave: Telling._left,
}
