"""What a workflow may still read, given where a log stands in it: the horizon that a workflow gives."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from statemem.ir import Call, Cell, How, Program
from statemem.ir.diagnostics import UsageError, suggestion

from ..framework import BlockEnd, Horizon, Manager
from ..framework.horizon import Expected, Future
from ..framework.witness import Witness
from ..liveness import Liveness


def horizon_of(workflow: Program, *stack: Sequence[str]) -> Horizon:
    """The horizon of a log that stands at some positions of a workflow.

    `stack` are the open tasks, the running one last, each told by the blocks of which the log may have done one last. A
    task that stands at a call of the one above it goes on when that returns; one that was put aside goes on by itself.
    A single task may have been called by anyone. Without a stack the log may stand anywhere. Raises `UsageError` for a
    program that is no workflow, and for blocks that it does not have.

    >>> from statemem.ir import workflow
    >>> ask = workflow("user:7/").block(name="ask").set("order[*].status", "open").goto("tell")
    >>> flow = ask.block(name="tell").use("order[*].status", purpose="reply").ends().program
    >>> [[str(one.cell) for one in horizon_of(flow, [at]).future.expected] for at in ("ask", "tell")]
    [['user:7/order[*].status'], []]
    """
    if not all(stack):
        raise UsageError("a position names no block; name those of which the log may have done one last")
    if workflow.is_trace:
        raise UsageError(f"{workflow.name!r} is a log, what happened; a horizon needs a workflow, what may happen")
    frames = [[_numbered(workflow, name) for name in frame] for frame in stack]
    found: dict[Cell, str] = {}
    for one in _ahead(workflow, frames) if frames else _anywhere(workflow):
        if one.cell not in found:
            found[one.cell] = one.reader()
    return Horizon(future=Future(workflow.name, tuple(map(Expected._make, sorted(found.items())))))


def _numbered(workflow: Program, name: str) -> int:
    number = workflow.block_named(name)
    if number is None:
        known = [block.name for block in workflow.blocks]
        raise UsageError(f"workflow {workflow.name!r} has no block {name!r}{suggestion(name, known)}")
    return number


class _Read(NamedTuple):
    """A cell that is read in an open task from a position on."""

    cell: Cell
    position: int
    frame: _Frame

    def reader(self) -> str:
        """Who reads it first, in words."""
        return self.frame.reader(self.cell, self.position)


def _anywhere(workflow: Program) -> Iterator[_Read]:
    """What is read from anywhere on."""
    frame = _Frame(workflow)
    for position in frame.positions:
        yield from frame.behind(position)
    for entry in frame.entries:
        yield from frame.before(entry)


def _ahead(workflow: Program, frames: Sequence[Sequence[int]]) -> Iterator[_Read]:
    """What is read from the positions of open tasks on, from the outermost task to the one that runs."""
    returned: list[_Read] = []
    for depth, positions in enumerate(frames):
        above = frames[depth + 1] if depth + 1 < len(frames) else []
        following: list[_Read] = []
        for task in dict.fromkeys(workflow.body[position] for position in positions):
            frame = _Frame(workflow, task if depth else None, returned)
            for position in (one for one in positions if workflow.body[one] == task):
                if _is_called(workflow, position, above):
                    following += frame.landed(position)
                else:
                    yield from frame.landed(position) if above else frame.behind(position)
        returned = following


def _is_called(workflow: Program, position: int, above: Iterable[int]) -> bool:
    """Whether a task that stands at a position waits for the one above it to return."""
    last = workflow.blocks[position].terminator
    return isinstance(last, Call) and any(workflow.body[one] == last.task for one in above)


class _Frame:
    """What is read from positions in one open task on; `returned` is what is read behind its return.

    Without a task any of those that call it may have done so.
    """

    def __init__(self, workflow: Program, task: str | None = None, returned: Iterable[_Read] = ()) -> None:
        self._workflow = workflow
        self._returned = {one.cell: one for one in returned}
        horizon = Horizon(returned=tuple(self._returned))
        self._manager = Manager(workflow, horizon, roots=() if task is None else (task,))
        self._live = self._manager.solve(Liveness)
        self._root = None if task is None else workflow.body.index(task)

    @property
    def positions(self) -> list[int]:
        """The blocks that can be reached."""
        return list(self._live.block_ends())

    @property
    def entries(self) -> list[int]:
        """The blocks with which the workflow begins."""
        return self._manager.graph.flow.entries

    def behind(self, block: int) -> Iterator[_Read]:
        """What is read behind a block."""
        point, nodes = BlockEnd(block), self._nodes(block)
        live = self._live.fact(point) if self._root is None else self._live.state_at(point, nodes[0]).freeze()
        onward = [following for node in nodes for following in self._manager.graph.matched.successors[node]]
        return (_Read(cell, block, self) for cell in [*live, *self._wholes(onward)])

    def before(self, block: int) -> Iterator[_Read]:
        """What is read from the start of a block on."""
        live = self._live.at_start(block)
        return (_Read(cell, block, self) for cell in [*live, *self._wholes(self._nodes(block))])

    def landed(self, block: int) -> Iterator[_Read]:
        """What is read behind a block, in this task: when what it called has come back, if it ends with a call."""
        if not isinstance(self._workflow.blocks[block].terminator, Call):
            yield from self.behind(block)
            return
        landing = next(node for node, call in self._manager.graph.flow.landings.items() if call == block)
        nodes = self._nodes(landing)
        if nodes[0] not in self._manager.graph.segments:  # what it calls never comes back
            return
        following = self._live.follow(landing) if self._root is None else self._live.at_node(nodes[0])
        for _ in following.points:
            pass
        yield from (_Read(cell, block, self) for cell in [*following.state.freeze(), *self._wholes(nodes)])

    def _nodes(self, node: int) -> list[int]:
        """The nodes of a block or landing: that of the task as it was entered from outside, or those of all calls."""
        matched = self._manager.graph.matched
        return matched.copies_of(node) if self._root is None else [matched.sibling(self._root, node)]

    def _wholes(self, nodes: Sequence[int]) -> Iterator[Cell]:
        """The objects and families that are read as wholes from some nodes on, or behind a return.

        A log may have fields of them that the workflow does not name.
        """
        matched, places = self._manager.graph.matched, self._manager.accesses.places
        work = list(nodes)
        seen = set(work)
        for node in work:
            for number in matched.executed(node):
                yield from (cell for cell in self._named(number) if cell not in places)
            new = [one for one in matched.successors[node] if one not in seen]
            seen.update(new)
            work.extend(new)
        yield from (cell for cell in self._returned if cell not in places)

    def _named(self, number: int) -> Iterator[Cell]:
        """The cells that an instruction reads, as it names them."""
        names = self._manager.accesses.names(number)
        reads = self._workflow.instructions[number].reads()
        return (target.cell for read in reads if read.how is How.USED for target in names.denoted(read.place))

    def reader(self, cell: Cell, block: int) -> str:
        """Who reads a cell first, in words."""
        name = self._workflow.blocks[block].name
        is_known = cell in self._manager.accesses.places and self._live.holds(cell, BlockEnd(block))
        found = self._live.why(cell, BlockEnd(block)) if is_known else None
        number = found.reasons[0].instruction if isinstance(found, Witness) and found.reasons else None
        if number is not None:
            reader = self._workflow.blocks[self._workflow.block_of(number)].name
            return reader if reader == name else f"{reader}, reached from {name}"
        returned = self._returned.get(cell)
        return f"what follows {name}" if returned is None else returned.reader()
