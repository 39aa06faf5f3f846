"""The planner: memory actions from solved facts and a policy.

Nothing is called dead that the horizon does not speak of: of an entry in force that nobody expects and nobody excludes,
only its age decides, and that by policy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from statemem.ir import Cell, Definition, Derive, Effect, Program, Use
from statemem.passes import (
    Conflict,
    Conflicts,
    Ending,
    Manager,
    Reaching,
    StaleUse,
    StaleUses,
    Standing,
    Word,
    standings,
)
from statemem.passes.conflicts import Rule
from statemem.passes.endings import How
from statemem.passes.framework import Point

from .actions import Action, Basis, Kind
from .masking import Masker
from .policy import Policy

#: The code of a conflict by its rule.
_CONFLICTS = {
    Rule.VERSION: "SM201",
    Rule.SAME: "SM202",
    Rule.BRANCHES: "SM203",
    Rule.RACE: "SM204",
    Rule.AUTHORITY: "SM205",
    Rule.ALIAS: "SM206",
}


def plan(manager: Manager, point: Point, now: int, policy: Policy, masker: Masker | None = None) -> list[Action]:
    """The actions at a point: flags first, then those of every entry in order of creation.

    `now` is the step to which ages are counted. Sentences quote values as `masker` shows them.
    """
    return Planner(manager, point, now, policy, masker or Masker.of(manager.program)).actions()


class Planner:
    """One plan in the making."""

    def __init__(self, manager: Manager, point: Point, now: int, policy: Policy, masker: Masker) -> None:
        self._program = manager.program
        self._reaching, self._point = manager.solve(Reaching), point
        self._now = now
        self._policy = policy
        self._masker = masker
        self.standings = standings(manager, point)
        self._by_key = {_key(one): one for one in self.standings}
        self.stale_uses: list[StaleUse] = [u for u in manager.result(StaleUses) if self._is_past(u.instruction)]
        self.conflicts = [c for c in manager.result(Conflicts) if self._is_past(c.instruction) and self._is_open(c)]
        self._contested = {(side.instruction, side.leaf) for c in self.conflicts for side in (c.left, c.right)}
        self._facts = _facts(self.standings, manager.accesses.judge.statement)

    def actions(self) -> list[Action]:
        """All actions."""
        flags = [*map(self._stale_use, self.stale_uses), *map(self._conflict, self.conflicts)]
        return flags + [action for standing in self.standings for action in self._of(standing)]

    def _is_past(self, instruction: int) -> bool:
        return self._program.step_of(self._program.block_of(instruction)) <= self._now

    def _is_open(self, conflict: Conflict) -> bool:
        """Whether both sides are still in force."""
        return all(map(self._is_in_force, (conflict.left, conflict.right)))

    def _is_in_force(self, side: Definition) -> bool:
        if side.is_tombstone:
            return side in self._reaching.value(side.cell, self._point)
        found = self._by_key.get((side.instruction, side.leaf))
        return found is not None and found.in_force

    # flags

    def _stale_use(self, use: StaleUse) -> Action:
        step = self._step(use.instruction)
        purpose = purpose_of(self._program, use.instruction)
        what = f" for {purpose}" if purpose else ""
        ended = f", {self._ended(use.ended)}"
        return Action(
            kind=Kind.FLAG_STALE_USE,
            code="SM101",
            cell=use.cell,
            entry=use.entry.id,
            other=use.instead[-1].id if use.instead else None,
            reason=f"step {step} used {self._value(use.entry.id)}{what}{ended}",
            basis="observation",
            unless="an entry in force had stated the same value at that step",
            step=step,
            instruction=use.instruction,
        )

    def _conflict(self, conflict: Conflict) -> Action:
        sides = [conflict.left, conflict.right]
        if sides[0].is_tombstone:  # an action is about an entry
            sides.reverse()
        entry = self._program.entry_of(sides[0])
        assert entry is not None
        step = self._step(max(conflict.left.instruction, conflict.right.instruction))
        return Action(
            kind=Kind.FLAG_CONFLICT,
            code=_CONFLICTS[conflict.rule],
            cell=conflict.right.cell,
            entry=entry.id,
            other=self._id(sides[1]),
            reason=f"{self._side(sides[0])} and {self._side(sides[1])} contradict each other: {conflict.rule.value}",
            basis="observation",
            unless="a later definition replaced both, or one of the two was withdrawn",
            step=step,
            instruction=conflict.instruction,
        )

    def _id(self, definition: Definition) -> str | None:
        entry = self._program.entry_of(definition)
        return self._program.instructions[definition.instruction].id if entry is None else entry.id

    def _side(self, definition: Definition) -> str:
        named = self._id(definition)
        if not definition.is_tombstone:
            return self._value(named or "")
        return "what was emptied" if named is None else f"what {self._masker.text(named)} emptied"

    # entries

    def _of(self, standing: Standing) -> Iterator[Action]:
        if _key(standing) in self._contested:
            return
        if not standing.in_force:
            yield from self._left_force(standing)
            return
        fact = self._facts[_key(standing)]
        if fact[0] is not standing:
            yield self._merge(standing, fact[0])
        else:
            yield from self._aged(standing, fact)

    def _left_force(self, standing: Standing) -> Iterator[Action]:
        ending = standing.ending
        if standing.word is Word.HISTORY:
            stronger = ", ".join(self._name(one) for one in standing.outranked_by)
            reason = f"{self._value(standing.entry.id)} came after {stronger}, which outranks it"
            yield self._action(
                standing, Kind.ARCHIVE, "SM703", reason, "observation", "the dates or versions were otherwise"
            )
            return
        told = self._ended(ending) if ending else "left force"
        reason = f"{self._value(standing.entry.id)} was {told}"
        if ending is not None and ending.how is How.REPLACED:
            successor = self._program.entry_of(ending.by)
            other = successor.id if successor else None
            unless = f"{other} were withdrawn"
            yield self._action(standing, Kind.SUPERSEDE, "SM301", reason, "observation", unless, other)
        code = "SM702" if standing.word is Word.ENDED else "SM701"
        yield self._action(standing, Kind.ARCHIVE, code, reason, "observation", "what ended it were withdrawn")

    def _merge(self, standing: Standing, fact: Standing) -> Action:
        own = f"{self._value(standing.entry.id)}, step {standing.created}"
        reason = f"{own}, restates {self._masker.text(fact.entry.id)} of step {fact.created}"
        unless = "either value differed"
        return self._action(standing, Kind.MERGE, "SM401", reason, "observation", unless, fact.entry.id)

    def _aged(self, standing: Standing, fact: list[Standing]) -> Iterator[Action]:
        """One fact in force, as old as the latest of its sources was made or used."""
        metadata = self._program.metadata.get(standing.entry.id, {})
        name, generation = self._policy.generation(standing.cell, metadata)
        created = max(one.created for one in fact)
        used = max((one.last_used for one in fact if one.last_used is not None), default=None)
        age = self._now - max(created, used if used is not None else created)
        told = self._told(standing, created, used, age, f"{name} threshold {generation.cold_after}")
        if self._is_pinned(standing.cell):
            unless = "the pin were taken off, or another value replaced it"
            yield self._action(standing, Kind.KEEP, "SM502", f"pinned; {told}", "policy", unless)
        elif standing.word is Word.LIVE:
            yield self._live(standing, told)
        elif standing.word in (Word.SPENT, Word.UNREAD):
            yield from self._dead(standing, told)
        elif generation.is_cold(age):
            yield from self._cold(standing, told, archived=generation.is_archived(age))
        else:
            unless = f"it were not used for more than {generation.cold_after} steps, or the horizon spoke of it"
            yield self._action(standing, Kind.KEEP, "SM503", f"hot; {told}", "policy", unless)

    def _live(self, standing: Standing, told: str) -> Action:
        basis: Basis = "observation" if standing.observed else "expectation"
        how = "the log uses it later" if standing.observed else "the horizon expects its cell to be read"
        return self._action(
            standing, Kind.KEEP, "SM501", f"live: {how}; {told}", basis, "nothing read the cell any more"
        )

    def _dead(self, standing: Standing, told: str) -> Iterator[Action]:
        reason = f"{standing.word.value}: nothing reads the cell before its end; {told}"
        unless = "the horizon expected the cell"
        yield self._action(standing, Kind.DEMOTE, "SM601", reason, "expectation", unless)
        yield self._action(standing, Kind.ARCHIVE, "SM704", reason, "expectation", unless)

    def _cold(self, standing: Standing, told: str, *, archived: bool) -> Iterator[Action]:
        unless = "it were used, pinned or expected"
        yield self._action(standing, Kind.DEMOTE, "SM602", f"cold; {told}", "policy", unless)
        if archived:
            yield self._action(standing, Kind.ARCHIVE, "SM705", f"cold for longer again; {told}", "policy", unless)

    def _is_pinned(self, cell: Cell) -> bool:
        return any(one.pinned and one.pattern.overlaps(cell) for one in self._program.declarations)

    # words

    def _action(
        self,
        standing: Standing,
        kind: Kind,
        code: str,
        reason: str,
        basis: Basis,
        unless: str,
        other: str | None = None,
    ) -> Action:
        return Action(
            kind=kind,
            code=code,
            cell=standing.cell,
            entry=standing.entry.id,
            other=other,
            reason=reason,
            basis=basis,
            unless=unless,
            step=standing.created,
        )

    def _told(self, standing: Standing, created: int, used: int | None, age: int, threshold: str) -> str:
        made = f"created at step {created}" if created == standing.created else f"confirmed at step {created}"
        last = "never used" if used is None else f"last used at step {used}"
        return f"{made}, {last}, now step {self._now}, {age} steps ago, {threshold}"

    def _ended(self, ending: Ending) -> str:
        step = self._step(ending.by.instruction)
        successor = self._program.entry_of(ending.by)
        if ending.how is How.OUTRANKED:
            return f"outranked when it came by {self._name(ending.by)} of step {step}"
        if successor is not None:
            return f"replaced at step {step} by {self._value(successor.id)}"
        if ending.how is How.LACKING:
            whole = self._program.instructions[ending.by.instruction].id
            return f"gone at step {step}: {whole} sets the whole and lacks it"
        if ending.how is How.SCOPE:
            return f"ended at step {step} with its task"
        return f"deleted at step {step}"

    def _value(self, entry: str) -> str:
        found = self._program.entry_named(entry)
        if found is None:
            return self._masker.text(entry)
        shown = self._masker.shown(found.cell, found.value)
        return f"{_short(shown)} ({self._masker.text(entry)})"

    def _name(self, definition: Definition) -> str:
        entry = self._program.entry_of(definition)
        own = self._program.instructions[definition.instruction].id
        return self._masker.text(entry.id if entry is not None else f"the deletion {own}")

    def _step(self, instruction: int) -> int:
        return self._program.step_of(self._program.block_of(instruction))


#: Stands for the cell of an entry that was written through a reference: nothing is known of its field.


def purpose_of(program: Program, number: int) -> str | None:
    """What an instruction reads for: a use's purpose, an effect, an entry derived; None where nothing says."""
    match program.instructions[number]:
        case Use(purpose=purpose):
            return purpose
        case Effect(action=action):
            return f"the effect {action}"
        case Derive(id=made):
            return f"the derivation of {made}"
    return None


def _short(text: str, width: int = 60) -> str:
    return text if len(text) <= width else f"{text[: width - 1]}…"


def _key(standing: Standing) -> tuple[int, int]:
    return standing.entry.instruction, standing.entry.leaf


def _facts(found: list[Standing], statement: Callable[[Definition], object]) -> dict[tuple[int, int], list[Standing]]:
    """Entries in force grouped into facts: those at one cell that state the same value, the oldest first."""
    facts: dict[tuple[Cell, object], list[Standing]] = {}
    by_entry: dict[tuple[int, int], list[Standing]] = {}
    for standing in found:
        if standing.in_force:
            own = Definition(*_key(standing), standing.cell)
            fact = facts.setdefault((standing.cell, statement(own)), [])
            fact.append(standing)
            by_entry[_key(standing)] = fact
    return by_entry
