"""`consistency`: cells that did not follow what they are declared to depend on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from statemem.ir import Cell, Definition, Program
from statemem.ir.entries import Entry

from ..aliases import Aliases
from ..framework import After, At, Before, BlockEnd, BlockStart, Derivation, Manager, Point, register
from ..framework.points import node_of
from ..reaching import Reaching
from .declared import Dependence, Dependences, dependences, parts
from .out_of_step import OutOfStep, Way, content


class Inconsistency(NamedTuple):
    """A cell that holds something and did not follow a change of a cell on which it depends.

    `change` is the instruction that made the change, `before` what was in force there then, `after` what it left, none
    where it deleted; `dependants` are the entries of the cell that are out of step. `where` is the end of the turn, or
    the point that was asked about. `surely` says that it is so on every path to there.
    """

    dependence: Dependence
    change: int
    before: tuple[Entry, ...]
    after: tuple[Entry, ...]
    dependants: tuple[Entry, ...]
    where: Point
    surely: bool


@register
class Consistency(Derivation):
    """Where a cell changes, and one that is declared to depend on it is not written, confirmed or deleted in the turn.

    Another value, a delete or an addition is a change, and so is the first value where the dependant holds something
    already; an equal value is none, nor is one that the turn takes back. From the end of that turn on the dependant is
    out of step, until it is written or confirmed: `open_at` tells where it still is.
    """

    needs = (Reaching,)

    def derive(self, program: Program, manager: Manager) -> list[Inconsistency]:
        """The findings in the order of their changes, each change of a dependence once."""
        known = dependences(manager.accesses)
        if not known.sources:
            return []
        found: dict[tuple[Dependence, int], Inconsistency] = {}
        changes = _changes(manager, known)
        for one, points, where in _judged(manager, known):
            for told in _begun(manager, known, changes, one, points, where):
                before = found.setdefault((one, told.change), told)
                if before.surely and not told.surely:
                    found[one, told.change] = before._replace(surely=False)
        return sorted(found.values(), key=lambda one: (one.change, one.dependence))

    def show(self, found: list[Inconsistency], program: Program) -> list[str]:
        """`order.total (e2) did not follow order.items: e1 -> e3`."""
        return [_shown(one) for one in found]


def open_at(manager: Manager, point: Point) -> list[Inconsistency]:
    """What is out of step at a point, the turns judged that are over there.

    >>> from statemem.ir import build
    >>> order = build().declare("total", "items").set("items", 2).set("total", 20).block().set("items", 3)
    >>> manager = Manager(order.block().set("total", 30).open())
    >>> [len(open_at(manager, BlockEnd(block))) for block in range(3)]
    [0, 1, 0]
    """
    known = dependences(manager.accesses)
    changes = _changes(manager, known) if known.sources else {}
    every = dict.fromkeys(one for those in known.dependants.values() for one in those)
    found = (told for one in every for told in _open(manager, known, changes, one, point))
    return sorted(found, key=lambda one: (one.change, one.dependence))


#: Of each change of a dependence what was there before and after, and the dependants in force.
Changes = dict[tuple[Dependence, int], tuple[set[Definition], set[Definition], set[Definition]]]


def _changes(manager: Manager, known: Dependences) -> Changes:
    found: Changes = {}
    for at, state in manager.solve(Reaching).walk():
        for write in () if at.number is None else manager.accesses.writes(at.number):
            for one in known.sources.get(write.place, ()):
                assert at.number is not None
                before, after, dependants = found.setdefault((one, at.number), (set(), set(), set()))
                before |= content(write.place, at, state).entries
                after |= set() if write.by.is_tombstone else {write.by}
                dependants |= _held(one.cell, at, state)
    return found


def _held(cell: Cell, at: At, state: object) -> set[Definition]:
    """The entries in force at a cell, under any of its names."""
    assert at.number is not None
    places = dict.fromkeys(place for place, _ in parts(cell, at.accesses.names(at.number), at.accesses.places))
    return {one for place in places for one in content(place, at, state).entries}


def _judged(manager: Manager, known: Dependences) -> Iterator[tuple[Dependence, list[Point], Point]]:
    """The dependences that each turn may have to do with, the points behind it, and its last."""
    flow = manager.graph.flow
    turns = {node: _turn(manager, known, node) for node in flow.order}
    spoken: dict[int, dict[Dependence, None]] = {}
    for node, turn in turns.items():
        for number in flow.executed(node):
            for write in manager.accesses.writes(number):
                spoken.setdefault(turn, {}).update(dict.fromkeys(known.sources.get(write.place, ())))
    for node, turn in turns.items():
        onward = [one for one in flow.successors[node] if turns[one] != turn or one == node]
        points = [_start(manager, one) for one in onward] if flow.successors[node] else [_end(manager, node)]
        for one in spoken.get(turn, ()) if points else ():
            yield one, points, _end(manager, node)


def _turn(manager: Manager, known: Dependences, node: int) -> int:
    flow = manager.graph.flow
    return ~flow.landings[node] if node in flow.landings else known.turns.of_block(node)


def _start(manager: Manager, node: int) -> Point:
    return Before(manager.graph.flow.executed(node).start) if node in manager.graph.flow.landings else BlockStart(node)


def _end(manager: Manager, node: int) -> Point:
    return After(manager.graph.flow.executed(node)[-1]) if node in manager.graph.flow.landings else BlockEnd(node)


def _begun(
    manager: Manager, known: Dependences, changes: Changes, one: Dependence, points: Iterable[Point], where: Point
) -> Iterator[Inconsistency]:
    """The changes of a turn that were not followed, from the ways at the points behind it."""
    turn = _turn(manager, known, node_of(where, manager.graph.flow))
    for point in points:
        outs = {end.out for way in manager.solve(OutOfStep).value(one, point) for end in way.closed()}
        for change in sorted(out for out in outs if out is not None and known.turns.of(out) == turn):
            before, after, dependants = (_entries(manager, those) for those in changes[one, change])
            yield Inconsistency(one, change, before, after, dependants, where, None not in outs)


def _open(
    manager: Manager, known: Dependences, changes: Changes, one: Dependence, point: Point
) -> Iterator[Inconsistency]:
    is_over, turn = _is_over(manager, known, point), _turn(manager, known, node_of(point, manager.graph.flow))
    ways: Iterable[Way] = manager.solve(OutOfStep).value(one, point)
    outs = {end.out for way in ways for end in (way.closed() if is_over or way.turn != turn else (way,))}
    for change in sorted(out for out in outs if out is not None):
        before, after, _ = (_entries(manager, those) for those in changes[one, change])
        yield Inconsistency(one, change, before, after, _standing(manager, one.cell, point), point, None not in outs)


def _is_over(manager: Manager, known: Dependences, point: Point) -> bool:
    """Whether what stands at a point of its own turn was left by a turn that is over: at its end, or come to again."""
    flow = manager.graph.flow
    node = node_of(point, flow)
    turn = _turn(manager, known, node)
    if _is(point, _end(manager, node)):
        return not any(_turn(manager, known, one) == turn for one in flow.successors[node] if one != node)
    is_start = isinstance(point, BlockStart) or _is(point, Before(flow.executed(node).start))
    return is_start and turn not in known.turns.shared


def _is(point: Point, other: Point) -> bool:
    """Whether two points are one; of different kinds they never are, though they are equal as tuples."""
    return type(point) is type(other) and point == other


def _standing(manager: Manager, cell: Cell, point: Point) -> tuple[Entry, ...]:
    """The entries in force at a cell at a point."""
    names, places = manager.solve(Aliases).fact(point), manager.accesses.places
    reaching, judge = manager.solve(Reaching), manager.accesses.judge
    own = dict.fromkeys(place for place, _ in parts(cell, names, places))
    return _entries(manager, (one for place in own for one in judge.in_force(reaching.value(place, point))))


def _entries(manager: Manager, definitions: Iterable[Definition]) -> tuple[Entry, ...]:
    keys = dict.fromkeys((one.instruction, one.leaf) for one in sorted(definitions) if not one.is_tombstone)
    return tuple(manager.program.entries_of(instruction)[leaf] for instruction, leaf in keys)


def _shown(one: Inconsistency) -> str:
    dependants, before, after = (_ids(those) for those in (one.dependants, one.before, one.after))
    perhaps = "" if one.surely else "perhaps "
    return f"{perhaps}{one.dependence.cell} ({dependants}) did not follow {one.dependence.on}: {before} -> {after}"


def _ids(entries: Iterable[Entry]) -> str:
    return " | ".join(entry.id for entry in entries) or "nothing"
