"""Terminators: where control goes after a block.

A call runs the body of another task. What passes over is written down in instructions that every pass knows: the
block of the call enters the task and derives its parameters, `return` derives the cell `return` of the task's scope,
and on the way back the *landing* derives the result from that cell and leaves the task, whose cells end.
"""

from __future__ import annotations

import attrs

from .cells import Cell, Place, Scope, bare_or_quoted, name
from .instructions import Derive, Enter, Instruction, Leave, Operand
from .origin import NOWHERE, Origin
from .values import UNKNOWN


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


@attrs.frozen(kw_only=True)
class Call:
    """`c = call ship(order[*]) then b4`: runs a task with its arguments, writes what it returns, goes on.

    `id` names the entry of the result; the entry of a parameter is named `ID/PARAMETER`.
    """

    task: str
    then: str
    arguments: tuple[Operand, ...] = ()
    result: Place | None = None
    id: str | None = None
    origin: Origin = NOWHERE

    def places(self) -> tuple[Place, ...]:
        """The places that the call itself names."""
        return (*(argument.place for argument in self.arguments), *([] if self.result is None else [self.result]))

    def passing(self, scope: Scope, parameters: tuple[str, ...]) -> tuple[Instruction, ...]:
        """What the block of the call does last: it enters the task and derives its parameters."""
        derived = (
            Derive(
                target=Cell(scope, (name(parameter),)),
                value=UNKNOWN,
                premises=(argument,),
                id=f"{self.id}/{bare_or_quoted(parameter)}",
                origin=self.origin,
            )
            for parameter, argument in zip(parameters, self.arguments, strict=False)
        )
        return (Enter(task=self.task, origin=self.origin), *derived)

    def landing(self, scope: Scope) -> tuple[Instruction, ...]:
        """What happens on the way back: the result is derived from what was returned, and the task is left."""
        leave = Leave(task=self.task, ended=True, origin=self.origin)
        if self.result is None:
            return (leave,)
        premises = (Operand(returned(scope)),)
        return Derive(target=self.result, value=UNKNOWN, premises=premises, id=self.id, origin=self.origin), leave


@attrs.frozen
class Suspend:
    """`suspend then b4`: the run waits for the world, a person's answer say, and goes on."""

    then: str


@attrs.frozen(kw_only=True)
class Return:
    """`return c`: the task is done; its caller goes on with what the cells hold."""

    operands: tuple[Operand, ...] = ()
    id: str | None = None
    origin: Origin = NOWHERE

    def places(self) -> tuple[Place, ...]:
        """The places that are returned."""
        return tuple(operand.place for operand in self.operands)

    def passing(self, scope: Scope) -> tuple[Instruction, ...]:
        """What the block does last: it derives the cell from which the caller takes the result."""
        if not self.operands:
            return ()
        target = returned(scope)
        return (Derive(target=target, value=UNKNOWN, premises=self.operands, id=self.id, origin=self.origin),)


#: The end of a log of whose future nothing is known.
OPEN = Open()

Terminator = Goto | Branch | Fork | End | Open | Call | Suspend | Return

#: Terminators that only the one shape of program has.
OF_TRACES = (Open,)
OF_WORKFLOWS = (Call, Suspend, Return)


def returned(scope: Scope) -> Cell:
    """The cell in which a task with this scope leaves its result."""
    return Cell(scope, (name("return"),))


def targets(terminator: Terminator) -> tuple[str, ...]:
    """The names of the blocks of the same body to which control may go on, the far side of a call included."""
    if isinstance(terminator, Goto):
        return (terminator.target,)
    if isinstance(terminator, Branch):
        return tuple(arm.target for arm in terminator.arms)
    if isinstance(terminator, Fork):
        return terminator.arms
    return (terminator.then,) if isinstance(terminator, (Call, Suspend)) else ()
