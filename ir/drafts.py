"""Programs in the making, whose parts are known before any of them is numbered."""

from __future__ import annotations

import attrs

from .blocks import Block, Task, ids_of
from .cells import Scope
from .declarations import Declaration, Requirement
from .diagnostics import UsageError
from .program import Program, Shape
from .values import Value


@attrs.define
class Draft:
    """What is known of a program before its end; `at` is the name or the number of the block it stands at.

    Only then are ids given to entries that have none, so that none is given one that a later block claims, and calls
    find their tasks wherever these stand.
    """

    name: str
    shape: Shape = "trace"
    at: str | int | None = None
    scopes: dict[Scope, Scope | None] = attrs.field(factory=dict)
    declarations: list[Declaration | Requirement] = attrs.field(factory=list)
    metadata: dict[str, dict[str, Value]] = attrs.field(factory=dict)
    tasks: dict[str, Task] = attrs.field(factory=dict)
    blocks: list[tuple[str, Block]] = attrs.field(factory=list)

    def program(self) -> Program:
        """The program; it stands at `at`, or at the last block. Raises `UsageError` where no block is called so."""
        first = next(iter(self.tasks.values()))
        program = Program(self.name, first.scope, shape=self.shape, task=first.name)
        self._describe(program)
        program.reserve_ids(one for _, block in self.blocks for one in ids_of(block))
        for task, block in self.blocks:
            program.append(block, task=task)
        end = program.block_named(self.at) if isinstance(self.at, str) else self.at
        if end is None and self.at is not None:
            raise UsageError(f"{self.name!r} is to stand at {self.at!r}, a block it does not have")
        if end is not None:
            program.stand_at(end)
        return program

    def _describe(self, program: Program) -> None:
        program.scopes.clear()  # the order in which they were declared is kept
        for scope, parent in self.scopes.items():
            program.add_scope(scope, parent)
        for task in self.tasks.values():
            program.add_task(task)
        for declaration in self.declarations:
            program.declare(declaration)
        program.metadata.update(self.metadata)
