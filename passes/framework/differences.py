"""What two facts do not share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple


class Difference(NamedTuple):
    """What the second of two facts has and the first has not, and the reverse.

    Of sets these are members, of maps pairs of a key and what it holds, of anything else the facts themselves.
    """

    gained: tuple[Any, ...]
    lost: tuple[Any, ...]


def difference(one: Any, other: Any) -> Difference:
    """What `other` gained over `one` and what it lost.

    >>> difference(frozenset("ab"), frozenset("bc"))
    Difference(gained=('c',), lost=('a',))
    >>> difference({"a": 1, "b": 2}, {"a": 1, "b": 3})
    Difference(gained=(('b', 3),), lost=(('b', 2),))
    """
    return Difference(_beyond(other, one), _beyond(one, other))


def _beyond(one: Any, other: Any) -> tuple[Any, ...]:
    """What one fact has and the other has not."""
    if isinstance(one, frozenset):
        return tuple(sorted(one - (other or frozenset()), key=str))
    if isinstance(one, Mapping):
        known = other or {}
        return tuple((key, value) for key, value in one.items() if key not in known or known[key] != value)
    return () if one is None or one == other else (one,)
