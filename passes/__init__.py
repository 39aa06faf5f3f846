"""Passes: what follows from a program. One file a pass: the core ones here, the others in rooms by what they
ask about (premises, trust, tasks, dependencies, collection, future); the framework stands beside them.

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
from .collection.generations import Generation, generation
from .collection.reachability import Reachability, Reached, reachable_at
from .collection.survival import Survival, Survived, survived
from .conflicts import Conflict, Conflicts
from .dependencies.consistency import Consistency, Inconsistency
from .effects import Effects
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
from .future.next_use import NextUse, NextUses, next_uses
from .last_use import LastUse
from .liveness import Liveness
from .lookalikes import Lookalike, Lookalikes, lookalikes_at
from .missing import Missing
from .needed import Needed
from .observed import Observed
from .premises.freshness import Freshness
from .premises.staleness import Stale, fresh_at, stale, stale_without
from .reaching import Reaching
from .repeats import Repeat, Repeats
from .stale_use import StaleUse, StaleUses
from .standing import Standing, Word, standings
from .tasks.stacks import Tasks
from .tasks.switches import Switch, Switches
from .tasks.undefined_reads import UndefinedRead, undefined_reads
from .trust.cuts import Cut, CutBy, why_not
from .trust.flows import Flow, Flows
from .trust.rules import TrustRules
from .trust.taint import Taint
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
