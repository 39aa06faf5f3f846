"""What each operation found and left at its cell, along the way of the log that leads to it.

Only what came before is looked at, so that an event says the same however long the log was when it was written.
"""

from __future__ import annotations

from collections.abc import Iterator

from statemem.ir import ControlFlow, Program, Scope, State
from statemem.ir.cells import Place
from statemem.ir.state import execute_block

from .events import canonical
from .replay import standing

Effect = tuple[str | None, str | None]


def effects(program: Program, first: int) -> dict[int, Effect]:
    """Before and after of the operations from number `first` on; those that write nothing have none."""
    if first >= len(program.instructions):
        return {}
    walk = _Walk(program)
    return {
        number: effect
        for block in range(program.block_of(first), len(program.blocks))
        for number, effect in walk.through(block)
        if number >= first
    }


class _Walk:
    """Executes blocks in the order they were added, each from the end of its first predecessor."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._before = ControlFlow(program).predecessors
        self._state = State(program)
        self._last: int | None = None

    def through(self, block: int) -> Iterator[tuple[int, Effect]]:
        """One block, operation by operation."""
        self._go_before(block)
        last = -1
        for last, instruction in self._program.numbered(block):
            target = next((write.place for write in instruction.writes()), None)
            before = self._held(target)
            self._state.execute(last, instruction)
            if target is not None:
                yield last, (before, self._held(target))
        if last >= 0:
            self._state.end_scope(last, Scope("turn", self._program.blocks[block].name))
        self._last = block

    def _held(self, target: Place | None) -> str | None:
        """What is in force at a cell, as JSON: its value, or what is below it by cell; None if nothing is."""
        if target is None:
            return None
        found = standing(self._program, self._state, target)
        if not found:
            return None
        own = str(target)
        return canonical(found[own] if list(found) == [own] else found)

    def _go_before(self, block: int) -> None:
        came_from = self._before[block][0] if self._before[block] else None
        if came_from == self._last:
            return
        self._state = State(self._program)
        for earlier in self._path_to(came_from):
            execute_block(self._state, self._program, earlier)

    def _path_to(self, block: int | None) -> list[int]:
        """The blocks from the start to this one, back along first predecessors, each once."""
        path: dict[int, None] = {}
        while block is not None and block not in path:
            path[block] = None
            block = self._before[block][0] if self._before[block] else None
        return list(path)[::-1]
