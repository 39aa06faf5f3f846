"""Numbers for the members of packed sets: those of places are shared by all passes, others are given as they come."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import Any

from statemem.ir import Cell


class Places:
    """The places at which something happens, by number."""

    def __init__(self) -> None:
        self.cells: list[Cell] = []
        self._numbers: dict[Cell, int] = {}

    def number(self, cell: Cell) -> int:
        """The number of a place; a new one gets the next."""
        number = self._numbers.setdefault(cell, len(self.cells))
        if number == len(self.cells):
            self.cells.append(cell)
        return number

    def known(self, cell: Hashable) -> int | None:
        """The number of a place, if it has one."""
        return self._numbers.get(cell)  # type: ignore[call-overload,no-any-return]


class Numbering:
    """Members of the sets of one analysis as numbers: a place as its own, anything else below zero."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self._others: list[Any] = []
        self._numbers: dict[Any, int] = {}

    def number(self, member: Any) -> int:
        """The number of a member; one that has none gets the next."""
        found = self.known(member)
        if found is None:
            self._others.append(member)
            found = self._numbers[member] = -len(self._others)
        return found

    def known(self, member: Any) -> int | None:
        """The number of a member, if it has one."""
        found = self._numbers.get(member)
        return self._places.known(member) if found is None else found

    def member(self, number: int) -> Any:
        """The member of a number."""
        return self._places.cells[number] if number >= 0 else self._others[-number - 1]

    def members(self, numbers: Iterable[int]) -> frozenset[Any]:
        """The members of some numbers."""
        return frozenset(map(self.member, numbers))

    def named(self, effect: Mapping[int, bool]) -> dict[Any, bool]:
        """What holds of members, told by their numbers."""
        return {self.member(number): holds for number, holds in effect.items()}
