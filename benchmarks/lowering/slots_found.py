"""What the product makes of a plain log: the values that a person said or a call was given, and where they rest.

A value is *in force* while an entry in force at the cell it rests on states it.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.lowering.slots_log import Dialogue, norm
from statemem import lower
from statemem.ir import Cell, Program, Set, State, Use
from statemem.ir.meaning.resolve import universe
from statemem.ir.state import execute_block
from statemem.ir.values import Value

SAID, FORM = "6 said", "5 form"


@dataclass(frozen=True)
class Found:
    """A value that was said, or that an argument of a call had; `tool` is empty for what was said."""

    tool: str
    name: str
    value: str
    cell: Cell
    message: int
    linked: bool


def lowered(dialogue: Dialogue, domain: Path | None = None) -> Program:
    """The program of the log: a block a message."""
    program = lower(dialogue.as_record(), format="openai", domain=domain)
    assert len(program.blocks) == len(dialogue.messages), "a message is no block"
    return program


def found_in(program: Program, dialogue: Dialogue, block: int) -> Iterator[Found]:
    """What one message said or gave to a call; where calls fill in a form, what they were given rests there."""
    arguments = _arguments(dialogue, block)
    slots = dict(_slots(program, block))
    linked: set[str] = set()
    for _, instruction in program.numbered(block):
        if isinstance(instruction, Use) and instruction.purpose in arguments:
            linked.add(instruction.purpose)
            if not slots:
                yield _linked(instruction, arguments[instruction.purpose], block)
        elif isinstance(instruction, Set) and isinstance(instruction.target, Cell):
            if instruction.origin.rule == SAID:
                kind = instruction.target.path[0].text
                yield Found("", kind, norm(instruction.value), instruction.target, block, linked=False)
            elif arguments and not slots:
                tool, name = _split(next(iter(arguments)))[0], instruction.target.path[-1].text
                yield Found(tool, name, norm(instruction.value), instruction.target, block, linked=False)
    for purpose, value in arguments.items() if slots else ():
        tool, name = _split(purpose)
        yield Found(tool, name, norm(value), slots[name], block, linked=purpose in linked)


def _linked(use: Use, value: Value, block: int) -> Found:
    tool, name = _split(use.purpose or "")
    cell = use.operands[0].place
    assert isinstance(cell, Cell)
    return Found(tool, name, norm(value), cell, block, linked=True)


def _slots(program: Program, block: int) -> Iterator[tuple[str, Cell]]:
    """The slots of a form that a message fills in, by the names of the arguments."""
    for number, instruction in program.numbered(block):
        for entry in program.entries_of(number) if instruction.origin.rule == FORM else ():
            assert isinstance(entry.cell, Cell)
            yield entry.cell.path[-1].text, entry.cell


def states(program: Program) -> Iterator[tuple[int, State]]:
    """The state after each message."""
    state = State(program, universe(program))
    for block in range(len(program.blocks)):
        execute_block(state, program, block)
        yield block, state


def in_force(state: State, one: Found) -> bool:
    """Whether a value is still in force where it rests."""
    return any(one.value in scalars(entry.value) for entry in state.in_force(one.cell))


def scalars(value: Value) -> set[str]:
    """All plain values in a value."""
    found: set[str] = set()
    work = [value]
    while work:
        item = work.pop()
        if isinstance(item, dict):
            work.extend(item.values())
        elif isinstance(item, list):
            work.extend(item)
        else:
            found.add(norm(item))
    return found


def _arguments(dialogue: Dialogue, block: int) -> dict[str, Value]:
    """The arguments of a message's call by the purpose under which the product links them."""
    calls = dialogue.messages[block].get("tool_calls", ())
    functions = [call["function"] for call in calls]
    return {f"{one['name']}({slot})": value for one in functions for slot, value in _decoded(one).items()}


def _decoded(function: dict[str, str]) -> dict[str, Value]:
    decoded: dict[str, Value] = json.loads(function["arguments"])
    return decoded


def _split(purpose: str) -> tuple[str, str]:
    tool, _, name = purpose.removesuffix(")").partition("(")
    return tool, name.strip('"')
