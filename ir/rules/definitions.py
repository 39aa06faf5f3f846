"""Rules about what is read: whether anything has written it, and whether `was` names an entry of it.

Both judge by everything a name may denote anywhere, so that no doubt about names becomes a finding.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

from ..cells import Cell, Place, Reference, Segment, bare_or_quoted, name, path_text
from ..instructions import Bind, Effect, How, Instruction, Read, Write, places
from ..meaning.names import Target
from ..meaning.places import Places
from ..program import Program
from .finding import Finding, at, places_by_id
from .unions import sound_names

_Denoted = Callable[[Place], Places]


def seen_entries(program: Program) -> Iterator[Finding]:
    """`was` names an entry that does not exist, or one of another cell."""
    reads = [(number, read) for number, one in enumerate(program.instructions) for read in one.reads() if read.was]
    if not reads:
        return
    names = sound_names(program)
    denoted = cache(lambda place: _places(names.denoted(place)))
    written: dict[str, list[Place]] = {}
    for number in range(len(program.instructions)):
        written.update(places_by_id(program, number))
    for number, read in reads:
        yield from _seen_entry(read, number, written, denoted)


def _seen_entry(read: Read, number: int, written: dict[str, list[Place]], denoted: _Denoted) -> Iterator[Finding]:
    was = read.was or ""
    needle = bare_or_quoted(was)
    if was not in written:
        yield Finding("IR006", f"no entry has the id {was!r}", at(number), needle, after="was")
    elif not _may_meet(read.place, written[was], denoted):
        stands = ", ".join(map(str, written[was]))
        yield Finding("IR007", f"{was!r} is an entry of {stands}, not of {read.place}", at(number), needle, after="was")


def _may_meet(place: Place, others: list[Place], denoted: _Denoted) -> bool:
    """Whether a place may denote one of the others; a reference that nothing binds may denote anything."""
    here = denoted(place)
    there = [denoted(other) for other in others]
    return not len(here) or not any(map(len, there)) or any(_meet(here, cells) for cells in there)


def _meet(left: Places, right: Places) -> bool:
    """Whether two cells overlap, seen from where there are fewer."""
    fewer, more = sorted((left, right), key=len)
    return any(map(more.overlaps, fewer))


def _places(targets: list[Target]) -> Places:
    places = Places()
    for target in targets:
        places.add(target.cell)
    return places


class _Known:
    """What has been written and bound so far."""

    def __init__(self, program: Program) -> None:
        self._denoted = cache(sound_names(program).denoted)
        self._cells = Places()
        self._written: set[tuple[Place, tuple[Segment, ...]]] = set()
        self._missed: dict[Place, int] = {}  # places nothing had been written to, and how many cells were known then
        self.references: set[str] = set()
        for task in program.tasks.values():
            for parameter in task.parameters:
                self._cells.add(Cell(task.scope, (name(parameter),)))

    def execute(self, instruction: Instruction) -> None:
        """Take note of what an instruction writes and binds."""
        if isinstance(instruction, Bind):
            self.references.add(instruction.reference)
        for write in instruction.writes():
            self._write(write)

    def _write(self, write: Write) -> None:
        for path, _ in write.leaves or (((), None),):
            if (write.place, path) not in self._written:
                self._written.add((write.place, path))
                for target in self._denoted(write.place):
                    self._cells.add(target.cell.below(path))

    def holds(self, place: Place) -> bool:
        """Whether something has written any cell that a place may denote."""
        if self._missed.get(place) == len(self._cells):
            return False
        found = any(self._cells.overlaps(target.cell) for target in self._denoted(place))
        if not found:
            self._missed[place] = len(self._cells)
        return found


def undefined(program: Program) -> Iterator[Finding]:
    """Cells read before anything has written them, references used before anything has bound them.

    The blocks of a workflow come in no order, so that there whatever is written anywhere counts.
    """
    known = _Known(program)
    if not program.is_trace:
        for instruction in program.instructions:
            known.execute(instruction)
    landed = {number for block in range(len(program.blocks)) for number in program.landed(block)}
    for number, instruction in enumerate(program.instructions):
        yield from _unbound(instruction, number, known)
        if number not in landed:  # whether a task returns anything is for IR106
            yield from _unwritten(instruction, number, known)
        known.execute(instruction)


def _unbound(instruction: Instruction, number: int, known: _Known) -> Iterator[Finding]:
    named = (place.name for place in places(instruction) if isinstance(place, Reference))
    for reference in dict.fromkeys(named):
        if reference not in known.references:
            message = f"nothing has bound @{reference} before it is used"
            hint = f"bind it before: @{bare_or_quoted(reference)} -> …"
            yield Finding("IR102", message, at(number), f"@{bare_or_quoted(reference)}", hint)


def _unwritten(instruction: Instruction, number: int, known: _Known) -> Iterator[Finding]:
    for read in instruction.reads():
        bound = not isinstance(read.place, Reference) or read.place.name in known.references
        if bound and read.how is not How.CARRIED and not known.holds(read.place):
            needle = str(read.place) if isinstance(read.place, Reference) else path_text(read.place.path)
            after = "(" if isinstance(instruction, Effect) else "="
            message = f"nothing has written {read.place} before it is read"
            yield Finding("IR101", message, at(number), needle, after=after)
