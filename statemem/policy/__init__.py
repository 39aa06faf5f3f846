"""Policy: what the planner does with the facts that passes prove, as data that is read from a file and checked."""

from .baseline import Baseline
from .baseline import encoded as encoded_baseline
from .model import Generation, Guard, Policy, Promotion, Suppression
from .patterns import CellPattern
from .reading import load

__all__ = [
    "Baseline",
    "CellPattern",
    "Generation",
    "Guard",
    "Policy",
    "Promotion",
    "Suppression",
    "encoded_baseline",
    "load",
]
