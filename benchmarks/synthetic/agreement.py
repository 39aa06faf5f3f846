"""Whether two who share no code agree on every turn: the generator's ledger, and the executable meaning of the IR.

What is in force is compared, which uses name an entry that is not, and which entries contradict each other. What
follows by rules of other kinds, of trust, tasks and questions, has no second opinion here but counts by hand in tests.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations

from statemem.ir import Program, State, run
from statemem.ir.values import canonical, equal

from .dialogue import Dialogue
from .forms.program import program_of


def disagreements(dialogue: Dialogue) -> Iterator[str]:
    """Where they differ, turn by turn; in the arms of a fork nobody is asked."""
    for turn in dialogue.turns:
        if turn.arm is not None:
            continue
        before, now = (_in_force(dialogue.upto(number)) for number in (turn.number - 1, turn.number))
        booked = {one.id for one in dialogue.entries.values() if one.is_in_force_at(turn.number)}
        yield from _differing(f"in force at turn {turn.number}", booked, now)
        stale = _booked_stale(dialogue, turn.number)
        yield from _differing(f"stale uses at turn {turn.number}", stale, _stale(dialogue, turn.number, before))
    yield from _differing("contradictions", *_contradictions(dialogue))


def _differing(what: str, booked: set[str], executed: set[str]) -> Iterator[str]:
    if booked != executed:
        yield f"{what}: by the ledger alone {sorted(booked - executed)}, by execution alone {sorted(executed - booked)}"


def _contradictions(dialogue: Dialogue) -> tuple[set[str], set[str]]:
    """Those that the last question has, and the values that differ in one state at one cell."""
    last = (one for one in dialogue.questions if one.kind == "FlagConflict" and one.turn == dialogue.length)
    told: set[str] = set().union(*(one.answer for one in last))
    booked = {one for one in told if not _is_across(one, dialogue)}
    if dialogue.policy.authority is not None:
        return set(), set()  # a weaker source replaces what it contradicts
    return booked, {one for state in _executed(dialogue) for one in _contradicting(state)}


def _is_across(conflict: str, dialogue: Dialogue) -> bool:
    """Whether the sides come from two arms of a branch, of which no state has both."""
    arms = (dialogue.turns[dialogue.entries[one].turn - 1].arm for one in conflict.split(" against "))
    return all(arm is not None and arm.shape == "branch" for arm in arms)


def _contradicting(state: State) -> Iterator[str]:
    for cell in state.cells():
        there = sorted(state.in_force(cell), key=lambda one: int(one.id[1:]))
        differing = ((one, two) for one, two in combinations(there, 2) if not equal(one.value, two.value))
        yield from (f"{one.id} against {two.id}" for one, two in differing)


def _booked_stale(dialogue: Dialogue, turn: int) -> set[str]:
    found = (text for one in dialogue.questions if one.kind == "FlagStaleUse" for text in one.answer)
    return {text.partition(" ")[0] for text in found if text.endswith(f" at {turn}")}


def _stale(dialogue: Dialogue, turn: int, before: Iterable[str]) -> set[str]:
    """The entries that a turn reads by name, not made in it, of which nothing in force said the same when it began."""
    named = {one.was for act in dialogue.turns[turn - 1].instructions for one in act.reads() if one.was is not None}
    known = [dialogue.entries[one] for one in named.difference(before)]
    held = {(one.cell, canonical(one.value)) for one in map(dialogue.entries.__getitem__, before)}
    return {one.id for one in known if one.turn < turn and (one.cell, canonical(one.value)) not in held}


def _executed(dialogue: Dialogue) -> list[State]:
    """The states along some paths: of every branch the first arm is taken, or the second."""
    program = program_of(dialogue)
    return [run(program, _path(program, dialogue, taken)) for taken in (0, 1)]


def _path(program: Program, dialogue: Dialogue, taken: int) -> list[int]:
    left_out = {
        f"t{one.number}"
        for one in dialogue.turns
        if one.arm is not None and one.arm.shape == "branch" and one.arm.number != taken
    }
    return [number for number, block in enumerate(program.blocks) if block.name not in left_out]


def _in_force(dialogue: Dialogue) -> set[str]:
    """What is in force along some path."""
    states = _executed(dialogue)
    return {entry.id for state in states for cell in state.cells() for entry in state.in_force(cell)}
