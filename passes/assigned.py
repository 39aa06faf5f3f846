"""`assigned`: which cells surely hold something, on whichever path."""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from typing import Any

from statemem.ir import Cell, Mode, Program

from .framework import Analysis, At, Boxed, MapOf, register


class Sure(enum.Enum):
    """What is sure of a cell: that it holds something, that nothing ever emptied it."""

    HELD = "held"
    KEPT = "kept"


Surety = frozenset[Sure]
HELD, KEPT, NOTHING = frozenset([Sure.HELD]), frozenset([Sure.KEPT]), frozenset[Sure]()


class SuretyLattice:
    """What is sure of one cell, joined by intersection.

              {}
            /    \\
        {held}  {kept}
            \\    /
         {held, kept}
    """

    bottom: Surety = HELD | KEPT

    def join(self, left: Surety, right: Surety) -> Surety:
        """The intersection."""
        return left & right

    def leq(self, left: Surety, right: Surety) -> bool:
        """Whether `left` is sure of all that `right` is sure of."""
        return left >= right

    def open(self, fact: Surety) -> Boxed[Surety]:
        """A box."""
        return Boxed(fact, self.join)


def _kept(_: Cell) -> Surety:
    return KEPT


@register
class Assigned(Analysis):
    """Cells that every path has assigned and none has emptied since.

    out = assigned ∪ (in − emptied): definite assignment (Gosling and others, The Java Language Specification, chapter
    16). A cell with two names is assigned under both. At the join of a fork, all of whose arms were executed, what one
    arm assigned holds unless another emptied it; what was assigned before holds if every arm left it so. That no arm
    emptied a cell is known of those that nothing ever did. A write that may be outranked, by a delete say, assigns
    nothing for sure.
    """

    facts = MapOf(SuretyLattice(), _kept)

    def boundary(self, program: Program) -> dict[Cell, Surety]:
        """Nothing is assigned, nothing was emptied."""
        return {}

    def on_write(self, cell: Cell, mode: Mode, state: Any, at: At) -> None:
        """A value or one more element is there now; under a second name the entity holds it."""
        if mode is Mode.EXTEND or not at.outrankable:
            state[cell] = state[cell] | HELD

    def on_fill(self, cell: Cell, state: Any, at: At) -> None:
        """Filled or held before, unless it may be something else that holds: another field of the whole."""
        assert at.number is not None
        assert at.write is not None
        names = {target.cell for target in at.accesses.names(at.number).denoted(cell)}
        alone = all(read.place in names for read in at.accesses.reads(at.number))
        if alone and not at.write.by.is_tombstone:
            self.on_write(cell, Mode.REPLACE, state, at)

    def on_delete(self, cell: Cell, state: Any, at: At) -> None:
        """Nothing is there any more."""
        state[cell] = NOTHING

    def on_scope_end(self, cell: Cell, state: Any, at: At) -> None:
        """Nothing is there any more, and what held it for a second name is gone."""
        assert at.number is not None
        for target in at.accesses.names(at.number).denoted(cell):
            state[target.cell] = NOTHING

    def on_unite(self, left: Cell, right: Cell, state: Any, at: At) -> None:
        """What is assigned under one name is so under the other, as long as nothing empties the first.

        So nothing of the other counts as never emptied any more.
        """
        places = at.accesses.places
        for one, other in ((left, right), (right, left)):
            for place in [place for place in places.overlapping(one) if one.covers(place)]:
                renamed = other.below(place.path[len(one.path) :])
                if renamed in places and Sure.HELD not in state[renamed]:
                    state[renamed] = state[place] & HELD

    def on_join(self, before: Surety, arms: Sequence[Surety], at: At) -> Surety:
        """What an arm assigned holds where no arm emptied it; else what every arm holds."""
        everywhere = frozenset(Sure).intersection(*arms)
        made = Sure.HELD not in before and any(Sure.HELD in arm for arm in arms)
        return everywhere | HELD if made and Sure.KEPT in everywhere else everywhere

    def show(self, fact: Any) -> list[str]:
        """The cells."""
        return sorted(map(str, assigned(fact)))


def assigned(fact: Mapping[Cell, Surety] | None) -> frozenset[Cell]:
    """The cells that hold something for sure, given what the pass found at a point."""
    return frozenset(cell for cell, sure in (fact or {}).items() if Sure.HELD in sure)
