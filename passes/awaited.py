"""`awaited`: which facts may still be used before another value takes their place."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from statemem.ir import Cell, Definition, How, Mode, Program
from statemem.ir.meaning.force import Judge

from .framework import Analysis, At, Direction, MapOf, register

#: Every statement about a cell, whatever it says.
ANY: Final = "any"
Statements = frozenset[object] | str


class StatementsLattice:
    """Sets of statements about one cell, joined by union, below `ANY`.

             ANY
           /     \\
      {black}   {white}
           \\     /
             {}
    """

    bottom: Statements = frozenset()

    def join(self, left: Statements, right: Statements) -> Statements:
        """The union."""
        if isinstance(left, str) or isinstance(right, str):
            return ANY
        return left | right

    def leq(self, left: Statements, right: Statements) -> bool:
        """Inclusion."""
        return self.join(left, right) == right

    def open(self, fact: Statements) -> Any:
        """Statements are worked on as values of a map."""
        raise NotImplementedError


def _none(_: Cell) -> Statements:
    return frozenset()


@register
class Awaited(Analysis):
    """Facts that some path uses before another value takes their place.

    As `liveness`, but of facts: a write that states the same confirms and ends no life, so that a use behind it is
    still awaited by every source of the fact. A fact is a cell and what is stated of it.
    """

    direction = Direction.BACKWARD
    facts = MapOf(StatementsLattice(), _none)

    def boundary(self, program: Program) -> dict[Cell, Statements]:
        """Nothing is awaited behind the end."""
        return {}

    def on_read(self, cell: Cell, how: How, state: Any, at: At) -> None:
        """A use awaits whatever stands there."""
        if how is How.USED:
            state[cell] = ANY

    def on_write(self, cell: Cell, mode: Mode, state: Any, at: At) -> None:
        """Before a replacement only the same statement is awaited, unless the write may be outranked."""
        if mode is not Mode.REPLACE or at.outrankable:
            return
        assert at.write is not None
        own = at.judge.statement(at.write.by)
        held = state[cell]
        state[cell] = frozenset([own]) if isinstance(held, str) or own in held else frozenset()

    def on_delete(self, cell: Cell, state: Any, at: At) -> None:
        """Before a delete nothing is."""
        if not at.outrankable:
            state[cell] = frozenset()

    def on_scope_end(self, cell: Cell, state: Any, at: At) -> None:
        """The end of its scope ends it whatever the rank of what is there."""
        state[cell] = frozenset()

    def on_end(self, expected: Iterable[Cell], state: Any, at: At) -> None:
        """What the future is known to read is awaited."""
        for cell in expected:
            state[cell] = ANY

    def show(self, fact: Any) -> list[str]:
        """The cells, those awaited only for what they state with `=`."""
        held = ((cell, found) for cell, found in (fact or {}).items() if found)
        return sorted(str(cell) if isinstance(found, str) else f"{cell} =" for cell, found in held)


def holds(fact: Any, definition: Definition, judge: Judge) -> bool:
    """Whether a definition is among the facts."""
    found = fact.get(definition.cell, frozenset())
    return isinstance(found, str) or judge.statement(definition) in found
