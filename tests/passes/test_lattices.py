from typing import Any

import pytest

from statemem.ir import Scope, parse_cell
from statemem.ir.meaning.names import Names
from statemem.passes.aliases import NamesLattice
from statemem.passes.framework import (
    ANYTHING,
    NOTHING,
    BoundedSet,
    DualPowerset,
    Flat,
    MapOf,
    Maximum,
    Minimum,
    Powerset,
    Product,
)
from statemem.passes.testing import check_laws

A, B = (parse_cell(f"order[{key}]", Scope("user", "7")) for key in "AB")
SAMPLES: dict[str, tuple[Any, list[Any]]] = {
    "powerset": (Powerset(), [frozenset(), frozenset("a"), frozenset("ab"), frozenset("b")]),
    "dual powerset": (DualPowerset(), [None, frozenset(), frozenset("a"), frozenset("ab"), frozenset("b")]),
    "flat": (Flat(), [NOTHING, "a", "b", None, ANYTHING]),
    "bounded set": (BoundedSet(2), [frozenset(), frozenset("a"), frozenset("bc"), frozenset("c"), ANYTHING]),
    "product": (Product((Maximum(), Powerset())), [(0, frozenset()), (1, frozenset("a")), (2, frozenset())]),
    "minimum": (Minimum(), [float("inf"), 3, 0, -1]),
    "maximum": (Maximum(-1), [-1, 0, 3, 7]),
    "map": (MapOf(Maximum(), lambda key: 0), [None, {}, {"a": 1}, {"a": 1, "b": 2}, {"b": 3}]),
    "names": (NamesLattice(), [None, Names(), Names().bound("it", A), Names().bound("it", B), Names().united(A, B)]),
}


@pytest.mark.parametrize("name", SAMPLES)
def test_the_laws_of_a_semilattice_hold(name):
    lattice, facts = SAMPLES[name]
    if name == "map":  # a key that holds its default and a key that is missing are one fact
        facts = [fact for fact in facts if fact is None or 0 not in fact.values()]
    check_laws(lattice, facts)
