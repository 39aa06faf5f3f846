"""Facts inside a segment, told as changes to what comes into it."""

from __future__ import annotations

import enum
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from .keyed import Keyed
from .states import ABSENT, Base

K = TypeVar("K", bound=Hashable)
F = TypeVar("F")


class Root(enum.IntEnum):
    """What a change lies over."""

    #: The least fact: nothing has come here yet.
    LEAST = 0
    #: The boundary: facts begin to flow here, at an end inside the segment.
    BOUNDARY = 1
    #: What comes into the segment.
    BASE = 2


class Delta(NamedTuple):
    """A fact: what is changed, over what; never changed itself."""

    root: Root
    changed: Mapping[Any, Any]


class Deltas(Generic[K, F]):
    """The lattice of the changes inside one segment, over its base.

    Behind a segment that is `endless` nothing is known even of the keys that the base does not name.
    """

    def __init__(self, lattice: Keyed[K, F], boundary: Any, base: Base, *, endless: bool = False) -> None:
        self.lattice = lattice
        self._unknown = {Root.LEAST, Root.BASE} if endless else {Root.LEAST}
        self._roots: dict[Root, Base] = {Root.LEAST: {}, Root.BOUNDARY: boundary, Root.BASE: base}

    def open(self, fact: Delta) -> Any:
        """A working state."""
        return self.lattice.over(self._roots[fact.root], dict(fact.changed), least=fact.root in self._unknown)

    def value(self, fact: Delta, key: K) -> F:
        """What a fact holds of one key."""
        found = fact.changed.get(key, ABSENT)
        if found is ABSENT:
            found = self._roots[fact.root].get(key, ABSENT)
        if found is not ABSENT:
            return found  # type: ignore[no-any-return]
        return self.lattice.least(key) if fact.root in self._unknown else self.lattice.missing(key)

    def join(self, left: Delta, right: Delta) -> Delta:
        """The join, key by key, of all keys at which the two may differ."""
        if left is right:
            return left
        root = max(left.root, right.root)
        keys = dict.fromkeys((*left.changed, *right.changed))
        if {left.root, right.root} == {Root.BASE, Root.BOUNDARY}:
            root = Root.BOUNDARY if Root.BASE in self._unknown else Root.BASE
            keys.update(dict.fromkeys(key for one in self._roots.values() for key, _ in one.items()))
        join = self.lattice.join_values
        return Delta(root, {key: join(self.value(left, key), self.value(right, key)) for key in keys})

    def at_join(self, joined: Callable[[K, F, Sequence[F]], F], before: Delta, arms: Sequence[Delta]) -> Delta:
        """What the arms of a fork come to, key by key, told by `joined` from what each left and what was before."""
        keys = dict.fromkeys(key for one in (before, *arms) for key in one.changed)
        values = {
            key: self._at_join(joined, key, self.value(before, key), [self.value(arm, key) for arm in arms])
            for key in keys
        }
        return Delta(before.root, values)

    def _at_join(self, joined: Callable[[K, F, Sequence[F]], F], key: K, before: F, arms: list[F]) -> F:
        """What no arm touched is as it was."""
        return before if all(arm is before or arm == before for arm in arms) else joined(key, before, arms)

    def leq(self, left: Delta, right: Delta) -> bool:
        """Whether `left` lies at or below `right`; of two with other roots it does only where less is known."""
        if left.root > right.root:
            return False
        keys = dict.fromkeys((*left.changed, *right.changed))
        return all(self.lattice.leq_values(self.value(left, key), self.value(right, key)) for key in keys)
