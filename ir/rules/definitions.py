"""Rules about what is read: whether anything has written it, and whether `was` names an entry of it.

Both judge by everything a name may denote anywhere, so that no doubt about names becomes a finding.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..cells import Cell, Place, Reference, bare_or_quoted, name, path_text
from ..instructions import Bind, Effect, How, Instruction, Read, Write, places
from ..meaning.names import Names
from ..meaning.places import Places
from ..program import Program
from .finding import Finding, at, places_by_id
from .unions import sound_names


def seen_entries(program: Program) -> Iterator[Finding]:
    """`was` names an entry that does not exist, or one of another cell."""
    reads = [(number, read) for number, one in enumerate(program.instructions) for read in one.reads() if read.was]
    if not reads:
        return
    names = sound_names(program)
    written: dict[str, list[Place]] = {}
    for number in range(len(program.instructions)):
        written.update(places_by_id(program, number))
    for number, read in reads:
        yield from _seen_entry(read, number, written, names)


def _seen_entry(read: Read, number: int, written: dict[str, list[Place]], names: Names) -> Iterator[Finding]:
    was = read.was or ""
    needle = bare_or_quoted(was)
    if was not in written:
        yield Finding("IR006", f"no entry has the id {was!r}", at(number), needle, after="was")
    elif not _may_meet(read.place, written[was], names):
        stands = ", ".join(map(str, written[was]))
        yield Finding("IR007", f"{was!r} is an entry of {stands}, not of {read.place}", at(number), needle, after="was")


def _may_meet(place: Place, others: list[Place], names: Names) -> bool:
    """Whether a place may denote one of the others; a reference that nothing binds may denote anything."""
    here = [target.cell for target in names.denoted(place)]
    there = [target.cell for other in others for target in names.denoted(other)]
    return not here or not there or any(one.overlaps(other) for one in here for other in there)


class _Known:
    """What has been written and bound so far."""

    def __init__(self, program: Program) -> None:
        self._names = sound_names(program)
        self._cells = Places()
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
        for target in self._names.denoted(write.place):
            for path, _ in write.leaves or (((), None),):
                self._cells.add(target.cell.below(path))

    def holds(self, place: Place) -> bool:
        """Whether something has written any cell that a place may denote."""
        return any(next(self._cells.overlapping(one.cell), None) is not None for one in self._names.denoted(place))


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
