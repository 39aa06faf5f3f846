"""The check of the laws of a lattice."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..framework import Lattice


def check_laws(lattice: Lattice[Any], facts: Iterable[Any]) -> None:
    """The laws of a join semilattice on sample facts, and that `leq` says what `join` does.

    Two facts are one where each lies below the other: a map that names a default is the map that leaves it out. Raises
    an AssertionError that names the law and the facts.
    """
    known = list(facts)
    for one in known:
        _holds(_same(lattice, lattice.join(one, one), one), "joining a fact with itself gives it", one)
        _holds(_same(lattice, lattice.join(lattice.bottom, one), one), "the bottom adds nothing", one)
        _holds(lattice.leq(lattice.bottom, one), "the bottom lies below all", one)
        for two in known:
            _check_pair(lattice, one, two)
            for three in known:
                left = lattice.join(lattice.join(one, two), three)
                right = lattice.join(one, lattice.join(two, three))
                _holds(_same(lattice, left, right), "it does not matter which are joined first", one, two, three)


def _check_pair(lattice: Lattice[Any], one: Any, two: Any) -> None:
    joined = lattice.join(one, two)
    _holds(_same(lattice, joined, lattice.join(two, one)), "it does not matter which stands first", one, two)
    _holds(lattice.leq(one, joined), "a join lies above both", one, two)
    below = lattice.leq(one, two)
    _holds(below == _same(lattice, joined, two), "`leq` says what `join` does", one, two)


def _same(lattice: Lattice[Any], left: Any, right: Any) -> bool:
    return lattice.leq(left, right) and lattice.leq(right, left)


def _holds(law: bool, name: str, *facts: Any) -> None:
    if not law:
        raise AssertionError(f"a law of lattices is broken: {name}; facts: {', '.join(map(repr, facts))}")
