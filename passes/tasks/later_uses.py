"""What tasks may still use: of each cell the next uses by each of the tasks that use it, and what the horizon says."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator, Mapping
from contextlib import nullcontext
from typing import Any, NamedTuple

import attrs

from statemem.ir import Cell, Definition, How, Instruction, Leave, Mode, Program, Scope
from statemem.ir.meaning.force import Judge
from statemem.ir.meaning.resolve import PlaceWrite

from ..awaited import ANY
from ..framework import Analysis, At, Direction, Manager, MapOf, Powerset, Solution
from ..framework.solver import solve
from .stacks import Tasks, may_run

#: The tasks that may work at each instruction, None among them for none.
Working = Mapping[int, frozenset[str | None]]


class Why(enum.Enum):
    """What speaks for an entry at a switch of tasks."""

    OBSERVED = "used later"
    EXPECTED = "expected by the horizon"
    UNKNOWN = "not spoken of by the horizon"
    SCOPE = "of its scope"
    ENDS = "ends with it"
    DEAD = "used by it alone"


class Later(NamedTuple):
    """A later use by its instruction, or an end of the program; `states` is what a value must state to come to it."""

    why: Why
    use: int | None
    states: object = ANY


Key = tuple[Cell, str]


def _none(_: Key) -> frozenset[Later]:
    return frozenset()


@attrs.frozen
class Uses:
    """Which tasks use which cells: `of_cell` the tasks of each, those to whose scope it belongs among them.

    `alone` are the cells that one task used and nothing else, with that task.
    """

    working: Working
    of_cell: Mapping[Cell, frozenset[str]]
    of_task: Mapping[str, list[Cell]]
    alone: Mapping[Cell, str]
    owners: Mapping[Scope, str]


class LaterUses(Analysis):
    """The next uses of each cell by each task, as far as the value that stands there comes to them.

    in = uses here, or what of out is not replaced by another statement. What a task may use it may do so no more once
    it has ended. At the ends of the program stands what the horizon says.
    """

    direction = Direction.BACKWARD
    facts = MapOf(Powerset[Later](), _none)
    uses: Uses = attrs.field(factory=lambda: Uses({}, {}, {}, {}, {}), eq=False)

    def boundary(self, program: Program) -> dict[Key, frozenset[Later]]:
        """Nothing is used behind the end."""
        return {}

    def transfer(self, instruction: Instruction, state: Any, at: At) -> None:
        """The end of a task, writes, then reads: the order in which they happen, backwards."""
        assert at.number is not None
        if isinstance(instruction, Leave) and instruction.ended:
            for cell in self.uses.of_task.get(instruction.task, ()):
                state[cell, instruction.task] = frozenset()
        for write in reversed(at.accesses.writes(at.number)):
            with nullcontext() if write.definite else state.maybe():
                self._write(write, state, at)
        for read in reversed(at.accesses.reads(at.number)):
            if read.how is How.USED:
                self._read(read.place, at.number, read.definite, state)

    def on_end(self, expected: Iterable[Cell], state: Any, at: At) -> None:
        """Whatever is expected, and of the rest, unless the end speaks of all, nobody knows."""
        known = set(expected)
        for cell, tasks in self.uses.of_cell.items():
            if cell in known or not at.closes:
                why = Why.EXPECTED if cell in known else Why.UNKNOWN
                for task in tasks:
                    state[cell, task] = frozenset([Later(why, None)])

    def show(self, fact: Any) -> list[str]:
        """`x for f1: used later at 3`, with `=` where only a value that states the same comes to it."""
        told = ((cell, task, one) for (cell, task), found in (fact or {}).items() for one in found)
        return sorted(f"{cell} for {task}: {_shown(one)}" for cell, task, one in told)

    def _write(self, write: PlaceWrite, state: Any, at: At) -> None:
        """What is replaced comes to later uses only where it states the same."""
        outranks_all = write.mode is Mode.END or not at.accesses.may_be_outranked(write)
        if write.mode in (Mode.EXTEND, Mode.FILL) or not outranks_all:
            return
        own = None if write.by.is_tombstone else at.judge.statement(write.by)
        for task in self.uses.of_cell.get(write.place, ()):
            met = (one for one in state[write.place, task] if own is not None and one.states in (ANY, own))
            state[write.place, task] = frozenset(one._replace(states=own) for one in met)

    def _read(self, cell: Cell, number: int, definite: bool, state: Any) -> None:
        """A use by the task to which the cell belongs, and by whichever task works there."""
        working = self.uses.working.get(number, frozenset())
        for task in self.uses.of_cell.get(cell, ()):
            is_own = self.uses.owners.get(cell.scope) == task
            if is_own or task in working:
                surely = definite and (is_own or len(working) == 1)
                found = frozenset([Later(Why.OBSERVED, number)])
                state[cell, task] = found if surely else state[cell, task] | found


def _shown(one: Later) -> str:
    where = "" if one.use is None else f" at {one.use}"
    return f"{one.why.value}{where}{'' if one.states is ANY else ' ='}"


def later(fact: Iterable[Later], definition: Definition, judge: Judge) -> Later | None:
    """What speaks for a definition among what is told of its cell: observed before expected, the nearest use first."""
    met = (one for one in fact if one.states is ANY or one.states == judge.statement(definition))
    return min(met, key=lambda one: (list(Why).index(one.why), one.use or 0), default=None)


def later_uses(manager: Manager, uses: Uses) -> Solution:
    """The later uses of all cells; they rest on who works where, so that they are no pass of their own."""
    analysis = LaterUses(uses=uses)
    return Solution(analysis, manager.graph, {}, solve(analysis, manager.graph, {}))


def task_uses(manager: Manager, tasks: Iterable[str]) -> Uses:
    """What some tasks use, found in one walk over the stacks of tasks."""
    program = manager.program
    owners = {program.tasks[task].scope if task in program.tasks else Scope("task", task): task for task in tasks}
    working = dict(_working(manager, frozenset(owners.values())))
    users: dict[Cell, set[str | None]] = {}
    for number, those in working.items():
        for read in manager.accesses.reads(number):
            if read.how is How.USED:
                users.setdefault(read.place, set()).update(those)
    alone = {cell: task for cell, found in users.items() if len(found) == 1 for task in found if task is not None}
    for scope, owner in owners.items():
        for cell in manager.accesses.places.in_scope(scope):
            users.setdefault(cell, set()).add(owner)
    told = {cell: frozenset(one for one in found if one is not None) for cell, found in users.items()}
    of_cell = {cell: found for cell, found in told.items() if found}
    of_task: dict[str, list[Cell]] = {}
    for cell in sorted(of_cell):
        for task in sorted(of_cell[cell]):
            of_task.setdefault(task, []).append(cell)
    return Uses(working, of_cell, of_task, alone, owners)


def _working(manager: Manager, tasks: frozenset[str]) -> Iterator[tuple[int, frozenset[str | None]]]:
    """Who may work at each instruction: the task in which its block says to lie, else one that may run."""
    for at, state in manager.solve(Tasks).walk():
        if at.number is not None:
            stated = at.block.task
            found = may_run(state.value) if stated is None else frozenset([stated])
            yield at.number, frozenset([None, *tasks]) if found is None else found
