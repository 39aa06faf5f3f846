"""The linker: what the calls, results and texts of one conversation define and use.

It executes what it has made so far through `ir.state`, so that "in force" means here what it means everywhere.
Each instruction carries the rule that made it and a confidence; the numbers are those of the specification.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import attrs

from ...cells import Cell, Segment, key, name, path_text
from ...diagnostics import Location, Problem
from ...identity import id_fields, is_id_name, singular
from ...instructions import Derive, Instruction, Operand, Same, Set, Use
from ...origin import Origin
from ...program import Block, Program
from ...state import State, execute_block
from ...values import Value, flatten
from ..opaque import MOST_LEAVES, digest, shortened
from . import entities
from .distinctive import is_distinctive, link_key
from .known import KnownValues
from .patterns import recognise
from .words import is_writing

Path = tuple[Segment, ...]
SURE, LIKELY, GUESSED = 1.0, 0.9, 0.5
_TOKEN = re.compile(r"[#@$€£¥]?\w(?:[\w.:/@#,-]*\w)?")


@attrs.define
class _Call:
    """A call that waits for its result."""

    tool: str
    arguments: dict[str, Any]
    id: str
    premises: list[Operand] = attrs.field(factory=list)


class Linker:
    """Builds the instructions of one conversation, message by message.

    `origin` of each method is where the text stands; its pointer is lengthened to the value linked.
    """

    def __init__(self, program: Program, scopes: entities.Scopes, problems: list[Problem]) -> None:
        self._program = program
        self._problems = problems
        self._scopes = scopes
        self._state = State(program)
        self._known = KnownValues(self._state)
        self._calls: dict[str, _Call] = {}
        self._sources: dict[Cell, set[tuple[str, str]]] = {}
        self._ids_listed: dict[Cell, dict[str, Value]] = {}

    def commit(self, block: Block) -> None:
        """Add a finished message to the program; what it defines is known from here on."""
        number = self._program.extend(block)
        execute_block(self._state, self._program, number)
        for position, _ in self._program.numbered(number):
            for entry in self._program.entries_of(position):
                self._known.add(entry)

    # text

    def user_text(self, text: str, origin: Origin) -> Iterator[Instruction]:
        """Rule 6: what a conservative pattern recognises in a person's words."""
        for said in recognise(text):
            cell = self._scopes.of_said(said.kind, said.value)
            yield Set(target=cell, value=said.value, origin=_by(origin, "6 said", LIKELY))

    def reply(self, text: str, origin: Origin) -> Iterator[Instruction]:
        """Rule 7: distinctive values quoted in a reply."""
        found: dict[Operand, None] = {}
        for value in self._quoted(text):
            operand = self._operand_of(value)
            if operand is not None:
                found[operand] = None
        if found:
            yield Use(operands=tuple(found), purpose="reply", origin=_by(origin, "7 reply", LIKELY))

    def _quoted(self, text: str) -> Iterator[Value]:
        for match in _TOKEN.finditer(text):
            phrase = next((p for p in self._known.phrases(match[0]) if text.startswith(p, match.start())), None)
            if phrase is not None:
                yield phrase
            for token in _readings(match[0]):
                if is_distinctive(token):
                    yield token

    def _operand_of(self, value: Value) -> Operand | None:
        """The fact in force that states a value. A reply may well name an old one, so that is no stale use."""
        held = self._known.in_force(value, "", _nothing)
        return Operand(held[0].cell) if held is not None else None

    # calls

    def call(self, tool: str, arguments: Any, call_id: str, origin: Origin) -> Iterator[Instruction]:
        """Rule 5: each scalar argument is a use of the entry it equals, or a value of its own."""
        named = arguments if isinstance(arguments, dict) else {"arguments": arguments} if arguments else {}
        call = _Call(tool, named, call_id)
        self._calls[call_id] = call
        for field, path, value in _argument_leaves(named):
            yield self._argument(call, field, path, value, _inside(origin, *(segment.text for segment in path)))

    def _argument(self, call: _Call, field: str, path: Path, value: Value, origin: Origin) -> Instruction:
        purpose = f"{call.tool}({path_text(path)})"
        excluded = self._fields_set(call, field)
        held = self._known.in_force(value, field, excluded)
        if held is not None:
            entry, by_name = held
            confidence = SURE if by_name and is_distinctive(value) else LIKELY if by_name else GUESSED
            return self._used(call, Operand(entry.cell), purpose, _by(origin, "5 argument", confidence))
        old = self._known.replaced(value, field, excluded)
        if old is not None:
            return self._used(call, Operand(old.cell, old.id), purpose, _by(origin, "5 replaced", LIKELY))
        cell = self._scopes.of_argument(call.id).below(path)
        call.premises.append(Operand(cell))
        return Set(target=cell, value=shortened(value), origin=_by(origin, "5 new", SURE))

    def _used(self, call: _Call, operand: Operand, purpose: str, origin: Origin) -> Instruction:
        call.premises.append(operand)
        return Use(operands=(operand,), purpose=purpose, origin=origin)

    def _fields_set(self, call: _Call, field: str) -> Any:
        """The fields a writing tool sets by this argument: their new value is no use of them."""
        addressed = entities.only_id_argument(call.arguments)
        if addressed is None or field == addressed or not is_writing(call.tool):
            return _nothing
        entity = self._scopes.entity(addressed, call.arguments[addressed], call.tool)

        def is_set(cell: Cell) -> bool:
            return entity.covers(cell) and any(singular(segment.text) == singular(field) for segment in cell.path[2:])

        return is_set

    # results

    def result(self, call_id: str, tool: str, content: Any, origin: Origin) -> Iterator[Instruction]:
        """Rules 1 to 4: the leaves of a result define cells of the entity it speaks of, derived from the arguments."""
        call = self._calls.get(call_id) or _Call(tool, {}, call_id)
        value = parsed(content)
        if value is None or value == "":
            return
        if isinstance(value, dict) and value and not _is_failure(value):
            yield from self._object(call, value, origin)
        else:
            yield self._define(
                call, self._scopes.of_call(call.tool, call.arguments), value, _by(origin, "2 call", SURE)
            )

    def _object(self, call: _Call, value: dict[str, Any], origin: Origin) -> Iterator[Instruction]:
        entity, rule = self._entity(call, value)
        other = self._other_name(entity, value)
        if other is not None:
            yield Same(left=other, right=entity, origin=_by(origin, "2 same", LIKELY))
        value = self._bounded(value, origin)
        if self._is_whole(call, entity, value):
            yield self._define(call, entity, value, _by(origin, f"{rule}, 3 whole", SURE))
        else:
            for field, item in value.items():
                part = _by(_inside(origin, field), f"{rule}, 3 part", SURE)
                yield self._define(call, entity.child(field), item, part)
        self._sources.setdefault(entity, set()).add(_signature(call))
        self._ids_listed[entity] = {field: item for field, item in value.items() if not isinstance(item, (dict, list))}

    def _bounded(self, value: dict[str, Any], origin: Origin) -> dict[str, Any]:
        """A result of too many leaves as one entry a field, which is said."""
        leaves = len(flatten(value))
        if leaves <= MOST_LEAVES:
            return value
        location = Location(file=origin.file, line=origin.line, record=origin.record, pointer=origin.pointer)
        message = f"a result of {leaves:,} leaves is kept as one entry a top-level field"
        self._problems.append(Problem(code="FE045", message=message, severity="warning", location=location))
        return {
            field: digest("value", item) if isinstance(item, (dict, list)) else item for field, item in value.items()
        }

    def _entity(self, call: _Call, value: dict[str, Any]) -> tuple[Cell, str]:
        """Rule 2. A search that is narrowed by more than an id tells of what it found, not of the entity."""
        field = entities.own_id(value, call.tool, call.arguments)
        if field is not None:
            return self._scopes.entity(field, value[field], call.tool), "2 own id"
        field = entities.only_id_argument(call.arguments)
        if field is not None and (len(call.arguments) == 1 or is_writing(call.tool)):
            return self._scopes.entity(field, call.arguments[field], call.tool), "2 argument"
        return self._scopes.of_call(call.tool, call.arguments), "2 call"

    def _other_name(self, entity: Cell, value: dict[str, Any]) -> Cell | None:
        """Another entity that is this one: each result lists the other's id, and most of what both state agrees."""
        if entity in self._ids_listed or entity.path[-1].kind != "key":
            return None
        own = entity.path[-1].text
        listed = {
            str(item) for field, item in value.items() if is_id_name(field) and not isinstance(item, (dict, list))
        }
        for other, known in self._ids_listed.items():
            if other.scope != entity.scope or other.path[-1].text not in listed:
                continue
            if any(str(item) == own and is_id_name(field) for field, item in known.items()) and _agree(known, value):
                return other
        return None

    def _is_whole(self, call: _Call, entity: Cell, value: dict[str, Any]) -> bool:
        """Rule 3. A writing tool that answers with less than half of what is known tells a part, whatever its name."""
        known = self._sources.get(entity)
        if known is None or _signature(call) in known:
            return True
        if not is_writing(call.tool):
            return False
        depth = len(entity.path)
        fields: set[str] = {
            entry.cell.path[depth].text for entry in self._state.in_force(entity) if len(entry.cell.path) > depth
        }
        return 2 * len(fields & set(value)) >= len(fields)

    def _define(self, call: _Call, cell: Cell, value: Value, origin: Origin) -> Instruction:
        """Rule 4: a result derives from what its call's arguments were linked to."""
        premises = tuple(dict.fromkeys(call.premises))
        if premises:
            return Derive(target=cell, value=shortened(value), premises=premises, origin=origin)
        return Set(target=cell, value=shortened(value), origin=origin)


def parsed(content: Any) -> Any:
    """A result as data: JSON where its text is JSON, else the text."""
    if not isinstance(content, str):
        return content
    text = content.strip()
    if text[:1] not in ("{", "[", '"') and link_key(text) is not None and link_key(text)[0] == "text":  # type: ignore[index]
        return {"true": True, "false": False, "null": None}.get(text, text)
    try:
        return json.loads(text, parse_constant=str)
    except (json.JSONDecodeError, RecursionError):
        return text


def _is_failure(value: dict[str, Any]) -> bool:
    """Whether a result only says that the call failed; it tells nothing of the entity asked for."""
    return any(value.get(field) for field in ("error", "errors", "exception")) and len(value) <= 4


def _by(origin: Origin, rule: str, confidence: float) -> Origin:
    return attrs.evolve(origin, rule=rule, confidence=None if confidence == SURE else confidence)


def _nothing(_: Cell) -> bool:
    return False


def _signature(call: _Call) -> tuple[str, str]:
    """What makes two calls one question about an entity: the tool, and all arguments that are no ids."""
    ids = id_fields(call.arguments.items())
    return call.tool, entities.canonical_arguments({f: v for f, v in call.arguments.items() if f not in ids})


def _agree(known: dict[str, Value], value: dict[str, Any]) -> bool:
    """Whether two results state mostly the same: half or more of the fields both have, two at least."""
    shared = [field for field in known if field in value and not is_id_name(field)]
    equal = [field for field in shared if link_key(known[field]) == link_key(value[field])]
    return len(equal) >= 2 and 2 * len(equal) >= len(shared)


def _argument_leaves(arguments: dict[str, Any]) -> Iterator[tuple[str, Path, Value]]:
    """The scalars of the arguments: the field each stands in, its path, its value."""
    work: list[tuple[str, Path, Any]] = [(field, (name(field),), value) for field, value in arguments.items()]
    work.reverse()
    while work:
        field, path, value = work.pop()
        if isinstance(value, dict):
            work.extend((inner, (*path, name(inner)), item) for inner, item in reversed(value.items()))
        elif isinstance(value, list):
            work.extend((field, (*path, key(str(n))), item) for n, item in reversed(list(enumerate(value))))
        else:
            yield field, path, value


def _inside(origin: Origin, *fields: str) -> Origin:
    """The origin of a part: its JSON pointer goes on to the fields."""
    steps = (field.replace("~", "~0").replace("/", "~1") for field in fields)
    return attrs.evolve(origin, pointer="/".join((origin.pointer or "", *steps)))


def _readings(token: str) -> Iterator[str]:
    """A word of a reply as it stands, and as a number without currency and thousands marks."""
    yield token
    bare = token.lstrip("$€£¥").replace(",", "")
    if bare != token:
        yield bare
