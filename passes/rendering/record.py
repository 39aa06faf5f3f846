"""What passes found as JSON, `statemem.facts/1`: the typed records it is made of, and their JSON Schema.

Fields are only ever added within one version.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import Any, Literal

import attrs
import msgspec

from statemem.ir import UNKNOWN, Cell, Program, Reference, Scope
from statemem.ir.text import statement
from statemem.ir.values import encoded

from ..framework import Analysis, Pass, Solution
from ..framework.pipeline import options_of
from ..framework.registry import kind_of
from .facts import Change, Found, NodeFacts, View, node_facts, unreached

SCHEMA: Literal["statemem.facts/1"] = "statemem.facts/1"


@attrs.frozen
class InstructionRecord:
    """One instruction: `number` counts those of the program, `id` is that of its entry, null where it makes none.

    `gained` holds behind it and not before it, `lost` the reverse.
    """

    number: int
    id: str | None
    statement: str
    gained: list[str]
    lost: list[str]


@attrs.frozen
class BlockRecord:
    """One block that is reached, or the landing of its call: what holds before and after it."""

    name: str
    landing: bool
    step: int
    before: list[str]
    after: list[str]
    instructions: list[InstructionRecord]


@attrs.frozen
class UnreachedRecord:
    """A block, or the landing of its call, to which no control leads: of it there are no facts, not even none."""

    name: str
    landing: bool


@attrs.frozen
class PassRecord:
    """What one pass found. An analysis has all but `texts` and `records`; of the others these alone are not null.

    `options` has every option; `records` holds, field by field, what was found as named tuples.
    """

    name: str
    options: dict[str, Any]
    kind: Literal["analysis", "derivation", "estimate"]
    direction: Literal["forward", "backward"] | None = None
    statistics: dict[str, Any] | None = None
    blocks: list[BlockRecord] | None = None
    unreached: list[UnreachedRecord] | None = None
    texts: list[str] | None = None
    records: list[dict[str, Any]] | None = None


@attrs.frozen
class FactsRecord:
    """What passes found in one program."""

    schema: Literal["statemem.facts/1"]
    program: str
    horizon: str
    passes: list[PassRecord]


def to_record(found: Found) -> FactsRecord:
    """What was found as typed records."""
    others = {one: (result, texts) for one, result, texts in found.others}
    passes = [
        _solved(one, result, found.view) if isinstance(result, Solution) else _derived(one, *others[one], found.view)
        for one, result in found.results.items()
    ]
    return FactsRecord(SCHEMA, found.view.program.name, found.horizon.name, passes)


def to_json(found: Found) -> str:
    """What was found as one line of JSON."""
    return msgspec.json.encode(attrs.asdict(to_record(found)), enc_hook=encoded).decode()


def json_schema() -> dict[str, Any]:
    """The JSON Schema of such a line."""
    return msgspec.json.schema(FactsRecord)


def _options(one: Pass, view: View) -> dict[str, Any]:
    return {option.name: _plain(getattr(one, option.attribute), view) for option in options_of(type(one))}


# analyses


def _solved(one: Pass, solution: Solution, view: View) -> PassRecord:
    assert isinstance(one, Analysis)
    nodes = range(len(solution.graph.flow.successors))
    known = ((node, node_facts(solution, node)) for node in nodes)
    return PassRecord(
        name=one.name,
        options=_options(one, view),
        kind="analysis",
        direction=one.direction.value,
        statistics=attrs.asdict(solution.statistics),
        blocks=[_block(solution, node, facts, view) for node, facts in known if facts is not None],
        unreached=[UnreachedRecord(*_named(solution, node, view.program)) for node in unreached(solution)],
    )


def _named(solution: Solution, node: int, program: Program) -> tuple[str, bool]:
    """The name of the block of a node, and whether the node is only its landing."""
    flow = solution.graph.flow
    return program.blocks[flow.block_of(node)].name, node in flow.landings


def _block(solution: Solution, node: int, facts: NodeFacts, view: View) -> BlockRecord:
    program, block = view.program, solution.graph.flow.block_of(node)
    changes = zip(facts.numbers, facts.changes, strict=True)
    return BlockRecord(
        *_named(solution, node, program),
        step=program.step_of(block),
        before=list(map(view.text, facts.start)),
        after=list(map(view.text, facts.end)),
        instructions=[_instruction(number, change, view) for number, change in changes],
    )


def _instruction(number: int, change: Change, view: View) -> InstructionRecord:
    one = view.program.instructions[number]
    return InstructionRecord(
        number=number,
        id=one.id if one.makes_entry else None,
        statement=statement(one, view.program.scope_of(view.program.block_of(number))),
        gained=list(map(view.text, change.gained)),
        lost=list(map(view.text, change.lost)),
    )


# derivations and estimates


def _derived(one: Pass, result: Any, texts: list[str], view: View) -> PassRecord:
    return PassRecord(
        name=one.name,
        options=_options(one, view),
        kind=kind_of(type(one)),
        texts=list(map(view.text, texts)),
        records=[_fields(record._asdict(), view) for record in _records(result)],
    )


def _records(result: Any) -> Iterator[Any]:
    """The named tuples in what was found: alone, in a list, in the values of a map."""
    if hasattr(result, "_asdict"):
        yield result
    elif isinstance(result, Mapping):
        for value in result.values():
            yield from _records(value)
    elif isinstance(result, (list, tuple, AbstractSet)):
        for item in result:
            yield from _records(item)


def _fields(fields: dict[str, Any], view: View) -> dict[str, Any]:
    """The fields of a record; a value beside its cell is shown as values of that cell are."""
    cell = fields.get("cell")
    if "value" in fields and isinstance(cell, (Cell, Reference)):
        fields = {**fields, "value": view.value(cell, fields["value"])}
    return {name: _plain(value, view) for name, value in fields.items()}


def _plain(value: Any, view: View) -> Any:
    """Anything as JSON; what has no form of its own there by its text."""
    if value is None or value is UNKNOWN or isinstance(value, (bool, int, float)):
        return value
    if isinstance(value, enum.Enum):
        return _plain(value.value, view)
    if isinstance(value, (str, Cell, Reference, Scope)):
        return view.text(str(value))
    if isinstance(value, Mapping):
        return {view.text(str(key)): _plain(item, view) for key, item in value.items()}
    if hasattr(value, "_asdict"):
        return _fields(value._asdict(), view)
    if isinstance(value, (list, tuple)):
        return [_plain(item, view) for item in value]
    return sorted(map(view.text, map(str, value))) if isinstance(value, AbstractSet) else view.text(str(value))
