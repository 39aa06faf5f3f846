"""What is known of the future of a log: which cells it may still read, and whether that is all of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import attrs

from statemem.ir import Cell, End, Open, Program
from statemem.ir.meaning.places import Places


@attrs.frozen
class Horizon:
    """The future behind every end of a program.

    `open` expects the cells declared pinned and those a log's own end names; of all others it says nothing. `closed`
    says that nothing is read afterwards, whatever the log says: a post-mortem. A log that says `end` closes itself,
    one that says `open only` speaks of every cell.
    """

    closed: bool = False

    @property
    def name(self) -> str:
        """The word by which reports and the command line know it."""
        return "closed" if self.closed else "open"

    def expected(self, program: Program, block: int, places: Places) -> list[Cell]:
        """The places that may be read after the end in `block`."""
        if self.speaks_of_all(program, block) and not isinstance(program.blocks[block].terminator, Open):
            return []
        return [] if self.closed else list(_matching(self._patterns(program, block), places))

    def speaks_of_all(self, program: Program, block: int) -> bool:
        """Whether a cell that is not expected after the end in `block` is known to be read no more."""
        terminator = program.blocks[block].terminator
        return self.closed or isinstance(terminator, End) or (isinstance(terminator, Open) and terminator.complete)

    def _patterns(self, program: Program, block: int) -> list[Cell]:
        """What an open end expects; an end of a message tree other than the current one is expected by nobody."""
        pinned = [declaration.pattern for declaration in program.declarations if declaration.pinned]
        terminator = program.blocks[block].terminator
        own = list(terminator.expected) if isinstance(terminator, Open) else []
        return own + (pinned if block == program.current_end else [])


def _matching(patterns: Iterable[Cell], places: Places) -> Iterator[Cell]:
    for pattern in patterns:
        yield from places.overlapping(pattern)
