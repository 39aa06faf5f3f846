"""The execution of blocks along a path: turns that end, arms that begin from their fork, ways into a task and back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Generic, TypeVar

import attrs

from ..diagnostics import UsageError
from ..program import Program
from ..terminators import Call, Fork, Return

if TYPE_CHECKING:
    from ..state import State

S = TypeVar("S", bound="State")


@attrs.define
class _Forked(Generic[S]):
    """A fork that is being executed: the state before it, and those that the arms done so far have left."""

    fork: Fork
    before: S
    done: list[S] = attrs.field(factory=list)
    arm: str | None = None


class Walk(Generic[S]):
    """Executes blocks one after the other along a path: `state` is where it stands.

    The path leads through all arms of a fork, one after the other, before it comes to the join; an arm that it leaves
    out changes nothing. Through a call it leads into the task and back.
    """

    def __init__(self, program: Program, state: S) -> None:
        self.state = state
        self._program = program
        self._forks: list[_Forked[S]] = []
        self._calls: list[int] = []
        self._returns = False
        self._called: str | None = None

    def through(self, block: int) -> None:
        """One block."""
        for _ in self.steps(block):
            pass

    def arrive(self, block: int) -> None:
        """Come to where a block begins: back from a task, to an arm from its fork, to a join from all its arms."""
        self._check(block)
        if self._returns:
            self._land()
        name = self._program.blocks[block].name
        forked = self._forks[-1] if self._forks else None
        if forked is None or name == forked.arm or name not in (*forked.fork.arms, forked.fork.join):
            return
        if forked.arm is not None:
            forked.done.append(self.state)
        if name == forked.fork.join:
            self._forks.pop()
            self.state = forked.before.join(forked.done)
        else:
            forked.arm = name
            self.state = forked.before.copy()

    def _check(self, block: int) -> None:
        if not 0 <= block < len(self._program.blocks):
            raise UsageError(f"the path leads to block {block}; the program has {len(self._program.blocks)}")
        if self._called is not None and self._program.body[block] != self._called:
            raise UsageError(f"the path leads past the task {self._called!r}, which is called before")
        self._called = None

    def steps(self, block: int) -> Iterator[int]:
        """One block, stopping after each of its instructions, and once more where its turn ends, with its last."""
        self.arrive(block)
        numbers = self._program.executed(block)
        for number in numbers:
            self.state.execute(number, self._program.instructions[number])
            yield number
        if numbers:
            self.state.end_scope(numbers[-1], self._program.blocks[block].turn)
            yield numbers[-1]
        self._leave(block)

    def _leave(self, block: int) -> None:
        terminator = self._program.blocks[block].terminator
        if isinstance(terminator, Fork):
            self._forks.append(_Forked(terminator, self.state.copy()))
        elif isinstance(terminator, Call):
            self._calls.append(block)
            self._returns = terminator.task not in self._program.body
            self._called = None if self._returns else terminator.task
        elif isinstance(terminator, Return):
            self._returns = bool(self._calls)

    def _land(self) -> None:
        """The way back from a task, which leads to the block after its call."""
        self._returns = False
        for number in self._program.landed(self._calls.pop()):
            self.state.execute(number, self._program.instructions[number])
