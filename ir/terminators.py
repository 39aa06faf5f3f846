"""Terminators: where control goes after a block."""

from __future__ import annotations

import attrs

from .cells import Cell


@attrs.frozen
class Arm:
    """One way out of a branch, with the condition and the count the log or a workflow gives it."""

    target: str
    condition: str | None = None
    weight: float | None = None


@attrs.frozen
class Goto:
    """`goto t2`."""

    target: str


@attrs.frozen
class Branch:
    """`branch t5 on ok weight 7, t4 on fail weight 3`."""

    arms: tuple[Arm, ...]


@attrs.frozen
class Fork:
    """`fork a, b join c`: arms that start from one state and do not see each other."""

    arms: tuple[str, ...]
    join: str


@attrs.frozen
class End:
    """`end`: the run is over, nothing reads afterwards."""


@attrs.frozen
class Open:
    """`open expect user:7/*`: the log goes on; what is expected to be read, the whole of it with `only`."""

    expected: tuple[Cell, ...] = ()
    complete: bool = False


#: The end of a log of whose future nothing is known.
OPEN = Open()

Terminator = Goto | Branch | Fork | End | Open


def targets(terminator: Terminator) -> tuple[str, ...]:
    """The names of the blocks that control may reach directly."""
    if isinstance(terminator, Goto):
        return (terminator.target,)
    if isinstance(terminator, Branch):
        return tuple(arm.target for arm in terminator.arms)
    if isinstance(terminator, Fork):
        return terminator.arms
    return ()
