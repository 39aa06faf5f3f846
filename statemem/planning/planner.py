"""The plan at one point of a log: findings first, then what is to be done with every entry."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from statemem.actions import Action, Kind
from statemem.masking import Masker
from statemem.passes import Conflict, Conflicts, Manager, Repeats, StaleUse, StaleUses, Standing
from statemem.passes.framework import Point
from statemem.policy import Baseline, Policy
from statemem.policy.baseline import Known

from . import faults
from .guards import confirmations
from .lasting import promotions
from .lifetimes import Lifetimes
from .premises import revalidations
from .questions import questions
from .situation import Situation, key_of
from .trust import quarantines
from .wording import Wording


def plan(manager: Manager, point: Point, now: int, policy: Policy, masker: Masker | None = None) -> list[Action]:
    """The actions at a point: findings first, then those of every entry in order of creation.

    `now` is the step to which ages are counted. Sentences quote values as `masker` shows them.
    """
    return Planner(manager, point, now, policy, masker or Masker.of(manager.program)).actions


class Planner:
    """A plan, with what it was made from.

    `actions` are all that are told; findings that the policy suppresses or a baseline knows are counted in `hidden`.
    """

    def __init__(
        self,
        manager: Manager,
        point: Point,
        now: int,
        policy: Policy,
        masker: Masker,
        baseline: Baseline | None = None,
    ) -> None:
        self._baseline = baseline or Baseline()
        self._alike: Counter[Known] = Counter()
        self._situation = Situation(manager, point, now, policy, Wording(manager.program, masker))
        self._lifetimes, self._promotions = Lifetimes(self._situation), promotions(self._situation)
        self.hidden = 0
        #: What is told of, of which actions speak.
        self.stale_uses: list[StaleUse] = []
        self.conflicts: list[Conflict] = []
        #: Entries of which a decision is open, so that nothing else is done with them.
        self._undecided: set[str] = set()
        #: Entries that are to be looked at again or agreed to, which do not become lasting before that.
        self._doubtful: set[str | None] = set()
        findings = list(self._findings())
        self.actions = [*findings, *(action for one in self.standings for action in self._of(one))]

    @property
    def standings(self) -> list[Standing]:
        """What every entry is at the point."""
        return self._situation.standings

    def _findings(self) -> Iterator[Action]:
        yield from self._faults()
        others = (quarantines, revalidations, confirmations, questions)
        for action in (action for family in others for action in family(self._situation)):
            if action.kind is Kind.QUARANTINE:
                self._leave_open(action.entry)
            elif action.kind in (Kind.REVALIDATE, Kind.CONFIRM):
                self._doubtful.add(action.entry)
            if self._is_told(action):
                yield action

    def _faults(self) -> Iterator[Action]:
        situation, manager = self._situation, self._situation.manager
        for use in manager.result(StaleUses):
            if situation.is_past(use.instruction) and self._is_told(action := faults.stale_use(use, situation)):
                self.stale_uses.append(use)
                yield action
        for found in manager.result(Conflicts(authority=situation.policy.authority)):
            if situation.is_past(found.instruction) and faults.is_open(found, situation):
                action = faults.conflict(found, situation)
                self._leave_open(action.entry, action.other)
                if self._is_told(action):
                    self.conflicts.append(found)
                    yield action
        for again in manager.result(Repeats):
            if situation.is_past(again.instruction) and self._is_told(action := faults.repeat(again, situation)):
                yield action

    def _leave_open(self, *entries: str | None) -> None:
        """Both sides of a conflict, and what is in quarantine, are left as they are, whoever is told of it."""
        self._undecided.update(one for one in entries if one is not None)

    def _is_told(self, action: Action) -> bool:
        """Whether a finding is neither suppressed nor known."""
        name = self._situation.program.name
        self._alike[known := Known.of(action, name)] += 1
        is_known = self._baseline.knows(action, name, nth=self._alike[known])
        is_hidden = is_known or self._situation.policy.hides(action, name)
        self.hidden += is_hidden
        return not is_hidden

    def _of(self, standing: Standing) -> Iterator[Action]:
        if standing.entry.id not in self._undecided:
            yield from self._lifetimes.of(standing)
            if standing.entry.id not in self._doubtful:
                yield from self._promotions.get(key_of(standing), ())
