"""What a write takes from conclusions, and what it gives them: the facts that leave force, and one more source."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import nullcontext
from typing import Any

from statemem.ir import Cell, Definition, Mode
from statemem.ir.meaning.force import Definitions, Unranked, is_held
from statemem.ir.meaning.resolve import PlaceWrite

from ..framework import At
from ..reaching import Reaching
from .facts import ABSENT, NOTHING, Broken, Clause, Fact, Gone, Kept, Key, Link, Readers, Sources, Telling


def write_at(write: PlaceWrite, before: Definitions, state: Any, at: At) -> None:
    """What one write ends, and what it states."""
    if write.mode is Mode.FILL:
        _fill(write, state, at)
        return
    is_certain = write.definite
    if write.mode not in (Mode.EXTEND, Mode.END):
        comes = write.made in at.judge.after(before, write)
        stronger = [] if comes and at.accesses.is_unranked() else at.judge.stronger(write.by, before)
        if not comes and all(one.yields or one in stronger for one in before):
            _keep_out(write, stronger, state, at)
            return
        is_certain = is_certain and not stronger
    with nullcontext() if is_certain else state.maybe():
        _end(write, before, state, at)
        _state(write, state, at)


def _fill(write: PlaceWrite, state: Any, at: At) -> None:
    """Where something may stand already, a fill states only what it may; it ends nothing."""
    assert at.number is not None
    reads = ((read.definite, _others(at.facts[Reaching][read.place], at)) for read in at.accesses.reads(at.number))
    held = is_held(reads)
    if held or write.made.is_tombstone:
        return
    with nullcontext() if held is False and write.definite else state.maybe():
        fact = Fact(write.place, at.judge.statement(write.made))
        if isinstance(state[fact], Sources):
            state[fact] = state[fact].stated(_key(write.made), fills=True)


def _others(there: Iterable[Definition], at: At) -> list[Definition]:
    """What stands at a place that is not of the instruction itself, which fills all of its fields at once."""
    return [one for one in there if one.instruction != at.number and not one.yields]


def _keep_out(write: PlaceWrite, stronger: list[Definition], state: Any, at: At) -> None:
    """An outranked entry is history from the first: who names it names what is not in force."""
    if not write.made.is_tombstone and stronger:
        gone = Gone(write.made)
        with nullcontext() if write.definite else state.maybe():
            state[gone] = state[gone] | {broken_by(write.made, stronger[-1].instruction, at)}


def _end(write: PlaceWrite, before: Definitions, state: Any, at: At) -> None:
    """The entries that a write takes out of force, and the facts that nothing states any more."""
    if write.mode is Mode.EXTEND:
        return
    ended, kept = _ended(write, before, at)
    broken: dict[object, Broken] = {}
    for one in ended:
        told = broken_by(one, write.by.instruction, at)
        state[Gone(one)] = state[Gone(one)] | {told}
        broken.setdefault(at.judge.statement(one), told)
    gone = {statement: told for statement, told in broken.items() if statement not in kept}
    if gone:
        _close(write, gone, state, at)


def _ended(write: PlaceWrite, before: Definitions, at: At) -> tuple[list[Definition], set[object]]:
    """The entries in force that leave, in order, and what the others state."""
    judge = at.judge
    is_value = write.mode is not Mode.END and not write.by.is_tombstone
    if is_value and isinstance(before, Unranked) and before.statement == judge.statement(write.by):
        return [], set()
    there = sorted(one for one in judge.in_force(before) if not one.is_tombstone)
    stays = {
        one
        for one in there
        if write.mode is not Mode.END and (judge.survives(one, write.by) or judge.outranks(one, write.by))
    }
    return [one for one in there if one not in stays], set(map(judge.statement, stays))


def _close(write: PlaceWrite, gone: dict[object, Broken], state: Any, at: At) -> None:
    """Facts leave force: who read them keeps their sources, and has lost a premise unless that was its own write."""
    groups, left = Readers(write.place, -1), set()
    for group in state[groups]:
        readers = Readers(write.place, group)
        for link in state[readers]:
            is_change = write.mode is not Mode.END and link.reader != write.by.instruction
            _lose(link, write.place, gone if is_change else dict.fromkeys(gone), state)
        state[readers] = frozenset(link for link in state[readers] if _reads(state[link], write.place))
        left |= {group} if state[readers] else set()
    state[groups] = frozenset(left)
    for statement in gone:
        state[Fact(write.place, statement)] = ABSENT


def _lose(link: Link, place: Cell, gone: Mapping[object, Broken | None], state: Any) -> None:
    """Of one conclusion the facts that end; each is broken where it is told by what."""
    clauses: set[Clause] = set()
    for clause in state[link]:
        ending = [one for one in clause if isinstance(one, Fact) and one.place == place and one.statement in gone]
        for one in ending:
            kept, broken = Kept(link.reader, one), gone[one.statement]
            state[kept] = Telling().join(state[kept], state[one])
            clauses |= {frozenset([broken])} if broken is not None else set()
        clauses.add(clause.difference(ending).union(Kept(link.reader, one) for one in ending))
    state[link] = frozenset(clauses)


def _reads(clauses: Iterable[Clause], place: Cell) -> bool:
    return any(isinstance(one, Fact) and one.place == place for clause in clauses for one in clause)


def _state(write: PlaceWrite, state: Any, at: At) -> None:
    """A write is one more source of what it states; under a second name only of a fact that stands there."""
    if write.by.is_tombstone:
        return
    is_own = not write.made.is_tombstone
    fact = Fact(write.place, at.judge.statement(write.by))
    if is_own and state[Gone(write.made)]:
        state[Gone(write.made)] = NOTHING
    if isinstance(state[fact], Sources):
        state[fact] = state[fact].stated(_key(write.by), confirms=not is_own)


def _key(definition: Definition) -> Key:
    return definition.instruction, definition.leaf


def broken_by(premise: Definition, by: int, at: At) -> Broken:
    """That an instruction ended an entry, or kept it out."""
    return Broken(_key(premise), premise.cell, by, at.program.instructions[by].id or f"#{by}")
