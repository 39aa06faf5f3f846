"""Lattices whose facts are single things: one value at most, a few values, a number."""

from __future__ import annotations

import enum
from collections.abc import Hashable
from typing import Any, Final, Generic, TypeVar

import attrs

from .states import Boxed

T = TypeVar("T", bound=Hashable)


class Extreme(enum.Enum):
    """The two ends of a flat lattice."""

    NOTHING = "nothing"
    ANYTHING = "anything"

    def __repr__(self) -> str:
        return self.name


NOTHING: Final = Extreme.NOTHING
ANYTHING: Final = Extreme.ANYTHING


@attrs.frozen
class Flat(Generic[T]):
    """One value, between knowing none and any.

             ANYTHING
            /   |    \\
       "red" "green" "blue"
            \\   |    /
             NOTHING

    >>> Flat().join("red", "red"), Flat().join("red", "blue")
    ('red', ANYTHING)
    """

    @property
    def bottom(self) -> T | Extreme:
        """No value yet."""
        return NOTHING

    def join(self, left: T | Extreme, right: T | Extreme) -> T | Extreme:
        """The value both agree on."""
        if left is NOTHING or left == right:
            return right
        return left if right is NOTHING else ANYTHING

    def leq(self, left: T | Extreme, right: T | Extreme) -> bool:
        """Equal, or at one of the ends."""
        return left is NOTHING or right is ANYTHING or left == right

    def open(self, fact: T | Extreme) -> Boxed[Any]:
        """A box."""
        return Boxed(fact, self.join)


@attrs.frozen
class BoundedSet(Generic[T]):
    """Sets of at most `most` members, joined by union; a larger one is ANYTHING. Without a bound none is too large.

            ANYTHING
               |
            {a, b}
            /    \\
          {a}    {b}
            \\    /
              {}

    >>> pair = BoundedSet(2)
    >>> pair.join(frozenset("a"), frozenset("a")), pair.join(frozenset("ab"), frozenset("c"))
    (frozenset({'a'}), ANYTHING)
    """

    most: int | None = None

    @property
    def bottom(self) -> frozenset[T] | Extreme:
        """The empty set."""
        return frozenset()

    def join(self, left: frozenset[T] | Extreme, right: frozenset[T] | Extreme) -> frozenset[T] | Extreme:
        """The union, if it is not too large."""
        if isinstance(left, Extreme) or isinstance(right, Extreme):
            return ANYTHING
        union = left | right
        return ANYTHING if self.most is not None and len(union) > self.most else union

    def leq(self, left: frozenset[T] | Extreme, right: frozenset[T] | Extreme) -> bool:
        """Inclusion."""
        if isinstance(left, Extreme) or isinstance(right, Extreme):
            return isinstance(right, Extreme)
        return left <= right

    def open(self, fact: frozenset[T] | Extreme) -> Boxed[Any]:
        """A box."""
        return Boxed(fact, self.join)


@attrs.frozen
class Maximum:
    """Numbers, joined by the greater.

        … 2
          1
          0

    >>> Maximum().join(3, 5), Maximum().leq(3, 5)
    (5, True)
    """

    bottom: float = 0

    def join(self, left: float, right: float) -> float:
        """The greater."""
        return max(left, right)

    def leq(self, left: float, right: float) -> bool:
        """The order of numbers."""
        return left <= right

    def open(self, fact: float) -> Boxed[float]:
        """A box."""
        return Boxed(fact, self.join)


@attrs.frozen
class Minimum:
    """Numbers, joined by the smaller; at the bottom stands one that is smaller than none of them.

          0
          1
        … 2

    >>> Minimum().join(3, 5), Minimum().leq(3, 5)
    (3, False)
    """

    bottom: float = float("inf")

    def join(self, left: float, right: float) -> float:
        """The smaller."""
        return min(left, right)

    def leq(self, left: float, right: float) -> bool:
        """The order of numbers, the other way."""
        return left >= right

    def open(self, fact: float) -> Boxed[float]:
        """A box."""
        return Boxed(fact, self.join)
