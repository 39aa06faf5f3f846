"""Rewriting programs: a copy in which names, cells and values are others, part by part.

A rewriter says what becomes of a scope, a segment, a name, a value or an origin; everything else is taken apart and put
together again here, so that nothing is forgotten.
"""

from __future__ import annotations

import enum
from typing import Any, TypeVar

import attrs

from ..blocks import Block, Task, ids_of
from ..cells import Cell, Place, Reference, Scope, Segment, name, path_text
from ..declarations import Declaration, Requirement
from ..drafts import Draft
from ..instructions import Instruction, Operand
from ..origin import Origin
from ..paths import PathError, parse_cell
from ..program import Program
from ..terminators import Arm, Call, Terminator
from ..values import Value

Part = TypeVar("Part")


_ANYWHERE = Scope("session", "")


class Name(enum.Enum):
    """What a name names."""

    PROGRAM = "program"
    TASK = "task"
    BLOCK = "block"
    ENTRY = "entry"
    REFERENCE = "reference"
    #: Tools, purposes, conditions, kinds of tasks: words that name nothing in the program.
    WORD = "word"


#: What the text fields of instructions, terminators and their parts name.
_NAMED = {
    "id": Name.ENTRY,
    "was": Name.ENTRY,
    "reference": Name.REFERENCE,
    "task": Name.TASK,
    "target": Name.BLOCK,
    "then": Name.BLOCK,
    "join": Name.BLOCK,
    "arms": Name.BLOCK,
    "action": Name.WORD,
    "purpose": Name.WORD,
    "condition": Name.WORD,
    "kind": Name.WORD,
}


class Rewriter:
    """Rewrites programs to themselves, but for what a subclass gives."""

    #: The ids of what the program being rewritten has written, by which the ids of its leaves are told.
    _wholes: frozenset[str] = frozenset()

    # what becomes of the parts

    def name(self, text: str, kind: Name) -> str:
        """A name."""
        return text

    def scope(self, scope: Scope) -> Scope:
        """A scope."""
        return scope

    def segment(self, segment: Segment) -> Segment:
        """A step of a path."""
        return segment

    def value(self, value: Value, place: Place | None) -> Value:
        """A value, with the place it is written to; None for keys of effects and for metadata."""
        return value

    def origin(self, origin: Origin) -> Origin:
        """Where something comes from."""
        return origin

    # taking apart and putting together

    def entry(self, text: str) -> str:
        """The id of an entry; that of a leaf is the id of the whole and a path."""
        whole, slash, path = text.partition("/")
        if not slash or whole not in self._wholes:
            return self.name(text, Name.ENTRY)
        try:
            segments = parse_cell(path, _ANYWHERE).path
        except PathError:
            return self.name(text, Name.ENTRY)
        return f"{self.name(whole, Name.ENTRY)}/{path_text(tuple(map(self.segment, segments)))}"

    def program(self, program: Program) -> Program:
        """The program rewritten; blocks and instructions keep their numbers."""
        self._wholes = frozenset(one for block in program.blocks for one in ids_of(block))
        draft = Draft(
            self.name(program.name, Name.PROGRAM),
            program.shape,
            at=program.other_end,
            scopes={self.scope(one): parent and self.scope(parent) for one, parent in program.scopes.items()},
            declarations=[*map(self.declaration, program.declarations), *map(self.requirement, program.requirements)],
            metadata={self.entry(key): self.value(one, None) for key, one in program.metadata.items()},
            tasks={one.name: one for one in map(self.task, program.tasks.values())},
            blocks=[
                (self.name(body, Name.TASK), self.block(block))
                for body, block in zip(program.body, program.blocks, strict=True)
            ],
        )
        return draft.program()

    def task(self, task: Task) -> Task:
        """A task."""
        kind = None if task.kind is None else self.name(task.kind, Name.WORD)
        parameters = tuple(self.segment(name(parameter)).text for parameter in task.parameters)
        return Task(self.name(task.name, Name.TASK), self.scope(task.scope), kind, parameters)

    def declaration(self, one: Declaration) -> Declaration:
        """What is stated of a cell."""
        depends = tuple(map(self.cell, one.depends))
        return attrs.evolve(one, pattern=self.cell(one.pattern), depends=depends)

    def requirement(self, one: Requirement) -> Requirement:
        """What is stated of a kind of task, whose scope is named like it."""
        kind = self.name(one.kind, Name.WORD)
        own = Requirement(kind, ()).scope
        pairs = ((cell.scope == one.scope, self.cell(cell)) for cell in one.cells)
        return Requirement(kind, tuple(cell._replace(scope=own) if bare else cell for bare, cell in pairs))

    def block(self, block: Block) -> Block:
        """A block."""
        return attrs.evolve(
            block,
            name=self.name(block.name, Name.BLOCK),
            actor=block.actor._replace(name=self.name(block.actor.name, Name.WORD)),
            task=None if block.task is None else self.name(block.task, Name.TASK),
            instructions=tuple(map(self.instruction, block.instructions)),
            terminator=self.terminator(block.terminator),
            origin=self.origin(block.origin),
        )

    def instruction(self, one: Instruction) -> Instruction:
        """An instruction."""
        return self._rewritten(one, getattr(one, "target", None))

    def terminator(self, one: Terminator) -> Terminator:
        """Where control goes."""
        return self._rewritten(one, one.result if isinstance(one, Call) else None)

    def cell(self, cell: Cell) -> Cell:
        """A cell."""
        return Cell(self.scope(cell.scope), tuple(map(self.segment, cell.path)))

    def place(self, place: Place) -> Place:
        """A cell or a reference."""
        if isinstance(place, Cell):
            return self.cell(place)
        return Reference(self.name(place.name, Name.REFERENCE), tuple(map(self.segment, place.path)))

    def operand(self, operand: Operand) -> Operand:
        """A place that is read and the entry that was seen there."""
        was = None if operand.was is None else self.entry(operand.was)
        return Operand(self.place(operand.place), was)

    def _rewritten(self, one: Part, target: Place | None) -> Part:
        fields = [field.name for field in attrs.fields(type(one)) if field.init]  # type: ignore[arg-type]
        changed = {field: self._field(field, getattr(one, field), target) for field in fields}
        return attrs.evolve(one, **changed)  # type: ignore[misc]

    def _field(self, field: str, value: Any, target: Place | None) -> Any:
        if field in ("value", "key"):
            return self.value(value, target)
        if isinstance(value, Origin):
            return self.origin(value)
        if isinstance(value, (Cell, Reference)):
            return self.place(value)
        if isinstance(value, Operand):
            return self.operand(value)
        if isinstance(value, Arm):
            return self._rewritten(value, None)
        if isinstance(value, tuple):
            return tuple(self._field(field, item, target) for item in value)
        return self.name(value, _NAMED[field]) if isinstance(value, str) else value
