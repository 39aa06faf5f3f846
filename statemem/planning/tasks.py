"""What happens to the cells of tasks that were put aside, taken up again, or ended."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from statemem.actions import Action, Kind
from statemem.ir import Scope
from statemem.passes import Standing, Switches, Tasks
from statemem.passes.framework import ANYTHING, BlockEnd
from statemem.passes.tasks.later_uses import Why
from statemem.passes.tasks.stacks import Status, statuses
from statemem.passes.tasks.switches import Held, Switch

from .situation import Key, Situation, key_of


class TaskActions:
    """The tasks at a point: which are aside, which came back in this step, and for how long each was aside."""

    def __init__(self, situation: Situation) -> None:
        self._situation = situation
        switches = situation.manager.result(Switches)
        past = [one for one in switches if situation.is_past(one.instruction)]
        self._aside = self._certain(Status.LEFT, Status.WAITING) - {self._at_work()} if past else frozenset()
        running = self._certain(Status.RUNNING) if past else frozenset()
        self._last: dict[str, Switch] = {}
        self._spans: dict[str, list[tuple[int, int | None]]] = {}
        for switch in past:
            self._take(switch)
        self._back = frozenset(task for task in running if self._came_back(task))

    def _at_work(self) -> str | None:
        """The task in which the log works at the point, whichever runs."""
        point = self._situation.point
        return self._situation.program.blocks[point.block].task if isinstance(point, BlockEnd) else None

    def _certain(self, *wanted: Status) -> frozenset[str]:
        """The tasks that surely are of one of some statuses at the point."""
        stacks: Any = self._situation.manager.solve(Tasks).fact(self._situation.point)
        if stacks is ANYTHING:
            return frozenset()
        found = [{task for task, own in statuses(stack).items() if own in wanted} for stack in stacks]
        return frozenset(set.intersection(*found)) if found else frozenset()

    def _take(self, switch: Switch) -> None:
        step = self._situation.words.step(switch.instruction)
        for task in switch.tasks:
            self._last[task] = switch
            spans = self._spans.setdefault(task, [])
            if spans and spans[-1][1] is None:
                spans[-1] = (spans[-1][0], step)
            if task in switch.suspended:
                spans.append((step, None))

    def _came_back(self, task: str) -> bool:
        last = self._last[task]
        return task in last.resumed and self._situation.words.step(last.instruction) == self._situation.now

    def rested(self, standing: Standing, since: int) -> int:
        """For how many steps since one the task of an entry was put aside."""
        scope = standing.cell.scope
        spans = self._spans.get(scope.key, []) if scope.kind == "task" else []
        now = self._situation.now
        return sum(max(0, (now if end is None else end) - max(start, since)) for start, end in spans)

    def of(self, standing: Standing) -> Action | None:
        """What is to be done with an entry in force of a task that is aside, or came back just now."""
        task = _task_of(standing.cell.scope)
        if task in self._aside:
            return self._action(standing, Kind.SUSPEND, "SM901", task, "put aside", "the task were taken up again")
        if task in self._back:
            return self._action(standing, Kind.RESUME, "SM902", task, "taken up again", "the task were put aside again")
        return None

    def _action(self, standing: Standing, kind: Kind, code: str, task: str, what: str, unless: str) -> Action:
        words, switch = self._situation.words, self._last[task]
        step = words.step(switch.instruction)
        own, away = words.value(standing.entry.id), kind is Kind.SUSPEND
        fate = "leaves the context as it is and comes back with it" if away else "comes back as it was"
        return Action(
            kind=kind,
            code=code,
            cell=standing.cell,
            entry=standing.entry.id,
            task=task,
            reason=f"task {words.text(task)} was {what} at step {step}; {own} {fate}",
            basis="observation",
            unless=unless,
            step=step,
            instruction=switch.instruction,
            proof=self._proof(switch.save if away else switch.load, standing),
        )

    def _proof(self, held: Iterable[Held], standing: Standing) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self._why(one) for one in held if _key(one) == key_of(standing)))

    def _why(self, held: Held) -> str:
        words = self._situation.words
        if held.use is not None:
            return f"step {words.step(held.use)}: {words.text(held.entry.id)} is used again"
        told = {Why.SCOPE: "of the task's own scope"}.get(held.why, held.why.value)
        return f"{words.text(held.entry.id)}: {told}"


def _key(held: Held) -> Key:
    return held.entry.instruction, held.entry.leaf


def _task_of(scope: Scope) -> str:
    """The task of a scope; no task has the empty name."""
    return scope.key if scope.kind == "task" else ""
