"""Lattices as the solver works on them: facts as values by key, of which only what changes is kept."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import attrs

from .states import Base, State

if TYPE_CHECKING:
    from .lattices import Lattice

F = TypeVar("F")
K = TypeVar("K", bound=Hashable)


class Keyed(Generic[K, F]):
    """What the solver asks of a lattice whose facts are values by key."""

    def over(self, base: Base, changed: dict[K, F], *, least: bool = False) -> Any:
        """A working state of changes over a base; of keys missing there the `least` is known, or the default."""
        raise NotImplementedError

    def changes(self, state: Any) -> dict[K, F]:
        """What a working state changed."""
        found: dict[K, F] = state.changed
        return found

    def join_values(self, left: F, right: F) -> F:
        """The join at one key."""
        raise NotImplementedError

    def leq_values(self, left: F, right: F) -> bool:
        """The order at one key."""
        raise NotImplementedError

    def missing(self, key: K) -> F:
        """What a fact holds at a key it does not name."""
        raise NotImplementedError

    def least(self, key: K) -> F:
        """What is known of a key where nothing arrives."""
        raise NotImplementedError

    def by_key(self, fact: Any) -> Mapping[K, F]:
        """A fact as values by key."""
        raise NotImplementedError


@attrs.frozen
class Whole(Keyed[None, F]):
    """Any lattice as a keyed one of a single key: its facts change as a whole or not at all."""

    lattice: Lattice[F]

    def over(self, base: Base, changed: dict[None, F], *, least: bool = False) -> State[F]:
        """The lattice's own state."""
        fact = changed[None] if changed else base.get(None, self.lattice.bottom)
        return self.lattice.open(fact)

    def changes(self, state: State[F]) -> dict[None, F]:
        """The whole fact."""
        return {None: state.freeze()}

    def join_values(self, left: F, right: F) -> F:
        """The lattice's own."""
        return self.lattice.join(left, right)

    def leq_values(self, left: F, right: F) -> bool:
        """The lattice's own."""
        return self.lattice.leq(left, right)

    def missing(self, key: None) -> F:
        """Nothing else is known than the bottom."""
        return self.lattice.bottom

    def least(self, key: None) -> F:
        """The bottom."""
        return self.lattice.bottom

    def by_key(self, fact: F) -> Mapping[None, F]:
        """The fact under the one key."""
        return {None: fact}


def keyed(lattice: Lattice[Any]) -> Keyed[Any, Any]:
    """A lattice as the solver works on it."""
    return lattice if isinstance(lattice, Keyed) else Whole(lattice)
