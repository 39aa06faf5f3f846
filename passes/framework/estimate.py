"""Estimates: quantities that linear equations determine, with a stated tolerance."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, ClassVar

import attrs

from statemem.ir import Program

from .analysis import Pass
from .errors import PassError


@attrs.frozen
class Equation:
    """One unknown as a constant and a sum of others, each with a coefficient."""

    constant: float
    terms: Mapping[Any, float] = attrs.field(factory=dict)


class Estimate(Pass):
    """Quantities, the solution of linear equations; never mixed into facts.

    An author gives `equations`. In each the coefficients must sum up to less than one, as they do where the future is
    discounted; then there is one solution, and it is found to within `tolerance`.
    """

    #: How far a quantity may lie from the exact solution.
    tolerance: ClassVar[float] = 1e-9

    def equations(self, program: Program, manager: Any) -> Mapping[Any, Equation]:
        """Every unknown with its equation; those first on which others rest are found soonest."""
        raise NotImplementedError

    def bounds(self, unknown: Any) -> tuple[float, float]:
        """Between what an unknown must lie."""
        return -math.inf, math.inf

    def estimate(self, program: Program, manager: Any) -> dict[Any, float]:
        """The quantities by unknown. Raises `PassError` where the equations do not determine them."""
        return solved(self.equations(program, manager), self.tolerance, self.name)

    def show(self, found: Mapping[Any, float], program: Program) -> list[str]:
        """Unknowns with their quantities, rounded to four digits."""
        return [f"{unknown}: {quantity:.4g}" for unknown, quantity in found.items()]


def solved(equations: Mapping[Any, Equation], tolerance: float, name: str) -> dict[Any, float]:
    """The solution to within a tolerance, by sweeps in both directions in which each unknown uses those before it.

    With coefficients that sum up to at most `q`, a sweep that changes nothing by more than `d` lies within
    `d * q / (1 - q)` of the solution. (Gauss and Seidel; Saad, Iterative methods for sparse linear systems, 2003, 4.2.)

    >>> found = solved({"x": Equation(1, {"y": 0.5}), "y": Equation(2)}, 1e-9, "example")
    >>> found["x"]
    2.0
    """
    most = max((sum(map(abs, one.terms.values())) for one in equations.values()), default=0.0)
    lost = {term for one in equations.values() for term in one.terms if term not in equations}
    if lost:
        raise PassError(f"pass {name!r}: no equation determines {', '.join(sorted(map(str, lost)))}")
    if not most < 1 or not all(math.isfinite(one.constant) for one in equations.values()):
        raise PassError(f"pass {name!r}: coefficients sum up to {most}; with less than 1 there is one solution")
    found = dict.fromkeys(equations, 0.0)
    order = list(equations)
    while _sweep(equations, order, found) * most / (1 - most) > tolerance:
        order.reverse()
    return found


def _sweep(equations: Mapping[Any, Equation], order: list[Any], found: dict[Any, float]) -> float:
    """One sweep over all unknowns; the largest change."""
    largest = 0.0
    for unknown in order:
        one = equations[unknown]
        quantity = one.constant + sum(coefficient * found[term] for term, coefficient in one.terms.items())
        largest = max(largest, abs(quantity - found[unknown]))
        found[unknown] = quantity
    return largest
