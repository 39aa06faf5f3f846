"""Valid programs of both shapes: the verifier finds no error in them, though it may warn.

They speak of few cells, so that entries meet: in a session, in its user's scope, and in the scopes of tasks.
"""

from __future__ import annotations

from functools import cache

from hypothesis import strategies as st

from ..builder import Builder, build, workflow
from ..drafts import Draft
from ..program import Program
from ..values import Value
from .parts import Strategy

_CELLS = ("topic", "order.size", 'order["A"].color', 'order["B"].color', "user:7/phone", "user:7/order[*].total")
_REFERENCES = ("it", "that")
_ACTORS = ("user", "assistant", "tool:find", "system")


@cache
def _values() -> Strategy[Value]:
    return st.sampled_from([1, 2.5, "red", "blue", None, True, [1, 2], {"color": "red", "size": 3}])


@cache
def traces() -> Strategy[Program]:
    """Logs: turns one after the other, with tasks, forks, and messages that were answered twice."""
    return trace_drafts().map(Draft.program)


@cache
def workflows() -> Strategy[Program]:
    """Workflows: tasks that branch, loop, wait, call others that come after them, and return."""
    return workflow_drafts().map(Draft.program)


@st.composite
def trace_drafts(draw: st.DrawFn) -> Draft:
    """The drafts of logs."""
    builder = build("session:1/", name="log", parent="user:7/").scope("user:7/").scope("session:2/", "user:7/")
    writing = _Writing(draw, builder)
    builder.declare("user:7/phone", sensitive=True).declare("user:7/order[*].total", "user:7/order[*].items")
    for _ in range(draw(st.integers(1, 4))):
        draw(st.sampled_from([writing.turn, writing.turn, writing.task, writing.fork, writing.retry]))()
    writing.turn()
    return builder.draft()


@st.composite
def workflow_drafts(draw: st.DrawFn) -> Draft:
    """The drafts of workflows, each of whose tasks calls later ones only."""
    builder = workflow("user:7/", name="flow")
    writing = _Writing(draw, builder)
    tasks = [("main", ()), ("ship", ("size",)), ("pay", ("sum", "card"))][: draw(st.integers(1, 3))]
    for number, (task, parameters) in enumerate(tasks):
        if number:
            builder.task(task, *parameters)
        writing.body(task, tasks[number + 1 :])
    return builder.draft()


class _Writing:
    """Writes turns of a program, keeping account of what may be said next."""

    def __init__(self, draw: st.DrawFn, builder: Builder) -> None:
        self._draw = draw
        self._builder = builder
        self._names = 0
        self._entries: list[tuple[str, str]] = []
        self._bound: list[str] = []

    def _name(self, of: str = "t") -> str:
        self._names += 1
        return f"{of}{self._names}"

    def _one_of(self, *choices: str) -> str:
        return self._draw(st.sampled_from(choices))

    # instructions

    def _instructions(self) -> None:
        for _ in range(self._draw(st.integers(0, 3))):
            self._draw(st.sampled_from([self._write, self._write, self._read, self._see, self._refer, self._delete]))()

    def _write(self) -> None:
        cell, entry = self._one_of(*_CELLS), self._name("e")
        value, maybe = self._draw(_values()), self._draw(st.booleans())
        how = self._draw(st.integers(0, 4))
        if how == 0:
            self._builder.derive(cell, value, self._one_of(*_CELLS), id=entry, maybe=maybe)
        elif how == 1:
            self._builder.append(cell, value, id=entry, maybe=maybe)
        elif how == 2:
            self._builder.default(cell, value, id=entry, maybe=maybe)
        elif how == 3:
            self._builder.add(cell, 2, id=entry, maybe=maybe)
        else:
            self._builder.set(cell, value, id=entry, maybe=maybe)
        self._entries.append((cell, entry))

    def _read(self) -> None:
        self._builder.use(self._one_of(*_CELLS, *(f"@{name}" for name in self._bound)), purpose="reply")

    def _see(self) -> None:
        if self._entries:
            self._builder.use(self._draw(st.sampled_from(self._entries)), purpose=self._one_of("reply", "exposure"))

    def _refer(self) -> None:
        name = self._one_of(*_REFERENCES)
        self._builder.bind(name, self._one_of('order["A"]', 'order["B"]'), maybe=self._draw(st.booleans()))
        self._bound.append(name)

    def _delete(self) -> None:
        self._builder.delete(self._one_of(*_CELLS), maybe=self._draw(st.booleans()))

    # turns of a log

    def turn(self) -> None:
        """One turn."""
        self._builder.block(self._one_of(*_ACTORS), name=self._name())
        self._instructions()

    def task(self) -> None:
        """A task is entered, worked on for a turn, and left or ended."""
        name = self._name("f")
        self.turn()
        self._builder.enter(name, "return")
        self._builder.block("tool:find", name=self._name(), task=name).set("user:7/phone", "1").set("line", "down")
        self._builder.block("user", name=self._name()).leave(name, ended=self._draw(st.booleans()))

    def fork(self) -> None:
        """Two or three turns side by side."""
        arms = [self._name("a") for _ in range(self._draw(st.integers(2, 3)))]
        join = self._name("j")
        self.turn()
        self._builder.fork(*arms, join=join)
        for arm in arms:
            self._builder.block("assistant:side", name=arm)
            self._instructions()
            self._builder.goto(join)
        self._builder.block("assistant", name=join)
        self._instructions()

    def retry(self) -> None:
        """A message that is answered twice; the log goes on from the second answer."""
        first, second = self._name("r"), self._name("r")
        self.turn()
        self._builder.branch(first, second)
        self._builder.block("assistant", name=first).stays_open()
        self._builder.block("assistant", name=second)
        self._instructions()

    # bodies of a workflow

    def body(self, task: str, others: list[tuple[str, tuple[str, ...]]]) -> None:
        """The blocks of one task, each of which leads to any of them; the last one ends the task."""
        self._entries = []  # those of other tasks may stand under the same name, in another scope
        names = [f"{task}{number}" for number in range(self._draw(st.integers(1, 4)))]
        for number, name in enumerate(names[:-1]):
            self._builder.block(self._one_of(*_ACTORS), name=name)
            self._instructions()
            self._go(names[number + 1], names, others)
        self._builder.block(self._one_of(*_ACTORS), name=names[-1])
        self._instructions()
        if task == "main":
            self._builder.ends()
        else:
            self._builder.returns(self._one_of("user:7/phone", "result"))

    def _go(self, following: str, names: list[str], others: list[tuple[str, tuple[str, ...]]]) -> None:
        how = self._draw(st.integers(0, 3))
        if how == 0:
            self._builder.branch(following, retry=self._one_of(*names))
        elif how == 1:
            self._builder.suspend(following)
        elif how == 2 and others:
            task, parameters = self._draw(st.sampled_from(others))
            result = self._draw(st.sampled_from([None, "result"]))
            self._builder.call(task, *("user:7/phone" for _ in parameters), then=following, result=result)
        else:
            self._builder.goto(following)
