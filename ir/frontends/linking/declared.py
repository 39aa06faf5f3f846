"""What a domain says of fields, declared of the cells of a program as they come to be."""

from __future__ import annotations

from ...cells import ANY, Cell
from ...declarations import Declaration
from ...entries import Entry
from ...program import Program
from ..domain import Domain
from .entities import Scopes


class Declared:
    """The declarations of one program; fields of any entity are declared where the first such cell is written."""

    def __init__(self, program: Program, scopes: Scopes, domain: Domain) -> None:
        self._program = program
        self._domain = domain
        self._patterns: set[Cell] = set()
        for entity in domain.entities:
            for declaration in entity.declarations(scopes.user):
                program.declare(declaration)

    def learn(self, entry: Entry) -> None:
        """Take in an entry: the first of a field that is to be hidden or kept declares it for all its like."""
        if not isinstance(entry.cell, Cell) or not (self._domain.sensitive or self._domain.lasting):
            return
        names = [segment.text for segment in entry.cell.path if segment.kind == "name"]
        hidden, kept = any(map(self._domain.is_sensitive, names)), any(map(self._domain.is_lasting, names))
        if not hidden and not kept:
            return
        path = tuple(ANY if segment.kind == "key" else segment for segment in entry.cell.path)
        pattern = Cell(entry.cell.scope, path)
        if pattern not in self._patterns:
            self._patterns.add(pattern)
            self._program.declare(Declaration(pattern, sensitive=hidden, pinned=kept))
