"""What is in force at one point of one path: the definitions at each place, and what follows from them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..cells import Cell, Place, Scope, path_text
from ..entries import Definition, Entry, never_assigned
from ..instructions import Add, Append
from ..origin import Authority
from ..program import Program
from ..values import UNKNOWN, Value, is_value
from .force import Definitions, Judge
from .names import Names
from .places import Places
from .resolve import way_to


class Facts:
    """The definitions that reach each place, with what is known of names; a place is a leaf that a program names.

    `races` are the places that two arms of a fork wrote without seeing each other.
    """

    def __init__(self, program: Program, places: Places | None = None, authority: Authority | None = None) -> None:
        self._program = program
        self._judge = Judge(program, authority)
        self._places = places or Places()
        self._reaching: dict[Cell, Definitions] = {}
        self.names = Names()
        self.races: frozenset[Cell] = frozenset()

    @property
    def places(self) -> Places:
        """The places named so far."""
        return self._places

    def reaching_at(self, cell: Cell) -> Definitions:
        """The definitions that reach one place itself."""
        return self._reaching.get(cell) or frozenset([never_assigned(cell)])

    def reaching(self, place: Place) -> Definitions:
        """The definitions that reach every place `place` denotes, history and tombstones included."""
        known = (self.reaching_at(leaf) for leaf in self._leaves(place))
        return frozenset(definition for definitions in known for definition in definitions)

    def in_force(self, place: Place) -> list[Entry]:
        """The entries in force at or below a place, oldest first: several where they confirm, extend or conflict.

        >>> from statemem.ir import build, run
        >>> program = build("session:1/").set("color", "black").set("color", "white").program
        >>> [entry.value for entry in run(program).in_force(program.entries[0].cell)]
        ['white']
        """
        return self._entries(self.defined(place))

    def history(self, place: Place) -> list[Entry]:
        """The entries that reach a place but are outranked there, oldest first."""
        return self._entries(self.reaching(place) - self.defined(place))

    def defined(self, place: Place) -> Definitions:
        """The definitions in force at a place, tombstones included; second names of an entity are judged as one."""
        groups: dict[tuple[object, ...], list[Definitions]] = {}
        for target in self.names.denoted(place):
            for leaf in self._places.overlapping(target.cell):
                groups.setdefault(way_to(target.cell, leaf), []).append(self.reaching_at(leaf))
        return frozenset(one for group in groups.values() for one in self._judge.in_force_together(group))

    def holds(self, entry: Entry) -> bool:
        """Whether an entry made at a cell is in force there."""
        if not isinstance(entry.cell, Cell):
            return False
        return Definition(entry.instruction, entry.leaf, entry.cell) in self.defined(entry.cell)

    def cells(self) -> Iterator[Cell]:
        """The places at which an entry is in force."""
        return (place for place in self._places if self.held(place))

    def held(self, cell: Cell) -> list[Entry]:
        """The entries in force at one place itself, not above or below it."""
        return self._entries(self._judge.in_force(self.reaching_at(cell)))

    def value(self, place: Place) -> Value:
        """The value of a leaf: the latest in force, a list where entries were appended, None where nothing is."""
        own = isinstance(place, Cell) and place in self._places and self.held(place)
        entries = own or self.in_force(place)
        return fold(self._program, entries) if entries else None

    def snapshot(self, scope: Scope) -> dict[str, Value]:
        """All facts of one scope, by path."""
        held = {cell: self.held(cell) for cell in self._places.in_scope(scope)}
        return {path_text(cell.path): fold(self._program, entries) for cell, entries in held.items() if entries}

    def _entries(self, definitions: Iterable[Definition]) -> list[Entry]:
        found = (self._program.entry_of(one) for one in sorted(definitions))
        return [entry for entry in found if entry is not None]

    def _leaves(self, place: Place) -> Iterator[Cell]:
        for target in self.names.denoted(place):
            yield from self._places.overlapping(target.cell)


def fold(program: Program, entries: list[Entry]) -> Value:
    """One value from the entries in force at a leaf, oldest first: sums, lists, or else the latest."""
    value: Value = None
    for position, entry in enumerate(entries):
        instruction = program.instructions[entry.instruction]
        if isinstance(instruction, Append) and position:
            value = [*value, entry.value] if isinstance(value, list) else [value, entry.value]
        elif isinstance(instruction, Append):
            value = [entry.value]
        elif isinstance(instruction, Add) and position:
            value = _sum(value, entry.value)
        else:
            value = entry.value
    return value


def _sum(value: Value, amount: Value) -> Value:
    """A sum of numbers; of anything else nobody knows it."""
    are_numbers = all(isinstance(one, (int, float)) and not isinstance(one, bool) for one in (value, amount))
    try:
        total = value + amount if are_numbers else UNKNOWN
    except OverflowError:
        return UNKNOWN
    return total if is_value(total) else UNKNOWN
