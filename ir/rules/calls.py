"""Rules about tasks that call one another, and about what each shape of program may say."""

from __future__ import annotations

from collections.abc import Iterator

from ..blocks import Task
from ..cells import Scope, bare_or_quoted
from ..diagnostics import near
from ..flow.cfg import ControlFlow
from ..flow.loops import loops_of
from ..program import Program
from ..terminators import OF_TRACES, OF_WORKFLOWS, Call, Return, targets
from .finding import Finding, Spot


def shapes(program: Program) -> Iterator[Finding]:
    """A log calls nothing, and a workflow has no open end."""
    wrong = OF_WORKFLOWS if program.is_trace else OF_TRACES
    for number, block in enumerate(program.blocks):
        if isinstance(block.terminator, wrong):
            word = type(block.terminator).__name__.lower()
            hint = 'begin it with: program "…" workflow' if program.is_trace else "end it with: end"
            message = f"a {'log' if program.is_trace else 'workflow'} has no `{word}`"
            yield Finding("IR012", message, Spot("terminator", number), word, hint)


def calls(program: Program) -> Iterator[Finding]:
    """A call of a task that does not exist, or with the wrong number of arguments, or for a result there is not."""
    for number, block in enumerate(program.blocks):
        if not isinstance(block.terminator, Call):
            continue
        call, spot = block.terminator, Spot("terminator", number)
        task = program.tasks.get(call.task)
        if task is None:
            message = f"no task is called {call.task!r}"
            yield Finding("IR013", message, spot, bare_or_quoted(call.task), near(call.task, program.tasks), "call")
        else:
            yield from _arguments(call, task, spot)
            yield from _result(call, program, spot)


def scopes_of_called(program: Program) -> Iterator[Finding]:
    """A task that is called and has no scope of its own: its parameters would be cells of others, and would not end."""
    called = {block.terminator.task for block in program.blocks if isinstance(block.terminator, Call)}
    for number, task in enumerate(program.tasks.values()):
        if task.name in called and task.scope != Scope("task", task.name):
            own = Scope("task", task.name)
            message = f"{task.name!r} is called, so that its cells need a scope of their own, not {task.scope}"
            hint = f"write `in {own}`, or nothing"
            yield Finding("IR020", message, Spot("task", number), str(task.scope), hint)


def _arguments(call: Call, task: Task, spot: Spot) -> Iterator[Finding]:
    given, wanted = len(call.arguments), len(task.parameters)
    if given != wanted:
        message = f"{call.task!r} takes {_parameters(task)} and is given {given or 'none'}"
        yield Finding("IR014", message, spot, bare_or_quoted(call.task), after="call")


def _parameters(task: Task) -> str:
    count = len(task.parameters)
    named = f"{count} argument{'s' if count > 1 else ''}, ({', '.join(task.parameters)}),"
    return named if count else "no argument"


def _result(call: Call, program: Program, spot: Spot) -> Iterator[Finding]:
    body = (block.terminator for block, task in zip(program.blocks, program.body, strict=True) if task == call.task)
    returns = [one for one in body if isinstance(one, Return)]
    if call.result is not None and not any(one.operands for one in returns):
        message = f"{call.task!r} returns nothing that could be written to {call.result}"
        yield Finding("IR106", message, spot, bare_or_quoted(call.task), after="call")


def bodies(program: Program) -> Iterator[Finding]:
    """Control goes into the body of another task otherwise than by a call."""
    if program.is_trace:
        return
    for number, block in enumerate(program.blocks):
        for target in targets(block.terminator):
            there = program.block_named(target)
            if there is not None and program.body[there] != program.body[number]:
                own, other = program.body[number], program.body[there]
                message = f"{target!r} is a block of task {other!r}, which {own!r} can only call"
                yield Finding("IR015", message, Spot("terminator", number), bare_or_quoted(target))


def recursion(program: Program) -> Iterator[Finding]:
    """A task that calls itself, by itself or by way of others: its cells are the same for every one of its runs."""
    numbers = {name: number for number, name in enumerate(program.tasks)}
    callees: list[list[int]] = [[] for _ in numbers]
    for block, task in zip(program.blocks, program.body, strict=True):
        if isinstance(block.terminator, Call) and block.terminator.task in numbers:
            callees[numbers[task]].append(numbers[block.terminator.task])
    loops = loops_of(callees, list(numbers.values()))
    for name, number in numbers.items():
        if any(number in loop.nodes for loop in loops):
            message = f"{name!r} calls itself: its runs share their cells, which end with the first that returns"
            yield Finding("IR107", message, Spot("task", number), bare_or_quoted(name))


def unreached(program: Program) -> Iterator[Finding]:
    """A block to which no control leads."""
    flow = ControlFlow(program)
    reached = set(flow.order)
    for number, block in enumerate(program.blocks):
        if number not in reached and program.block_named(block.name) == number:  # else IR002 says so
            message = f"no control leads to block {block.name!r}"
            yield Finding("IR105", message, Spot("block", number), bare_or_quoted(block.name))
