"""How long entries stay: what was replaced, what restates a fact, and which facts in force are kept and which cool."""

from __future__ import annotations

from collections.abc import Iterator

from statemem.actions import Action, Basis, Kind
from statemem.ir import Leave
from statemem.passes import Ending, Standing, Word
from statemem.passes.endings import How

from .situation import Fact, Situation, key_of
from .tasks import TaskActions
from .wording import counted


class Lifetimes:
    """The actions that follow from what each entry is. While the task of an entry is put aside it does not age."""

    def __init__(self, situation: Situation) -> None:
        self._situation = situation
        self._words = situation.words
        self._tasks = TaskActions(situation)

    def of(self, standing: Standing) -> Iterator[Action]:
        """The actions for one entry."""
        if not standing.in_force:
            yield from self._left_force(standing)
            return
        fact = self._situation.fact_of(key_of(standing))
        if fact[0] is not standing:
            yield self._merge(standing, fact[0])
        else:
            yield from self._aged(standing, fact)

    def _left_force(self, standing: Standing) -> Iterator[Action]:
        ending, value = standing.ending, self._words.value(standing.entry.id)
        if standing.word is Word.HISTORY:
            stronger = ", ".join(self._words.name(one) for one in standing.outranked_by)
            reason = f"{value} came after {stronger}, which outranks it"
            unless = "the dates or versions were otherwise"
            yield self._action(standing, Kind.ARCHIVE, "SM703", reason, "observation", unless)
            return
        reason = f"{value} was {self._words.ended(ending) if ending else 'left force'}"
        if ending is not None and ending.how is How.REPLACED:
            successor = self._situation.program.entry_of(ending.by)
            other = successor.id if successor else None
            unless = f"{self._words.text(other or '')} were withdrawn"
            yield self._action(standing, Kind.SUPERSEDE, "SM301", reason, "observation", unless, other)
        unless = "what ended it were withdrawn"
        if standing.word is Word.ENDED and ending is not None and self._ended_task(ending):
            yield self._action(standing, Kind.RELEASE, "SM903", reason, "observation", unless)
            return
        code = "SM702" if standing.word is Word.ENDED else "SM701"
        yield self._action(standing, Kind.ARCHIVE, code, reason, "observation", unless)

    def _ended_task(self, ending: Ending) -> bool:
        """Whether an entry ended with its task, and not with its turn."""
        return isinstance(self._situation.program.instructions[ending.by.instruction], Leave)

    def _merge(self, standing: Standing, fact: Standing) -> Action:
        own = f"{self._words.value(standing.entry.id)}, step {standing.created}"
        reason = f"{own}, restates {self._words.text(fact.entry.id)} of step {fact.created}"
        unless = "either value differed"
        return self._action(standing, Kind.MERGE, "SM401", reason, "observation", unless, fact.entry.id)

    def _aged(self, standing: Standing, fact: Fact) -> Iterator[Action]:
        """One fact in force, as old as the latest of its sources was made or used."""
        name, generation = self._situation.policy.generation(standing.cell, self._metadata(standing))
        created = max(one.created for one in fact)
        used = max((one.last_used for one in fact if one.last_used is not None), default=None)
        last = max(created, used if used is not None else created)
        rested = self._tasks.rested(standing, last)
        age = self._situation.now - last - rested
        told = self._told(standing, created, used, age, f"{name} threshold {generation.cold_after}", rested)
        if self._situation.is_pinned(standing.cell):
            unless = "the pin were taken off, or another value replaced it"
            yield self._action(standing, Kind.KEEP, "SM502", f"pinned; {told}", "policy", unless)
        elif (moved := self._tasks.of(standing)) is not None:
            yield moved
        elif standing.word is Word.LIVE:
            yield self._live(standing, told)
        elif standing.word in (Word.SPENT, Word.UNREAD):
            yield from self._dead(standing, told)
        elif generation.is_cold(age):
            yield from self._cold(standing, told, archived=generation.is_archived(age))
        else:
            unless = f"it were not used for more than {generation.cold_after} steps, or the horizon spoke of it"
            yield self._action(standing, Kind.KEEP, "SM503", f"hot; {told}", "policy", unless)

    def _metadata(self, standing: Standing) -> dict[str, object]:
        return dict(self._situation.program.metadata.get(standing.entry.id, {}))

    def _live(self, standing: Standing, told: str) -> Action:
        basis: Basis = "observation" if standing.observed else "expectation"
        unless = "nothing read the cell any more"
        return self._action(standing, Kind.KEEP, "SM501", f"live: {self._reader(standing)}; {told}", basis, unless)

    def _reader(self, standing: Standing) -> str:
        """Who is going to read a live entry."""
        future = self._situation.manager.horizon.future
        if standing.observed:
            return "the log uses it later"
        reader = None if future is None else future.reader_of(standing.cell, self._situation.program)
        if future is None or reader is None:
            return "the horizon expects its cell to be read"
        return f"the workflow {self._words.text(future.workflow)} reads its cell: {self._words.text(reader)}"

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

    def _told(self, standing: Standing, created: int, used: int | None, age: int, threshold: str, rested: int) -> str:
        made = f"created at step {created}" if created == standing.created else f"confirmed at step {created}"
        last = "never used" if used is None else f"last used at step {used}"
        aside = f", {rested} more while its task was put aside" if rested else ""
        return f"{made}, {last}, now step {self._situation.now}, {counted(age, 'step')} ago{aside}, {threshold}"

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
