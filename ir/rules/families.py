"""Families of cells that speak of one another: which members two of them share, and what that says of a third.

A family has wildcards; those of a declaration are variables, the first on its right the same as the first on its left.
"""

from __future__ import annotations

from typing import NamedTuple

from ..cells import Cell, Segment

Bound = dict[Segment, Segment]


class Edge(NamedTuple):
    """That cells of a family depend on others: the same variables stand for the same keys in both."""

    source: Cell
    target: Cell

    def renamed(self, mark: str) -> Edge:
        """The edge with variables of its own, counted from the left."""
        names: Bound = {}
        for cell in self:
            variables = [segment for segment in cell.path if segment.kind == "any"]
            for position, segment in enumerate(variables):
                own = segment if segment.text != "*" else Segment("any", f"*{position}")
                names.setdefault(own, Segment("any", f"{mark}{len(names)}"))
        return Edge(_renamed(self.source, names), _renamed(self.target, names))

    def then(self, other: Edge) -> Edge | None:
        """What the source depends on by way of another edge; None where the two do not meet."""
        bound = _unified(self.target, other.source)
        return None if bound is None else Edge(_with(self.source, bound), _with(other.target, bound)).renamed("*")

    @property
    def comes_back(self) -> bool:
        """Whether some cell of the source is one that it depends on, or lies above or below one."""
        return _unified(self.source, self.target) is not None


def _renamed(cell: Cell, names: Bound) -> Cell:
    position = -1
    path = []
    for segment in cell.path:
        if segment.kind == "any":
            position += 1
            segment = names[segment if segment.text != "*" else Segment("any", f"*{position}")]
        path.append(segment)
    return Cell(cell.scope, tuple(path))


def _unified(left: Cell, right: Cell) -> Bound | None:
    """What variables must stand for where two cells overlap; None where they cannot."""
    if left.scope != right.scope:
        return None
    bound: Bound = {}
    for one, other in zip(left.path, right.path, strict=False):
        mine, theirs = _value(one, bound), _value(other, bound)
        if mine == theirs:
            continue
        if mine.kind == "any" and theirs.kind != "name":
            bound[mine] = theirs
        elif theirs.kind == "any" and mine.kind != "name":
            bound[theirs] = mine
        else:
            return None
    return bound


def _value(segment: Segment, bound: Bound) -> Segment:
    while segment in bound:
        segment = bound[segment]
    return segment


def _with(cell: Cell, bound: Bound) -> Cell:
    return Cell(cell.scope, tuple(_value(segment, bound) for segment in cell.path))
