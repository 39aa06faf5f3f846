"""`switches`: what to save, load and release where one task gives way to another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from statemem.ir import Cell, Definition, Enter, Leave, Program
from statemem.ir.entries import Entry

from ..awaited import Awaited, holds
from ..framework import ANYTHING, Before, Derivation, Manager, register
from ..last_use import NEVER_USED, LastUse
from ..reaching import Reaching
from ..undecided import Undecided
from .later_uses import Key, Later, Uses, Why, later, later_uses, task_uses
from .stacks import Stack, Status, Tasks, after, statuses


class Held(NamedTuple):
    """An entry in force at a switch, the task for which it is told, and why.

    `use` is the instruction of a later use; without one the word of `why` is the proof: what a horizon says, that the
    entry is of the task's own scope, that it ends with it, or that nothing else used it and nothing will.
    """

    entry: Entry
    cell: Cell
    task: str
    why: Why
    use: int | None = None


class Switch(NamedTuple):
    """One instruction at which a task is opened, resumed, suspended or ended, and the entries that it concerns.

    `surely` says that the same happens to the tasks on every path.
    """

    instruction: int
    opened: tuple[str, ...]
    resumed: tuple[str, ...]
    suspended: tuple[str, ...]
    ended: tuple[str, ...]
    surely: bool
    save: tuple[Held, ...] = ()
    load: tuple[Held, ...] = ()
    release: tuple[Held, ...] = ()

    @property
    def tasks(self) -> frozenset[str]:
        """The tasks to which something happens."""
        return frozenset([*self.opened, *self.resumed, *self.suspended, *self.ended])


@register
class Switches(Derivation):
    """Where tasks are opened, resumed, suspended and ended, and which entries that concerns.

    To *save* are entries of a task put aside, of its scope or of cells that it uses, that may be used when it runs
    again. To *load* are those of the scope of a task that begins to run, and others that it may use from then on. To
    *release* are those that end with a task, and of the others what it alone used and nothing will.
    """

    needs = (Tasks, Reaching, LastUse, Awaited, Undecided)

    def derive(self, program: Program, manager: Manager) -> list[Switch]:
        """The switches in the order of the program."""
        names = dict.fromkeys(one.task for one in program.instructions if isinstance(one, (Enter, Leave)))
        found = {one.instruction: one for one in _switches(manager)} if names else {}
        return _Concerned(manager, found, task_uses(manager, names)).all() if found else []

    def show(self, found: list[Switch], program: Program) -> list[str]:
        """`t3 suspends f1`, `t3 saves e1 of f1: used later`, a text for every task and entry."""
        return [text for one in found for text in _shown(one, program)]


def _switches(manager: Manager) -> Iterator[Switch]:
    """What happens to tasks, instruction by instruction."""
    for at, state in manager.solve(Tasks).walk():
        instruction = at.instruction
        if at.number is not None and isinstance(instruction, (Enter, Leave)):
            switch = _switch(at.number, instruction, state.value)
            if switch.tasks:
                yield switch


def _switch(number: int, instruction: Enter | Leave, stacks: Any) -> Switch:
    if stacks is ANYTHING:
        return _unknown(number, instruction)
    told = {_changes(stack, after(stack, instruction)) for stack in stacks}
    opened, resumed, suspended, ended = (
        tuple(dict.fromkeys(task for one in sorted(told) for task in one[role])) for role in range(4)
    )
    surely = len(told) == 1 and not instruction.maybe
    return Switch(number, opened, resumed, suspended, ended, surely)


def _unknown(number: int, instruction: Enter | Leave) -> Switch:
    """What an instruction says by itself, where there are too many stacks to tell."""
    own, none = (instruction.task,), ()
    if isinstance(instruction, Enter):
        return Switch(number, none, own, none, none, surely=False)
    return Switch(number, none, none, none if instruction.ended else own, own if instruction.ended else none, False)


Changes = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], tuple[str, ...]]


def _changes(before: Stack, behind: Stack) -> Changes:
    """The tasks that were opened, resumed, suspended and ended between two stacks."""
    old, new = statuses(before), statuses(behind)
    opened = tuple(task for task in new if task not in old)
    both = [(task, old[task], status) for task, status in new.items() if task in old]
    resumed = tuple(task for task, was, now in both if was.is_suspended and now is Status.RUNNING)
    suspended = tuple(task for task, was, now in both if was is Status.RUNNING and now.is_suspended)
    return opened, resumed, suspended, tuple(task for task in old if task not in new)


class _Concerned:
    """The entries that switches concern, from one walk over each of the facts on both sides of them."""

    def __init__(self, manager: Manager, switches: dict[int, Switch], uses: Uses) -> None:
        self._program = manager.program
        self._judge = manager.accesses.judge
        self._manager = manager
        self._switches = switches
        self._uses = uses
        self._in_force: dict[int, dict[Cell, list[Definition]]] = {}
        self._later: dict[int, dict[Key, frozenset[Later]]] = {}
        self._dead: dict[int, set[Definition]] = {}

    def all(self) -> list[Switch]:
        """The switches with their entries."""
        for at, state in self._manager.solve(Reaching).walk():
            if at.number in self._switches:
                self._in_force[at.number] = {
                    cell: self._standing(cell, at.number, state) for cell in self._of(at.number)
                }
        for at, state in later_uses(self._manager, self._uses).walk():
            if at.number in self._switches:
                tasks = self._switches[at.number].tasks
                self._later[at.number] = {(cell, t): state[cell, t] for t in tasks for cell in self._cells(t)}
        self._find_dead()
        return [self._with_entries(self._switches[number]) for number in sorted(self._switches)]

    def _cells(self, task: str) -> list[Cell]:
        return self._uses.of_task.get(task, [])

    def _of(self, number: int) -> list[Cell]:
        return [cell for task in self._switches[number].tasks for cell in self._cells(task)]

    def _standing(self, cell: Cell, number: int, state: Any) -> list[Definition]:
        """What is in force at a place; the names of one entity are judged together."""
        names, places = self._manager.accesses.names(number), self._manager.accesses.places
        group = [target.cell for target in names.denoted(cell) if target.cell in places]
        together = self._judge.in_force_together([state[one] for one in group])
        return sorted(one for one in together if one.cell == cell and not one.is_tombstone)

    def _find_dead(self) -> None:
        """What is in force where a task ends, of other scopes than its own, and neither awaited nor undecided."""
        ending = {number: one for number, one in self._switches.items() if one.ended}
        for number, switch in ending.items():
            foreign = [cell for cell in self._of(number) if self._uses.alone.get(cell) in switch.ended]
            there = self._in_force.get(number, {})
            self._dead[number] = {one for cell in foreign for one in there[cell] if self._was_used(one, number)}
        for analysis in (Awaited, Undecided):
            for at, state in self._manager.solve(analysis).walk() if any(self._dead.values()) else ():
                if at.number in self._dead:
                    dead = self._dead[at.number]
                    dead -= {one for one in dead if holds(_ByKey(state), one, self._judge)}

    def _was_used(self, one: Definition, number: int) -> bool:
        used = self._manager.solve(LastUse).value((one.instruction, one.leaf), Before(number))
        return bool(used != NEVER_USED)

    def _with_entries(self, switch: Switch) -> Switch:
        if switch.instruction not in self._in_force:
            return switch
        begins = (*switch.opened, *switch.resumed)
        return switch._replace(
            save=_in_order(held for task in switch.suspended for held in self._used(switch.instruction, task)),
            load=_in_order(held for task in begins for held in self._used(switch.instruction, task, whole=True)),
            release=_in_order(held for task in switch.ended for held in self._released(switch.instruction, task)),
        )

    def _used(self, number: int, task: str, *, whole: bool = False) -> Iterator[Held]:
        """What a task may use later, and the whole of its own scope if that is wanted."""
        for cell, one in self._entries(number, task):
            found = later(self._later[number][cell, task], one, self._judge)
            if found is not None:
                yield self._held(one, task, found.why, found.use)
            elif whole and self._uses.owners.get(cell.scope) == task:
                yield self._held(one, task, Why.SCOPE)

    def _released(self, number: int, task: str) -> Iterator[Held]:
        for cell, one in self._entries(number, task):
            if self._uses.owners.get(cell.scope) == task:
                yield self._held(one, task, Why.ENDS)
            elif one in self._dead[number] and self._uses.alone.get(cell) == task:
                yield self._held(one, task, Why.DEAD)

    def _entries(self, number: int, task: str) -> Iterator[tuple[Cell, Definition]]:
        return ((cell, one) for cell in self._cells(task) for one in self._in_force[number][cell])

    def _held(self, one: Definition, task: str, why: Why, use: int | None = None) -> Held:
        entry = self._program.entry_of(one)
        assert entry is not None
        return Held(entry, one.cell, task, why, use)


class _ByKey:
    """A working state as `holds` looks at facts."""

    def __init__(self, state: Any) -> None:
        self._state = state

    def get(self, key: Any, default: Any) -> Any:
        """What a key holds."""
        return self._state[key]


def _in_order(found: Iterable[Held]) -> tuple[Held, ...]:
    return tuple(sorted(found, key=lambda one: (one.entry.instruction, one.entry.leaf, one.cell, one.task)))


def _shown(switch: Switch, program: Program) -> Iterator[str]:
    where = program.blocks[program.block_of(switch.instruction)].name
    perhaps = "" if switch.surely else "perhaps "
    words = {"suspends": switch.suspended, "ends": switch.ended, "resumes": switch.resumed, "opens": switch.opened}
    yield from (f"{where} {perhaps}{word} {task}" for word, tasks in words.items() for task in tasks)
    rows = {"saves": switch.save, "loads": switch.load, "releases": switch.release}
    for word, held in rows.items():
        yield from (f"{where} {perhaps}{word} {one.entry.id} of {one.task}: {one.why.value}" for one in held)
