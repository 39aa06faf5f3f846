"""What each operation found and left at its cell, along the way of the log that leads to it.

Only what came before is looked at, so that an event says the same however long the log was when it was written.
"""

from __future__ import annotations

from collections.abc import Iterator

from statemem.ir import ControlFlow, Instruction, Program, State
from statemem.ir.cells import Place
from statemem.ir.flow.routes import path_to
from statemem.ir.state import Walk

from .events import canonical
from .replay import standing

Effect = tuple[str | None, str | None]


def effects(program: Program, first: int) -> dict[int, Effect]:
    """Before and after of the operations from number `first` on; those that write nothing have none."""
    if first >= len(program.instructions):
        return {}
    found = _Effects(program)
    return {
        number: effect
        for block in range(program.block_of(first), len(program.blocks))
        for number, effect in found.of(block)
        if number >= first
    }


class _Effects:
    """Executes blocks in the order they were added, each from the end of its first predecessor."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._flow = ControlFlow(program)
        self._walk = Walk(program, State(program))
        self._last: int | None = None

    def of(self, block: int) -> Iterator[tuple[int, Effect]]:
        """The effects of one block, operation by operation."""
        self._go_before(block)
        self._walk.arrive(block)
        targets = {number: _target(instruction) for number, instruction in self._program.numbered(block)}
        before = self._held(next(iter(targets.values()), None))
        for number in self._walk.steps(block):
            target = targets.pop(number, None)
            if target is not None:
                yield number, (before, self._held(target))
            before = self._held(next(iter(targets.values()), None))
        self._last = block

    def _held(self, target: Place | None) -> str | None:
        """What is in force at a cell, as JSON: its value, or what is below it by cell; None if nothing is."""
        if target is None:
            return None
        found = standing(self._program, self._walk.state, target)
        if not found:
            return None
        own = str(target)
        return canonical(found[own] if list(found) == [own] else found)

    def _go_before(self, block: int) -> None:
        """To the end of the block before, if the last one executed is not it: the log branched or came together."""
        if self._flow.predecessors[block][:1] == ([] if self._last is None else [self._last]):
            return
        self._walk = Walk(self._program, State(self._program))
        for earlier in path_to(self._program, self._flow, block)[:-1]:
            self._walk.through(earlier)


def _target(instruction: Instruction) -> Place | None:
    return next((write.place for write in instruction.writes()), None)
