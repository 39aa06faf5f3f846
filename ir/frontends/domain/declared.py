"""What a domain says of fields, declared of the cells of a program, whichever format it comes from."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from ...cells import ANY, Cell
from ...declarations import Declaration
from ...program import Program
from .rules import Domain


def declare(program: Program, domain: Domain) -> None:
    """Declare in a program what its domain says is to be hidden or kept; what is declared already is left as it is.

    Entities are declared for every user; fields of any entity, and entities that lie elsewhere, where a cell has them.
    """
    known = set(program.declarations)
    users = [scope for scope in program.scopes if scope.kind == "user"]
    of_users = [one for entity in domain.entities for user in users for one in entity.declarations(user)]
    for declaration in dict.fromkeys((*of_users, *_of_cells(program, domain))):
        if declaration not in known:
            program.declare(declaration)


def _of_cells(program: Program, domain: Domain) -> Iterator[Declaration]:
    """What is said of the fields of the cells that a program writes."""
    if not domain.sensitive and not domain.lasting and not any(one.sensitive or one.lasting for one in domain.entities):
        return
    families = (_family(entry.cell) for entry in program.entries if isinstance(entry.cell, Cell))
    for family in dict.fromkeys(families):
        names = [segment.text for segment in family.path if segment.kind == "name"]
        hidden, kept = any(map(domain.is_sensitive, names)), any(map(domain.is_lasting, names))
        if hidden or kept:
            yield Declaration(family, sensitive=hidden, pinned=kept)
        if family.scope.kind != "user":
            yield from _of_entities(family, domain)


def _of_entities(family: Cell, domain: Domain) -> Iterator[Declaration]:
    """What is said of the entity that cells lie below, one of many or the only one, outside a user's scope."""
    for entity in domain.entities:
        for said in entity.declarations(family.scope):
            only = Cell(family.scope, tuple(segment for segment in said.pattern.path if segment != ANY))
            covering = [pattern for pattern in (said.pattern, only) if pattern.covers(family)]
            yield from (attrs.evolve(said, pattern=pattern) for pattern in covering)


def _family(cell: Cell) -> Cell:
    """The cells of all entities that have the field of a cell."""
    return Cell(cell.scope, tuple(ANY if segment.kind == "key" else segment for segment in cell.path))
