"""Programs of which the end has not been read yet, and the lines in which their parts stand."""

from __future__ import annotations

import attrs

from ..cells import Scope
from ..program import Block, Declaration, Program, Shape, Task
from ..values import Value


@attrs.define
class Lines:
    """The lines in which the parts of a program stand: the program itself, then each part by its number.

    Scopes that only a task makes known have no line; they come after those that have one.
    """

    program: int
    scope: list[int] = attrs.field(factory=list)
    declaration: list[int] = attrs.field(factory=list)
    block: list[int] = attrs.field(factory=list)
    instruction: list[int] = attrs.field(factory=list)
    terminator: list[int] = attrs.field(factory=list)

    def of(self, part: str, number: int) -> int:
        """The line of a part; the program's where the part has none."""
        lines: list[int] = getattr(self, part)
        return lines[number] if number < len(lines) else self.program


@attrs.define
class Draft:
    """What has been read of a program.

    It becomes a program only at its end: ids are given to entries that have none, and no entry may be
    given one that a later line claims.
    """

    name: str
    shape: Shape
    lines: Lines
    scopes: dict[Scope, Scope | None] = attrs.field(factory=dict)
    declarations: list[Declaration] = attrs.field(factory=list)
    metadata: dict[str, dict[str, Value]] = attrs.field(factory=dict)
    tasks: dict[str, Task] = attrs.field(factory=dict)
    blocks: list[tuple[str, Block]] = attrs.field(factory=list)

    def finished(self) -> Program:
        """The program."""
        first = next(iter(self.tasks.values()))
        program = Program(self.name, first.scope, shape=self.shape, task=first.name)
        self._describe(program)
        program.reserve_ids(one.id for _, block in self.blocks for one in block.instructions if one.id is not None)
        for task, block in self.blocks:
            program.append(block, task=task)
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
