"""What stays in force when something is written (2-ir, Meaning 3 to 5)."""

from __future__ import annotations

from collections.abc import Iterable

from .instructions import Add, Append, Mode
from .origin import NOWHERE, Origin, outranks
from .program import ENDED, NEVER, Definition, Program
from .resolve import PlaceWrite
from .values import canonical

Definitions = frozenset[Definition]


class Unranked(frozenset[Definition]):
    """Definitions of one place without rank and without tombstones, all of which are in force beside each other.

    One more source of a fact, or one more element, then need not be judged against all before it. `statement` is what
    all of them state, None where they differ.
    """

    statement: object

    def with_another(self, made: Definition, statement: object) -> Unranked:
        """The definitions and a new one of no rank."""
        grown = Unranked(self | {made})
        grown.statement = statement if statement == self.statement else None
        return grown


class Judge:
    """Rank and equality of the definitions of one program."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._stated: dict[tuple[int, int], object] = {}

    def outranks(self, left: Definition, right: Definition) -> bool:
        """Whether a later `right` yields to `left`: it stays out of force and removes nothing.

        What came later cannot push out what was there before it; a confirmation and an addition yield to nothing.
        """
        if left.instruction >= right.instruction or not outranks(self._origin(left), self._origin(right)):
            return False
        return not (self._extends(right) or self.equal(left, right))

    def equal(self, left: Definition, right: Definition) -> bool:
        """Whether both wrote the same constant; what was appended or added equals nothing."""
        if left.is_tombstone or right.is_tombstone:
            return False
        return self.statement(left) == self.statement(right)

    def statement(self, definition: Definition) -> object:
        """What a definition states, hashable: equal for equal definitions, unlike anything else for the rest."""
        at = (definition.instruction, definition.leaf)
        if definition.is_tombstone:
            return at
        if at not in self._stated:
            self._stated[at] = self._state(definition)
        return self._stated[at]

    def survives(self, old: Definition, by: Definition) -> bool:
        """Whether `old` stays in force when `by` replaces: where that yields to it, restates it, or contradicts it.

        Two that state one version and different content contradict each other: neither simply wins.
        """
        return self.outranks(old, by) or self.equal(old, by) or self.contradicts(old, by)

    def contradicts(self, old: Definition, by: Definition) -> bool:
        """Whether two definitions of one place state the same version and different content."""
        if old.is_tombstone or by.is_tombstone or old.instruction == by.instruction:
            return False
        version = self._origin(by).version
        return version is not None and version == self._origin(old).version and not self.equal(old, by)

    def in_force(self, reaching: Iterable[Definition]) -> Definitions:
        """Those of the definitions reaching a point that yield to none of the others.

        Where an entry is in force, the tombstones beside it are kept: they say that it may not be.
        """
        if isinstance(reaching, Unranked):
            return reaching
        among = frozenset(reaching)
        ranked = [one for one in among if _has_rank(self._origin(one))] if len(among) > 1 else []
        return among - {one for one in ranked if any(self.outranks(other, one) for other in ranked)}

    def ended(self, before: Definitions, write: PlaceWrite) -> list[Definition]:
        """The entries in force at a place that a replacement takes out of force."""
        by = write.by
        if isinstance(before, Unranked) and not by.is_tombstone and before.statement == self.statement(by):
            return []
        stay = self.after(before, write)
        return [old for old in self.in_force(before) if not old.is_tombstone and old not in stay]

    def outranking(self, own: Definition, among: Definitions) -> list[Definition]:
        """The definitions to which one of them yields, in order."""
        if isinstance(among, Unranked):
            return []
        return sorted(one for one in among if self.outranks(one, own))

    def after(self, before: Definitions, write: PlaceWrite) -> Definitions:
        """What reaches the point after a write that happens; a fill is told apart by the caller."""
        statement = self.statement(write.by)
        plain = write.made == write.by and not write.by.is_tombstone and not _has_rank(self._origin(write.by))
        if plain and isinstance(before, Unranked) and write.mode is Mode.EXTEND:
            return before.with_another(write.made, statement)
        if plain and isinstance(before, Unranked) and before.statement == statement:
            return before.with_another(write.made, statement)
        stay = [old for old in before if self._stays(old, write, before)]
        if plain and not stay:
            return _first(write.made, statement)
        return frozenset((*stay, write.made))

    def _stays(self, old: Definition, write: PlaceWrite, before: Definitions) -> bool:
        if write.mode is Mode.END:
            return False
        if write.mode is Mode.EXTEND:
            return not old.is_tombstone
        return self.survives(old, write.by) or any(self.outranks(other, write.by) for other in before)

    def _extends(self, definition: Definition) -> bool:
        number = definition.instruction
        return number != NEVER and isinstance(self._program.instructions[number], (Append, Add))

    def _origin(self, definition: Definition) -> Origin:
        number = definition.instruction
        ranked = number != NEVER and definition.leaf != ENDED
        return self._program.instructions[number].origin if ranked else NOWHERE

    def _state(self, definition: Definition) -> object:
        if isinstance(self._program.instructions[definition.instruction], (Append, Add)):
            return object()
        entry = self._program.entry_of(definition)
        return canonical(entry.value) if entry else object()


def _first(made: Definition, statement: object) -> Unranked:
    alone = Unranked((made,))
    alone.statement = statement
    return alone


def is_held(places: Iterable[tuple[bool, Iterable[Definition]]]) -> bool | None:
    """Whether something is in force at places taken together: surely, surely not, or None for perhaps.

    Each place comes with whether it surely is one of them, as the second name of an entity may not be.
    """
    known = [(sure, list(definitions)) for sure, definitions in places]
    if any(sure and there and not any(one.is_tombstone for one in there) for sure, there in known):
        return True
    return None if any(not one.is_tombstone for _, there in known for one in there) else False


def _has_rank(origin: Origin) -> bool:
    return origin.version is not None or origin.observed is not None
