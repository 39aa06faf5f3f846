"""`tasks`: which tasks are open at a point, one above the other, and which of them runs."""

from __future__ import annotations

import enum
import math
from collections.abc import Iterable, Iterator, Sequence, Set
from itertools import permutations, product
from typing import Any, ClassVar, NamedTuple

from statemem.ir import Enter, Instruction, Leave, Program

from ..framework import ANYTHING, Analysis, At, BoundedSet, Lattice, register


class Mark(NamedTuple):
    """A task that was entered and has not ended; `left` says that it was put aside and not entered since."""

    task: str
    left: bool = False


#: The tasks that are known on some way to a point, the one entered last behind all others.
Stack = tuple[Mark, ...]


class Status(enum.Enum):
    """What a known task does: it runs, waits for the one above it to be left, or was left and waits to be entered."""

    RUNNING = "running"
    WAITING = "waiting"
    LEFT = "left"

    @property
    def is_suspended(self) -> bool:
        """Whether it is known and does not run."""
        return self is not Status.RUNNING


@register
class Tasks(Analysis):
    """The stacks of tasks that are possible at a point.

    out = each stack of in, moved on. `enter` opens a task above the one that runs, which waits until it is left, or
    takes a suspended one up again; `leave` puts a task aside, `leave … ended` forgets it. More than `most` stacks are
    anything.
    """

    facts: ClassVar[Lattice[Any]] = BoundedSet[Stack](8)
    most: int = 8

    def __attrs_post_init__(self) -> None:
        if self.most < 1:
            raise ValueError(f"most must be at least 1, not {self.most}")
        object.__setattr__(self, "facts", BoundedSet[Stack](self.most))  # the bound of the lattice is an option here

    def boundary(self, program: Program) -> Any:
        """No task is known."""
        return frozenset([()])

    def transfer(self, instruction: Instruction, state: Any, at: At) -> None:
        """Enter and Leave, stack by stack."""
        if isinstance(instruction, (Enter, Leave)) and state.value is not ANYTHING:
            state.value = frozenset(after(stack, instruction) for stack in state.value)

    def on_join(self, before: Any, arms: Sequence[Any], at: At) -> Any:
        """What every arm left known is known, and what any of them opened; of these any may have come last.

        Of what an arm and the fork may hold only those stacks go together that agree on tasks it does not touch.
        """
        known = [before, *arms]
        if any(one is ANYTHING for one in known) or math.prod(map(len, known)) > self.most**3:
            return ANYTHING
        touched = [_touched(own, at.program) for own in at.arms]
        found: set[Stack] = set()
        for stack in before:
            fitting = [[one for one in arm if _fits(stack, one, own)] for arm, own in zip(arms, touched, strict=True)]
            found.update(one for went in product(*fitting) for one in _joined(stack, went))
        return frozenset(found) if len(found) <= self.most else ANYTHING

    def show(self, fact: Any) -> list[str]:
        """`f1 left < f2 running`: a stack in a text, the task entered last behind; `none` without any."""
        return ["anything"] if fact is ANYTHING else sorted(map(shown, fact))


def after(stack: Stack, instruction: Enter | Leave) -> Stack:
    """A stack after a task was entered, left or ended.

    >>> stack = after(after((), Enter(task="f1")), Enter(task="f2"))
    >>> shown(stack), shown(after(stack, Leave(task="f2"))), shown(after(stack, Enter(task="f1")))
    ('f1 waiting < f2 running', 'f1 running < f2 left', 'f2 waiting < f1 running')
    """
    task = instruction.task
    others = tuple(one for one in stack if one.task != task)
    if isinstance(instruction, Enter):
        return (*others, Mark(task))
    if instruction.ended:
        return others
    return tuple(Mark(task, left=True) if one.task == task else one for one in stack)


def running(stack: Stack) -> str | None:
    """The task that runs: of those that were not left the one entered last; None where there is none."""
    return next((one.task for one in reversed(stack) if not one.left), None)


def statuses(stack: Stack) -> dict[str, Status]:
    """The status of every known task, in the order of the stack."""
    runs = running(stack)
    found = {one.task: Status.LEFT if one.left else Status.WAITING for one in stack}
    return found if runs is None else {**found, runs: Status.RUNNING}


def shown(stack: Stack) -> str:
    """A stack as text."""
    return " < ".join(f"{task} {status.value}" for task, status in statuses(stack).items()) or "none"


def may_run(fact: Any) -> frozenset[str | None] | None:
    """The tasks that may run, given what the pass found at a point; None among them where none may.

    None instead of a set where any task may.
    """
    return None if fact is ANYTHING else frozenset(map(running, fact))


def _touched(numbers: Iterable[int], program: Program) -> frozenset[str]:
    """The tasks that some instructions enter or leave."""
    found = (program.instructions[number] for number in numbers)
    return frozenset(one.task for one in found if isinstance(one, (Enter, Leave)))


def _fits(before: Stack, arm: Stack, touched: Set[str]) -> bool:
    """Whether an arm may have come from one stack to another: what it does not touch is as it was."""
    return [one for one in before if one.task not in touched] == [one for one in arm if one.task not in touched]


def _joined(before: Stack, arms: Sequence[Stack]) -> Iterator[Stack]:
    """The stacks in which arms that were executed side by side may have left a stack."""
    known = _known(before, arms)
    moved = [_moved(before, arm) for arm in arms]
    entered = {task for own in moved for task in own}
    rest = [one.task for one in before if one.task not in entered]
    for order in permutations([own for own in moved if own]):
        last = dict.fromkeys(reversed([task for own in order for task in own]))
        yield tuple(Mark(task, known[task]) for task in (*rest, *reversed(last)) if task in known)


def _moved(before: Stack, arm: Stack) -> list[str]:
    """The tasks that an arm entered: those behind the longest beginning in which the old order is kept."""
    old = iter([one.task for one in before])
    kept = 0
    while kept < len(arm) and arm[kept].task in old:  # looks only at what lies behind the one found before
        kept += 1
    return [one.task for one in arm[kept:]]


def _known(before: Stack, arms: Sequence[Stack]) -> dict[str, bool]:
    """The tasks that are known at the join of a fork, and whether they are left there."""
    old, new = dict(before), [dict(arm) for arm in arms]
    found: dict[str, bool] = {}
    for task in dict.fromkeys([*old, *(task for arm in new for task in arm)]):
        told = [arm.get(task) for arm in new]
        is_gone = task in old and None in told
        if task in old and not old[task]:  # open before the fork: open if every arm left it so
            if not is_gone:
                found[task] = any(told)
        elif False in told:
            found[task] = False
        elif not is_gone:
            found[task] = True
    return found
