"""Rules about declarations: what depends on what, what kinds of tasks need, the parameters of tasks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ..cells import Cell, bare_or_quoted
from ..diagnostics import near
from ..instructions import Enter
from ..meaning.places import Places
from ..program import Program
from ..terminators import End, Open
from .families import Edge
from .finding import Finding, Spot


def dependencies(program: Program) -> Iterator[Finding]:
    """A cell that is to depend on itself, by itself or by way of others."""
    stated = [(number, one.pattern, cell) for number, one in enumerate(program.declarations) for cell in one.depends]
    circular = set(_circular([Edge(pattern, cell) for _, pattern, cell in stated])) if stated else set()
    for edge, (number, pattern, cell) in enumerate(stated):
        if edge in circular:
            message = f"{pattern} depends on {cell}, and so on itself"
            yield Finding("IR017", message, Spot("declaration", number), str(cell), after="depends")


def _circular(edges: list[Edge]) -> Iterator[int]:
    """The edges that lead back to where they start; only in loops of families that takes a look at each way."""
    for loop in _loops(edges):
        renamed = [edges[number].renamed("#") for number in loop]
        of_cells = not any(cell.is_pattern for number in loop for cell in edges[number])
        yield from (one for one in loop if of_cells or _comes_back(edges[one].renamed("*"), renamed))


def _loops(edges: list[Edge]) -> Iterator[list[int]]:
    """Edges each of which can lead to every other of them, whatever their wildcards stand for."""
    import networkx

    sources = Places()
    starting: dict[Cell, list[int]] = {}
    for number, edge in enumerate(edges):
        sources.add(edge.source)
        starting.setdefault(edge.source, []).append(number)
    graph: networkx.DiGraph[int] = networkx.DiGraph()
    for number, edge in enumerate(edges):
        graph.add_edges_from((number, on) for source in sources.overlapping(edge.target) for on in starting[source])
    for loop in networkx.strongly_connected_components(graph):
        first = next(iter(loop))
        if len(loop) > 1 or graph.has_edge(first, first):
            yield sorted(loop)


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
        twice = next((one for one, times in Counter(task.parameters).items() if times > 1), None)
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
