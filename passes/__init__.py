"""Passes: what follows from a program. One file a pass; the framework stands beside them.

>>> from statemem.ir import build
>>> program = build("session:1/").block("user").set("color", "black").block("assistant").use("color").open()
>>> [str(cell) for cell in solve(program, Liveness).at_end(0)]
['session:1/color']
"""

from statemem.ir import Program

from .aliases import Aliases
from .assigned import Assigned
from .awaited import Awaited
from .chains import UseDefChains, slice_back, slice_forward, use_def_chains
from .conflicts import Conflict, Conflicts
from .endings import Ending, Endings
from .framework import (
    Analysis,
    At,
    Cells,
    Derivation,
    Direction,
    Horizon,
    Manager,
    NoFact,
    Solution,
    register,
)
from .last_use import LastUse
from .liveness import Liveness
from .missing import Missing
from .needed import Needed
from .observed import Observed
from .reaching import Reaching
from .stale_use import StaleUse, StaleUses
from .standing import Standing, Word, standings
from .undecided import Undecided
from .values import Values


def solve(program: Program, analysis: type[Analysis], horizon: Horizon | None = None) -> Solution:
    """The solution of one analysis of a program."""
    return Manager(program, horizon).solve(analysis)


__all__ = [
    "Aliases",
    "Analysis",
    "Assigned",
    "At",
    "Awaited",
    "Cells",
    "Conflict",
    "Conflicts",
    "Derivation",
    "Direction",
    "Ending",
    "Endings",
    "Horizon",
    "LastUse",
    "Liveness",
    "Manager",
    "Missing",
    "Needed",
    "NoFact",
    "Observed",
    "Reaching",
    "Solution",
    "StaleUse",
    "StaleUses",
    "Standing",
    "Undecided",
    "UseDefChains",
    "Values",
    "Word",
    "register",
    "slice_back",
    "slice_forward",
    "solve",
    "standings",
    "use_def_chains",
]
