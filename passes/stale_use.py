"""`stale_use`: the agent acted on a value that was no longer in force."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from statemem.ir import Cell, Definition, Derive, Program
from statemem.ir.entries import Entry
from statemem.ir.meaning.force import Unranked

from .endings import Ending, Endings
from .framework import At, Derivation, Manager, register
from .reaching import Reaching, read_in_force


class StaleUse(NamedTuple):
    """A read that names an entry which is not in force there on any path.

    `entry` is the one it names and `cell` where that stood, `ended` what took it out of force or kept it out, and
    `instead` the entries in force that the step should have used.
    """

    instruction: int
    read: int
    entry: Entry
    cell: Cell
    ended: Ending
    instead: tuple[Entry, ...]


@register
class StaleUses(Derivation):
    """Uses of an entry that is not in force where it is used: the agent acted on an old value.

    One a block and entry. What a tool answers rests on what it was asked with: there the fault is the call's.
    """

    name = "stale_use"
    needs = (Reaching, Endings)

    def derive(self, program: Program, manager: Manager) -> list[StaleUse]:
        """The stale uses in the order of the program."""
        endings = manager.result(Endings)
        found: dict[tuple[int, str], StaleUse] = {}
        for at, state in manager.solve(Reaching).walk():
            if at.number is not None and not _is_answer(at):
                for use in _stale(at, state, endings):
                    found.setdefault((at.block_number, use.entry.id), use)
        return list(found.values())

    def show(self, found: list[StaleUse], program: Program) -> list[str]:
        """`step 17: e3 replaced by e6`."""
        return [f"step {_step(program, use.instruction)}: {_fate(program, use)}" for use in found]


def _step(program: Program, instruction: int) -> int:
    return program.step_of(program.block_of(instruction))


def _fate(program: Program, use: StaleUse) -> str:
    return f"{use.entry.id} {use.ended.how.value} by {program.instructions[use.ended.by.instruction].id}"


def _is_answer(at: At) -> bool:
    """Whether this is a tool's result, which rests on what the tool was asked with."""
    return at.actor.is_tool and isinstance(at.instruction, Derive)


def _stale(at: At, state: Any, endings: dict[tuple[int, int], list[Ending]]) -> Iterator[StaleUse]:
    assert at.number is not None
    for number, read in enumerate(at.program.instructions[at.number].reads()):
        named = [] if read.was is None else at.program.named(read.was)
        if not named or named[0].instruction >= at.number or _reaches_unranked(at, state, number, named):
            continue
        in_force = read_in_force(at.accesses, at.number, number, state)
        keys = {(entry.instruction, entry.leaf) for entry in named}
        if _is_restated(at, named, in_force):
            continue
        ended = _first_ended(at, number, named, endings)
        if ended is not None and not any((one.instruction, one.leaf) in keys for one in in_force):
            instead = (at.program.entry_of(one) for one in sorted(in_force))
            found = tuple(one for one in instead if one is not None)
            yield StaleUse(at.number, number, _entry(at, ended), ended.entry.cell, ended, found)


def _is_restated(at: At, named: list[Entry], in_force: Iterable[Definition]) -> bool:
    """Whether what is in force there states what one of the entries does: whoever used that used no old value."""
    return any(
        at.judge.equal(one, Definition(entry.instruction, entry.leaf, one.cell))
        for one in in_force
        for entry in named
        if entry.cell.path[-1:] == one.cell.path[-1:]
    )


def _entry(at: At, ended: Ending) -> Entry:
    """The entry that ended."""
    return at.program.entries_of(ended.entry.instruction)[ended.entry.leaf]


def _first_ended(
    at: At, number: int, named: list[Entry], endings: dict[tuple[int, int], list[Ending]]
) -> Ending | None:
    """What ended the first of the leaves of an entry that a read is about."""
    known = (_ended_before(at, number, endings.get((one.instruction, one.leaf), ())) for one in named)
    return next((one for one in known if one is not None), None)


def _ended_before(at: At, number: int, endings: Sequence[Ending]) -> Ending | None:
    """What ended an entry at a place that is read, before this turn: what a turn reads it reads before it writes."""
    assert at.number is not None
    begin = at.program.executed(at.block_number).start
    places = {found.place for found in at.accesses.reads(at.number) if found.read == number}
    before = [one for one in endings if one.by.instruction < begin and one.entry.cell in places]
    return before[-1] if before else None


def _reaches_unranked(at: At, state: Any, number: int, named: list[Entry]) -> bool:
    """The plain case, told without judging all sources of a fact: one of the entries stands there among its equals."""
    assert at.number is not None
    places = [found.place for found in at.accesses.reads(at.number) if found.read == number]
    return any(
        isinstance(state[place], Unranked) and Definition(entry.instruction, entry.leaf, place) in state[place]
        for place in places
        for entry in named
    )
