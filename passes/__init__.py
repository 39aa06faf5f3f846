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
from .consistency import Consistency, Inconsistency
from .cuts import Cut, CutBy, why_not
from .effects import Effects
from .endings import Ending, Endings
from .flows import Flow, Flows
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
from .freshness import Freshness
from .generations import Generation, generation
from .last_use import LastUse
from .liveness import Liveness
from .lookalikes import Lookalike, Lookalikes, lookalikes_at
from .missing import Missing
from .needed import Needed
from .next_use import NextUse, NextUses, next_uses
from .observed import Observed
from .reachability import Reachability, Reached, reachable_at
from .reaching import Reaching
from .repeats import Repeat, Repeats
from .stale_use import StaleUse, StaleUses
from .staleness import Stale, fresh_at, stale, stale_without
from .standing import Standing, Word, standings
from .survival import Survival, Survived, survived
from .switches import Switch, Switches
from .taint import Taint
from .tasks import Tasks
from .trust_rules import TrustRules
from .undecided import Undecided
from .undefined_reads import UndefinedRead, undefined_reads
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
    "Consistency",
    "Cut",
    "CutBy",
    "Derivation",
    "Direction",
    "Effects",
    "Ending",
    "Endings",
    "Flow",
    "Flows",
    "Freshness",
    "Generation",
    "Horizon",
    "Inconsistency",
    "LastUse",
    "Liveness",
    "Lookalike",
    "Lookalikes",
    "Manager",
    "Missing",
    "Needed",
    "NextUse",
    "NextUses",
    "NoFact",
    "Observed",
    "Reachability",
    "Reached",
    "Reaching",
    "Repeat",
    "Repeats",
    "Solution",
    "Stale",
    "StaleUse",
    "StaleUses",
    "Standing",
    "Survival",
    "Survived",
    "Switch",
    "Switches",
    "Taint",
    "Tasks",
    "TrustRules",
    "Undecided",
    "UndefinedRead",
    "UseDefChains",
    "Values",
    "Word",
    "fresh_at",
    "generation",
    "lookalikes_at",
    "next_uses",
    "reachable_at",
    "register",
    "slice_back",
    "slice_forward",
    "solve",
    "stale",
    "stale_without",
    "standings",
    "survived",
    "undefined_reads",
    "use_def_chains",
    "why_not",
]
