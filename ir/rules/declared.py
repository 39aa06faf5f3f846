"""Rules about declarations: what depends on what, what kinds of tasks need, the parameters of tasks."""

from __future__ import annotations

from collections.abc import Iterator

from ..cells import bare_or_quoted
from ..instructions import Enter
from ..program import Program
from ..terminators import End, Open
from .families import Edge
from .finding import Finding, Spot, near


def dependencies(program: Program) -> Iterator[Finding]:
    """A cell that is to depend on itself, by itself or by way of others."""
    stated = [(number, one.pattern, cell) for number, one in enumerate(program.declarations) for cell in one.depends]
    edges = [Edge(pattern, cell).renamed("#") for _, pattern, cell in stated]
    for number, pattern, cell in stated:
        if _comes_back(Edge(pattern, cell).renamed("*"), edges):
            message = f"{pattern} depends on {cell}, and so on itself"
            yield Finding("IR017", message, Spot("declaration", number), str(cell), after="depends")


def _comes_back(start: Edge, edges: list[Edge]) -> bool:
    """Whether what a cell depends on leads back to it, for some keys in the place of its wildcards."""
    seen = {start}
    work = [start]
    while work:
        one = work.pop()
        if one.comes_back:
            return True
        new = {step for step in map(one.then, edges) if step is not None} - seen
        seen |= new
        work.extend(new)
    return False


def parameters(program: Program) -> Iterator[Finding]:
    """A task with two parameters of one name."""
    for number, task in enumerate(program.tasks.values()):
        twice = next((one for one in task.parameters if task.parameters.count(one) > 1), None)
        if twice is not None:
            message = f"task {task.name!r} has two parameters called {twice!r}"
            yield Finding("IR018", message, Spot("task", number), bare_or_quoted(twice))


def requirements(program: Program) -> Iterator[Finding]:
    """A kind of task that needs something, and that no task is of."""
    if not program.requirements:
        return
    kinds = {task.kind or task.name for task in program.tasks.values()}
    entered = (one for block in program.blocks for one in block.instructions if isinstance(one, Enter))
    kinds.update(one.kind or one.task for one in entered)
    for number, one in enumerate(program.requirements):
        if one.kind not in kinds:
            message = f"no task is of the kind {one.kind!r}"
            yield Finding(
                "IR108", message, Spot("requirement", number), bare_or_quoted(one.kind), near(one.kind, kinds), "task"
            )


def current_end(program: Program) -> Iterator[Finding]:
    """A log that stands at a block from which it has gone on, a workflow that stands anywhere."""
    end = program.other_end
    if end is None:
        return
    block = program.blocks[end]
    if not program.is_trace:
        message, hint = "a workflow stands nowhere", "leave it out: a workflow is what may happen"
    elif not isinstance(block.terminator, (Open, End)):
        message, hint = (
            f"the program stands at block {block.name!r}, from which control goes on",
            "name one of the ends",
        )
    else:
        return
    yield Finding("IR019", message, Spot("program"), bare_or_quoted(block.name), hint, "at")
