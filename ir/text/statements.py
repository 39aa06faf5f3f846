"""From tokens and rules to instructions, terminators and values: what lark calls inside a block.

Cells are resolved as they are met, a bare one in the scope of the block that is being read. Methods are
named after the grammar's rules and terminals.
"""
# ruff: noqa: N802 (lark calls the method for a terminal by the terminal's name)

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial

from lark import Token, Transformer, v_args

from ..cells import Cell, Place, Reference, Scope
from ..instructions import (
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
from ..program import Program
from ..terminators import Arm, Branch, Call, End, Fork, Goto, Open, Return, Suspend
from ..values import UNKNOWN, Value
from .errors import TextError
from .lexemes import read_cell, read_number, read_reference, read_scope, read_text

#: An instruction that lacks only its id, its origin and whether it is certain.
Making = Callable[..., Instruction]
#: A call or a return that lacks only its id and its origin.
Leaving = Callable[..., Call | Return]
#: The scope of a bare cell that stands outside of all blocks.
BARE = Scope("", "")


@v_args(inline=True)
class StatementReader(Transformer[Token, list[Program]]):
    """Reads instructions and terminators, each from its parts."""

    def __init__(self) -> None:
        super().__init__()
        self._known_in: dict[Scope, dict[str, Cell]] = {}
        self._look_in(BARE)

    def _look_in(self, scope: Scope) -> None:
        """Read bare cells in a scope from here on; a cell is taken apart once however often it is named."""
        self._scope = scope
        self._known = self._known_in.setdefault(scope, {})

    # instructions

    def set(self, target: Place, value: Value) -> Making:
        """`c = set 1`."""
        return partial(Set, target=target, value=value)

    def derive(self, target: Place, value: Value, premises: tuple[Operand, ...]) -> Making:
        """`c = derive 1 from a, b`."""
        return partial(Derive, target=target, value=value, premises=premises)

    def append(self, target: Place, value: Value) -> Making:
        """`c = append 1`."""
        return partial(Append, target=target, value=value)

    def add(self, target: Place, value: Value) -> Making:
        """`c = add 1`."""
        return partial(Add, target=target, value=value)

    def default(self, target: Place, value: Value) -> Making:
        """`c = default 1`."""
        return partial(Default, target=target, value=value)

    def delete(self, target: Place) -> Making:
        """`delete c`."""
        return partial(Delete, target=target)

    def use(self, operands: tuple[Operand, ...], purpose: str | None) -> Making:
        """`use a, b for reply`."""
        return partial(Use, operands=operands, purpose=purpose)

    def bind(self, reference: Reference, arrow: Token, target: Cell) -> Making:
        """`@it -> c`."""
        if reference.path:
            raise TextError("TX010", f"only a reference itself can be bound, not {reference}", arrow)
        return partial(Bind, reference=reference.name, target=target)

    def same(self, left: Cell, right: Cell) -> Making:
        """`same a, b`."""
        return partial(Same, left=left, right=right)

    def effect(self, action: str, arguments: tuple[Operand, ...] | None, key: Value) -> Making:
        """`effect refund(c) key "r-15"`."""
        return partial(Effect, action=action, arguments=arguments or (), key=key)

    def enter(self, task: str, kind: str | None) -> Making:
        """`enter f1 is broadband`."""
        return partial(Enter, task=task, kind=kind)

    def leave(self, task: str, ended: Token | None) -> Making:
        """`leave f1 ended`."""
        return partial(Leave, task=task, ended=ended is not None)

    def operand(self, place: Place, was: str | None) -> Operand:
        """`c was e12`."""
        return Operand(place, was)

    def operands(self, *operands: Operand) -> tuple[Operand, ...]:
        """`a, b was e12`, or `()`."""
        return operands

    arguments = operands

    def key(self, value: Value) -> Value:
        """`key "r-15"`."""
        return value

    # terminators

    def goto(self, target: str) -> Goto:
        """`goto t2`."""
        return Goto(target)

    def branch(self, *arms: Arm) -> Branch:
        """`branch t5 on ok weight 7, t4`."""
        return Branch(arms)

    def arm(self, target: str, condition: str | None, weight: float | None) -> Arm:
        """`t5 on ok weight 7`."""
        return Arm(target, condition, weight)

    def fork(self, *names: str) -> Fork:
        """`fork a, b join c`."""
        return Fork(names[:-1], names[-1])

    def end(self) -> End:
        """`end`."""
        return End()

    def open(self) -> Open:
        """`open`."""
        return Open()

    def expect(self, cells: tuple[Cell, ...]) -> Open:
        """`open expect a, b`."""
        return Open(cells)

    def only(self, cells: tuple[Cell, ...]) -> Open:
        """`open only a, b`."""
        return Open(cells, True)

    def suspend(self, then: str) -> Suspend:
        """`suspend then b4`."""
        return Suspend(then)

    def call(self, result: Place | None, task: str, arguments: tuple[Operand, ...] | None, then: str) -> Leaving:
        """`c = call ship(a, b) then b4`."""
        return partial(Call, task=task, then=then, arguments=arguments or (), result=result)

    def result(self, target: Place) -> Place:
        """`c =`."""
        return target

    def returning(self, operands: tuple[Operand, ...] | None) -> Leaving:
        """`return c`."""
        return partial(Return, operands=operands or ())

    def cells(self, *cells: Cell) -> tuple[Cell, ...]:
        """`a, b`, or `()`."""
        return cells

    # values

    def array(self, *items: Value) -> Value:
        """`[1, 2]`."""
        return list(items)

    def object(self, brace: Token, *pairs: tuple[str, Value]) -> Value:
        """`{"a": 1}`."""
        fields = dict(pairs)
        if len(fields) < len(pairs):
            twice = next(name for name, times in Counter(name for name, _ in pairs).items() if times > 1)
            raise TextError("TX011", f"the field {twice!r} is written twice", brace, needle=f'"{twice}"')
        return fields

    def pair(self, name: str, value: Value) -> tuple[str, Value]:
        """`"a": 1`."""
        return name, value

    # terminals

    def CELL(self, token: Token) -> Cell:
        """A cell."""
        cell = self._known.get(token)
        if cell is None:
            cell = self._known[str(token)] = read_cell(token, self._scope)
        return cell

    def REFERENCE(self, token: Token) -> Reference:
        """A reference."""
        return read_reference(token)

    def SCOPE(self, token: Token) -> Scope:
        """A scope."""
        return read_scope(token)

    def NAME(self, token: Token) -> str:
        """A bare name."""
        return str(token)

    def TEXT(self, token: Token) -> str:
        """A JSON string."""
        return read_text(token)

    def NUMBER(self, token: Token) -> int | float:
        """A number."""
        return read_number(token)

    def INTEGER(self, token: Token) -> int | float:
        """A whole number."""
        return read_number(token)

    def UNKNOWN(self, _: Token) -> Value:
        """`?`."""
        return UNKNOWN

    def NULL(self, _: Token) -> None:
        """`null`."""

    def TRUE(self, _: Token) -> bool:
        """`true`."""
        return True

    def FALSE(self, _: Token) -> bool:
        """`false`."""
        return False
