"""Which cells a name may denote at a point: what references point to and which entities are one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import NamedTuple

import attrs

from ..cells import ANY, Cell, Place, Reference, Scope, Segment
from ..diagnostics import UsageError

Pair = tuple[Cell, Cell]
#: An entity with more names than this has them by unions of its parts with one another, which double them.
MOST_NAMES = 5_000
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
        others = self._second_names(*cells)
        return [Target(cell, sure) for cell in cells] + [one._replace(definite=one.definite and sure) for one in others]

    def are_one(self, left: Cell, right: Cell) -> bool:
        """Whether two cells surely are one under two names."""
        return any(one.definite and one.cell == right for one in self.denoted(left))

    def united_below(self, cell: Cell) -> list[Cell]:
        """The united cells that are parts of a cell, in order."""
        return self._unions.below(cell)

    @cached_property
    def _unions(self) -> Unions:
        return Unions(self.may_be_one)

    def _second_names(self, *cells: Cell) -> Iterator[Target]:
        """The closure of the united pairs over some cells, nearest names first.

        No pair is gone through twice on one way: `same a, b.x` with `same b, a.y` would give names without end.
        """
        seen = set(cells)
        work = [(cell, True, frozenset[Pair]()) for cell in cells]
        for current, certain, gone in work:
            if len(seen) > MOST_NAMES:
                raise UsageError(
                    f"the unions give {current} more than {MOST_NAMES} names: they unite parts with wholes"
                )
            for pair, renamed in self._unions.renamed(current):
                if renamed not in seen and pair not in gone:
                    seen.add(renamed)
                    definite = certain and pair in self.must_be_one
                    work.append((renamed, definite, gone | {pair}))
                    yield Target(renamed, definite, own=False)


def possible(bound: Iterable[tuple[str, Cell]], united: Iterable[Pair]) -> Names:
    """What is known after bindings and unions of which each may be or not."""
    references: dict[str, set[Cell | None]] = {}
    for reference, target in bound:
        references.setdefault(reference, {*UNBOUND}).add(target)
    pairs = frozenset((left, right) if left <= right else (right, left) for left, right in united)
    return Names({name: frozenset(targets) for name, targets in references.items()}, pairs)


class Unions:
    """United pairs by the cells at or above which they were united: a trie, as the index of places is."""

    def __init__(self, pairs: Iterable[Pair]) -> None:
        self._roots: dict[Scope, _Node] = {}
        for left, right in pairs:
            self._add(left, right, (left, right))
            self._add(right, left, (left, right))

    def _add(self, one: Cell, other: Cell, pair: Pair) -> None:
        node = self._roots.setdefault(one.scope, _Node())
        for segment in one.path:
            node = node.children.setdefault(segment, _Node())
        node.ends.append((pair, one != pair[0], other))

    def renamed(self, cell: Cell) -> list[tuple[Pair, Cell]]:
        """A cell under the other name of each entity at or below one of whose names it lies, with the union."""
        root = self._roots.get(cell.scope)
        nodes = [root] if root else []
        found = [(*end, 0) for node in nodes for end in node.ends]
        for depth, segment in enumerate(cell.path, 1):
            nodes = [child for node in nodes for child in node.covering(segment)]
            if not nodes:
                break
            found += [(*end, depth) for node in nodes for end in node.ends]
        return [(pair, other.below(cell.path[depth:])) for pair, _, other, depth in sorted(found)]

    def below(self, cell: Cell) -> list[Cell]:
        """The cells that were united and lie below a cell, in order."""
        root = self._roots.get(cell.scope)
        nodes = [root] if root else []
        for segment in cell.path:
            nodes = [child for node in nodes for child in node.covering(segment)]
        work = [child for node in nodes for child in node.children.values()]
        for node in work:
            work += node.children.values()
        return sorted({pair[is_second] for node in work for pair, is_second, _ in node.ends})


class _Node:
    """A prefix of united cells; `ends` are the pairs one of whose cells it is, and the other cell."""

    __slots__ = ("children", "ends")

    def __init__(self) -> None:
        self.children: dict[Segment, _Node] = {}
        self.ends: list[tuple[Pair, bool, Cell]] = []

    def covering(self, segment: Segment) -> Iterator[_Node]:
        """The nodes of a segment itself and, for a key, of the wildcard."""
        for one in (segment, ANY) if segment.kind == "key" else (segment,):
            if one in self.children:
                yield self.children[one]
