"""From a program to the events that keep it: its log in order, and what stands beside the log."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from statemem.ir import Arm, Branch, End, Fork, Goto, Instruction, Open, Program, Scope, parse_cell
from statemem.ir.blocks import Block
from statemem.ir.instructions import places
from statemem.ir.origin import Origin
from statemem.ir.origin_fields import to_fields
from statemem.ir.records import from_record, to_record
from statemem.ir.terminators import Terminator

from .events import Draft, Kind, Record, as_written, event_id, load
from .problems import refusal

_FILE_FIELDS = ("file", "line")
_ANY = Scope("session", "")


def logged(program: Program) -> Iterator[tuple[int, Draft]]:
    """The blocks and operations of a program in order, with the number of the block they belong to."""
    position = 0
    for number, block in enumerate(program.blocks):
        yield number, _block_draft(program, number, position)
        position += 1
        for instruction_number, instruction in program.numbered(number):
            yield number, _operation_draft(program, block, instruction, instruction_number, position)
            position += 1


def _block_draft(program: Program, number: int, position: int) -> Draft:
    block = program.blocks[number]
    record = block_record(block, program.body[number])
    return Draft(
        id=event_id(program.name, position, Kind.BLOCK, record),
        position=position,
        kind=Kind.BLOCK,
        record=record,
        actor=str(block.actor),
        step=program.step_of(number),
        time=_time(block.origin),
        event=block.origin.event,
    )


def _operation_draft(program: Program, block: Block, instruction: Instruction, number: int, position: int) -> Draft:
    record = operation_record(instruction)
    place = next(places(instruction), None)
    return Draft(
        id=event_id(program.name, position, Kind.OPERATION, record),
        position=position,
        kind=Kind.OPERATION,
        record=record,
        actor=str(instruction.origin.actor or block.actor),
        step=program.step_of(program.block_of(number)),
        time=_time(instruction.origin) or _time(block.origin),
        event=instruction.origin.event,
        cell=None if place is None else str(place),
        reason=instruction.origin.rule,
        instruction=number,
    )


def _time(origin: Origin) -> str | None:
    time = origin.observed or origin.recorded
    return time.isoformat() if time else None


def operation_record(instruction: Instruction) -> Record:
    """The record of an instruction, without the file and line it was read from."""
    record = to_record(instruction)
    origin = _without_file(record.pop("with", {}))
    return {**record, "with": origin} if origin else record


def check_readable(draft: Draft) -> None:
    """Refuse an operation whose record would not give it back: nothing is written that cannot be replayed."""
    try:
        read = operation_record(from_record(load(as_written(draft.record)), _ANY))
    except ValueError:
        read = None
    if read != draft.record:
        message = f"step {draft.step}: {draft.record['op']} of {draft.cell} has a name or value that no record can hold"
        raise refusal("ST016", message, hint="give its cells, references and tasks plain names")


def block_record(block: Block, body: str) -> Record:
    """The head of a block: everything but its instructions and its end."""
    record: Record = {"block": block.name, "actor": str(block.actor), "body": body}
    if block.step is not None:
        record["step"] = block.step
    if block.task is not None:
        record["task"] = block.task
    origin = _without_file(to_fields(block.origin))
    return {**record, "with": origin} if origin else record


def _without_file(origin: Record) -> Record:
    return {name: value for name, value in origin.items() if name not in _FILE_FIELDS}


def terminator_record(terminator: Terminator) -> Record:
    """Where control goes after a block."""
    match terminator:
        case Goto(target=target):
            return {"goto": target}
        case Branch(arms=arms):
            return {"branch": [attrs.asdict(arm) for arm in arms]}
        case Fork(arms=names, join=join):
            return {"fork": list(names), "join": join}
        case End():
            return {"end": True}
        case Open(expected=expected, complete=complete):
            return {"open": [str(cell) for cell in expected], "only": complete}
    raise TypeError(f"{type(terminator).__name__} is no terminator of a log")


def read_terminator(record: Record) -> Terminator:
    """The terminator of a record."""
    if "goto" in record:
        return Goto(record["goto"])
    if "branch" in record:
        return Branch(tuple(Arm(**arm) for arm in record["branch"]))
    if "fork" in record:
        return Fork(tuple(record["fork"]), record["join"])
    if "end" in record:
        return End()
    return Open(tuple(parse_cell(text, _ANY) for text in record["open"]), record["only"])
