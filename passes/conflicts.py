"""`conflicts`: facts that contradict each other for a reason that later does not simply win."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, product
from typing import Any, NamedTuple

from statemem.ir import Add, Append, Cell, Definition, Fork, How, Mode, Program, Reference, Same
from statemem.ir.meaning.force import Definitions, Judge, Unranked
from statemem.ir.meaning.names import UNBOUND, Names
from statemem.ir.meaning.resolve import renames
from statemem.ir.origin import Authority
from statemem.ir.values import canonical

from .collection.in_force import names_at
from .framework import At, BlockEnd, Derivation, Manager, register
from .framework.accesses import uses_names
from .reaching import Reaching


class Rule(enum.Enum):
    """Why two facts conflict."""

    VERSION = "equal version, different content"
    SAME = "two names of one entity, different values"
    BRANCHES = "different values reach one use along different branches"
    RACE = "two arms of a fork wrote it and did not see each other"
    AUTHORITY = "a weaker source came later than a stronger one and differs"
    ALIAS = "it is not sure that both speak of one entity"


class Conflict(NamedTuple):
    """Two definitions that contradict each other, where that was first so, and the rule.

    One side of a race may be a tombstone: one arm deleted what the other wrote.
    """

    left: Definition
    right: Definition
    instruction: int
    rule: Rule


#: By the two sides: entries wherever they stand, what was emptied by its place.
Pairs = dict[frozenset[object], Conflict]


@register
class Conflicts(Derivation):
    """Pairs of definitions that contradict each other, with the rule.

    Equal value is a confirmation, a later value that is not outranked an update; a conflict needs a reason why later
    does not win. Two of one place that state the same version and different content; two under two names of what is one
    entity, or may be; two that reach one use along different branches, neither of which saw the other; two that arms of
    a fork wrote; one written through a reference that may have meant another entity, and what it may have replaced;
    with `authority`, a later one of a weaker source. Whether a pair is still open at a point is asked of what is in
    force there.
    """

    needs = (Reaching,)
    authority: Authority | None = None

    def derive(self, program: Program, manager: Manager) -> list[Conflict]:
        """The conflicts in the order in which they arise, each pair once."""
        found: Pairs = {}
        met = _Met(program, manager)
        named, strict = uses_names(program), Judge(program, self.authority) if self.authority else None
        for at, state in manager.solve(Reaching).walk():
            arising = [] if at.number is None else list(_versions(at, state))
            arising += _names(at, state, manager) if named else ()
            arising += _weaker(at, state, strict) if strict is not None and at.number is not None else ()
            _add(found, arising)
            met.look(at, state)
        arms = [pair for forked in _forks(program, manager) for pair in combinations(forked, 2)]
        _add(found, _races(arms, program, manager.accesses.judge))
        _add(found, (one for one in met.conflicts() if not any(_are_across(one, *pair) for pair in arms)))
        return sorted(found.values(), key=lambda one: one.instruction)

    def show(self, found: list[Conflict], program: Program) -> list[str]:
        """`e3 against e6: equal version, different content`."""
        return [f"{_id(program, one.left)} against {_id(program, one.right)}: {one.rule.value}" for one in found]


def _add(found: Pairs, arising: Iterable[Conflict]) -> None:
    for one in arising:
        found.setdefault(frozenset(side if side.is_tombstone else side[:2] for side in (one.left, one.right)), one)


def _id(program: Program, definition: Definition) -> str:
    entry = program.entry_of(definition)
    if entry is not None:
        return entry.id
    own = program.instructions[definition.instruction].id if definition.instruction >= 0 else None
    return f"what {own} emptied" if own else "an emptied cell"


def _versions(at: At, state: Any) -> Iterator[Conflict]:
    """A write that meets an entry of its own version and another value."""
    assert at.number is not None
    for write in at.accesses.writes(at.number):
        if write.mode is Mode.REPLACE and at.program.instructions[at.number].origin.version is not None:
            for old in at.judge.in_force(state[write.place]):
                if at.judge.contradicts(old, write.by):
                    yield Conflict(old, write.by, at.number, Rule.VERSION)


def _weaker(at: At, state: Any, strict: Judge) -> Iterator[Conflict]:
    """A write that would replace an entry, were it not of less authority."""
    assert at.number is not None
    for write in at.accesses.writes(at.number):
        if write.mode is Mode.REPLACE and not write.made.is_tombstone:
            for old in sorted(at.judge.in_force(state[write.place])):
                is_update = _are_constants(at, old, write.by) and not at.judge.outranks(old, write.by)
                if is_update and strict.outranks(old, write.by):
                    yield Conflict(old, write.by, at.number, Rule.AUTHORITY)


def _are_constants(at: At, *definitions: Definition) -> bool:
    return all(_is_constant(one, at.program, at.judge) for one in definitions)


def _is_constant(one: Definition, program: Program, judge: Judge) -> bool:
    """Whether a definition states a value of its own that is known; what nobody knows differs from nothing."""
    entry = program.entry_of(one)
    return entry is not None and judge.statement(one) == canonical(entry.value)


def _names(at: At, state: Any, manager: Manager) -> Iterator[Conflict]:
    """Facts in force under two names of one entity that differ, as the instruction before left them."""
    executed = at.program.executed(at.block_number)
    number = executed.stop - 1 if at.number is None else at.number
    if number < 0:
        return
    names = _names_before(at, executed, manager)
    for place in _touched(at, executed, names, manager) if names.may_be_one else ():
        for part in (place, *names.united_below(place)):
            others = [target for target in names.denoted(part) if not target.own]
            sure = {place, *(target.cell for target in others if target.definite)}
            for one, two in combinations(_stated(at, state, [place, *(target.cell for target in others)]), 2):
                if one.cell != two.cell and not at.judge.equal(one, two):
                    is_sure = {one.cell, two.cell} <= sure or names.are_one(one.cell, two.cell)
                    yield Conflict(one, two, number, Rule.SAME if is_sure else Rule.ALIAS)


def _names_before(at: At, executed: range, manager: Manager) -> Names:
    """What is known of names before an instruction, or behind the last one of a block."""
    if at.number is not None:
        return at.accesses.names(at.number)
    if not executed:
        return names_at(manager, BlockEnd(at.node))
    return renames(at.program.instructions[executed.stop - 1], at.accesses.names(executed.stop - 1))


def _touched(at: At, executed: range, names: Names, manager: Manager) -> Iterable[Cell]:
    """The places of which something may have changed: all with several names where ways meet, else what was written."""
    before = executed.stop - 1 if at.number is None else at.number - 1
    if before not in executed:
        meet = len(manager.graph.flow.predecessors[at.node]) != 1 or not at.program.is_trace
        united = {cell for pair in names.may_be_one for cell in pair} if meet else ()
        return _places(at, united)
    instruction = at.program.instructions[before]
    if isinstance(instruction, Same):
        return _places(at, (target.cell for target in names.denoted(instruction.left)))
    return [write.place for write in at.accesses.writes(before)]


def _places(at: At, entities: Iterable[Cell]) -> list[Cell]:
    """The places at, above and below some entities."""
    return sorted({place for entity in entities for place in at.accesses.places.overlapping(entity)})


def _stated(at: At, state: Any, places: Iterable[Cell]) -> list[Definition]:
    """The definitions in force at the places taken together that state a value of their own."""
    found = at.judge.in_force_together([state[place] for place in places])
    extended = (Add, Append)
    return sorted(
        one
        for one in found
        if not one.is_tombstone and not isinstance(at.program.instructions[one.instruction], extended)
    )


class _Met:
    """Pairs of different values that meet in one use, and which definitions each write saw before it.

    A pair of which one saw the other is an update, on whichever path; of a pair of which neither did, each came along a
    branch of its own. A write through a reference that may point elsewhere replaces nothing for sure.
    """

    def __init__(self, program: Program, manager: Manager) -> None:
        self._program = program
        self._judge: Judge = manager.accesses.judge
        self._branches = any(len(before) > 1 for before in manager.graph.flow.predecessors)
        self._refers = any(isinstance(w.place, Reference) for one in program.instructions for w in one.writes())
        self._names = manager.accesses.names
        self._before: dict[tuple[int, Cell], Definitions] = {}
        self._pairs: dict[tuple[Definition, Definition], int] = {}

    def look(self, at: At, state: Any) -> None:
        """Take down what meets before an instruction; nothing does where control and names are plain."""
        if at.number is None or not (self._branches or self._refers):
            return
        for write in at.accesses.writes(at.number):
            self._before[at.number, write.place] = state[write.place]
        for read in at.accesses.reads(at.number):
            if read.how is How.USED and getattr(state[read.place], "statement", None) is None:
                for pair in combinations(self._values(state[read.place]), 2):
                    self._pairs.setdefault(pair, at.number)

    def conflicts(self) -> Iterator[Conflict]:
        """The pairs that are no updates."""
        for (one, two), number in self._pairs.items():
            if self._judge.equal(one, two):
                continue
            if not (self._saw(one, two) or self._saw(two, one)):
                yield Conflict(one, two, number, Rule.BRANCHES)
            elif self._is_unsure(one) or self._is_unsure(two):
                yield Conflict(one, two, number, Rule.ALIAS)

    def _values(self, reaching: Definitions) -> list[Definition]:
        """The known values in force, those aside that only add to others; none where all of them are equal."""
        there = reaching if isinstance(reaching, Unranked) else self._judge.in_force(reaching)
        found = sorted(one for one in there if _is_constant(one, self._program, self._judge))
        return found if len({self._judge.statement(one) for one in found}) > 1 else []

    def _saw(self, later: Definition, earlier: Definition) -> bool:
        return earlier in self._before.get((later.instruction, later.cell), ())

    def _is_unsure(self, one: Definition) -> bool:
        """Whether a definition was written through a reference that may have meant another entity."""
        (write,) = self._program.instructions[one.instruction].writes()
        if not isinstance(write.place, Reference):
            return False
        return len(self._names(one.instruction).references.get(write.place.name, UNBOUND)) > 1


def _forks(program: Program, manager: Manager) -> Iterator[list[_Arm]]:
    """The arms of each fork that is reached."""
    reached = manager.graph.segments
    for node in manager.graph.reached:
        terminator = program.blocks[manager.graph.flow.block_of(node)].terminator
        join = program.block_named(terminator.join) if isinstance(terminator, Fork) else None
        if isinstance(terminator, Fork) and join is not None and join in reached:
            starts = [start for start in map(program.block_named, terminator.arms) if start is not None]
            yield [_Arm(manager, start, join) for start in starts if start != join]


class _Arm:
    """The blocks of one arm of a fork, and what they wrote that reaches its end."""

    def __init__(self, manager: Manager, start: int, join: int) -> None:
        flow, solution = manager.graph.flow, manager.solve(Reaching)
        nodes = [start]
        for node in nodes:
            nodes += [one for one in dict.fromkeys(flow.successors[node]) if one != join and one not in nodes]
        self.numbers = {number for node in nodes for number in flow.executed(node)}
        self.made: dict[Cell, set[Definition]] = {}
        for node in nodes:
            if join in flow.successors[node] and node in manager.graph.segments:
                for cell, there in solution.fact(BlockEnd(node)).items():
                    self.made.setdefault(cell, set()).update(one for one in there if one.instruction in self.numbers)


def _races(arms: Iterable[tuple[_Arm, _Arm]], program: Program, judge: Judge) -> Iterator[Conflict]:
    """What two arms of one fork wrote at one place and left in force, so that their order would tell."""
    for left, right in arms:
        for cell in (cell for cell in left.made if cell in right.made):
            for one, two in product(sorted(left.made[cell]), sorted(right.made[cell])):
                if _is_race(one, two, program, judge):
                    yield Conflict(one, two, max(one.instruction, two.instruction), Rule.RACE)


def _are_across(conflict: Conflict, left: _Arm, right: _Arm) -> bool:
    """Whether the sides come from two arms of one fork, both of which were executed: that is a race or none."""
    one, two = conflict.left.instruction, conflict.right.instruction
    return (one in left.numbers and two in right.numbers) or (one in right.numbers and two in left.numbers)


def _is_race(one: Definition, two: Definition, program: Program, judge: Judge) -> bool:
    """Whether the order of two writes would tell; two that only add, delete or say the same may come in any."""
    sides: Sequence[Definition] = (one, two)
    if one == two or any(side.yields for side in sides) or all(side.is_tombstone for side in sides):
        return False
    if judge.equal(one, two) or judge.outranks(one, two) or judge.outranks(two, one):
        return False
    return not all(isinstance(program.instructions[side.instruction], (Append, Add)) for side in sides)
