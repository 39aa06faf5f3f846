"""Dictionaries of which many copies are made, one for each way in which a conversation goes on."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any, Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")
Layer = dict[Any, Any]


class Layered(Generic[K, V]):
    """A dictionary to which keys are only added; a copy costs what was put in since the last one.

    What was put in lies in layers that copies share, and that nobody changes. A value that is to be changed is taken by
    `own` or `owned`, and is copied first, by `copied`, where it is shared.

    >>> one = Layered[str, list[int]](list)
    >>> one.owned("a", list).append(1)
    >>> other = one.copy()
    >>> other.owned("a", list).append(2)
    >>> one.get("a"), other.get("a"), one.get("b")
    ([1], [1, 2], None)
    """

    def __init__(self, copied: Callable[[V], V]) -> None:
        self._copied = copied
        self._top: Layer = {}
        self._below: tuple[Layer, ...] = ()

    def copy(self) -> Layered[K, V]:
        """The same dictionary; what is put into one of the two from here on is not in the other."""
        if self._top:
            self._below, self._top = _stacked(self._below, self._top), {}
        other = copy.copy(self)
        other._top = {}
        return other

    def __contains__(self, key: K) -> bool:
        return key in self._top or any(key in layer for layer in self._below)

    def __setitem__(self, key: K, value: V) -> None:
        self._top[key] = value

    def get(self, key: K) -> V | None:
        """The value of a key, to be looked at only."""
        if key in self._top:
            found: V = self._top[key]
            return found
        return next((layer[key] for layer in reversed(self._below) if key in layer), None)

    def own(self, key: K) -> V | None:
        """The value of a key, which may be changed."""
        if key not in self._top:
            shared = self.get(key)
            if shared is None:
                return None
            self._top[key] = self._copied(shared)
        found: V = self._top[key]
        return found

    def owned(self, key: K, made: Callable[[], V]) -> V:
        """The value of a key, which may be changed; a new one where there is none."""
        found = self.own(key)
        if found is None:
            found = self._top[key] = made()
        return found


def _stacked(layers: tuple[Layer, ...], top: Layer) -> tuple[Layer, ...]:
    """One more layer. Each is more than twice as large as the next, so that there are few, and few are merged anew."""
    while layers and len(layers[-1]) <= 2 * len(top):
        top = {**layers[-1], **top}
        layers = layers[:-1]
    return (*layers, top)
