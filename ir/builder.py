"""Building programs by hand, a block at a time: for tests, examples and people.

>>> program = (
...     build("session:1/", name="shop", parent="user:7/")
...     .block("user").set("color", "black")
...     .block("assistant").use("color", purpose="reply")
...     .open("user:7/*")
... )
>>> [str(block.actor) for block in program.blocks]
['user', 'assistant']
"""

from __future__ import annotations

from typing import Any

import attrs

from .cells import Cell, Place, Scope
from .instructions import (
    Add,
    Append,
    Bind,
    Default,
    Delete,
    Derive,
    Effect,
    Enter,
    Instruction,
    Leave,
    Operand,
    Same,
    Set,
    Use,
)
from .origin import NOWHERE, Actor, Origin
from .paths import parse_cell, parse_place, parse_scope
from .program import Block, Declaration, Program
from .terminators import End, Open, Terminator
from .values import Value


def build(scope: str | Scope = "session:1/", *, name: str = "program", parent: str | None = None) -> Builder:
    """A builder of one trace whose bare paths lie in `scope`."""
    own = parse_scope(scope) if isinstance(scope, str) else scope
    program = Program(name, own)
    program.add_scope(own, parse_scope(parent) if parent else None)
    return Builder(program)


class Builder:
    """Adds blocks and instructions to a program and returns itself.

    Cells are written as text, `order["W15"].color` or `user:7/phone`; `was` names the entry a use saw.
    """

    def __init__(self, program: Program) -> None:
        self._done = program
        self._header: Block | None = None
        self._instructions: list[Instruction] = []
        self._origin = NOWHERE

    # blocks

    def block(
        self, actor: str = "system", *, name: str | None = None, step: int | None = None, task: str | None = None
    ) -> Builder:
        """Begin a block; the one before goes on to it."""
        self._close()
        kind, _, who = actor.partition(":")
        label = name or f"t{len(self._done.blocks) + 1}"
        self._header = Block(label, Actor(kind, who), step, task)
        if task:
            self._done.add_scope(Scope("task", task), self._done.scope_of(0) if self._done.blocks else None)
        return self

    def goto(self, terminator: Terminator) -> Builder:
        """End the block with a terminator of one's own; the next block is not linked to it."""
        self._close(terminator)
        return self

    def open(self, *expected: str, only: bool = False) -> Program:
        """Leave the end open, expecting these cells to be read."""
        self._close()
        cells = tuple(parse_cell(text, self._scope()) for text in expected)
        self._terminate(Open(cells, only))
        return self._done

    def end(self) -> Program:
        """End the run: nothing is read afterwards."""
        self._close()
        self._terminate(End())
        return self._done

    @property
    def program(self) -> Program:
        """The program so far, its end open."""
        self._close()
        return self._done

    # instructions

    def at(self, **origin: Any) -> Builder:
        """Give the next instruction an origin: `event="evt_1"`, `observed=…`, `version=2`."""
        self._origin = Origin(**origin)
        return self

    def set(self, cell: str, value: Value, *, id: str | None = None, maybe: bool = False) -> Builder:
        """`cell = set value`."""
        return self._add(Set(target=self._place(cell), value=value, id=id, maybe=maybe))

    def derive(self, cell: str, value: Value, *premises: str, id: str | None = None, maybe: bool = False) -> Builder:
        """`cell = derive value from premises`."""
        operands = tuple(Operand(self._place(text)) for text in premises)
        return self._add(Derive(target=self._place(cell), value=value, premises=operands, id=id, maybe=maybe))

    def append(self, cell: str, value: Value, *, id: str | None = None) -> Builder:
        """`cell = append value`."""
        return self._add(Append(target=self._place(cell), value=value, id=id))

    def add(self, cell: str, amount: float, *, id: str | None = None) -> Builder:
        """`cell = add amount`."""
        return self._add(Add(target=self._place(cell), value=amount, id=id))

    def default(self, cell: str, value: Value, *, id: str | None = None) -> Builder:
        """`cell = default value`."""
        return self._add(Default(target=self._place(cell), value=value, id=id))

    def delete(self, cell: str, *, id: str | None = None, maybe: bool = False) -> Builder:
        """`delete cell`."""
        return self._add(Delete(target=self._place(cell), id=id, maybe=maybe))

    def use(self, *cells: str, was: str | None = None, purpose: str | None = None) -> Builder:
        """`use cells was … for purpose`."""
        return self._add(Use(operands=tuple(Operand(self._place(text), was) for text in cells), purpose=purpose))

    def bind(self, reference: str, cell: str, *, maybe: bool = False) -> Builder:
        """`@reference -> cell`."""
        return self._add(Bind(reference=reference, target=self._cell(cell), maybe=maybe))

    def same(self, left: str, right: str) -> Builder:
        """`same left, right`."""
        return self._add(Same(left=self._cell(left), right=self._cell(right)))

    def effect(self, action: str, *cells: str, key: Value = None) -> Builder:
        """`effect action(cells) key …`."""
        return self._add(Effect(action=action, arguments=tuple(Operand(self._place(c)) for c in cells), key=key))

    def enter(self, task: str, kind: str | None = None) -> Builder:
        """`enter task is kind`."""
        self._done.add_scope(Scope("task", task), self._scope())
        return self._add(Enter(task=task, kind=kind))

    def leave(self, task: str, *, ended: bool = False) -> Builder:
        """`leave task`, with `ended` for good."""
        return self._add(Leave(task=task, ended=ended))

    def declare(self, cell: str, *, sensitive: bool = False, pinned: bool = False) -> Builder:
        """State what is true of a cell whoever uses it."""
        self._done.declare(Declaration(self._cell(cell), sensitive, pinned))
        return self

    # inside

    def _add(self, instruction: Instruction) -> Builder:
        if self._header is None:
            self.block()
        self._instructions.append(attrs.evolve(instruction, origin=self._origin))
        self._origin = NOWHERE
        return self

    def _close(self, terminator: Terminator | None = None) -> None:
        if self._header is None:
            return
        block = attrs.evolve(self._header, instructions=tuple(self._instructions))
        number = self._done.extend(block) if self._linked() else self._done.append(block)
        self._header, self._instructions = None, []
        if terminator is not None:
            self._done.set_terminator(number, terminator)

    def _linked(self) -> bool:
        """Whether the last block still waits to be told where it goes on."""
        end = self._done.current_end
        return end is not None and isinstance(self._done.blocks[end].terminator, Open)

    def _terminate(self, terminator: Terminator) -> None:
        end = self._done.current_end
        if end is not None:
            self._done.set_terminator(end, terminator)

    def _scope(self) -> Scope:
        if self._header is not None and self._header.task:
            return Scope("task", self._header.task)
        return next(iter(self._done.tasks.values())).scope

    def _place(self, text: str) -> Place:
        return parse_place(text, self._scope())

    def _cell(self, text: str) -> Cell:
        return parse_cell(text, self._scope())
