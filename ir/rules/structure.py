"""Rules about blocks, ids, steps and tasks."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from ..cells import bare_or_quoted
from ..diagnostics import near
from ..flow.cfg import ControlFlow
from ..instructions import Enter, Leave
from ..program import Program
from ..terminators import Fork, Terminator, targets
from .finding import Finding, Spot, at, places_by_id

#: Among how many block names a near miss is looked for, of what length, and for how many jumps of a program.
_CANDIDATES, _LONGEST, _HINTED = 1000, 40, 10


def lost_jumps(program: Program) -> Iterator[Finding]:
    """Control goes to a block that does not exist."""
    names = [one.name for one in program.blocks[:_CANDIDATES] if len(one.name) <= _LONGEST]
    lost = count()
    for number, block in enumerate(program.blocks):
        for target in _named(block.terminator, program):
            if program.block_named(target) is None:
                message = f"block {block.name!r} goes to {target!r}, which does not exist"
                can_be_near = len(target) <= _LONGEST and next(lost) < _HINTED
                hint = near(target, names) if can_be_near else None
                yield Finding("IR001", message, Spot("terminator", number), bare_or_quoted(target), hint)


def _named(terminator: Terminator, program: Program) -> tuple[str, ...]:
    """The blocks to which control goes; a log may stop before all arms of a fork have come to their join."""
    if isinstance(terminator, Fork) and not program.is_trace:
        return (*terminator.arms, terminator.join)
    return targets(terminator)


def block_names(program: Program) -> Iterator[Finding]:
    """Two blocks have one name."""
    for number, block in enumerate(program.blocks):
        if program.block_named(block.name) != number:
            message = f"another block is called {block.name!r} before this one"
            hint = "control that goes to it would reach the first only"
            yield Finding("IR002", message, Spot("block", number), bare_or_quoted(block.name), hint)


def entry_ids(program: Program) -> Iterator[Finding]:
    """Two entries have one id."""
    taken: set[str] = set()
    for number in range(len(program.instructions)):
        ids = places_by_id(program, number).keys()
        for twice in sorted(taken.intersection(ids)):
            yield Finding("IR003", f"an entry before has the id {twice!r}", at(number), bare_or_quoted(twice))
        taken.update(ids)  # `|=` with a view would copy all that are taken


def steps(program: Program) -> Iterator[Finding]:
    """A step comes after a later one; a workflow may go round in loops."""
    flow = ControlFlow(program)
    for number, block in enumerate(program.blocks) if program.is_trace else ():
        before = [program.blocks[flow.block_of(one)] for one in flow.predecessors[number]]
        late = [one for one in before if one.step is not None and block.step is not None and one.step > block.step]
        for one in late[:1]:
            message = f"step {block.step} comes after step {one.step} of block {one.name!r}"
            yield Finding("IR103", message, Spot("block", number), f"step {block.step}")


def unopened_tasks(program: Program) -> Iterator[Finding]:
    """A task is left that is open on no path."""
    left = {one.task for one in program.instructions if isinstance(one, Leave)}
    if not left:
        return
    flow = ControlFlow(program)
    before = _open_at(program, flow, left)
    for block in flow.order:
        opened = set(before[block])
        for number in flow.executed(block):
            instruction = program.instructions[number]
            if isinstance(instruction, Leave) and instruction.task not in opened:
                message = f"the task {instruction.task!r} is left but not open"
                hint = f"enter {bare_or_quoted(instruction.task)} before"
                yield Finding("IR008", message, at(number), bare_or_quoted(instruction.task), hint)
            _mark(opened, instruction)


def _open_at(program: Program, flow: ControlFlow, tasks: set[str]) -> dict[int, set[str]]:
    """Which of the tasks may be open where a node begins: each is followed from where it is entered."""
    known = {node: _told(program, flow, node, tasks) for node in flow.order}
    before: dict[int, set[str]] = {node: set() for node in flow.order}
    work = [(task, node) for node, told in known.items() for task, is_open in told.items() if is_open]
    while work:
        task, node = work.pop()
        for following in flow.successors[node]:
            if task not in before[following]:
                before[following].add(task)
                if known[following].get(task, True):
                    work.append((task, following))
    return before


def _told(program: Program, flow: ControlFlow, node: int, tasks: set[str]) -> dict[str, bool]:
    """What a node says of tasks: that they are open behind it, or are not."""
    told: dict[str, bool] = {}
    for number in flow.executed(node):
        one = program.instructions[number]
        if isinstance(one, Enter) or (isinstance(one, Leave) and not one.maybe):
            told[one.task] = isinstance(one, Enter)
    return {task: is_open for task, is_open in told.items() if task in tasks}


def _mark(opened: set[str], instruction: object) -> None:
    if isinstance(instruction, Enter):
        opened.add(instruction.task)
    elif isinstance(instruction, Leave) and not instruction.maybe:
        opened.discard(instruction.task)


def unfinished_tasks(program: Program) -> Iterator[Finding]:
    """A task of a log is entered and never left afterwards."""
    if not program.is_trace:
        return
    entered: dict[str, int] = {}
    for number, instruction in enumerate(program.instructions):
        if isinstance(instruction, Enter):
            entered[instruction.task] = number
        elif isinstance(instruction, Leave):
            entered.pop(instruction.task, None)
    for task, number in entered.items():
        message = f"the task {task!r} is entered and never left"
        yield Finding("IR104", message, at(number), bare_or_quoted(task))
