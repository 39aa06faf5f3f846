"""`ops`: a record a turn with the operations it carried out, for agents that state their memory writes.

`{turn?, time?, actor?, scope, task?, ops: [{op, scope?, name?, value?, from?, id?, was?, for?, to?, args?, key?, kind?,
maybe?, ended?}]}`; `op` is one of the instruction set. A bare name lies in the operation's own scope, else in the
scope of the record's task, else in the record's scope. `time` is when the turn was observed.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import tzinfo
from typing import Any

import attrs

from ..blocks import Block, Task
from ..cells import Scope
from ..diagnostics import Location, Problem
from ..instructions import Enter, Instruction, Leave, Same, scopes_of
from ..origin import Actor, Origin
from ..paths import PathError, parse_scope
from ..program import Program
from ..records import RecordError, from_record
from . import fields
from .reader import Document, Record


class Ops:
    """The frontend of `ops` logs."""

    name = "ops"
    title = "a record a turn with the memory operations it carried out"
    example = (
        '{"turn": 1, "actor": "user", "scope": "session:42", "ops": [{"op": "set", "name": "color", "value": "white"}]}'
    )

    def recognises(self, document: Document) -> bool:
        """Whether a record holds operations."""
        return any(isinstance(value, dict) and isinstance(value.get("ops"), list) for value, _ in document.head)

    def lower(self, document: Document, problems: list[Problem]) -> Iterator[Program]:
        """One program of the whole document: everything its turns did, in the order given."""
        lowering = _Lowering(document.stem, document.zone, problems)
        for record in document.records:
            lowering.add(record)
        if lowering.program is not None:
            lowering.adopt()
            yield lowering.program


class _Lowering:
    def __init__(self, label: str, zone: tzinfo, problems: list[Problem]) -> None:
        self._label = label
        self._zone = zone
        self._problems = problems
        self._users: dict[Scope, Scope] = {}
        self._tasks: dict[tuple[Scope, str], str] = {}
        self._ids: set[str] = set()
        self.program: Program | None = None

    def adopt(self) -> None:
        """Every session belongs to the user whose cells its turns name first, else to the first user of the log."""
        assert self.program is not None
        first = next((scope for scope in self.program.scopes if scope.kind == "user"), None)
        for scope in list(self.program.scopes):
            if scope.kind not in ("user", "org", "project", "task"):
                self.program.add_scope(scope, self._users.get(scope, first))

    def add(self, record: Record) -> None:
        """One turn becomes one block."""
        turn, location = record
        if not isinstance(turn, dict) or not isinstance(turn.get("ops"), list):
            self._warn("FE030", "a turn needs a list of operations as 'ops'; it is left out", location)
            return
        scope = self._scope(turn.get("scope"), location)
        if scope is None:
            return
        program = self._program(scope)
        task = self._task(fields.text(turn, "task"))
        own = Scope("task", task) if task else scope
        self._add_scope(own, scope)
        origin = self._origin(turn, location)
        block = Block(
            name=self._block_name(turn, len(program.blocks) + 1),
            actor=_actor(turn),
            step=fields.number(turn, "turn"),
            task=task,
            instructions=tuple(self._instructions(turn, own, origin, location)),
            origin=origin,
        )
        program.extend(block)

    def _origin(self, turn: dict[str, Any], location: Location) -> Origin:
        """Where a turn stands and when it was observed."""
        time = fields.time(turn, "time", zone=self._zone)
        if turn.get("time") is not None and time is None:
            self._warn("FE034", f"{turn['time']!r} is no time; the turn is taken as undated", location)
        return Origin(
            event=fields.text(turn, "turn"),
            file=location.file,
            line=location.line,
            record=location.record,
            observed=time,
        )

    def _task(self, name: str | None) -> str | None:
        """A task of this session: one of the same name in another session is another task."""
        if name is None or self.program is None:
            return name
        session = next(reversed(self.program.tasks.values())).scope
        if (session, name) not in self._tasks:
            taken = name in self._tasks.values()
            self._tasks[session, name] = f"{name}-{session.key}" if taken else name
        return self._tasks[session, name]

    def _program(self, scope: Scope) -> Program:
        """The program; a session of its own gets a body of its own."""
        if self.program is None:
            self.program = Program(self._label, scope)
        body = next(reversed(self.program.tasks.values()))
        if body.scope != scope:
            self.program.add_task(Task(f"part{len(self.program.tasks) + 1}", scope))
        return self.program

    def _instructions(
        self, turn: dict[str, Any], own: Scope, base: Origin, location: Location
    ) -> Iterator[Instruction]:
        for position, op in enumerate(turn["ops"]):
            at = location.below(f"ops/{position}")
            instruction = self._instruction(op, own, attrs.evolve(base, pointer=at.pointer), at)
            if instruction is not None:
                yield instruction

    def _instruction(self, op: Any, own: Scope, origin: Origin, location: Location) -> Instruction | None:
        if not isinstance(op, dict):
            self._warn("FE031", "an operation is an object; this one is left out", location)
            return None
        scope = self._scope(op["scope"], location) if op.get("scope") is not None else own
        if scope is None or self.program is None:
            return None
        try:
            instruction = from_record(op, scope, origin)
        except (RecordError, PathError) as error:
            self._warn("FE032", f"{error}; the operation is left out", location)
            return None
        if isinstance(instruction, Same) and instruction.left.overlaps(instruction.right):
            self._warn("FE032", "a cell is no other name of itself; the operation is left out", location)
            return None
        if isinstance(instruction, (Enter, Leave)):
            instruction = attrs.evolve(instruction, task=self._task(instruction.task) or instruction.task)
        if isinstance(instruction, Enter):
            self._add_scope(Scope("task", instruction.task), own)
        self._declare(instruction)
        return self._with_own_id(instruction, location)

    def _add_scope(self, scope: Scope, parent: Scope) -> None:
        """Make a scope known in another, but for one that lies in it: a log may name the scope of a task as its own."""
        assert self.program is not None
        around: Scope | None = parent
        while around is not None and around != scope:
            around = self.program.scopes.get(around)
        self.program.add_scope(scope, parent if around is None else None)

    def _with_own_id(self, instruction: Instruction, location: Location) -> Instruction:
        """An id that an earlier operation has is taken off, so that it goes on naming that one alone."""
        if instruction.id is None or not instruction.makes_entry:
            return instruction
        if instruction.id in self._ids:
            self._warn("FE035", f"entry {instruction.id!r} was given before; this one gets an id of its own", location)
            return attrs.evolve(instruction, id=None)
        self._ids.add(instruction.id)
        return instruction

    def _declare(self, instruction: Instruction) -> None:
        """Make the scopes known that an instruction names."""
        assert self.program is not None
        session = next(reversed(self.program.tasks.values())).scope
        for scope in scopes_of(instruction):
            self.program.add_scope(scope)
            if scope.kind == "user":
                self._users.setdefault(session, scope)

    def _scope(self, value: Any, location: Location) -> Scope | None:
        text = value if isinstance(value, str) else ""
        try:
            return parse_scope(text if text.endswith("/") else f"{text}/")
        except PathError:
            self._warn("FE033", f"{value!r} is no scope such as 'session:42'; what names it is left out", location)
            return None

    def _block_name(self, turn: dict[str, Any], position: int) -> str:
        name = f"t{fields.text(turn, 'turn') or position}"
        taken = self.program is not None and self.program.block_named(name) is not None
        return f"{name}-{position}" if taken else name

    def _warn(self, code: str, message: str, location: Location) -> None:
        self._problems.append(fields.warning(code, message, location))


def _actor(turn: dict[str, Any]) -> Actor:
    kind, _, who = (fields.text(turn, "actor") or "assistant").partition(":")
    return Actor(kind, who)
