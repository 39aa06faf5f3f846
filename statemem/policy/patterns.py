"""Families of cells as a policy names them, in whichever conversation they lie."""

from __future__ import annotations

import re

import attrs

from statemem.ir import Cell, Scope, parse_cell
from statemem.ir.cells import Segment

_SCOPED = re.compile(r"([^\W\d][\w-]*):([^/]*)/(.*)", re.DOTALL)
_ANYWHERE = Scope("any", "")


@attrs.frozen
class CellPattern:
    """A path, `[*]` matching any key, and all below it; in any scope, or in those of one kind and key.

    >>> pattern = CellPattern.parse("user:*/order[*].address")
    >>> [pattern.covers(parse_cell('order["W15"].address.city', Scope(kind, "7"))) for kind in ("user", "session")]
    [True, False]
    """

    text: str
    kind: str
    key: str
    path: tuple[Segment, ...]

    @classmethod
    def parse(cls, text: str) -> CellPattern:
        """The pattern of a text. Raises `PathError` for one that is no path."""
        scoped = _SCOPED.fullmatch(text)
        kind, key, path = scoped.groups() if scoped else ("*", "*", text)
        return cls(text, kind, key, parse_cell(path, _ANYWHERE).path)

    def covers(self, cell: Cell) -> bool:
        """Whether a cell is one of the family or lies below one."""
        is_there = self.kind in ("*", cell.scope.kind) and self.key in ("*", cell.scope.key)
        return is_there and Cell(cell.scope, self.path).covers(cell)

    def __str__(self) -> str:
        return self.text
