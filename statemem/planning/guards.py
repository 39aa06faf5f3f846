"""Guarded cells that were changed before anybody who may has agreed."""

from __future__ import annotations

from collections.abc import Iterator

from statemem.actions import Action, Kind
from statemem.ir.entries import Entry
from statemem.ir.values import canonical
from statemem.passes import Ending, Endings, Standing, slice_back, use_def_chains
from statemem.passes.endings import How
from statemem.policy import Guard

from .situation import Key, Situation, key_of

_CHANGES = (How.REPLACED, How.DELETED, How.LACKING)


def confirmations(situation: Situation) -> Iterator[Action]:
    """Changes of guarded cells that hold and that nobody who may has stated or agreed to."""
    if situation.policy.guards:
        guards = _Guards(situation)
        yield from (action for one in situation.standings for action in guards.of(one))


class _Guards:
    def __init__(self, situation: Situation) -> None:
        self._situation = situation
        self._chains = use_def_chains(situation.manager)
        self._ended: dict[Key, list[Ending]] = {}
        for endings in situation.manager.result(Endings).values():
            for one in endings:
                if one.how in _CHANGES and situation.is_past(one.by.instruction):
                    self._ended.setdefault((one.by.instruction, one.by.leaf), []).append(one)

    def of(self, standing: Standing) -> Iterator[Action]:
        guard = self._situation.policy.guard_of(standing.cell)
        if guard is None:
            return
        if not standing.in_force:
            yield from self._emptied(standing, guard)
            return
        before = [one for one in self._ended.get(key_of(standing), ()) if one.how is How.REPLACED]
        if before and not self._is_agreed(standing, guard):
            yield self._action(standing, guard, f"{self._value(before[-1])} was replaced by {self._new(standing)}")

    def _emptied(self, standing: Standing, guard: Guard) -> Iterator[Action]:
        """A guarded value that was deleted, or left out of the whole, and is not there any more."""
        ending = standing.ending
        if ending is None or ending.how not in (How.DELETED, How.LACKING) or not self._situation.is_in_force(ending.by):
            return
        if not self._may(self._actor(ending.by.instruction), guard):
            yield self._action(standing, guard, f"{self._new(standing)} was {self._situation.words.ended(ending)}")

    def _is_agreed(self, standing: Standing, guard: Guard) -> bool:
        """Whether somebody who may has stated the value: here, again, or as what it was concluded from."""
        same = [one for one in self._situation.standings if one.cell == standing.cell and _states(one.entry, standing)]
        return any(self._is_stated(one.entry, guard) for one in same if one.in_force)

    def _is_stated(self, entry: Entry, guard: Guard) -> bool:
        premises = slice_back(self._chains, entry)
        sources = [entry, *(one for one in premises if canonical(one.value) == canonical(entry.value))]
        return any(self._may(self._actor(one.instruction), guard) for one in sources)

    def _actor(self, instruction: int) -> tuple[str, str]:
        actor = self._situation.manager.accesses.actor(instruction)
        return actor.kind, str(actor)

    def _may(self, actor: tuple[str, str], guard: Guard) -> bool:
        return any(name in guard.by for name in actor)

    def _value(self, ending: Ending) -> str:
        entry = self._situation.program.entry_of(ending.entry)
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
    return canonical(entry.value) == canonical(standing.entry.value)
