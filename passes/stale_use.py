"""`stale_use`: the agent acted on a value that was no longer in force."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from statemem.ir import Definition, Program
from statemem.ir.force import Unranked
from statemem.ir.program import Entry

from .endings import Ending, Endings
from .framework import At, Derivation, Manager, register
from .reaching import Reaching, read_in_force


class StaleUse(NamedTuple):
    """A read that names an entry which is not in force there on any path.

    `entry` is the one it names, `ended` what took that out of force (None where it was outranked when it came), and
    `instead` the entries in force that the step should have used.
    """

    instruction: int
    read: int
    entry: Entry
    ended: Ending | None
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
            if at.number is not None and not at.actor.is_tool:
                for use in _stale(at, state, endings):
                    found.setdefault((at.block_number, use.entry.id), use)
        return list(found.values())

    def show(self, found: list[StaleUse], program: Program) -> list[str]:
        """`step 17: e3 replaced by e6`."""
        return [f"step {_step(program, use.instruction)}: {_fate(program, use)}" for use in found]


def _step(program: Program, instruction: int) -> int:
    return program.step_of(program.block_of(instruction))


def _fate(program: Program, use: StaleUse) -> str:
    if use.ended is None:
        return f"{use.entry.id} outranked when it came"
    return f"{use.entry.id} {use.ended.how.value} by {program.instructions[use.ended.by.instruction].id}"


def _stale(at: At, state: Any, endings: dict[tuple[int, int], list[Ending]]) -> Iterator[StaleUse]:
    assert at.number is not None
    for number, read in enumerate(at.program.instructions[at.number].reads()):
        named = [] if read.was is None else at.program.named(read.was)
        if not named or named[0].instruction >= at.number or _reaches_unranked(at, state, number, named):
            continue
        in_force = read_in_force(at.accesses, at.number, number, state)
        keys = {(entry.instruction, entry.leaf) for entry in named}
        if not in_force or any((one.instruction, one.leaf) in keys for one in in_force):
            continue
        ended = _latest(endings.get((named[0].instruction, named[0].leaf), ()), at.number)
        instead = (at.program.entry_of(one) for one in sorted(in_force))
        yield StaleUse(at.number, number, named[0], ended, tuple(one for one in instead if one is not None))


def _reaches_unranked(at: At, state: Any, number: int, named: list[Entry]) -> bool:
    """The plain case, told without judging all sources of a fact: one of the entries stands there among its equals."""
    assert at.number is not None
    places = [found.place for found in at.accesses.reads(at.number) if found.read == number]
    return any(
        isinstance(state[place], Unranked) and Definition(entry.instruction, entry.leaf, place) in state[place]
        for place in places
        for entry in named
    )


def _latest(endings: Any, number: int) -> Ending | None:
    before = [ending for ending in endings if ending.by.instruction < number]
    return before[-1] if before else None
