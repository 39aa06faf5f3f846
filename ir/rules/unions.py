"""Rules about `same`: whether two names can be one entity's, and the names that can be relied on.

To unite a cell with a part of itself would give it infinitely many names. Several unions can do so together:
`same a, b.x` and `same b, a.y` make `a` one with `a.y.x`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial

from ..cells import Cell, Scope, Segment
from ..instructions import Bind, Same
from ..meaning.names import Names, Pair, possible
from ..program import Program
from .finding import Finding, at


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
    bound = ((one.reference, one.target) for one in program.instructions if isinstance(one, Bind))
    united = ((number, one) for number, one in enumerate(program.instructions) if isinstance(one, Same))
    return possible(bound, ((one.left, one.right) for number, one in united if number not in endless))


def endless_unions(program: Program) -> set[int]:
    """The instructions that would unite a cell, with the unions before, with a part of itself."""
    united = {number: (one.left, one.right) for number, one in enumerate(program.instructions) if isinstance(one, Same)}
    if _Classes().can_unite(united.values()):  # mostly so, and then found at one look
        return set()
    classes = _Classes()
    return {number for number, pair in united.items() if not classes.unite(*pair)}


class _Classes:
    """The tree of cells in which united ones are one node: the congruence closure of the unions.

    Parts of one node that are called the same are one node too (Downey, Sethi, Tarjan, "Variations on the common
    subexpression problem", 1980). A cell is one with a part of itself where the way down comes back to a node.
    """

    def __init__(self) -> None:
        self._scopes: dict[Scope, int] = {}
        self._one: list[int] = []  # of each node: one it has become a part of, itself if none
        self._parts: list[dict[Segment, int]] = []

    def can_unite(self, pairs: Iterable[Pair]) -> bool:
        """Unite all pairs; whether no cell has become a part of itself."""
        merged = {one for left, right in pairs for one in self._merge(self._node(left), self._node(right), [])}
        return not self._is_cyclic(set(map(self._found, merged)))

    def unite(self, left: Cell, right: Cell) -> bool:
        """Unite two cells, unless one would then be a part of itself; whether it was done."""
        undo: list[Callable[[], object]] = []
        merged = self._merge(self._node(left), self._node(right), undo)
        if not self._is_cyclic(merged):
            return True
        for step in reversed(undo):
            step()
        return False

    def _merge(self, left: int, right: int, undo: list[Callable[[], object]]) -> set[int]:
        """Make two nodes one, and so all their parts of one name; return what has become of them."""
        merged: set[int] = set()
        work = [(left, right)]
        for one, other in work:
            kept, gone = self._found(one), self._found(other)
            if kept == gone:
                continue
            if len(self._parts[kept]) < len(self._parts[gone]):
                kept, gone = gone, kept
            self._one[gone] = kept
            undo.append(partial(self._one.__setitem__, gone, gone))
            merged.add(kept)
            for segment, part in self._parts[gone].items():
                if segment in self._parts[kept]:
                    work.append((self._parts[kept][segment], part))
                else:
                    self._parts[kept][segment] = part
                    undo.append(partial(self._parts[kept].pop, segment))
        return set(map(self._found, merged))

    def _is_cyclic(self, starts: Iterable[int]) -> bool:
        """Whether a way down from any of the nodes comes back to where it has been."""
        done: set[int] = set()
        for start in starts:
            way: dict[int, Iterator[int]] = {start: iter(self._parts[start].values())}
            while way:
                node, rest = next(reversed(way.items()))
                part = next((one for one in map(self._found, rest) if one not in done), None)
                if part is None:
                    done.add(node)
                    del way[node]
                elif part in way:
                    return True
                else:
                    way[part] = iter(self._parts[part].values())
        return False

    def _node(self, cell: Cell) -> int:
        node = self._found(self._scopes.setdefault(cell.scope, len(self._one)))
        for segment in cell.path:
            node = self._found(self._parts[node].setdefault(segment, len(self._one)))
        return node

    def _found(self, node: int) -> int:
        """What a node has become; a number that is not known yet is a new node."""
        if node == len(self._one):
            self._one.append(node)
            self._parts.append({})
        while self._one[node] != node:
            node = self._one[node]
        return node
