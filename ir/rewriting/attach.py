"""Several logs of one user as one program: one after the other in the order of their times, each in its own session."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import accumulate

import attrs

from ..blocks import Block, ids_of
from ..cells import Reference, Scope
from ..declarations import Declaration, Requirement
from ..diagnostics import UsageError
from ..drafts import Draft
from ..instructions import Bind, Enter, Instruction, places
from ..origin import Origin
from ..program import Program
from ..terminators import Goto
from .rewriter import Name, Rewriter

#: Names of which each belongs to one part alone, by what they name; beside those of the rewriter two more.
_Names = dict[str, set[str]]
_SESSION, _GROUP = "session", "group"

#: What the keys of scopes name that belong to one log.
_KEYS = {"session": _SESSION, "task": Name.TASK.value, "turn": Name.BLOCK.value}


def attach(programs: Sequence[Program], name: str, *, user: str | None = None) -> Program:
    """One program of the logs of one user.

    Logs come in the order of their first dated instructions; undated ones stay where they were given. Where a log has
    no user of its own, `user` names the one they share; sessions without a parent belong to it too. A session, task,
    block, entry, reference or group of calls that is called as one of an earlier log gets the number of its log behind
    its name, and a task keeps its kind; entities in the user's scope are the same in all. Steps are counted on, if a
    log has any, and the end of each log goes on to the next.

    Raises `UsageError` for workflows, and where the logs are of different users and `user` does not say which.

    >>> from statemem.ir import build
    >>> first = build("session:1/", parent="user:7/").set("user:7/order[W1].status", "paid").program
    >>> second = build("session:1/", parent="user:7/").use("user:7/order[W1].status").end()
    >>> together = attach([first, second], "user 7")
    >>> [str(scope) for scope in together.scopes], [block.name for block in together.blocks]
    (['session:1/', 'session:1-2/'], ['t1', 't1-2'])
    """
    if any(not program.is_trace for program in programs):
        raise UsageError("only logs can be attached to one another, no workflows")
    if not programs:
        raise UsageError("there are no logs to attach")
    joined = _Joined(name, _user(programs, user), counted=len(programs) > 1 and any(map(_has_steps, programs)))
    for program in _by_time(programs):
        joined.add(program)
    return joined.program()


def _user(programs: Sequence[Program], user: str | None) -> Scope | None:
    """The scope all logs share; None where they need no other than they have."""
    owners = {owner for program in programs for owner in _owners(program)}
    if user is not None:
        return Scope("user", user)
    if len(owners) > 1:
        named = ", ".join(sorted(map(str, owners)))
        raise UsageError(f"the logs are of different users, {named}; say whose they are: user=…")
    return None


def _owners(program: Program) -> set[Scope]:
    """The users to whom the bodies of a log belong, be it by way of other scopes."""
    found: set[Scope] = set()
    for task in program.tasks.values():
        scope, passed = program.scopes.get(task.scope, None), {task.scope}
        if task.scope.kind == "user":
            found.add(task.scope)
        while scope is not None and scope not in passed:
            passed.add(scope)
            if scope.kind == "user":
                found.add(scope)
            scope = program.scopes.get(scope)
    return found


def _by_time(programs: Sequence[Program]) -> list[Program]:
    """The logs by their first times; one without any comes directly after the log that was given before it."""
    latest: datetime | None = None
    keyed = []
    for position, program in enumerate(programs):
        latest = _begin(program) or latest
        keyed.append((latest is not None, latest, position, program))
    dated = sorted((one for one in keyed if one[0]), key=lambda one: (one[1], one[2]))
    return [one[3] for one in keyed if not one[0]] + [one[3] for one in dated]


def _begin(program: Program) -> datetime | None:
    origins: Iterable[Origin] = (one.origin for one in program.instructions)
    return next((time for one in origins for time in (one.observed or one.recorded,) if time is not None), None)


def _has_steps(program: Program) -> bool:
    return any(block.step is not None for block in program.blocks)


class _Joined:
    """The logs put together so far, with all names they have taken."""

    def __init__(self, name: str, user: Scope | None, *, counted: bool) -> None:
        self._draft = Draft(name)
        self._user = user
        self._counted = counted
        self._number = 0
        self._taken: _Names = {}
        self._declared: set[Declaration | Requirement] = set()
        self._latest: int | None = None
        self._end: int | None = None

    def add(self, program: Program) -> None:
        """Put a log behind those before, whose current end goes on to it."""
        self._number += 1
        own = _names(program)
        steps = self._steps(program) if self._counted else {}
        renamed = _Renamed(program, self._number, self._taken, own, steps, self._user).program(program)
        self._describe(renamed)
        self._go_on(renamed)
        for kind, names in own.items():
            self._taken.setdefault(kind, set()).update(names)

    def program(self) -> Program:
        """All of them as one; it stands where the last one does."""
        self._draft.at = self._end
        return self._draft.program()

    def _steps(self, program: Program) -> dict[str, int]:
        """The steps of the blocks of a log, by their names, each later than those of all logs before."""
        steps = _steps_of(program)
        shift = 0 if self._latest is None else self._latest + max(0, 1 - min(steps, default=1))
        counted = {block.name: step + shift for block, step in zip(program.blocks, steps, strict=True)}
        self._latest = max(counted.values(), default=self._latest)
        return counted

    def _describe(self, program: Program) -> None:
        scopes = self._draft.scopes
        for scope, parent in program.scopes.items():
            scopes[scope] = scopes.get(scope) or parent or (self._user if scope.kind == "session" else None)
        self._draft.tasks.update(program.tasks)
        self._draft.metadata.update(program.metadata)
        declared: list[Declaration | Requirement] = [*program.declarations, *program.requirements]
        self._draft.declarations += [one for one in declared if one not in self._declared]
        self._declared.update(declared)

    def _go_on(self, program: Program) -> None:
        blocks = self._draft.blocks
        if self._end is not None and program.blocks:
            body, block = blocks[self._end]
            blocks[self._end] = body, attrs.evolve(block, terminator=Goto(program.blocks[0].name))
        if program.current_end is not None:
            self._end = len(blocks) + program.current_end
        blocks += zip(program.body, program.blocks, strict=True)


def _steps_of(program: Program) -> list[int]:
    """The step of each block of a log: its own, else its position, kept between the stated steps nearest to it."""
    stated = [block.step for block in program.blocks]
    before = accumulate(stated, _nearest)
    after = list(accumulate(reversed(stated), _nearest))[::-1]
    numbered = enumerate(zip(before, after, strict=True))
    return [_between(low, program.step_of(number), high) for number, (low, high) in numbered]


def _nearest(last: int | None, step: int | None) -> int | None:
    return last if step is None else step


def _between(low: int | None, step: int, high: int | None) -> int:
    capped = step if high is None else min(step, high)
    return capped if low is None else max(capped, low)


class _Renamed(Rewriter):
    """Gives the parts of one log names that no log before has; `own` are those it has, and gets the new ones."""

    def __init__(
        self, program: Program, number: int, taken: _Names, own: _Names, steps: dict[str, int], user: Scope | None
    ) -> None:
        self._suffix = f"-{number}"
        self._taken = taken
        self._own = own
        self._new: dict[tuple[str, str], str] = {}
        self._owners = _owners(program) if user is not None else set()
        self._user = user
        self._steps = steps
        self._with_kind = set(_tasks_with_kind(program))

    def name(self, text: str, kind: Name) -> str:
        return self._free(text, kind.value)

    def scope(self, scope: Scope) -> Scope:
        if scope in self._owners and self._user is not None:
            return self._user
        kind = _KEYS.get(scope.kind)
        return scope if kind is None else Scope(scope.kind, self._free(scope.key, kind))

    def block(self, block: Block) -> Block:
        return attrs.evolve(super().block(block), step=self._steps.get(block.name, block.step))

    def origin(self, origin: Origin) -> Origin:
        if origin.group is None:
            return origin
        return attrs.evolve(origin, group=self._free(origin.group, _GROUP))

    def instruction(self, one: Instruction) -> Instruction:
        """A task is of the kind of its name where none is stated, also when that becomes another."""
        if not isinstance(one, Enter) or one.task in self._with_kind or self.name(one.task, Name.TASK) == one.task:
            return super().instruction(one)
        return super().instruction(attrs.evolve(one, kind=one.task))

    def _free(self, text: str, kind: str) -> str:
        """A name, or a new one if a log before has it: the same each time it is asked for."""
        taken = self._taken.get(kind, ())
        if text not in taken:
            return text
        if (kind, text) not in self._new:
            new = text + self._suffix
            while new in taken or new in self._own[kind]:
                new += self._suffix
            self._own[kind].add(new)
            self._new[kind, text] = new
        return self._new[kind, text]


def _tasks_with_kind(program: Program) -> Iterator[str]:
    """The tasks of which the log says what kind they are."""
    yield from (task.name for task in program.tasks.values() if task.kind is not None)
    yield from (one.task for one in program.instructions if isinstance(one, Enter) and one.kind is not None)


def _names(program: Program) -> _Names:
    """The names of a program that only one part may have."""
    scopes = {scope for pair in program.scopes.items() for scope in pair if scope is not None}
    origins = [*(block.origin for block in program.blocks), *(one.origin for one in program.instructions)]
    found: _Names = {
        Name.TASK.value: set(program.tasks),
        Name.BLOCK.value: {block.name for block in program.blocks},
        Name.ENTRY.value: {*program.metadata, *(one for block in program.blocks for one in ids_of(block))},
        Name.REFERENCE.value: set(_references(program)),
        _SESSION: set(),
        _GROUP: {origin.group for origin in origins if origin.group is not None},
    }
    for scope in scopes:
        if scope.kind in _KEYS:
            found[_KEYS[scope.kind]].add(scope.key)
    return found


def _references(program: Program) -> Iterator[str]:
    """The references that a program binds or names."""
    for one in program.instructions:
        if isinstance(one, Bind):
            yield one.reference
        yield from (place.name for place in places(one) if isinstance(place, Reference))
