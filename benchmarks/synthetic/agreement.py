"""Whether two who share no code agree on every turn: the generator's ledger, and the executable meaning of the IR."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from statemem.ir import Program, run

from .dialogue import Dialogue
from .forms.program import program_of


def disagreements(dialogue: Dialogue, turns: Iterable[int] | None = None) -> Iterator[str]:
    """Where they differ in what is in force, at every turn by default; in the arms of a fork nobody is asked."""
    asked = [one.number for one in dialogue.turns] if turns is None else turns
    for number in asked:
        if dialogue.turns[number - 1].arm is not None:
            continue
        booked = {one.id for one in dialogue.entries.values() if one.is_in_force_at(number)}
        executed = _executed(dialogue.upto(number))
        if booked != executed:
            alone = f"by the ledger alone {sorted(booked - executed)}, by execution alone {sorted(executed - booked)}"
            yield f"{dialogue.name} at turn {number}: in force {alone}"


def _executed(dialogue: Dialogue) -> set[str]:
    """What is in force along some path: of every branch the first arm is taken, or the second."""
    program = program_of(dialogue)
    return {one for taken in (0, 1) for one in _in_force(program, _path(program, dialogue, taken))}


def _path(program: Program, dialogue: Dialogue, taken: int) -> list[int]:
    left_out = {
        f"t{one.number}"
        for one in dialogue.turns
        if one.arm is not None and one.arm.shape == "branch" and one.arm.number != taken
    }
    return [number for number, block in enumerate(program.blocks) if block.name not in left_out]


def _in_force(program: Program, path: list[int]) -> set[str]:
    state = run(program, path)
    return {entry.id for cell in state.cells() for entry in state.in_force(cell)}
