"""A dialogue as a program of the IR, one block a turn."""

from __future__ import annotations

from itertools import groupby

from statemem.ir import Actor, Block, Fork, Goto, Program, Scope
from statemem.ir.terminators import OPEN, Branch, Terminator
from statemem.ir.terminators import Arm as BranchArm

from ..dialogue import SESSION, USER, Dialogue, Turn


def program_of(dialogue: Dialogue) -> Program:
    """The program of a dialogue, with all that only a program can say."""
    program = Program(dialogue.name, SESSION)
    program.add_scope(USER)
    program.add_scope(SESSION, USER)
    for declaration in dialogue.declarations:
        program.declare(declaration)
    for _, group in groupby(dialogue.turns, key=lambda turn: turn.arm and turn.arm.fork):
        _add(program, list(group))
    return program


def _add(program: Program, turns: list[Turn]) -> None:
    """Turns that follow one another, or all arms of one fork: these end in a block that joins them."""
    if turns[0].arm is None:
        for turn in turns:
            program.extend(_block(program, turn, OPEN))
        return
    before = program.current_end
    assert before is not None, "a fork has a turn before it"
    arms = [list(arm) for _, arm in groupby(turns, key=lambda turn: turn.arm and turn.arm.number)]
    join = f"join{turns[-1].number}"
    program.set_terminator(before, _parting(turns[0], [f"t{arm[0].number}" for arm in arms], join))
    for arm in arms:
        following = [*(f"t{turn.number}" for turn in arm[1:]), join]
        for turn, then in zip(arm, following, strict=True):
            program.append(_block(program, turn, Goto(then)))
    program.append(Block(join, step=turns[-1].number))


def _parting(turn: Turn, arms: list[str], join: str) -> Terminator:
    assert turn.arm is not None
    return Fork(tuple(arms), join) if turn.arm.shape == "fork" else Branch(tuple(map(BranchArm, arms)))


def _block(program: Program, turn: Turn, then: Terminator) -> Block:
    kind, _, who = turn.actor.partition(":")
    if turn.task is not None:
        program.add_scope(Scope("task", turn.task), SESSION)
    return Block(f"t{turn.number}", Actor(kind, who), turn.number, turn.task, turn.instructions, then)
