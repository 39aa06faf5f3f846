"""Lattices: what facts are, how they merge, and how one works on them.

Every lattice has `bottom`, `join` and `leq`, and opens a fact as a mutable working state; `join` is the one word for
merging, in both directions. Facts themselves are immutable. The sets and maps of this module are *keyed*: their facts
say something of each key by itself, so that a solver may keep what changes instead of whole facts.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any, ClassVar, Protocol, TypeVar

import attrs

from .keyed import Keyed
from .states import Base, Cellwise, Members, Parts, State

F = TypeVar("F")
K = TypeVar("K", bound=Hashable)


class Lattice(Protocol[F]):
    """A join semilattice with a least element."""

    @property
    def bottom(self) -> F:
        """The least fact: what is known of a point that nothing reaches."""
        ...

    def join(self, left: F, right: F) -> F:
        """The least fact above both."""
        ...

    def leq(self, left: F, right: F) -> bool:
        """Whether `left` lies at or below `right`."""
        ...

    def open(self, fact: F) -> State[F]:
        """A working copy."""
        ...


class Sets(Keyed[K, bool]):
    """What the two lattices of sets share; `dominant` is what wins at a join: membership, or its lack."""

    dominant: ClassVar[bool]

    def over(self, base: Base, changed: dict[K, bool], *, least: bool = False) -> Members[K]:
        """A set to `gen` into and `kill` from."""
        return Members(base, self.least if least else self.missing, self.join_values, changed)

    def join_values(self, left: bool, right: bool) -> bool:
        """One of the two is dominant."""
        return left or right if self.dominant else left and right

    def leq_values(self, left: bool, right: bool) -> bool:
        """Nothing lies above what is dominant."""
        return left is right or right is self.dominant

    def missing(self, key: K) -> bool:
        """A set lacks what it does not name."""
        return False

    def least(self, key: K) -> bool:
        """The opposite of what is dominant."""
        return not self.dominant

    def by_key(self, fact: frozenset[K] | None) -> Mapping[K, bool]:
        """The members."""
        return dict.fromkeys(fact or (), True)

    def open(self, fact: frozenset[K] | None) -> Members[K]:
        """A set to `gen` into and `kill` from."""
        return self.over(self.by_key(fact), {})


@attrs.frozen
class Powerset(Sets[K]):
    """Sets ordered by inclusion, joined by union: what holds on some path.

              {a, b}
             /      \\
           {a}      {b}
             \\      /
                {}

    >>> Powerset().join(frozenset("a"), frozenset("b")) == frozenset("ab")
    True
    """

    dominant = True

    @property
    def bottom(self) -> frozenset[K]:
        """The empty set."""
        return frozenset()

    def join(self, left: frozenset[K], right: frozenset[K]) -> frozenset[K]:
        """The union."""
        return left | right

    def leq(self, left: frozenset[K], right: frozenset[K]) -> bool:
        """Inclusion."""
        return left <= right


@attrs.frozen
class DualPowerset(Sets[K]):
    """Sets ordered the other way, joined by intersection: what holds on every path.

                {}
             /      \\
           {a}      {b}
             \\      /
              {a, b}
                |
               None

    `None` is the bottom: of a point that nothing reaches everything is true.

    >>> sorted(DualPowerset().join(frozenset("ab"), frozenset("bc")))
    ['b']
    """

    dominant = False

    @property
    def bottom(self) -> frozenset[K] | None:
        """Everything."""
        return None

    def join(self, left: frozenset[K] | None, right: frozenset[K] | None) -> frozenset[K] | None:
        """The intersection."""
        if left is None or right is None:
            return right if left is None else left
        return left & right

    def leq(self, left: frozenset[K] | None, right: frozenset[K] | None) -> bool:
        """Whether `left` has all that `right` has."""
        if left is None or right is None:
            return left is None
        return left >= right


@attrs.frozen
class MapOf(Keyed[K, F]):
    """Maps from keys to facts, ordered and joined key by key; a key that is missing holds `default(key)`.

    `None` is the bottom, the map of a point that nothing reaches; there even the default is unknown.

    >>> from .scalars import Maximum
    >>> ages = MapOf(Maximum(), lambda key: 0)
    >>> ages.join({"a": 3}, {"a": 1, "b": 2})
    {'a': 3, 'b': 2}
    """

    values: Lattice[F]
    default: Callable[[K], F]

    @property
    def bottom(self) -> Mapping[K, F] | None:
        """Nothing known, not even the defaults."""
        return None

    def join(self, left: Mapping[K, F] | None, right: Mapping[K, F] | None) -> Mapping[K, F] | None:
        """Key by key."""
        if left is None or right is None or left == right:
            return right if left is None else left
        keys = dict.fromkeys((*left, *right))
        return {key: self.values.join(self._of(left, key), self._of(right, key)) for key in keys}

    def leq(self, left: Mapping[K, F] | None, right: Mapping[K, F] | None) -> bool:
        """Key by key."""
        if left is None or right is None:
            return left is None
        return all(self.values.leq(self._of(left, key), self._of(right, key)) for key in (*left, *right))

    def open(self, fact: Mapping[K, F] | None) -> Cellwise[K, F]:
        """A dictionary to read and set."""
        return self.over({} if fact is None else fact, {})

    def _of(self, fact: Mapping[K, F], key: K) -> F:
        return fact[key] if key in fact else self.default(key)

    def over(self, base: Base, changed: dict[K, F], *, least: bool = False) -> Cellwise[K, F]:
        """A dictionary to read and set."""
        return Cellwise(base, self.least if least else self.default, self.values.join, changed)

    def join_values(self, left: F, right: F) -> F:
        """The join of the values' lattice."""
        return left if left is right else self.values.join(left, right)

    def leq_values(self, left: F, right: F) -> bool:
        """The order of the values' lattice."""
        return left is right or self.values.leq(left, right)

    def missing(self, key: K) -> F:
        """The default."""
        return self.default(key)

    def least(self, key: K) -> F:
        """The bottom of the values' lattice."""
        return self.values.bottom

    def by_key(self, fact: Mapping[K, F] | None) -> Mapping[K, F]:
        """The map itself."""
        return fact or {}


@attrs.frozen
class Product:
    """Tuples of facts, ordered and joined part by part.

          (1, {a})
          /      \\
     (1, {})   (0, {a})
          \\      /
          (0, {})

    The working state has the states of its parts by position: `state[1].gen(a)`.

    >>> from .scalars import Maximum
    >>> both = Product((Maximum(), Powerset()))
    >>> both.join((1, frozenset()), (0, frozenset("a")))
    (1, frozenset({'a'}))
    """

    parts: tuple[Lattice[Any], ...]

    @property
    def bottom(self) -> tuple[Any, ...]:
        """The bottoms of the parts."""
        return tuple(part.bottom for part in self.parts)

    def join(self, left: tuple[Any, ...], right: tuple[Any, ...]) -> tuple[Any, ...]:
        """Part by part."""
        return tuple(part.join(one, two) for part, one, two in zip(self.parts, left, right, strict=True))

    def leq(self, left: tuple[Any, ...], right: tuple[Any, ...]) -> bool:
        """Part by part."""
        return all(part.leq(one, two) for part, one, two in zip(self.parts, left, right, strict=True))

    def open(self, fact: tuple[Any, ...]) -> Parts:
        """The states of the parts."""
        return Parts(tuple(part.open(one) for part, one in zip(self.parts, fact, strict=True)))
