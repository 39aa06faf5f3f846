"""What an instruction reads and writes, place by place.

Instructions speak of paths and references; state and passes speak of places. This is the one way from the
first to the second, used by `ir.state` with what is known along a path and by the passes with what is known
on all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

from ..cells import Cell, Place, Scope, Segment
from ..entries import ENDED, TOMBSTONE, Definition
from ..instructions import Bind, How, Instruction, Leave, Mode, Same, Write
from ..program import Program
from .names import Names, Target, possible
from .places import Places


class PlaceRead(NamedTuple):
    """One place an instruction reads; `read` numbers the instruction's reads.

    `below` is the way from what the operand denotes down to the place: places with one way are names of one fact.
    """

    read: int
    place: Cell
    below: tuple[Segment, ...]
    how: How
    was: str | None
    definite: bool


class PlaceWrite(NamedTuple):
    """One place an instruction writes.

    `made` is the definition that stands there afterwards; `by` is the one whose rank and value decide what
    leaves force. They differ at a second name of the entity, where nothing but a tombstone is left.
    """

    place: Cell
    mode: Mode
    made: Definition
    by: Definition
    definite: bool


def reads(instruction: Instruction, names: Names, places: Places) -> Iterator[PlaceRead]:
    """The places an instruction reads: all that overlap what its operands denote."""
    for number, read in enumerate(instruction.reads()):
        for target in names.denoted(read.place):
            for place in places.overlapping(target.cell):
                definite = target.definite and not is_other(target.cell, place)
                yield PlaceRead(number, place, way_to(target.cell, place), read.how, read.was, definite)


def writes(number: int, instruction: Instruction, names: Names, places: Places) -> Iterator[PlaceWrite]:
    """The places an instruction writes: its leaves, and whatever else lies at, below or above the target."""
    for write in instruction.writes():
        for target in names.denoted(write.place):
            definite = target.definite and not instruction.maybe
            yield from _writes_at(number, write, target, definite, places)


def _writes_at(number: int, write: Write, target: Target, definite: bool, places: Places) -> Iterator[PlaceWrite]:
    leaves = _leaves(write, target.cell, places)
    definite = definite and not target.cell.is_pattern
    for place, leaf in leaves.items():
        by = Definition(number, leaf, place)
        if target.own:
            yield PlaceWrite(place, write.mode, by, by, definite)
        elif place in places:
            yield PlaceWrite(place, write.mode, _gone(number, place), by, definite)
    for place in places.overlapping(target.cell):
        if place not in leaves and _clears(write.mode, target.cell, place):
            gone = _gone(number, place)
            mode = Mode.FILL if write.mode is Mode.FILL else Mode.DELETE
            yield PlaceWrite(place, mode, gone, gone, definite)


def _leaves(write: Write, target: Cell, places: Places) -> dict[Cell, int]:
    """The place of every leaf; below a pattern, the places known so far that it may denote."""
    if not target.is_pattern:
        return {target.below(path): leaf for leaf, (path, _) in enumerate(write.leaves)}
    cells = [target.below(path) for path, _ in write.leaves]
    return {
        place: leaf
        for leaf, cell in enumerate(cells)
        for place in places.overlapping(cell)
        if len(place.path) == len(cell.path)
    }


def _clears(mode: Mode, target: Cell, place: Cell) -> bool:
    """Whether a write at `target` empties another place: what lay below it, or a scalar it now lies below."""
    if is_other(target, place):
        return False
    above = len(place.path) < len(target.path)
    if mode is Mode.DELETE:
        return not above
    return above or mode is not Mode.EXTEND


def is_other(cell: Cell, place: Cell) -> bool:
    """Whether a place of a family stands for entities other than the one that a cell names.

    Where a workflow speaks of `order[*].x`, that place is whatever else a key may name: it is read with
    `order["A"].x`, since it may be that, and left alone when that is written.
    """
    return place.is_pattern and not (cell.is_pattern or cell.covers(place))


def way_to(cell: Cell, place: Cell) -> tuple[Segment, ...]:
    """The way from a cell down to a place, with the keys for which its wildcards stand.

    So members of a family are no names of one fact, and neither is what merely may be the cell: that has its own way.
    """
    below = place.path[len(cell.path) :]
    if is_other(cell, place):
        return place.path
    if not cell.is_pattern:
        return below
    return (*(theirs for mine, theirs in zip(cell.path, place.path, strict=False) if mine.kind == "any"), *below)


def _gone(number: int, place: Cell) -> Definition:
    return Definition(number, TOMBSTONE, place)


def scope_ends(number: int, scope: Scope, places: Places, *, definite: bool = True) -> Iterator[PlaceWrite]:
    """The places that end with a scope."""
    for place in places.in_scope(scope):
        ended = Definition(number, ENDED, place)
        yield PlaceWrite(place, Mode.END, ended, ended, definite)


def ended_scope(instruction: Instruction) -> Scope | None:
    """The scope whose cells end here."""
    return Scope("task", instruction.task) if isinstance(instruction, Leave) and instruction.ended else None


def renames(instruction: Instruction, names: Names) -> Names:
    """What is known of names after an instruction."""
    if isinstance(instruction, Bind):
        return names.bound(instruction.reference, instruction.target, maybe=instruction.maybe)
    if isinstance(instruction, Same):
        return names.united(instruction.left, instruction.right, maybe=instruction.maybe)
    return names


def all_names(program: Program) -> Names:
    """Everything any name of the program may denote anywhere."""
    bound = ((one.reference, one.target) for one in program.instructions if isinstance(one, Bind))
    return possible(bound, ((one.left, one.right) for one in program.instructions if isinstance(one, Same)))


Denoted = Callable[[Place], Iterable[Target]]


def universe(program: Program) -> Places:
    """All places of a program: every leaf written, every deleted path, and every read one that overlaps none."""
    denoted = cache(all_names(program).denoted)
    numbers = range(len(program.instructions))
    places = Places()
    for place in written(program, numbers, denoted):
        places.add(place)
    for place in named_only(program, numbers, denoted, places):
        places.add(place)
    return places


def written(program: Program, numbers: Sequence[int], denoted: Denoted) -> Iterator[Cell]:
    """The leaves that some instructions write, in the order they are named first."""
    found = (
        (write.place, path)
        for number in numbers
        for write in program.instructions[number].writes()
        for path, _ in write.leaves
    )
    for place, path in dict.fromkeys(found):
        for target in denoted(place):
            if target.own and (not target.cell.is_pattern or speaks_of_families(program)):
                yield target.cell.below(path)


def named_only(program: Program, numbers: Sequence[int], denoted: Denoted, places: Places) -> Iterator[Cell]:
    """The paths that some instructions delete or read where no place is known; to be added as they come."""
    for place, is_read in dict.fromkeys(_named(program, numbers)):
        for target in denoted(place):
            is_place = not target.cell.is_pattern or speaks_of_families(program)
            meant = _meant(places, target.cell) if is_place else []
            is_named = not meant if is_read else target.own
            if is_place and is_named and not any(len(place.path) >= len(target.cell.path) for place in meant):
                yield target.cell


def _meant(places: Places, cell: Cell) -> list[Cell]:
    """The places above, at and below a cell: of a family those that stand for all of it, not for one key."""
    if cell.is_pattern:
        return [place for place in places.overlapping(cell) if place.is_pattern]
    return [place for place in places.overlapping(cell) if not is_other(cell, place)]


def speaks_of_families(program: Program) -> bool:
    """Whether a family is a place of its own: in a workflow, which need name no key; a log names what it speaks of."""
    return not program.is_trace


def _named(program: Program, numbers: Sequence[int]) -> Iterator[tuple[Place, bool]]:
    """The places that are written or read, in the order they are named first, and whether they are read there."""
    for number in numbers:
        instruction = program.instructions[number]
        yield from ((write.place, False) for write in instruction.writes())
        yield from ((read.place, True) for read in instruction.reads())
