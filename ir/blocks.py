"""Blocks, one turn or step each, and the tasks whose bodies they make."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from .cells import Scope
from .instructions import Instruction
from .origin import NOWHERE, Actor, Origin
from .terminators import OPEN, Call, Return, Terminator

SYSTEM = Actor("system")


@attrs.frozen
class Block:
    """One turn or step: straight-line instructions of one actor and where control goes next.

    `step` is the position in the log by its own count; blocks that share one are parts of one step.
    """

    name: str
    actor: Actor = SYSTEM
    step: int | None = None
    task: str | None = None
    instructions: tuple[Instruction, ...] = ()
    terminator: Terminator = OPEN
    origin: Origin = NOWHERE

    @property
    def turn(self) -> Scope:
        """The scope of the cells that end with this block."""
        return Scope("turn", self.name)


@attrs.frozen
class Task:
    """A body of blocks: the one of a trace, or a procedure of a workflow with the cells of its parameters."""

    name: str
    scope: Scope
    kind: str | None = None
    parameters: tuple[str, ...] = ()


def ids_of(block: Block) -> Iterator[str]:
    """The ids that a block itself gives to entries."""
    yield from (one.id for one in block.instructions if one.id is not None)
    last = block.terminator
    if isinstance(last, (Call, Return)) and last.id is not None:
        yield last.id
