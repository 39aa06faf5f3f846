"""Guarded cells that were changed before anybody who may has agreed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from statemem.actions import Action, Kind
from statemem.ir import UNKNOWN, Add, Append, Cell, Definition
from statemem.ir.entries import Entry
from statemem.ir.values import canonical
from statemem.passes import Ending, Endings, Standing, slice_back, use_def_chains
from statemem.passes.collection.in_force import names_at
from statemem.passes.endings import How
from statemem.passes.framework import Before
from statemem.policy import Guard

from .situation import Key, Situation, key_of

_ADDING = (Append, Add)
_EMPTIED = (How.DELETED, How.LACKING)
_CHANGES = (How.REPLACED, *_EMPTIED)


def confirmations(situation: Situation) -> Iterator[Action]:
    """Changes of guarded cells that hold and that nobody who may has stated or agreed to."""
    if situation.policy.guards:
        guards = _Guards(situation)
        yield from (action for one in situation.standings for action in guards.of(one))


class _Guards:
    def __init__(self, situation: Situation) -> None:
        self._situation = situation
        self._chains = use_def_chains(situation.manager)
        self._names = names_at(situation.manager, situation.point)
        self._ended: dict[Key, list[Ending]] = {}
        for endings in situation.manager.result(Endings).values():
            for one in endings:
                if one.how in _CHANGES and situation.is_past(one.by.instruction):
                    self._ended.setdefault((one.by.instruction, one.by.leaf), []).append(one)
        self._of_cells: dict[Cell, list[Standing]] = {}
        for standing in situation.standings:
            self._of_cells.setdefault(standing.cell, []).append(standing)

    def of(self, standing: Standing) -> Iterator[Action]:
        cells = self._cells(standing)
        guard = next(filter(None, map(self._situation.policy.guard_of, cells)), None)
        if guard is None:
            return
        if not standing.in_force:
            yield from self._emptied(standing, guard)
            return
        change = self._change(standing, cells, guard)
        if change is not None and not self._is_agreed(standing, cells, guard):
            yield self._action(standing, guard, change)

    def _cells(self, standing: Standing) -> list[Cell]:
        """The cell of an entry under all names that its entity surely has: a guard under one holds for all."""
        return [target.cell for target in self._names.denoted(standing.cell) if target.definite]

    def _change(self, standing: Standing, cells: Iterable[Cell], guard: Guard) -> str | None:
        """How an entry in force changed what was there, in words; None for a first value."""
        replaced = [one for one in self._ended.get(key_of(standing), ()) if one.how is How.REPLACED]
        if replaced:
            return f"{self._value(replaced[-1].entry)} was replaced by {self._new(standing)}"
        instruction = self._situation.program.instructions[standing.entry.instruction]
        is_sure = self._is_sure(standing)
        if not is_sure or isinstance(instruction, _ADDING):
            beside = self._beside(standing, cells)
            if beside is None:
                return None
            if not is_sure:
                return f"{self._value(beside)} may have been changed by {self._new(standing)}"
            return f"{self._new(standing)} was added to {self._value(beside)}"
        return self._after_emptying(standing, cells, guard)

    def _is_sure(self, standing: Standing) -> bool:
        """Whether an entry was surely written, and to this cell and no other that a reference may mean."""
        written = self._situation.manager.accesses.writes(standing.entry.instruction)
        return all(one.definite for one in written if one.made.leaf == standing.entry.leaf)

    def _beside(self, standing: Standing, cells: Iterable[Cell]) -> Definition | None:
        """What was in force before an entry that leaves it so, the latest."""
        before = Before(standing.entry.instruction)
        known = (one for cell in cells for one in self._situation.reaching(cell, before))
        others = [one for one in known if not (one.is_tombstone or one.yields or self._is_same(one, standing))]
        return max(others, default=None)

    def _is_same(self, one: Definition, standing: Standing) -> bool:
        """Whether what is there is restated; what is added to it is never the same."""
        program = self._situation.program
        entry, instruction = program.entry_of(one), program.instructions[standing.entry.instruction]
        return entry is not None and not isinstance(instruction, _ADDING) and _states(entry, standing)

    def _after_emptying(self, standing: Standing, cells: Iterable[Cell], guard: Guard) -> str | None:
        """Another value that came after one who may not had emptied the cell: both together are a change."""
        old = (one for cell in cells for one in self._of_cells.get(cell, ()) if not _states(one.entry, standing))
        endings = [one.ending for one in old if one.ending is not None and one.ending.how in _EMPTIED]
        found = [one for one in endings if self._is_before(one, standing) and not self._may_end(one, guard)]
        if not found:
            return None
        last = max(found, key=lambda one: one.by.instruction)
        return (
            f"{self._value(last.entry)} was {self._situation.words.ended(last)} and {self._new(standing)} came instead"
        )

    def _is_before(self, ending: Ending, standing: Standing) -> bool:
        """Whether an entry was written where another had been taken away."""
        before = self._situation.reaching(ending.by.cell, Before(standing.entry.instruction))
        return ending.by in before

    def _may_end(self, ending: Ending, guard: Guard) -> bool:
        return self._may(self._actor(ending.by.instruction), guard)

    def _emptied(self, standing: Standing, guard: Guard) -> Iterator[Action]:
        """A guarded value that was deleted, or left out of the whole, and is not there any more."""
        ending = standing.ending
        if ending is None or ending.how not in _EMPTIED or not self._situation.is_in_force(ending.by):
            return
        if not self._may_end(ending, guard):
            yield self._action(standing, guard, f"{self._new(standing)} was {self._situation.words.ended(ending)}")

    def _is_agreed(self, standing: Standing, cells: Iterable[Cell], guard: Guard) -> bool:
        """Whether somebody who may has stated the value: here, again, or as what it was concluded from."""
        beside = (one for cell in cells for one in self._of_cells.get(cell, ()) if one.in_force)
        same = [one for one in beside if one is not standing and self._restates(one, standing)]
        return any(self._is_stated(one.entry, guard) for one in (standing, *same))

    def _restates(self, one: Standing, standing: Standing) -> bool:
        """Whether an entry states what another does; of two additions each is a change of its own."""
        instructions = self._situation.program.instructions
        added = (isinstance(instructions[each.entry.instruction], _ADDING) for each in (one, standing))
        return not any(added) and _states(one.entry, standing)

    def _is_stated(self, entry: Entry, guard: Guard) -> bool:
        premises = slice_back(self._chains, entry) if entry.value is not UNKNOWN else ()
        sources = [entry, *(one for one in premises if canonical(one.value) == canonical(entry.value))]
        return any(self._may(self._actor(one.instruction), guard) for one in sources)

    def _actor(self, instruction: int) -> tuple[str, str]:
        actor = self._situation.manager.accesses.actor(instruction)
        return actor.kind, str(actor)

    def _may(self, actor: tuple[str, str], guard: Guard) -> bool:
        return any(name in guard.by for name in actor)

    def _value(self, definition: Definition) -> str:
        entry = self._situation.program.entry_of(definition)
        return self._situation.words.value(entry.id if entry else "")

    def _new(self, standing: Standing) -> str:
        return self._situation.words.value(standing.entry.id)

    def _action(self, standing: Standing, guard: Guard, told: str) -> Action:
        who = " or ".join(guard.by)
        made = standing.ending.by.instruction if standing.ending else standing.entry.instruction
        actor = self._situation.words.text(self._actor(made)[1])
        return Action(
            kind=Kind.CONFIRM,
            code="SM931",
            cell=standing.cell,
            entry=standing.entry.id,
            reason=f"{told}, by {actor} at step {self._situation.words.step(made)}; {guard.cells} is guarded",
            basis="policy",
            unless=f"{'the user' if who == 'user' else who} stated it",
            step=self._situation.words.step(made),
            instruction=made,
        )


def _states(entry: Entry, standing: Standing) -> bool:
    """Whether an entry states what another does; what is not known equals nothing."""
    return entry.value is not UNKNOWN and canonical(entry.value) == canonical(standing.entry.value)
