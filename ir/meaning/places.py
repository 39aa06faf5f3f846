"""The index of places: which of the leaf cells known so far a path denotes.

A trie over segments, so that a look-up costs the length of the path and the size of the answer.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..cells import ANY, Cell, Scope, Segment


class _Node:
    __slots__ = ("cell", "children")

    def __init__(self) -> None:
        self.cell: Cell | None = None
        self.children: dict[Segment, _Node] = {}


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

    def copy(self) -> Places:
        """The same places, to which others are added on their own."""
        other = Places()
        for cell in self:
            other.add(cell)
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
        node = self._roots.setdefault(cell.scope, _Node())
        for segment in cell.path:
            node = node.children.setdefault(segment, _Node())
        if node.cell is not None:
            return False
        node.cell = cell
        self._count += 1
        self._found.clear()
        return True

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
