"""Which cells a name may denote at a point: what references point to and which entities are one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import attrs

from ..cells import Cell, Place, Reference

Pair = tuple[Cell, Cell]
UNBOUND: frozenset[Cell | None] = frozenset([None])


class Target(NamedTuple):
    """A cell a place may denote. `own` is false for a second name of the entity that was named."""

    cell: Cell
    definite: bool
    own: bool = True


@attrs.frozen
class Names:
    """What is known of names at one point. `None` among a reference's targets means it may be unbound.

    >>> from ..cells import Scope, name
    >>> a, b = (Cell(Scope("user", "7"), (name("order"),)).at(k) for k in ("W15", "A-15"))
    >>> names = Names().united(a, b)
    >>> [(str(cell), definite) for cell, definite, _ in names.denoted(a.child("color"))]
    [('user:7/order["W15"].color', True), ('user:7/order["A-15"].color', True)]
    """

    references: Mapping[str, frozenset[Cell | None]] = attrs.field(factory=dict)
    may_be_one: frozenset[Pair] = frozenset()
    must_be_one: frozenset[Pair] = frozenset()

    def bound(self, reference: str, target: Cell, *, maybe: bool = False) -> Names:
        """After `@reference -> target`."""
        targets: frozenset[Cell | None] = frozenset([target])
        if maybe:
            targets |= self.references.get(reference, UNBOUND)
        return attrs.evolve(self, references={**self.references, reference: targets})

    def united(self, left: Cell, right: Cell, *, maybe: bool = False) -> Names:
        """After `same left, right`."""
        pair = frozenset([(left, right) if left <= right else (right, left)])
        must = self.must_be_one if maybe else self.must_be_one | pair
        return attrs.evolve(self, may_be_one=self.may_be_one | pair, must_be_one=must)

    def denoted(self, place: Place) -> list[Target]:
        """The cells a place may denote, second names of its entities last."""
        if not isinstance(place, Reference):
            return [Target(place, True), *self._second_names(place)] if self.may_be_one else [Target(place, True)]
        targets = self.references.get(place.name, UNBOUND)
        cells = sorted(cell.below(place.path) for cell in targets if cell is not None)
        sure = len(targets) == 1
        others = (other for cell in cells for other in self._second_names(cell))
        return [Target(cell, sure) for cell in cells] + [one._replace(definite=one.definite and sure) for one in others]

    def _second_names(self, cell: Cell) -> Iterator[Target]:
        """The closure of the united pairs over one cell, nearest names first.

        No pair is gone through twice on one way: `same a, b.x` with `same b, a.y` would give names without end.
        """
        seen = {cell}
        work = [(cell, True, frozenset[Pair]())]
        for current, certain, gone in work:
            for pair in sorted(self.may_be_one - gone):
                for renamed in _renamings(current, *pair):
                    if renamed not in seen:
                        seen.add(renamed)
                        definite = certain and pair in self.must_be_one
                        work.append((renamed, definite, gone | {pair}))
                        yield Target(renamed, definite, own=False)


def _renamings(cell: Cell, left: Cell, right: Cell) -> Iterator[Cell]:
    """The cell under the other name of an entity, where it lies at or below one of its names."""
    for one, other in ((left, right), (right, left)):
        if one.covers(cell):
            yield other.below(cell.path[len(one.path) :])
