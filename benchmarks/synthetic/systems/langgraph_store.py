"""LangGraph's store as it is commonly used: a namespace a scope, a key a cell, a `put` whenever something is learnt."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from statemem.ir import Cell
from statemem.ir.cells import path_text

from ..dialogue import Question
from ..questions import NOTHING, shown
from .base import Seen, Setting, Written
from .lookups import Lookups

if TYPE_CHECKING:
    from langgraph.store.base import Item

_Place = tuple[tuple[str, ...], str]


class LangGraphStore(Lookups):
    """What the store gives for a cell. That an entry was replaced shows only in that another is in its place."""

    def __init__(self, _: Setting) -> None:
        from langgraph.store.memory import InMemoryStore  # of the extra `interop`

        self._store = InMemoryStore()
        self._places: dict[str, _Place] = {}
        self._written: dict[str, tuple[_Place, str]] = {}

    def read(self, seen: Seen) -> None:
        """Take in a turn."""
        for one in seen.writes:
            self._put(one)
        for cell in seen.withdrawn:
            if cell in self._places:
                self._store.delete(*self._places[cell])

    def _put(self, entry: Written) -> None:
        place = self._places[str(entry.cell)] = _place(entry.cell)
        self._written[entry.id] = place, shown(entry.value)
        self._store.put(*place, {"value": entry.value})

    def values(self, cell: str, question: Question) -> list[str]:
        """The value under a key."""
        item = self._item(self._places.get(cell))
        if item is None:
            return [NOTHING] if cell in self._places else []
        return [shown(item["value"])]

    def trusted(self, entry: str, question: Question) -> list[str]:
        """What is in the store is believed, and what is not there any more is not."""
        if entry not in self._written:
            return []
        place, value = self._written[entry]
        item = self._item(place)
        return ["yes" if item is not None and shown(item["value"]) == value else "no"]

    def _item(self, place: _Place | None) -> dict[str, Any] | None:
        item: Item | None = None if place is None else self._store.get(*place)
        return None if item is None else item.value


def _place(cell: Cell) -> _Place:
    """The namespace and the key of a cell; labels of a namespace have no points."""
    return (cell.scope.kind, cell.scope.key.replace(".", "_")), path_text(cell.path)
