"""A test of the parser, no accuracy: whether the frontend of annotated dialogues gives the annotation back.

The frontend reads the state that the gold is read from, so that anything but full agreement is a fault of one of the
two readers.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from benchmarks.lowering.slots_found import states
from benchmarks.lowering.slots_log import Dialogue, Forms, Point, Slot, norm
from statemem.ir import Cell, Program, State
from statemem.ir.frontends.dialogue_state import DialogueState
from statemem.ir.frontends.reader import read


@dataclass
class Agreement:
    """Slot-turns in which the parsed state and the gold agree."""

    gold: int = 0
    right: int = 0
    surplus: int = 0


def agreement(dialogues: Iterable[Dialogue], records: Any) -> Agreement:
    """Compare the programs of annotated dialogues with the gold, in the same order."""
    found = Agreement()
    programs = DialogueState().lower(read(records, []), [])
    for dialogue, program in zip(dialogues, programs, strict=True):
        _compare(dialogue, program, found)
    return found


def _compare(dialogue: Dialogue, program: Program, found: Agreement) -> None:
    points = {point.turn + 1: point for point in dialogue.points}
    for block, state in states(program):
        step, last = program.step_of(block), block + 1 == len(program.blocks)
        if step in points and (last or program.step_of(block + 1) > step):
            _count(points[step], _held(state), found)


def _count(point: Point, held: dict[Slot, Forms], found: Agreement) -> None:
    right = sum(bool(forms & held.get(slot, frozenset())) for slot, forms in point.slots.items())
    found.gold += len(point.slots)
    found.right += right
    found.surplus += len(held.keys() - point.slots.keys())


def _held(state: State) -> dict[Slot, Forms]:
    """The slots in force: a service, a name, a plain value."""
    return {
        (cell.path[0].text, cell.path[1].text): frozenset(norm(entry.value) for entry in state.held(cell))
        for cell in state.cells()
        if _is_slot(cell)
    }


def _is_slot(cell: Cell) -> bool:
    return cell.scope.kind == "session" and len(cell.path) == 2 and cell.path[1].kind == "name"
