"""Which cells may not have followed the cells that they are declared to depend on, way by way."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product
from typing import Any, NamedTuple

from statemem.ir import Add, Cell, Definition, Instruction, Mode, Program
from statemem.ir.meaning.force import is_held
from statemem.ir.meaning.resolve import PlaceWrite, is_other

from ..framework import Analysis, At, MapOf, Powerset
from ..reaching import Reaching
from .declared import Dependence, dependences, parts


class Content(NamedTuple):
    """What may be in force at a place: entries, and whether it may be that there are none."""

    entries: frozenset[Definition]
    may_be_empty: bool


class Change(NamedTuple):
    """A place that a turn has changed, by which instruction first, and what was there before the turn."""

    place: Cell
    instruction: int
    before: Content


class Way(NamedTuple):
    """One way in which a dependence may stand: `out` is the change that was not followed, None while it is in step.

    `turn` is the last turn that did something to either cell, `perhaps` what it may have changed and `surely` what of
    that for sure, `touched` whether it wrote, confirmed or deleted the dependant. It is judged once the turn is over.
    """

    out: int | None = None
    surely: frozenset[Change] = frozenset()
    perhaps: frozenset[Change] = frozenset()
    touched: bool = False
    turn: int | None = None

    def closed(self) -> Iterator[Way]:
        """The ways in which it may stand once its turn is over."""
        if self.touched or not self.perhaps or self.out is not None:
            yield Way(self.out)
            return
        yield Way(min(one.instruction for one in self.surely or self.perhaps))
        if not self.surely:
            yield Way()

    def within(self, turn: int) -> Iterator[Way]:
        """The ways in a turn: with what that has done, or with nothing."""
        if self.turn == turn:
            yield self
        else:
            yield from (one._replace(turn=turn) for one in self.closed())


START = frozenset([Way()])


def _start(_: Dependence) -> frozenset[Way]:
    return START


class OutOfStep(Analysis):
    """The ways in which each declared dependence may stand.

    out = each way of in, moved on by writes of either cell. Turns are closed when the next one does something to the
    dependence, or when somebody looks, so that a block costs what it writes.
    """

    needs = (Reaching,)
    facts = MapOf(Powerset[Way](), _start)

    def boundary(self, program: Program) -> dict[Dependence, frozenset[Way]]:
        """Everything is in step."""
        return {}

    def transfer(self, instruction: Instruction, state: Any, at: At) -> None:
        """Writes of the cells that dependences speak of."""
        assert at.number is not None
        known = dependences(at.accesses)
        if not known.sources:
            return
        if known.turns.begins(at.number):
            _begin(at.number, state, at)
        for write in at.accesses.writes(at.number):
            for one in known.sources.get(write.place, ()):
                _happens(write, one, one.on, _changed, state, at)
            for one in known.dependants.get(write.place, ()):
                _happens(write, one, one.cell, _followed, state, at)

    def on_join(self, before: frozenset[Way], arms: Sequence[frozenset[Way]], at: At) -> frozenset[Way]:
        """Every arm was executed; arms that are one turn are judged together, of others any may have been the last."""
        return frozenset(one for way in before for went in product(*arms) for one in _together(way, went))

    def show(self, fact: Any) -> list[str]:
        """The dependences that may be out of step, had every turn ended."""
        told = ((one, [end.out for way in ways for end in way.closed()]) for one, ways in (fact or {}).items())
        return sorted(f"{one}: {sorted(set(outs), key=str)}" for one, outs in told if any(o is not None for o in outs))


def content(cell: Cell, at: At, reaching: Any) -> Content:
    """What may be in force at a place before an instruction; the names of one entity hold what all of them hold."""
    assert at.number is not None
    names, places = at.accesses.names(at.number), at.accesses.places
    group = [reaching[one.cell] for one in names.denoted(cell) if one.cell in places]
    entries = frozenset(one for one in at.judge.in_force_together(group) if not one.is_tombstone)
    return Content(entries, all(any(one.is_tombstone for one in at.judge.in_force(there)) for there in group))


def _begin(number: int, state: Any, at: At) -> None:
    """A block that control comes to again begins another turn."""
    known = dependences(at.accesses)
    turn = known.turns.of(number)
    if turn in known.turns.shared and not known.turns.may_come_again(at.block_number):
        return
    for one in _spoken_of(number, at):
        closed = frozenset(end for way in state[one] for end in (way.closed() if way.turn == turn else (way,)))
        state[one] = state[one] | closed if turn in known.turns.shared else closed


def _spoken_of(number: int, at: At) -> Iterable[Dependence]:
    """The dependences to which a block, or the way back from a call, may do something."""
    known, program = dependences(at.accesses), at.program
    numbers = program.executed(at.block_number)
    numbers = numbers if number in numbers else program.landed(at.block_number)
    cells = [write.place for one in numbers for write in at.accesses.writes(one)]
    return dict.fromkeys(
        one for cell in cells for one in (*known.sources.get(cell, ()), *known.dependants.get(cell, ()))
    )


Move = Callable[[Way, PlaceWrite, Dependence, bool, At], Iterable[Way]]


def _happens(write: PlaceWrite, one: Dependence, cell: Cell, move: Move, state: Any, at: At) -> None:
    """A write that may be one of a cell moves every way of a dependence on."""
    assert at.number is not None
    is_own = cell.overlaps(write.place) and not is_other(cell, write.place)
    names = at.accesses.names(at.number)
    told = [] if is_own else [sure for place, sure in parts(cell, names, at.accesses.places) if place == write.place]
    if not is_own and not told:
        return
    turn = dependences(at.accesses).turns.of(at.number)
    surely = write.definite and (is_own or any(told))
    begun = (one_turn for way in state[one] for one_turn in way.within(turn))
    moved = (after for way in begun for after in move(way, write, one, surely, at))
    state[one] = frozenset(way if way.touched or way.perhaps else Way(way.out) for way in moved)


def _changed(way: Way, write: PlaceWrite, one: Dependence, surely: bool, at: At) -> Iterator[Way]:
    """The source of a dependence is written: it may change, be as before, or become again what it was."""
    assert at.number is not None
    effects, held = _takes_effect(write, at), _holds(one.cell, at)
    record = next((change for change in way.perhaps if change.place == write.place), None)
    if write.mode is Mode.END or way.touched or True not in effects or (record is None and held is False):
        yield way
        return
    now = content(write.place, at, at.facts[Reaching])
    is_addition = record is not None and write.mode is Mode.EXTEND
    changes = {True} if is_addition else _changes(now if record is None else record.before, write, at)
    happens = surely and effects == {True}
    made = frozenset([record or Change(write.place, at.number, now)])
    perhaps = way.perhaps | made if True in changes else way.perhaps
    if happens and True not in changes:
        perhaps = way.perhaps - made
    sure = way.surely - made if False in changes else way.surely
    sure = sure | made if happens and False not in changes and held is True else sure
    yield way._replace(surely=sure, perhaps=perhaps)


def _followed(way: Way, write: PlaceWrite, one: Dependence, surely: bool, at: At) -> Iterator[Way]:
    """The dependant is written, confirmed or deleted; one that ends with its scope is nothing that could follow."""
    if write.mode is Mode.END:
        yield from (Way(),) if surely else (Way(), way)
        return
    effects = _takes_effect(write, at)
    if write.by.is_tombstone:  # what held nothing is not emptied by a whole that lacks it, or by a part beside it
        there = content(write.place, at, at.facts[Reaching])
        effects = effects | ({False} if there.may_be_empty else set()) if there.entries else {False}
    if False in effects or not surely:
        yield way
    if True in effects:
        yield Way(touched=True, turn=way.turn)


def _takes_effect(write: PlaceWrite, at: At) -> set[bool]:
    """Whether a write may come into force, and whether it may not."""
    assert at.number is not None
    reaching = at.facts[Reaching]
    if write.mode is Mode.FILL:
        reads = at.accesses.reads(at.number)
        held = is_held((one.definite, at.judge.in_force(reaching[one.place])) for one in reads)
        return {True, False} if held is None else {not held}
    stronger = at.judge.stronger(write.by, reaching[write.place]) if write.mode is not Mode.EXTEND else []
    if not stronger:
        return {True}
    return {False} if all(one.yields or one in stronger for one in reaching[write.place]) else {True, False}


def _changes(was: Content, write: PlaceWrite, at: At) -> set[bool]:
    """Whether what a write leaves may differ from what was there, and whether it may be the same."""
    if write.mode is Mode.EXTEND:
        adds_nothing = isinstance(at.instruction, Add) and at.instruction.value == 0
        return {True} if not adds_nothing or not was.entries else {False, was.may_be_empty}
    if write.by.is_tombstone:
        return {bool(was.entries), False} if was.may_be_empty else {True}
    equal = [at.judge.equal(one, write.by) for one in was.entries]
    found = {True} if was.may_be_empty or not all(equal) else set[bool]()
    return found | ({False} if any(equal) else set())


def _holds(cell: Cell, at: At) -> bool | None:
    """Whether something is in force at a cell: surely, surely not, or perhaps."""
    assert at.number is not None
    own = parts(cell, at.accesses.names(at.number), at.accesses.places)
    return is_held((sure, at.judge.in_force(at.facts[Reaching][place])) for place, sure in own)


def _together(before: Way, arms: Sequence[Way]) -> Iterator[Way]:
    """The ways behind a fork in which each arm went its own."""
    moved = [one for one in arms if one != before]
    if len(set(moved)) < 2:
        yield moved[0] if moved else before
        return
    turn = moved[0].turn
    outs = {before.out} if before.turn == turn else {one.out for one in before.closed()}
    for out in outs:
        if turn is not None and all(_is_of(one, turn, out) for one in moved):
            yield _one_turn(moved, out, turn)
        else:
            yield from {end for one in moved for end in one.closed()}


def _one_turn(arms: Sequence[Way], out: int | None, turn: int) -> Way:
    """What arms of one turn did together."""
    if any(one.touched for one in arms):
        return Way(touched=True, turn=turn)
    surely = frozenset(change for one in arms for change in one.surely)
    return Way(out, surely, frozenset(change for one in arms for change in one.perhaps), turn=turn)


def _is_of(way: Way, turn: int, out: int | None) -> bool:
    """Whether all that an arm did lies in one turn."""
    return way.turn == turn and (way.touched or way.out == out)
