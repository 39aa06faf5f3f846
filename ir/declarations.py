"""Declarations: what is true of cells and kinds of tasks, whoever speaks of them."""

from __future__ import annotations

import attrs

from .cells import Cell, Scope


@attrs.frozen
class Declaration:
    """What is true of a cell, or of a family of cells, whoever uses it.

    `depends` are cells with which it must be kept consistent. In `cell order[*].total depends on order[*].items` the
    first `[*]` on the right means the key of the first on the left, and so on.
    """

    pattern: Cell
    sensitive: bool = False
    pinned: bool = False
    depends: tuple[Cell, ...] = ()


@attrs.frozen
class Requirement:
    """What a kind of task needs before it can be carried out: `task return requires address, size`.

    A cell in `Requirement.scope` stands for the one in the scope of whichever task of that kind is open.
    """

    kind: str
    cells: tuple[Cell, ...]

    @property
    def scope(self) -> Scope:
        """The scope in which bare cells are written."""
        return Scope("task", self.kind)
