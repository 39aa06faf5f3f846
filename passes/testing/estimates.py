"""The check of estimates: within their bounds, and where a dense solve of the same equations puts them."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from statemem.ir import Program

from ..framework import Equation, Estimate, Manager
from .reports import fail, instance

#: How many equations are solved densely.
MOST_UNKNOWNS = 60


def check_estimate(one: type[Estimate] | Estimate, program: Program) -> None:
    """Every quantity lies within its bounds, and within the tolerance of the exact solution where that is small."""
    wanted, manager = instance(one), Manager(program)
    assert isinstance(wanted, Estimate)
    found = manager.result(wanted)
    for unknown, quantity in found.items():
        low, high = wanted.bounds(unknown)
        if not low - wanted.tolerance <= quantity <= high + wanted.tolerance:
            fail(wanted, f"{unknown} is {quantity}, which is not between {low} and {high}", program)
    equations = wanted.equations(program, manager)
    if len(equations) > MOST_UNKNOWNS:
        return
    for unknown, exact in dense(equations).items():
        if abs(exact - Fraction(found[unknown])) > wanted.tolerance:
            fail(wanted, f"{unknown} is {found[unknown]}, the dense solve gives {float(exact)}", program)


def dense(equations: Mapping[Any, Equation]) -> dict[Any, Fraction]:
    """The exact solution, by elimination over fractions.

    >>> {unknown: float(value) for unknown, value in dense({"x": Equation(1, {"x": 0.5})}).items()}
    {'x': 2.0}
    """
    unknowns = list(equations)
    rows = [_row(equations[unknown], unknown, unknowns) for unknown in unknowns]
    for pivot in range(len(unknowns)):
        swap = next(number for number in range(pivot, len(rows)) if rows[number][pivot])
        rows[pivot], rows[swap] = rows[swap], rows[pivot]
        rows[pivot] = [value / rows[pivot][pivot] for value in rows[pivot]]
        for number, row in enumerate(rows):
            if number != pivot and row[pivot]:
                rows[number] = [value - row[pivot] * other for value, other in zip(row, rows[pivot], strict=True)]
    return {unknown: row[-1] for unknown, row in zip(unknowns, rows, strict=True)}


def _row(one: Equation, unknown: Any, unknowns: list[Any]) -> list[Fraction]:
    """An equation as coefficients of all unknowns and the constant: x - terms = constant."""
    own = [Fraction(other == unknown) - Fraction(one.terms.get(other, 0)) for other in unknowns]
    return [*own, Fraction(one.constant)]
