"""The four kinds of point at which a fact may be asked for, each distinct from the others."""

from __future__ import annotations

from typing import NamedTuple

from statemem.ir import ControlFlow, Program
from statemem.ir.flow.routes import path_to_end

from .errors import NoFact


class BlockStart(NamedTuple):
    """Before anything in a block."""

    block: int


class Before(NamedTuple):
    """Before an instruction."""

    instruction: int


class After(NamedTuple):
    """After an instruction."""

    instruction: int


class BlockEnd(NamedTuple):
    """After everything in a block, the end of its turn included."""

    block: int


Point = BlockStart | Before | After | BlockEnd


def node_of(point: Point, flow: ControlFlow) -> int:
    """The node of the control-flow graph a point lies in: a block, or the landing of a call."""
    return point.block if isinstance(point, (BlockStart, BlockEnd)) else flow.node_of(point.instruction)


def at_step(program: Program, step: int) -> BlockEnd | None:
    """The end of the last block of a step, or of the last one before it; None before the first.

    Of the blocks those are looked at that lead to where the log stands, back from there.
    """
    reached = (number for number in reversed(path_to_end(program)) if program.step_of(number) <= step)
    found = next(reached, None)
    return None if found is None else BlockEnd(found)


def at_event(program: Program, event: str) -> After:
    """The point after the last instruction that an event of the log led to. Raises `NoFact` where there is none."""
    numbers = range(len(program.instructions) - 1, -1, -1)
    found = next((number for number in numbers if program.instructions[number].origin.event == event), None)
    if found is None:
        raise NoFact(f"no instruction comes from an event {event!r}")
    return After(found)
