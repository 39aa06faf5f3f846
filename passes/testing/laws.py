"""The check of the laws of a lattice."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..framework import Lattice
from ..framework.laws import broken_laws


def check_laws(lattice: Lattice[Any], facts: Iterable[Any]) -> None:
    """The laws of a join semilattice on sample facts, and that `leq` says what `join` does.

    Raises an AssertionError that names the law and the facts.
    """
    broken = broken_laws(lattice, facts, repr)
    if broken:
        raise AssertionError(f"a law of lattices is broken; {broken[0]}")
