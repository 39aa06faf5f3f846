"""Which cells a name may denote at a point: what references point to and which entities are one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import attrs

from .cells import Cell, Place, Reference

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

    >>> from .cells import Scope, name
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
        definite = len(targets) == 1
        others = (other for cell in cells for other in self._second_names(cell))
        return [Target(cell, definite) for cell in cells] + [o._replace(definite=o.definite and definite) for o in others]

    def _second_names(self, cell: Cell) -> Iterator[Target]:
        """The closure of the united pairs over one cell, certain ones before uncertain ones."""
        seen = {cell}
        work = [(cell, True)]
        while work:
            work.sort(key=lambda item: (not item[1], item[0]), reverse=True)
            current, certain = work.pop()
            for left, right in sorted(self.may_be_one):
                for one, other in ((left, right), (right, left)):
                    renamed = _renamed(current, one, other)
                    if renamed is None or renamed in seen:
                        continue
                    seen.add(renamed)
                    definite = certain and (left, right) in self.must_be_one
                    work.append((renamed, definite))
                    yield Target(renamed, definite, own=False)


def _renamed(cell: Cell, one: Cell, other: Cell) -> Cell | None:
    """The cell under the other name of an entity, if it lies at or below the one."""
    return other.below(cell.path[len(one.path) :]) if one.covers(cell) else None
