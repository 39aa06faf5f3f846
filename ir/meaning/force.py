"""What stays in force when something is written (2-ir, Meaning 3 to 5)."""

from __future__ import annotations

from collections.abc import Iterable

from ..cells import Cell
from ..entries import ENDED, NEVER, Definition
from ..instructions import Add, Append, Mode
from ..origin import NOWHERE, Authority, Origin, outranks
from ..program import Program
from ..values import canonical
from .resolve import PlaceWrite

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
    """Rank and equality of the definitions of one program; whose word counts for more where `authority` is given."""

    def __init__(self, program: Program, authority: Authority | None = None) -> None:
        self._program = program
        self._authority = authority
        self._stated: dict[tuple[int, int], object] = {}

    def outranks(self, left: Definition, right: Definition) -> bool:
        """Whether a later `right` yields to `left`. A confirmation and an addition yield to nothing."""
        if not self._is_stronger(left, right):
            return False
        return not (self._extends(right) or self.equal(left, right) or self._restates(left, right))

    def _restates(self, tombstone: Definition, entry: Definition) -> bool:
        """Whether what emptied a second name states under the first what an entry does: then it confirms that."""
        if tombstone.instruction == NEVER or not tombstone.is_tombstone or entry.is_tombstone:
            return False
        target = getattr(self._program.instructions[tombstone.instruction], "target", None)
        is_own = isinstance(target, Cell) and target.covers(entry.cell)
        made = self._program.entries_of(tombstone.instruction)
        alike = (
            one for one in made if one.cell == entry.cell or (not is_own and one.cell.path[-1:] == entry.cell.path[-1:])
        )
        return any(canonical(one.value) == self.statement(entry) for one in alike)

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
        """Whether `old` stays in force when `by` replaces: where `by` restates it, or contradicts it.

        Two that state one version and different content contradict each other: neither simply wins.
        """
        return not old.yields and (self.equal(old, by) or self.contradicts(old, by))

    def contradicts(self, old: Definition, by: Definition) -> bool:
        """Whether two definitions of one place state the same version and different content."""
        if old.is_tombstone or by.is_tombstone or old.instruction == by.instruction:
            return False
        version = self._origin(by).version
        return version is not None and version == self._origin(old).version and not self.equal(old, by)

    def in_force(self, reaching: Iterable[Definition]) -> Definitions:
        """Those of the definitions reaching a place that did not yield when they came.

        Where an entry is in force, the tombstones beside it are kept: they say that it may not be.
        """
        if isinstance(reaching, Unranked):
            return reaching
        return frozenset(one for one in reaching if not one.yields)

    def in_force_together(self, places: Iterable[Iterable[Definition]]) -> Definitions:
        """What is in force at places that are one: across them, rank decides whatever came first."""
        known = [self.in_force(place) for place in places]
        if len(known) == 1:
            return known[0]
        among = frozenset(one for place in known for one in place)
        ranked = [one for one in among if self._has_rank(one)]
        weaker = (w for w in ranked if any(o.cell != w.cell and self.outranks(o, w) for o in ranked))
        return among - frozenset(weaker)

    def ended(self, before: Definitions, write: PlaceWrite) -> list[Definition]:
        """The entries in force at a place that a replacement takes out of force."""
        by = write.by
        if isinstance(before, Unranked) and not by.is_tombstone and before.statement == self.statement(by):
            return []
        stay = self.after(before, write)
        return [old for old in self.in_force(before) if not old.is_tombstone and old not in stay]

    def stronger(self, own: Definition, before: Definitions) -> list[Definition]:
        """The definitions to which a new one yields, in order."""
        if not self._has_rank(own):
            return []
        return sorted(one for one in before if not one.yields and self.outranks(one, own))

    def after(self, before: Definitions, write: PlaceWrite) -> Definitions:
        """What reaches the point after a write that happens; a fill is told apart by the caller."""
        if write.mode is Mode.END:
            return frozenset([write.made])
        statement = self.statement(write.by)
        is_ranked = self._has_rank(write.by)
        is_plain = write.made == write.by and not write.by.is_tombstone and not is_ranked
        adds = write.mode is Mode.EXTEND or (isinstance(before, Unranked) and before.statement == statement)
        if is_plain and adds and isinstance(before, Unranked):
            return before.with_another(write.made, statement)
        if write.mode is Mode.EXTEND:
            return frozenset((*(old for old in before if not old.is_tombstone), write.made))
        stronger = self.stronger(write.by, before) if is_ranked else []
        if stronger and not self._others(before, stronger):
            return before | {write.made._replace(yields=True)}
        stay = [old for old in before if self.survives(old, write.by)]
        if not stay and is_plain:
            return _first(write.made, statement)
        yielding = (*before, write.made._replace(yields=True)) if stronger else ()
        return frozenset((*stay, write.made, *yielding))

    def _others(self, before: Definitions, stronger: list[Definition]) -> list[Definition]:
        """Definitions in force that come from where the stronger ones may not be: nothing is yielded to there."""
        return [
            one
            for one in before
            if not (one.yields or one in stronger or self._extends(one) or any(self.equal(one, o) for o in stronger))
        ]

    def _extends(self, definition: Definition) -> bool:
        number = definition.instruction
        return number != NEVER and isinstance(self._program.instructions[number], (Append, Add))

    def _origin(self, definition: Definition) -> Origin:
        number = definition.instruction
        ranked = number != NEVER and definition.leaf != ENDED
        return self._program.instructions[number].origin if ranked else NOWHERE

    def _is_stronger(self, left: Definition, right: Definition) -> bool:
        """Whether `left` has the higher rank: first by authority, where that option is on and the two differ in it."""
        if self._authority is not None:
            mine, theirs = self._authority_of(left, self._authority), self._authority_of(right, self._authority)
            if mine != theirs:
                return mine > theirs
        return outranks(self._origin(left), self._origin(right))

    def _authority_of(self, definition: Definition, authority: Authority) -> int:
        """The beginning of a place and the end of a scope have none; a cell of the user that names no entity is own."""
        number = definition.instruction
        if number == NEVER or definition.leaf == ENDED:
            return -1
        actor = self._origin(definition).actor or self._program.blocks[self._program.block_of(number)].actor
        own = definition.cell.scope.kind == "user" and all(part.kind == "name" for part in definition.cell.path)
        return authority.of(actor.kind, own=own)

    def _has_rank(self, definition: Definition) -> bool:
        """Whether a definition can outrank another."""
        if self._authority is not None and definition.instruction != NEVER and definition.leaf != ENDED:
            return True
        origin = self._origin(definition)
        return origin.version is not None or origin.observed is not None

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
