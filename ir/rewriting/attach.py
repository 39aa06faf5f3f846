"""Several logs of one user as one program: one after the other in the order of their times, each in its own session."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime

import attrs

from ..blocks import Block, ids_of
from ..cells import Scope
from ..declarations import Declaration, Requirement
from ..diagnostics import UsageError
from ..drafts import Draft
from ..origin import Origin
from ..program import Program
from ..terminators import Goto
from .rewriter import Name, Rewriter


def attach(programs: Sequence[Program], name: str, *, user: str | None = None) -> Program:
    """One program of the logs of one user.

    Logs come in the order of their first dated instructions; undated ones stay where they were given. Where a log has
    no user of its own, `user` names the one they share. A session, task, block or entry that is called as one of an
    earlier log gets the number of its log behind its name; entities in the user's scope are the same in all. Steps are
    counted on, and the end of each log goes on to the next.

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
    joined = Draft(name)
    shared = _user(programs, user)
    end: int | None = None
    for number, program in enumerate(_by_time(programs), 1):
        end = _add(joined, _Renamed(joined, number, program, shared).program(program), end)
    if end is not None and end != len(joined.blocks) - 1:
        joined.at = joined.blocks[end][1].name
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
    """The users to whom the sessions of a log belong."""
    found = (program.scopes.get(task.scope) for task in program.tasks.values())
    return {scope for scope in found if scope is not None and scope.kind == "user"}


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


class _Renamed(Rewriter):
    """Gives the parts of one log names that no log before has."""

    def __init__(self, joined: Draft, number: int, program: Program, user: Scope | None) -> None:
        self._suffix = f"-{number}"
        self._taken = _names(joined.tasks, joined.scopes, (block for _, block in joined.blocks), joined.metadata)
        self._own = _names(program.tasks, program.scopes, program.blocks, program.metadata)
        self._new: dict[tuple[Name, str], str] = {}
        self._owners = _owners(program) if user is not None else set()
        self._user = user
        self._sessions = {scope for scope in joined.scopes if scope.kind == "session"}
        self._steps = max((block.step or 0 for _, block in joined.blocks), default=0)

    def name(self, text: str, kind: Name) -> str:
        """An entry that is a part of a whole keeps the path behind the whole's new name."""
        taken = self._taken.get(kind, ())
        whole, slash, path = text.partition("/")
        if kind is Name.ENTRY and slash and whole in taken:
            return f"{self._renamed(whole, kind)}/{path}"
        return self._renamed(text, kind) if text in taken else text

    def scope(self, scope: Scope) -> Scope:
        if scope in self._owners and self._user is not None:
            return self._user
        if scope.kind in ("task", "turn"):
            return Scope(scope.kind, self.name(scope.key, Name.TASK if scope.kind == "task" else Name.BLOCK))
        if scope in self._sessions:
            return Scope(scope.kind, self._free(scope.key, {one.key for one in self._sessions}))
        return scope

    def block(self, block: Block) -> Block:
        step = None if block.step is None else block.step + self._steps
        return attrs.evolve(super().block(block), step=step)

    def _renamed(self, text: str, kind: Name) -> str:
        """The new name of a part, the same each time it is asked for."""
        if (kind, text) not in self._new:
            new = self._free(text, self._taken[kind], self._own[kind])
            self._own[kind].add(new)
            self._new[kind, text] = new
        return self._new[kind, text]

    def _free(self, text: str, *taken: Collection[str]) -> str:
        text += self._suffix
        while any(text in names for names in taken):
            text += self._suffix
        return text


def _names(
    tasks: Iterable[str], scopes: Iterable[Scope], blocks: Iterable[Block], described: Iterable[str]
) -> dict[Name, set[str]]:
    """The names of a program that only one part may have."""
    found = list(blocks)
    return {
        Name.TASK: {*tasks, *(scope.key for scope in scopes if scope.kind == "task")},
        Name.BLOCK: {block.name for block in found},
        Name.ENTRY: {*described, *(one for block in found for one in ids_of(block))},
    }


def _add(joined: Draft, program: Program, end: int | None) -> int | None:
    """Put a log behind those before, whose current end goes on to it; return the current end of all."""
    first = len(joined.blocks)
    if end is not None and program.blocks:
        body, block = joined.blocks[end]
        joined.blocks[end] = body, attrs.evolve(block, terminator=Goto(program.blocks[0].name))
    for scope, parent in program.scopes.items():
        joined.scopes[scope] = joined.scopes.get(scope) or parent
    joined.tasks.update(program.tasks)
    declared: list[Declaration | Requirement] = [*program.declarations, *program.requirements]
    joined.declarations += [one for one in declared if one not in joined.declarations]
    joined.metadata.update(program.metadata)
    joined.blocks += zip(program.body, program.blocks, strict=True)
    return end if program.current_end is None else first + program.current_end
