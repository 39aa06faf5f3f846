"""What can go wrong with passes.

PassError           a pass that cannot give its result
├── CycleError      passes that need each other
├── Unsettled       facts that keep changing
└── NoFact          no fact at a point, which is never an empty one
"""

from __future__ import annotations

import traceback

from statemem.ir.diagnostics import StatememError


class PassError(StatememError):
    """A pass that cannot give its result; names it."""


class CycleError(PassError):
    """Passes that need each other; the message spells the circle out."""


class Unsettled(PassError):
    """An analysis whose facts keep changing; names it and the block."""


class NoFact(PassError, LookupError):
    """There is no fact at a point: nothing reaches it, or the solution is of another version. Never an empty one."""


def raised(name: str, error: BaseException) -> PassError:
    """The error of a pass that raised something of its own, with the line at which it did."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    told = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return PassError(f"pass {name!r} raised {told} ({frame.filename}, line {frame.lineno}, in {frame.name})")
