"""Rules about `same`: whether two names can be one entity's, and the names that can be relied on.

To unite a cell with a part of itself would give it infinitely many names. Several unions can do so together:
`same a, b.x` and `same b, a.y` make `a` one with `a.y.x`.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..cells import Cell
from ..instructions import Bind, Same
from ..names import Names, Pair
from ..program import Program
from .finding import Finding, at

#: More names than this no entity has; the search for a part of itself ends here.
_MANY = 1000


def unions(program: Program) -> Iterator[Finding]:
    """`same` of a cell with a part of itself, or across scopes that are not one nor parent and child."""
    endless = endless_unions(program)
    for number, one in enumerate(program.instructions):
        if not isinstance(one, Same):
            continue
        left, right = one.left.scope, one.right.scope
        if one.left.overlaps(one.right):
            message = f"{one.left} and {one.right} overlap, so they cannot be two names of one entity"
            yield Finding("IR009", message, at(number))
        elif number in endless:
            message = f"with what is united before, {one.left} or {one.right} would be one with a part of itself"
            yield Finding("IR009", message, at(number))
        elif left != right and program.scopes.get(left) != right and program.scopes.get(right) != left:
            message = f"`same` cannot unite cells of {left} and {right}: neither is the other's parent"
            yield Finding("IR010", message, at(number))


def sound_names(program: Program) -> Names:
    """Everything any name may denote anywhere, but for unions without end."""
    endless = endless_unions(program)
    names = Names()
    for number, one in enumerate(program.instructions):
        if isinstance(one, Bind):
            names = names.bound(one.reference, one.target, maybe=True)
        elif isinstance(one, Same) and number not in endless:
            names = names.united(one.left, one.right, maybe=True)
    return names


def endless_unions(program: Program) -> set[int]:
    """The instructions that would unite a cell, with the unions before, with a part of itself."""
    pairs = {number: (one.left, one.right) for number, one in enumerate(program.instructions) if isinstance(one, Same)}
    if not _is_endless(list(pairs.values())):
        return set()
    endless: set[int] = set()
    sound: list[Pair] = []
    for number, pair in pairs.items():
        if _is_endless([*sound, pair]):
            endless.add(number)
        else:
            sound.append(pair)
    return endless


def _is_endless(pairs: list[Pair]) -> bool:
    """Whether some cell would have a part of itself among its names; the ends of the pairs show it if any does."""
    if all(len(left.path) == len(right.path) and not left.overlaps(right) for left, right in pairs):
        return False
    return any(_meets_itself(end, pairs) for pair in pairs for end in pair)


def _meets_itself(start: Cell, pairs: list[Pair]) -> bool:
    seen = {start}
    work = [start]
    while work and len(seen) < _MANY:
        for other in _renamed(work.pop(), pairs):
            if other != start and other.overlaps(start):
                return True
            if other not in seen:
                seen.add(other)
                work.append(other)
    return len(seen) >= _MANY


def _renamed(cell: Cell, pairs: list[Pair]) -> Iterator[Cell]:
    """A cell under the other names that one union each gives it."""
    for left, right in pairs:
        for one, other in ((left, right), (right, left)):
            if one.covers(cell):
                yield other.below(cell.path[len(one.path) :])
