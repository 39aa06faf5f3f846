"""What stories are told with: each act is one instruction of the turn at hand, and is booked at once.

A story is a generator. Between two `yield`s lies one turn; what it yields says when it goes on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import attrs

from statemem.ir import (
    Bind,
    Cell,
    Delete,
    Derive,
    Effect,
    Enter,
    Instruction,
    Leave,
    Operand,
    Origin,
    Place,
    Reference,
    Same,
    Scope,
    Set,
    Use,
    name,
)

from .dialogue import Arm, Entry, Turn
from .questions import Asked, holds, presumed
from .subjects import Subjects


@attrs.frozen
class Pause:
    """When a story goes on: after so many turns; at the very next one if it `holds` the floor."""

    turns: int = 0
    holds: bool = False


NEXT = Pause(holds=True)
Telling = Iterator[Pause]


@attrs.define
class Story(Subjects):
    """One story of a dialogue: what it has said in the turn at hand."""

    actor: str = ""
    task: str | None = None
    arm: Arm | None = None
    instructions: list[Instruction] = attrs.field(factory=list)
    #: What a story wants to come back to.
    told: list[Entry] = attrs.field(factory=list)
    question: str = ""

    def turn(self) -> Turn:
        """The turn as it was told; the next one is blank."""
        self.plant.began = self.plant.began or self.now
        self.plant.told = self.now
        turn = Turn(self.now, self.actor, tuple(self.instructions), self.plant.story, self.task, self.arm)
        self.actor, self.instructions = "", []
        return turn

    # acts

    def says(self, actor: str) -> None:
        """Who has this turn."""
        if self.actor not in ("", actor):
            raise ValueError(f"the turn is {self.actor}'s, not {actor}'s")
        self.actor = actor

    def sets(self, cell: Cell, value: Any = None, *, by: str = "", at: Place | None = None, **origin: Any) -> Entry:
        """A fact is stated, by a tool unless it says otherwise; `at` is the name under which it is."""
        self.says(by or self.actor or f"tool:get_{cell.path[-1].text}")
        entry = self._entry(cell, self.value(cell) if value is None else value, (), origin)
        self.world.ledger.write(entry)
        self.does(Set(target=at or cell, value=entry.value, id=entry.id, origin=Origin(**origin)))
        return entry

    def may_set(self, known: list[Entry], value: Any, *, through: Place) -> None:
        """A value that may be that of any of some cells: each may hold it, or what it held."""
        self.says("user")
        entry = self._entry(known[0].cell, value, (), {})
        self.world.ledger.may_be(entry, known)
        self.does(Set(target=through, value=value, id=entry.id))

    def parts(self, cell: Cell, *, beside: list[Entry], over: Entry) -> Entry:
        """In one arm of several a fact is stated that replaces what was before all of them, and no other arm's."""
        self.says(f"tool:get_{cell.path[-1].text}")
        entry = self._entry(cell, self.value(cell), (), {})
        self.world.ledger.part(entry, beside, over)
        self.does(Set(target=cell, value=entry.value, id=entry.id))
        return entry

    def derives(self, cell: Cell, *premises: Entry, value: Any = None, by: str = "assistant", **origin: Any) -> Entry:
        """A conclusion is drawn from entries; one that is not in force any more is a stale use."""
        self.says(by)
        found = tuple(one.id for one in premises)
        entry = self._entry(cell, self.value(cell) if value is None else value, found, origin)
        self.world.ledger.write(entry)
        read = tuple(Operand(one.cell, one.id) for one in premises)
        for one in premises:
            self._notes_stale(one)
        self.does(Derive(target=cell, value=entry.value, premises=read, id=entry.id, origin=Origin(**origin)))
        return entry

    def uses(self, *entries: Entry, purpose: str = "reply") -> None:
        """The assistant uses entries; one that is not in force any more is a stale use."""
        self.says("assistant")
        for one in entries:
            self._notes_stale(one)
            self.world.ledger.use(one, self.now)
        self.does(Use(operands=tuple(Operand(one.cell, one.id) for one in entries), purpose=purpose))

    def _notes_stale(self, entry: Entry) -> None:
        if entry.ended is not None and not self.world.ledger.fact(entry):
            self.finds("FlagStaleUse", f"{entry.id} at {self.now}")

    def withdraws(self, cell: Cell) -> None:
        """What a cell holds is withdrawn."""
        self.says(self.actor or "user")
        self.world.ledger.empty(cell, self.now)
        self.does(Delete(target=cell, id=self._id()))

    def acts(self, effect: str, *entries: Entry, key: str | None = None, through: Place | None = None) -> None:
        """Something is done to the world with some entries; `through` is the name by which they are spoken of."""
        self.says("assistant")
        for one in entries:
            self._notes_stale(one)
            self.world.ledger.use(one, self.now)
        read = [Operand(one.cell, one.id) for one in entries] if through is None else [Operand(through)]
        self.does(Effect(action=effect, arguments=tuple(read), key=key))

    def binds(self, reference: str, *cells: Cell) -> None:
        """A word such as `it` comes to mean an entity; of several nobody knows which."""
        for number, cell in enumerate(cells):
            self.does(Bind(reference=reference, target=cell, maybe=number > 0))

    def unites(self, left: Cell, right: Cell) -> None:
        """Two names turn out to be those of one entity."""
        self.world.ledger.unite(left, right)
        self.does(Same(left=left, right=right))

    def enters(self, task: str, kind: str | None = None) -> None:
        """A task is opened, or taken up again."""
        self.world.spoken_of[f"task:{task}/"] = self.plant
        self.does(Enter(task=task, kind=kind))

    def opens(self, kind: str) -> str:
        """The user has a task of a kind begun, whose name is returned."""
        task = f"{kind}-{self.world.number()}"
        self.says("user")
        self.enters(task)
        return task

    def closes(self, task: str) -> None:
        """The user has a task ended, in which this turn is no more."""
        self.task = None
        self.says("user")
        self.ends(task)

    def leaves(self, task: str) -> None:
        """A task is put aside."""
        self.does(Leave(task=task))

    def ends(self, task: str) -> None:
        """A task is over, and with it its cells."""
        for one in self.world.ledger.end_scope(Scope("task", task), self.now):
            self.finds("Release", one.id)
        self.does(Leave(task=task, ended=True))

    def suspends(self, entries: Iterable[Entry]) -> None:
        """The task of some entries is aside from here on."""
        for one in entries:
            self.finds("Suspend", one.id)

    def resumes(self, entries: Iterable[Entry]) -> None:
        """The task of some entries is back."""
        for one in entries:
            self.settles("Suspend", one.id)
            self.finds("Resume", one.id, momentary=True)

    def reads_all(self, *cells: Cell) -> None:
        """The assistant reads what cells hold, all of it."""
        self.says("assistant")
        for one in (one for cell in cells for one in self.world.ledger.there(cell)):
            self.world.ledger.use(one, self.now)
        self.does(Use(operands=tuple(map(Operand, cells)), purpose="reply"))

    def reads(self, cell: Cell) -> None:
        """The assistant reads a cell of which nothing is known."""
        self.says("assistant")
        self.finds("Ask", f"unknown {cell} at {self.now}")
        self.does(Use(operands=(Operand(cell),), purpose="reply"))

    def does(self, instruction: Instruction) -> None:
        """Any other act."""
        self.instructions.append(instruction)

    def _entry(self, cell: Cell, value: Any, premises: tuple[str, ...], origin: dict[str, Any]) -> Entry:
        entry = Entry(self._id(), cell, value, self.now, self.actor, self.plant, premises)
        entry.rank = origin.get("version", origin.get("observed"))
        return entry

    def _id(self) -> str:
        return f"e{self.world.number()}"

    # when

    def later(self) -> Pause:
        """After a while, as long as the level has it."""
        return Pause(self.draw.randint(*self.world.level.gap))

    # what is to be found, and what is asked

    def finds(self, kind: str, text: str, *, momentary: bool = False) -> None:
        """A finding that holds from here on, or at this turn alone."""
        self.world.findings[kind, text] = None
        if momentary:
            self.world.momentary.append((kind, text))

    def settles(self, kind: str, text: str) -> None:
        """A finding that holds no longer."""
        del self.world.findings[kind, text]

    def asks(self, *questions: Asked) -> None:
        """Questions at the end of this turn."""
        self.world.pending += questions

    def asks_about(self, cell: Cell, *values: Any) -> None:
        """What a cell holds at the end of this turn, and whether each of some values may be taken for granted."""
        self.asks(holds(cell, self.plant), *(presumed(cell, one, self.plant) for one in values))


def task_cell(task: str, field: str) -> Cell:
    """A cell that lives as long as its task."""
    return Cell(Scope("task", task), (name(field),))


def reference(word: str, field: str) -> Reference:
    """A field of what a word such as `it` means."""
    return Reference(word, (name(field),))
