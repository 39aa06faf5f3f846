"""Lattices: what facts are, how they merge, and how one works on them.

Every lattice has `bottom`, `join` and `leq`, and opens a fact as a mutable working state for a replay; `join` is the
one word for merging, in both directions. Facts themselves are immutable.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Generic, Protocol, TypeVar

import attrs

F = TypeVar("F")
C = TypeVar("C", covariant=True)
K = TypeVar("K", bound=Hashable)


class State(Protocol[C]):
    """A fact being worked on."""

    def freeze(self) -> C:
        """The fact as it is now."""
        ...

    def maybe(self) -> Any:
        """A context in which what happens may not happen: afterwards the state is the join of both."""
        ...


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


class Members(Generic[K]):
    """The working state of a powerset: `gen`, `kill`, `in`, iteration."""

    __slots__ = ("_members", "_weak")

    def __init__(self, members: frozenset[K]) -> None:
        self._members = set(members)
        self._weak = False

    def gen(self, member: K) -> None:
        """Put a member in."""
        self._members.add(member)

    def kill(self, member: K) -> None:
        """Take a member out; of what may not happen, nothing is taken."""
        if not self._weak:
            self._members.discard(member)

    def __contains__(self, member: K) -> bool:
        return member in self._members

    def __iter__(self) -> Iterator[K]:
        return iter(self._members)

    def __len__(self) -> int:
        return len(self._members)

    def freeze(self) -> frozenset[K]:
        """The fact as it is now."""
        return frozenset(self._members)

    @contextmanager
    def maybe(self) -> Iterator[None]:
        """The join with the state before is all members before and those put in."""
        before, self._weak = self._weak, True
        try:
            yield
        finally:
            self._weak = before


@attrs.frozen
class Powerset(Generic[K]):
    """Sets ordered by inclusion, joined by union: what holds on some path.

              {a, b}
             /      \\
           {a}      {b}
             \\      /
                {}

    >>> Powerset().join(frozenset("a"), frozenset("b")) == frozenset("ab")
    True
    """

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

    def open(self, fact: frozenset[K]) -> Members[K]:
        """A set to `gen` into and `kill` from."""
        return Members(fact)


class Cellwise(Generic[K, F]):
    """The working state of a map: a dictionary whose missing keys hold a default."""

    __slots__ = ("_default", "_join", "_map")

    def __init__(self, fact: Mapping[K, F], default: Callable[[K], F], join: Callable[[F, F], F]) -> None:
        self._map = dict(fact)
        self._default = default
        self._join = join

    def __getitem__(self, key: K) -> F:
        found = self._map.get(key)
        return self._default(key) if found is None else found

    def __setitem__(self, key: K, value: F) -> None:
        self._map[key] = value

    def items(self) -> Iterator[tuple[K, F]]:
        """The keys that were set, with what they hold."""
        return iter(self._map.items())

    def freeze(self) -> dict[K, F]:
        """The fact as it is now."""
        return dict(self._map)

    @contextmanager
    def maybe(self) -> Iterator[None]:
        """Runs the body on a copy and joins it with the state before."""
        before = dict(self._map)
        yield
        for key, value in self._map.items():
            self._map[key] = self._join(before[key] if key in before else self._default(key), value)


@attrs.frozen
class MapOf(Generic[K, F]):
    """Maps from keys to facts, ordered and joined key by key; a key that is missing holds `default(key)`.

    `None` is the bottom, the map of a point that nothing reaches; there even the default is unknown.

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
        return Cellwise(fact or {}, self.default, self.values.join)

    def _of(self, fact: Mapping[K, F], key: K) -> F:
        found = fact.get(key)
        return self.default(key) if found is None else found


@attrs.frozen
class Maximum:
    """Numbers, joined by the greater.

        … 2
          1
          0

    >>> Maximum().join(3, 5), Maximum().leq(3, 5)
    (5, True)
    """

    bottom: int = 0

    def join(self, left: int, right: int) -> int:
        """The greater."""
        return max(left, right)

    def leq(self, left: int, right: int) -> bool:
        """The order of numbers."""
        return left <= right

    def open(self, fact: int) -> Boxed[int]:
        """A box."""
        return Boxed(fact, self.join)


class Boxed(Generic[F]):
    """The working state of any other lattice: one attribute, `value`."""

    __slots__ = ("_join", "value")

    def __init__(self, value: F, join: Callable[[F, F], F]) -> None:
        self.value = value
        self._join = join

    def freeze(self) -> F:
        """The fact as it is now."""
        return self.value

    @contextmanager
    def maybe(self) -> Iterator[None]:
        """Joins with the value before."""
        before = self.value
        yield
        self.value = self._join(before, self.value)
