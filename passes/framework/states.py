"""Working states: facts being worked on, as changes over what was there before.

A state never copies what it starts from: it looks through its own changes to the `base` below. So a step costs what it
changes, and what a stretch of a program changes can be kept by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, Generic, Protocol, TypeVar

C_co = TypeVar("C_co", covariant=True)
K = TypeVar("K", bound=Hashable)
F = TypeVar("F")

#: Stands for a key that is not there; no fact is it.
ABSENT: Any = object()


class State(Protocol[C_co]):
    """A fact being worked on."""

    def freeze(self) -> C_co:
        """The fact as it is now."""
        ...

    def maybe(self) -> Any:
        """A context in which what happens may not happen: afterwards the state is the join of both."""
        ...


class Base(Protocol):
    """What lies below a state: values by key."""

    def get(self, key: Any, default: Any, /) -> Any:
        """The value of a key."""
        ...

    def items(self) -> Any:
        """All keys that hold a value of their own, with it."""
        ...


class Overlay(Generic[K, F]):
    """Values by key: those in `changed`, else those of the base, else what a `missing` key holds."""

    __slots__ = ("base", "changed", "join", "missing")

    def __init__(
        self, base: Base, missing: Callable[[K], F], join: Callable[[F, F], F], changed: dict[K, F] | None = None
    ) -> None:
        self.base = base
        self.missing = missing
        self.changed: dict[K, F] = {} if changed is None else changed
        self.join = join

    def look(self, key: K) -> F:
        """What a key holds now."""
        found: Any = self.changed.get(key, ABSENT)
        return self._below(key) if found is ABSENT else found

    def _below(self, key: K) -> F:
        found = self.base.get(key, ABSENT)
        return self.missing(key) if found is ABSENT else found

    def items(self) -> Iterator[tuple[K, F]]:
        """The keys that hold a value of their own, with it."""
        below = ((key, value) for key, value in self.base.items() if key not in self.changed)
        yield from below
        yield from self.changed.items()

    @contextmanager
    def maybe(self) -> Iterator[None]:
        """Joins what the body changes with what was there before."""
        before = dict(self.changed)
        yield
        for key, value in self.changed.items():
            old: Any = before.get(key, ABSENT)
            if old is not value:
                self.changed[key] = self.join(self._below(key) if old is ABSENT else old, value)


class Members(Overlay[K, bool]):
    """The working state of sets: `gen`, `kill`, `in`, iteration."""

    __slots__ = ()

    def gen(self, member: K) -> None:
        """Put a member in."""
        self.changed[member] = True

    def kill(self, member: K) -> None:
        """Take a member out."""
        self.changed[member] = False

    def __contains__(self, member: K) -> bool:
        return self.look(member)

    def __iter__(self) -> Iterator[K]:
        return (member for member, holds in self.items() if holds)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def freeze(self) -> frozenset[K]:
        """The fact as it is now."""
        return frozenset(self)


class Cellwise(Overlay[K, F]):
    """The working state of maps: a dictionary to read and set, whose missing keys hold a default."""

    __slots__ = ()

    def __getitem__(self, key: K) -> F:
        return self.look(key)

    def __setitem__(self, key: K, value: F) -> None:
        self.changed[key] = value

    def freeze(self) -> dict[K, F]:
        """The fact as it is now."""
        return dict(self.items())


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


class Parts:
    """The working state of a product: the states of its parts, by position."""

    __slots__ = ("_parts",)

    def __init__(self, parts: tuple[State[Any], ...]) -> None:
        self._parts = parts

    def __getitem__(self, position: int) -> Any:
        return self._parts[position]

    def freeze(self) -> tuple[Any, ...]:
        """The facts of the parts as they are now."""
        return tuple(part.freeze() for part in self._parts)

    @contextmanager
    def maybe(self) -> Iterator[None]:
        """Joins each part."""
        with ExitStack() as stack:
            for part in self._parts:
                stack.enter_context(part.maybe())
            yield
