"""`reaching`: which definitions of each place may stand there, and where each entry was last."""

from __future__ import annotations

from typing import Any

from statemem.ir import Cell, Definition, Mode, Program, Segment
from statemem.ir.entries import never_assigned
from statemem.ir.meaning.force import Definitions, is_held

from .framework import Analysis, At, MapOf, Powerset, register
from .framework.accesses import Accesses


def _never(cell: Cell) -> Definitions:
    return frozenset([never_assigned(cell)])


@register
class Reaching(Analysis):
    """Definitions that reach a point, place by place, tombstones among them.

    out = gen ∪ (in − killed). A definition kills those of its place that neither outrank nor equal it, an append kills
    none; every place begins with the tombstone "never assigned". What outranks what is settled by the origins, so what
    reaches may be more than what is in force: `in_force` takes the outranked ones out. (Aho, Lam, Sethi, Ullman,
    Compilers, 2006, section 9.2.4.)
    """

    facts = MapOf(Powerset[Definition](), _never)

    def boundary(self, program: Program) -> dict[Cell, Definitions]:
        """Every place holds its first tombstone."""
        return {}

    def on_write(self, cell: Cell, mode: Mode, state: Any, at: At) -> None:
        """The new definition joins those it does not kill."""
        assert at.write is not None
        state[cell] = at.judge.after(state[cell], at.write)

    def on_fill(self, cell: Cell, state: Any, at: At) -> None:
        """Nothing where something surely stands, a write where nothing does, else both.

        What reaches is asked, not what is in force: a stronger definition from another path must not hide a gap.
        """
        assert at.write is not None
        assert at.number is not None
        held = is_held(
            (read.definite, [one for one in state[read.place] if one.instruction != at.number])
            for read in at.accesses.reads(at.number)
        )
        if held:
            return
        filled = at.judge.after(state[cell], at.write._replace(mode=Mode.REPLACE))
        state[cell] = filled if held is False else state[cell] | filled

    def on_delete(self, cell: Cell, state: Any, at: At) -> None:
        """A tombstone replaces as a value does."""
        self.on_write(cell, Mode.REPLACE, state, at)

    def show(self, fact: Any) -> list[str]:
        """Each place with the instructions whose definitions reach it."""
        return sorted(
            f"{cell} <- {', '.join(map(_label, sorted(reaching)))}" for cell, reaching in (fact or {}).items()
        )


def _label(definition: Definition) -> str:
    return f"{'!' if definition.is_tombstone else ''}{definition.instruction}"


def read_in_force(accesses: Accesses, number: int, read: int, state: Any) -> Definitions:
    """The definitions in force that one read of an instruction meets, given the reaching ones before it.

    The names of one entity are judged together.
    """
    groups: dict[tuple[Segment, ...], list[Definitions]] = {}
    for found in accesses.reads(number):
        if found.read == read:
            groups.setdefault(found.below, []).append(state[found.place])
    return frozenset(one for group in groups.values() for one in accesses.judge.in_force_together(group))
