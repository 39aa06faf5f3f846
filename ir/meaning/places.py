"""The index of places: which of the leaf cells known so far a path denotes.

A trie over segments, so that a look-up costs the length of the path and the size of the answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from ..cells import ANY, Cell, Scope, Segment

K = TypeVar("K", Scope, Segment)


class _Node:
    """A step of the index; only its `owner` may change it."""

    __slots__ = ("cell", "children", "owner")

    def __init__(self, owner: object, like: _Node | None = None) -> None:
        self.owner = owner
        self.cell: Cell | None = like.cell if like else None
        self.children: dict[Segment, _Node] = dict(like.children) if like else {}


class Places:
    """A growing set of cells; leaves mostly, but a family with `[*]` is found by each of its members too.

    >>> from ..cells import name
    >>> color = Cell(Scope("user", "7"), (name("order"), name("color")))
    >>> places = Places()
    >>> places.add(color), places.add(color)
    (True, False)
    >>> [str(cell) for cell in places.overlapping(Cell(color.scope, (name("order"),)))]
    ['user:7/order.color']
    """

    def __init__(self) -> None:
        self._roots: dict[Scope, _Node] = {}
        self._count = 0
        self._found: dict[Cell, tuple[Cell, ...]] = {}
        self._owner = object()

    def copy(self) -> Places:
        """The same places, to which others are added on their own: what both share is copied when one is to change."""
        other = Places()
        other._roots, other._count = dict(self._roots), self._count
        self._owner = object()
        return other

    def __len__(self) -> int:
        return self._count

    def __contains__(self, cell: Cell) -> bool:
        node = self._node(cell)
        return node is not None and node.cell is not None

    def __iter__(self) -> Iterator[Cell]:
        for root in self._roots.values():
            yield from _below(root)

    def add(self, cell: Cell) -> bool:
        """Make a place known; say whether it is new."""
        if cell in self:
            return False
        node = self._owned(self._roots, cell.scope)
        for segment in cell.path:
            node = self._owned(node.children, segment)
        node.cell = cell
        self._count += 1
        self._found.clear()
        return True

    def _owned(self, nodes: dict[K, _Node], step: K) -> _Node:
        """The node at a step, which may be changed: a new one, or a copy where it belongs to others too."""
        found = nodes.get(step)
        if found is None or found.owner is not self._owner:
            found = nodes[step] = _Node(self._owner, found)
        return found

    def overlapping(self, cell: Cell) -> Iterator[Cell]:
        """The places above, at and below a path, `[*]` matching any key, in the order they became known."""
        if cell not in self._found:
            self._found[cell] = tuple(self._overlapping(cell))
        return iter(self._found[cell])

    def _overlapping(self, cell: Cell) -> Iterator[Cell]:
        root = self._roots.get(cell.scope)
        nodes = [root] if root else []
        for segment in cell.path:
            yield from (node.cell for node in nodes if node.cell is not None)
            nodes = [child for node in nodes for child in _steps(node, segment)]
        for node in nodes:
            yield from _below(node)

    def overlaps(self, cell: Cell) -> bool:
        """Whether there is a place above, at or below a path."""
        return next(self.overlapping(cell), None) is not None

    def holds_below(self, cell: Cell) -> bool:
        """Whether some place lies at or below a path."""
        return any(len(place.path) >= len(cell.path) for place in self.overlapping(cell))

    def above(self, cell: Cell) -> Iterator[Cell]:
        """The places at proper prefixes of a concrete path, the longest last."""
        node = self._roots.get(cell.scope)
        for segment in cell.path:
            if node is None:
                return
            if node.cell is not None:
                yield node.cell
            node = node.children.get(segment)

    def in_scope(self, scope: Scope) -> Iterator[Cell]:
        """The places of one scope."""
        root = self._roots.get(scope)
        return _below(root) if root else iter(())

    def _node(self, cell: Cell) -> _Node | None:
        node = self._roots.get(cell.scope)
        for segment in cell.path:
            node = node.children.get(segment) if node else None
        return node


def _steps(node: _Node, segment: Segment) -> Iterator[_Node]:
    if segment.kind == "any":
        yield from (child for step, child in node.children.items() if step.kind != "name")
        return
    exact = node.children.get(segment)
    if exact is not None:
        yield exact
    family = node.children.get(ANY) if segment.kind != "name" else None
    if family is not None:
        yield family


def _below(node: _Node) -> Iterator[Cell]:
    work = [node]
    while work:
        current = work.pop()
        if current.cell is not None:
            yield current.cell
        work.extend(reversed(current.children.values()))
