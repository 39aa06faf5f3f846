"""The framework in which passes are written and solved."""

from .analysis import (
    Analysis,
    At,
    Cells,
    CertainCells,
    Derivation,
    Direction,
    Need,
    Pass,
    Polarity,
    may,
    must,
)
from .differences import Difference
from .errors import CycleError, NoFact, PassError, Unsettled
from .estimate import Equation, Estimate
from .horizon import Horizon
from .lattices import DualPowerset, Lattice, MapOf, Powerset, Product
from .manager import Manager
from .points import After, Before, BlockEnd, BlockStart, Point, at_step
from .registry import find, passes, register
from .scalars import ANYTHING, NOTHING, BoundedSet, Flat, Maximum, Minimum
from .solution import Solution
from .states import Boxed
from .statistics import Statistics
from .witness import GaveUp, Reason, Witness

__all__ = [
    "ANYTHING",
    "NOTHING",
    "After",
    "Analysis",
    "At",
    "Before",
    "BlockEnd",
    "BlockStart",
    "BoundedSet",
    "Boxed",
    "Cells",
    "CertainCells",
    "CycleError",
    "Derivation",
    "Difference",
    "Direction",
    "DualPowerset",
    "Equation",
    "Estimate",
    "Flat",
    "GaveUp",
    "Horizon",
    "Lattice",
    "Manager",
    "MapOf",
    "Maximum",
    "Minimum",
    "Need",
    "NoFact",
    "Pass",
    "PassError",
    "Point",
    "Polarity",
    "Powerset",
    "Product",
    "Reason",
    "Solution",
    "Statistics",
    "Unsettled",
    "Witness",
    "at_step",
    "find",
    "may",
    "must",
    "passes",
    "register",
]
