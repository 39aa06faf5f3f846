"""Building programs by hand, a block at a time: for tests, examples and people.

>>> program = (
...     build("session:1/", name="shop", parent="user:7/")
...     .block("user").set("color", "black")
...     .block("assistant").use("color", purpose="reply")
...     .open("user:7/*")
... )
>>> [str(block.actor) for block in program.blocks]
['user', 'assistant']

>>> returns = (
...     workflow("user:7/", name="returns")
...     .block("user").set("order.size", 42).call("ship", "order.size", result="label", then="done")
...     .block("assistant", name="done").use("label", purpose="reply").ends()
...     .task("ship", "size")
...     .block("tool:ship").derive("paper", "L-1", "size").returns("paper")
...     .program
... )
>>> list(returns.tasks), [block.name for block in returns.blocks]
(['main', 'ship'], ['t1', 'done', 't3'])
"""

from __future__ import annotations

from typing import Self

import attrs

from .blocks import Block, Task
from .building import Seen, Statements
from .cells import Scope
from .declarations import Declaration, Requirement
from .diagnostics import UsageError
from .drafts import Draft
from .origin import NOWHERE, Actor, Origin
from .paths import parse_cell, parse_scope
from .program import Program, Shape
from .terminators import Arm, Branch, Call, End, Fork, Goto, Open, Return, Suspend, Terminator
from .values import Value


def build(scope: str | Scope = "session:1/", *, name: str = "program", parent: str | None = None) -> Builder:
    """A builder of a log whose bare paths lie in `scope`."""
    return _begin(scope, name, parent, "trace")


def workflow(scope: str | Scope = "session:1/", *, name: str = "program", parent: str | None = None) -> Builder:
    """A builder of a workflow, whose first task has its bare paths in `scope`."""
    return _begin(scope, name, parent, "workflow")


def _begin(scope: str | Scope, name: str, parent: str | None, shape: Shape) -> Builder:
    own = parse_scope(scope) if isinstance(scope, str) else scope
    draft = Draft(name, shape, scopes={own: parse_scope(parent) if parent else None})
    draft.tasks["main"] = Task("main", own)
    return Builder(draft)


class Builder(Statements):
    """Adds blocks and instructions to a program and returns itself.

    A block goes on to the one after it unless it says otherwise.
    """

    def __init__(self, draft: Draft) -> None:
        super().__init__()
        self._draft = draft
        self._task = draft.tasks["main"]
        self._head: Block | None = None
        self._goes_on = False

    # what the program holds

    def scope(self, scope: str, parent: str | None = None) -> Self:
        """Make a scope known."""
        self._draft.scopes[parse_scope(scope)] = parse_scope(parent) if parent else None
        return self

    def declare(self, cell: str, *depends: str, sensitive: bool = False, pinned: bool = False) -> Self:
        """State what is true of a cell whoever uses it; it must be kept consistent with those it depends on."""
        others = tuple(map(self._cell, depends))
        self._draft.declarations.append(Declaration(self._cell(cell), sensitive, pinned, others))
        return self

    def requires(self, kind: str, *cells: str) -> Self:
        """State what a kind of task needs; bare cells lie in the scope of the task."""
        own = Requirement(kind, ()).scope
        self._draft.declarations.append(Requirement(kind, tuple(parse_cell(text, own) for text in cells)))
        return self

    def describe(self, entry: str, **metadata: Value) -> Self:
        """State metadata of an entry: `keywords=["plan"]`, `generation="profile"`."""
        self._draft.metadata[entry] = metadata
        return self

    def task(self, name: str, *parameters: str, kind: str | None = None, scope: str | None = None) -> Self:
        """Begin another task; its scope is `task:NAME/` within that of the first one unless it says otherwise."""
        self._close()
        own = parse_scope(scope) if scope else Scope("task", name)
        self._goes_on = False
        self._task = self._draft.tasks[name] = Task(name, own, kind, parameters)
        self._draft.scopes.setdefault(own, self._main)
        return self

    def standing_at(self, block: str) -> Self:
        """Say at which end of a branched log the agent stands."""
        self._draft.at = block
        return self

    # blocks

    def block(
        self,
        actor: str = "system",
        *,
        name: str | None = None,
        step: int | None = None,
        task: str | None = None,
        origin: Origin = NOWHERE,
    ) -> Self:
        """Begin a block; the one before goes on to it."""
        self._close()
        kind, _, who = actor.partition(":")
        label = name or f"t{len(self._draft.blocks) + 1}"
        if self._goes_on:
            body, before = self._draft.blocks[-1]
            self._draft.blocks[-1] = body, attrs.evolve(before, terminator=Goto(label))
        self._head = Block(label, Actor(kind, who), step, task, origin=origin)
        if task:
            self._draft.scopes.setdefault(Scope("task", task), self._task.scope)
        return self

    def terminate(self, terminator: Terminator) -> Self:
        """End the block with a terminator of one's own."""
        self._open()
        self._close(terminator)
        return self

    def goto(self, block: str) -> Self:
        """`goto block`."""
        return self.terminate(Goto(block))

    def branch(self, *blocks: str, **conditions: str) -> Self:
        """`branch block, … , block on condition`: `branch("t4", ok="t5")`."""
        if not blocks and not conditions:
            raise UsageError("a branch needs at least one block to go to")
        arms = [Arm(block) for block in blocks] + [Arm(block, condition) for condition, block in conditions.items()]
        return self.terminate(Branch(tuple(arms)))

    def fork(self, *blocks: str, join: str) -> Self:
        """`fork block, … join block`."""
        if not blocks:
            raise UsageError("a fork needs at least one arm")
        return self.terminate(Fork(blocks, join))

    def call(self, task: str, *arguments: Seen, then: str, result: str | None = None, id: str | None = None) -> Self:
        """`result = call task(arguments) then block`."""
        target = None if result is None else self._place(result)
        given = self._operands(arguments)
        return self._leave(Call(task=task, then=then, arguments=given, result=target, id=id, origin=self._origin))

    def suspend(self, then: str) -> Self:
        """`suspend then block`."""
        return self.terminate(Suspend(then))

    def returns(self, *cells: Seen, id: str | None = None) -> Self:
        """`return cells`."""
        return self._leave(Return(operands=self._operands(cells), id=id, origin=self._origin))

    def ends(self) -> Self:
        """End the run here; other blocks may follow that are reached otherwise."""
        return self.terminate(End())

    def stays_open(self) -> Self:
        """Leave this end of a branched log open; other blocks may follow that are reached otherwise."""
        return self.terminate(Open())

    def open(self, *expected: str, only: bool = False) -> Program:
        """The program, its end left open, expecting these cells to be read."""
        cells = tuple(parse_cell(text, self._scope) for text in expected)
        return self._finished(Open(cells, only))

    def end(self) -> Program:
        """The program, at whose end nothing is read afterwards."""
        return self._finished(End())

    def draft(self) -> Draft:
        """What is known of the program so far."""
        self._close()
        return self._draft

    @property
    def program(self) -> Program:
        """The program so far; the end of a log is left open, that of a workflow is one."""
        return self.draft().program()

    # inside

    def _open(self) -> None:
        if self._head is None:
            self.block()

    def _know_task(self, task: str) -> None:
        self._draft.scopes.setdefault(Scope("task", task), self._scope)

    def _leave(self, terminator: Terminator) -> Self:
        self._origin = NOWHERE
        return self.terminate(terminator)

    def _close(self, terminator: Terminator | None = None) -> None:
        """Put the block that is open behind the others; without a terminator of its own it waits for the next one."""
        if self._head is None:
            return
        last = terminator or (End() if self._draft.shape == "workflow" else Open())
        block = attrs.evolve(self._head, instructions=tuple(self._instructions), terminator=last)
        self._draft.blocks.append((self._task.name, block))
        self._head, self._instructions, self._goes_on = None, [], terminator is None

    def _finished(self, terminator: Terminator) -> Program:
        self._close()
        if self._draft.blocks:
            body, last = self._draft.blocks[-1]
            self._draft.blocks[-1] = body, attrs.evolve(last, terminator=terminator)
        return self._draft.program()

    @property
    def _main(self) -> Scope:
        return self._draft.tasks["main"].scope

    @property
    def _scope(self) -> Scope:
        inner = self._head.task if self._head is not None else None
        return Scope("task", inner) if inner else self._task.scope
