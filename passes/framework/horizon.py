"""What is known of the future of a log: which cells it may still read, and whether that is all of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import attrs

from statemem.ir import Cell, End, Open, Program, Return, Scope
from statemem.ir.instructions import Enter
from statemem.ir.meaning.places import Places


class Expected(NamedTuple):
    """A cell of a workflow, or a family of them, that may still be read; `reader` tells by which block, in words."""

    cell: Cell
    reader: str


@attrs.frozen
class Future:
    """What a workflow reads from where a log stands in it on, before it is replaced: nothing else is read.

    The cells are those of the workflow. A log has them in its own scopes: in that very scope where it has it, else in
    each of the same kind; what belongs to a task of the workflow, in each of its tasks of that name or kind.
    """

    workflow: str
    expected: tuple[Expected, ...]

    def patterns(self, program: Program) -> Iterator[tuple[Cell, str]]:
        """The cells of a log that are expected, each with its reader."""
        alike = {scope: _alike(program, scope) for scope in dict.fromkeys(one.cell.scope for one in self.expected)}
        for cell, reader in self.expected:
            yield from ((Cell(scope, cell.path), reader) for scope in alike[cell.scope])

    def reader_of(self, cell: Cell, program: Program) -> str | None:
        """Who is expected to read a cell of a log first."""
        return next((reader for pattern, reader in self.patterns(program) if pattern.overlaps(cell)), None)


def _alike(program: Program, scope: Scope) -> list[Scope]:
    if scope in program.scopes:
        return [scope]
    if scope.kind != "task":
        return [one for one in program.scopes if one.kind == scope.kind]
    kinds = {name: task.kind for name, task in program.tasks.items()}
    kinds |= {one.task: one.kind for one in program.instructions if isinstance(one, Enter)}
    return [one for one in program.scopes if one.kind == "task" and kinds.get(one.key) == scope.key]


@attrs.frozen
class Horizon:
    """The future behind every end of a program.

    `open` expects the cells declared pinned and those a log's own end names; of all others it says nothing. `closed`
    says that nothing is read afterwards, whatever the log says: a post-mortem. A log that says `end` closes itself,
    one that says `open only` speaks of every cell, and so does a `future` that a workflow tells. `returned` are the
    cells that are read behind a return to a caller outside of the program.
    """

    closed: bool = False
    future: Future | None = None
    returned: tuple[Cell, ...] = ()

    @property
    def name(self) -> str:
        """The word by which reports and the command line know it."""
        if self.closed:
            return "closed"
        return "open" if self.future is None else f"workflow {self.future.workflow}"

    def expected(self, program: Program, block: int, places: Places) -> list[Cell]:
        """The places that may be read after the end in `block`."""
        if self.closed or isinstance(program.blocks[block].terminator, End):
            return []
        return list(dict.fromkeys(_matching(self._patterns(program, block), places)))

    def speaks_of_all(self, program: Program, block: int) -> bool:
        """Whether a cell that is not expected after the end in `block` is known to be read no more."""
        terminator = program.blocks[block].terminator
        if self.closed or isinstance(terminator, End) or (isinstance(terminator, Open) and terminator.complete):
            return True
        return self.future is not None and block == program.current_end

    def _patterns(self, program: Program, block: int) -> Iterator[Cell]:
        """What an open end expects; an end of a message tree other than the current one is expected by nobody."""
        terminator = program.blocks[block].terminator
        if isinstance(terminator, Open):
            yield from terminator.expected
        elif isinstance(terminator, Return):
            yield from self.returned
        if block == program.current_end:
            yield from (declaration.pattern for declaration in program.declarations if declaration.pinned)
            if self.future is not None and not (isinstance(terminator, Open) and terminator.complete):
                yield from (pattern for pattern, _ in self.future.patterns(program))


def _matching(patterns: Iterable[Cell], places: Places) -> Iterator[Cell]:
    for pattern in patterns:
        yield from places.overlapping(pattern)
