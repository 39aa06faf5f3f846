"""Building instructions by hand: what the open block of a builder is given, one method each."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Self

import attrs

from .cells import Cell, Place, Scope
from .diagnostics import UsageError
from .instructions import (
    EXPOSURE,
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
from .origin import NOWHERE, Origin
from .paths import parse_cell, parse_place
from .values import UNKNOWN, Value, is_value

#: A cell that is read, or that and the id of the entry that was seen there.
Seen = str | tuple[str, str]


class Statements(ABC):
    """Adds instructions to the block that is open, and returns itself.

    Cells are written as text, `order["W15"].color` or `user:7/phone`; one that is read may come with the id of the
    entry that was seen, `("color", "e12")`.
    """

    def __init__(self) -> None:
        self._instructions: list[Instruction] = []
        self._origin = NOWHERE

    @property
    @abstractmethod
    def _scope(self) -> Scope:
        """The scope of bare cells."""

    @abstractmethod
    def _open(self) -> None:
        """Begin a block if none is open."""

    @abstractmethod
    def _know_task(self, task: str) -> None:
        """Make the scope of a task known."""

    def at(self, **origin: Any) -> Self:
        """Give the next instruction an origin: `event="evt_1"`, `observed=…`, `version=2`."""
        for time in (origin.get("observed"), origin.get("recorded")):
            if time is not None and time.tzinfo is None:
                raise UsageError(f"{time} names no zone; give it one, such as time.replace(tzinfo=UTC)")
        self._origin = Origin(**origin)
        return self

    def set(self, cell: str, value: Value, *, id: str | None = None, maybe: bool = False) -> Self:
        """`cell = set value`."""
        return self._add(Set(target=self._place(cell), value=_checked(value), id=id, maybe=maybe))

    def derive(self, cell: str, value: Value, *premises: Seen, id: str | None = None, maybe: bool = False) -> Self:
        """`cell = derive value from premises`."""
        read = self._operands(premises)
        return self._add(Derive(target=self._place(cell), value=_checked(value), premises=read, id=id, maybe=maybe))

    def append(self, cell: str, value: Value, *, id: str | None = None, maybe: bool = False) -> Self:
        """`cell = append value`."""
        return self._add(Append(target=self._place(cell), value=_checked(value), id=id, maybe=maybe))

    def add(self, cell: str, amount: Value, *, id: str | None = None, maybe: bool = False) -> Self:
        """`cell = add amount`, a number or `?`."""
        if amount is not UNKNOWN and (isinstance(amount, bool) or not isinstance(amount, (int, float))):
            raise UsageError(f"only a number can be added, not {amount!r}")
        return self._add(Add(target=self._place(cell), value=amount, id=id, maybe=maybe))

    def default(self, cell: str, value: Value, *, id: str | None = None, maybe: bool = False) -> Self:
        """`cell = default value`."""
        return self._add(Default(target=self._place(cell), value=_checked(value), id=id, maybe=maybe))

    def delete(self, cell: str, *, id: str | None = None, maybe: bool = False) -> Self:
        """`delete cell`."""
        return self._add(Delete(target=self._place(cell), id=id, maybe=maybe))

    def use(self, *cells: Seen, was: str | None = None, purpose: str | None = None) -> Self:
        """`use cells for purpose`; `was` is the entry that all of them saw."""
        operands = self._operands(cells)
        if was is not None:
            operands = tuple(operand._replace(was=was) for operand in operands)
        return self._add(Use(operands=operands, purpose=purpose))

    def expose(self, *cells: Seen) -> Self:
        """`use cells for exposure`: they stood in the prompt."""
        return self.use(*cells, purpose=EXPOSURE)

    def bind(self, reference: str, cell: str, *, maybe: bool = False) -> Self:
        """`@reference -> cell`."""
        return self._add(Bind(reference=reference, target=self._cell(cell), maybe=maybe))

    def same(self, left: str, right: str, *, maybe: bool = False) -> Self:
        """`same left, right`."""
        return self._add(Same(left=self._cell(left), right=self._cell(right), maybe=maybe))

    def effect(self, action: str, *cells: Seen, key: Value = None) -> Self:
        """`effect action(cells) key …`."""
        return self._add(Effect(action=action, arguments=self._operands(cells), key=key))

    def enter(self, task: str, kind: str | None = None) -> Self:
        """`enter task is kind`."""
        self._know_task(task)
        return self._add(Enter(task=task, kind=kind))

    def leave(self, task: str, *, ended: bool = False) -> Self:
        """`leave task`, with `ended` for good."""
        return self._add(Leave(task=task, ended=ended))

    def _add(self, instruction: Instruction) -> Self:
        self._open()
        self._instructions.append(attrs.evolve(instruction, origin=self._origin))
        self._origin = NOWHERE
        return self

    def _operands(self, cells: tuple[Seen, ...]) -> tuple[Operand, ...]:
        pairs = ((one, None) if isinstance(one, str) else one for one in cells)
        return tuple(Operand(self._place(text), was) for text, was in pairs)

    def _place(self, text: str) -> Place:
        return parse_place(text, self._scope)

    def _cell(self, text: str) -> Cell:
        return parse_cell(text, self._scope)


def _checked(value: Value) -> Value:
    """A value that can be written down."""
    if not is_value(value):
        raise UsageError(f"{value!r} is no JSON value")
    return value
