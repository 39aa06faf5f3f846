"""Naming cells as people do: in full, with slashes, by a unique suffix, or by the id of an entry."""

from __future__ import annotations

from collections.abc import Iterable

from statemem.ir import Cell, PathError, Program, parse_cell
from statemem.ir.diagnostics import UsageError, suggestion

_MOST_NAMED = 5


def slashed(cell: Cell) -> str:
    """A cell without its scope, its segments between slashes, which no shell touches.

    >>> from statemem.ir import Scope
    >>> slashed(parse_cell('order["W15"].color', Scope("user", "7")))
    'order/W15/color'
    """
    return "/".join(segment.text for segment in cell.path) or "*"


def select(program: Program, places: Iterable[Cell], text: str) -> list[Cell]:
    """The places a text names: one, or all below the entity or object it names.

    Raises `UsageError` where it names none, with a near miss, or more than one thing, with what it may mean.
    """
    known = sorted(places)
    entry = program.entry_named(text)
    if entry is not None and isinstance(entry.cell, Cell):
        return [entry.cell]
    found = _exact(known, text, program) or _by_suffix(known, text)
    if found:
        return found
    names = {part for cell in known for part in (slashed(cell), cell.path[-1].text if cell.path else "")}
    raise UsageError(f"no cell is called {text!r}{suggestion(text, names)}; `statemem lower LOG` shows all of them")


def _exact(known: list[Cell], text: str, program: Program) -> list[Cell]:
    for scope in program.scopes:
        try:
            wanted = parse_cell(text, scope)
        except PathError:
            return []
        found = [cell for cell in known if wanted.covers(cell)]
        if found:
            return found
    return []


def _by_suffix(known: list[Cell], text: str) -> list[Cell]:
    """The places at or below the one cell that ends as the text does; a key with slashes in it, a path, may be cut."""
    wanted = "/" + text.strip("/")
    roots: dict[Cell, list[Cell]] = {}
    for cell in known:
        written = ""
        for end, segment in enumerate(cell.path, 1):
            written = f"{written}/{segment.text}"
            if written.endswith(wanted):
                roots.setdefault(Cell(cell.scope, cell.path[:end]), []).append(cell)
    if len(roots) > 1:
        raise UsageError(_ambiguous(text, list(roots)))
    return next(iter(roots.values()), [])


def _ambiguous(text: str, roots: list[Cell]) -> str:
    shown = "; ".join(slashed(root) for root in roots[:_MOST_NAMED])
    more = f" and {len(roots) - _MOST_NAMED} more" if len(roots) > _MOST_NAMED else ""
    return f"{text!r} may mean {len(roots)} cells: {shown}{more}; write more of the one you mean"
