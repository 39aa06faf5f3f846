"""The framework in which passes are written and solved."""

from .analysis import Analysis, At, Cells, Derivation, Direction, Pass
from .errors import CycleError, NoFact, PassError, Unsettled
from .horizon import Horizon
from .lattices import Lattice, MapOf, Maximum, Powerset
from .manager import Manager
from .points import After, Before, BlockEnd, BlockStart, Point, at_step
from .registry import find, passes, register
from .solution import Solution

__all__ = [
    "After",
    "Analysis",
    "At",
    "Before",
    "BlockEnd",
    "BlockStart",
    "Cells",
    "CycleError",
    "Derivation",
    "Direction",
    "Horizon",
    "Lattice",
    "Manager",
    "MapOf",
    "Maximum",
    "NoFact",
    "Pass",
    "PassError",
    "Point",
    "Powerset",
    "Solution",
    "Unsettled",
    "at_step",
    "find",
    "passes",
    "register",
]
