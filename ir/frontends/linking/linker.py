"""The linker: what the calls, results and texts of one conversation define and use.

It executes what it has made so far through `ir.state`, so that "in force" means here what it means everywhere.
Each instruction carries the rule that made it and a confidence; the numbers are those of the specification.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import attrs

from ...cells import Cell, Segment, key, name, path_text
from ...diagnostics import Location, Problem
from ...identity import element_key, id_fields
from ...instructions import Derive, Instruction, Operand, Same, Set, Use
from ...origin import Origin
from ...program import Block, Program
from ...state import State, execute_block
from ...values import Value, flatten
from ..opaque import MOST_LEAVES, digest, shortened
from . import entities
from .distinctive import is_distinctive, is_quotable
from .known import Excluded, KnownValues, is_argument
from .patterns import recognise
from .results import is_failure, parsed, unwrapped
from .seen import SeenEntities
from .tools import Tool

Path = tuple[Segment, ...]
#: An entity is known by so many fields at least, if restating them is to mean anything.
_FEWEST_RESTATED = 3
SURE, LIKELY, GUESSED = 1.0, 0.9, 0.5
_TOKEN = re.compile(r"[#@$€£¥]?[A-Za-z0-9_](?:[A-Za-z0-9_.:/@#,-]*[A-Za-z0-9_])?|[^\W\d_a-zA-Z]+")


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
        self._seen = SeenEntities(self._state)

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
        """Rule 7: values quoted in a reply that are distinctive or rare in prose."""
        found: dict[Operand, None] = {}
        for value in self._quoted(text):
            operand = self._operand_of(value)
            if operand is not None:
                found[operand] = None
        if found:
            yield Use(operands=tuple(found), purpose="reply", origin=_by(origin, "7 reply", LIKELY))

    def _quoted(self, text: str) -> Iterator[Value]:
        for match in _TOKEN.finditer(text):
            yield from self._known.phrases(text, match.start())
            yield from filter(is_quotable, _readings(match[0]))

    def _operand_of(self, value: Value) -> Operand | None:
        """The fact in force that states a value. A reply may well name an old one, so that is no stale use."""
        held = self._known.in_force(value, "", _nothing)
        return Operand(held[0].cell) if held is not None else None

    # calls

    def call(self, tool: str, arguments: Any, call_id: str, origin: Origin) -> Iterator[Instruction]:
        """Rule 5: each scalar argument is a use of the entry it equals, or a value of its own."""
        named = arguments if isinstance(arguments, dict) else {"arguments": arguments} if arguments else {}
        again = f"{call_id}-{len(self._calls) + 1}" if call_id in self._calls else call_id
        call = _Call(tool, named, again)
        self._calls[call_id] = call
        for field, path, value in _argument_leaves(named):
            yield self._argument(call, field, path, value, _inside(origin, *(segment.text for segment in path)))

    def _argument(self, call: _Call, field: str, path: Path, value: Value, origin: Origin) -> Instruction:
        purpose = f"{call.tool}({path_text(path)})"
        excluded = self._fields_set(call, field)
        held = self._known.in_force(value, field, lambda cell: is_argument(cell) or excluded(cell))
        if held is not None:
            entry, by_name = held
            confidence = SURE if by_name and is_distinctive(value) else LIKELY if by_name else GUESSED
            return self._used(call, Operand(entry.cell), purpose, _by(origin, "5 argument", confidence))
        old = None if _is_object(call, field) else self._known.replaced(value, field, excluded)
        if old is not None:
            return self._used(call, Operand(old.cell, old.id), purpose, _by(origin, "5 replaced", LIKELY))
        again = self._known.in_force(value, field, excluded)
        if again is not None:
            return self._used(call, Operand(again[0].cell), purpose, _by(origin, "5 argument", GUESSED))
        cell = self._scopes.of_argument(call.id).below(path)
        call.premises.append(Operand(cell))
        return Set(target=cell, value=shortened(value), origin=_by(origin, "5 new", SURE))

    def _used(self, call: _Call, operand: Operand, purpose: str, origin: Origin) -> Instruction:
        call.premises.append(operand)
        return Use(operands=(operand,), purpose=purpose, origin=origin)

    def _fields_set(self, call: _Call, field: str) -> Excluded:
        """The fields a writing tool sets by this argument: their new value is no use of them."""
        tool = Tool.of(call.tool)
        addressed = _addressed(call, field) if tool.writes else None
        if addressed is None or field == addressed:
            return _nothing
        entity = self._scopes.entity(tool.kind_of(addressed), call.arguments[addressed])

        def is_set(cell: Cell) -> bool:
            return entity.covers(cell) and any(segment.text == field for segment in cell.path[2:])

        return is_set

    # results

    def result(
        self, call_id: str, tool: str, content: Any, origin: Origin, *, failed: bool = False
    ) -> Iterator[Instruction]:
        """Rules 1 to 4: the leaves of a result define cells of the entity it speaks of, derived from the arguments."""
        call = self._calls.get(call_id) or _Call(tool, {}, call_id)
        value = parsed(content)
        if value is None or value == "":
            return
        if isinstance(value, dict) and value and not failed:
            yield from self._object(call, value, _inside_text(origin, content))
        else:
            yield self._of_call(call, value, origin)

    def _of_call(self, call: _Call, value: Value, origin: Origin) -> Instruction:
        cell = self._scopes.of_call(call.tool, call.arguments)
        return self._define(call, cell, value, _by(origin, "2 call", SURE))

    def _object(self, call: _Call, value: dict[str, Any], origin: Origin) -> Iterator[Instruction]:
        way, inner = unwrapped(value)
        found = self._entity(call, inner)
        if found is None or (is_failure(value) and not self._seen.covers(found[0], inner)):
            yield self._of_call(call, self._bounded(value, origin), origin)
        else:
            yield from self._of_entity(call, *found, self._bounded(inner, origin), _inside(origin, *way))

    def _of_entity(
        self, call: _Call, entity: Cell, rule: str, value: dict[str, Any], origin: Origin
    ) -> Iterator[Instruction]:
        other = self._seen.other_name(entity, value)
        if other is not None:
            yield Same(left=other, right=entity, origin=_by(origin, "2 same", LIKELY))
        if other is None and self._seen.is_whole(entity, call.tool, call.arguments, value):
            yield self._define(call, entity, value, _by(origin, f"{rule}, 3 whole", SURE))
        else:
            yield from self._parts(call, entity, value, _by(origin, f"{rule}, 3 part", SURE))
        self._seen.remember(entity, call.tool, call.arguments, value)

    def _parts(self, call: _Call, cell: Cell, value: dict[str, Any], origin: Origin) -> Iterator[Instruction]:
        """Rule 3: a part takes nothing away that it does not speak of, at any depth."""
        for field, item in value.items():
            below, at = cell.child(field), _inside(origin, field)
            known = self._seen.fields(below)
            fields = _fields(field, item)
            if fields is None or not known or known <= set(fields):
                yield self._define(call, below, item, at)
            elif isinstance(item, dict):
                yield from self._parts(call, below, item, at)
            else:
                yield from (self._define(call, below.at(text), part, at) for text, part in fields.items())

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

    def _entity(self, call: _Call, value: dict[str, Any]) -> tuple[Cell, str] | None:
        """Rule 2: the entity a result is about, if its tool is named after that entity and fields of the result.

        An answer that states all that is known of the entity is about it, whatever else the name says; one that answers
        a question asked before and shares no field with what is known only says that something went wrong.
        """
        tool, fields = Tool.of(call.tool), frozenset(value)
        for kind, own, rule in entities.candidates(value, tool, call.arguments):
            cell = self._scopes.entity(kind, own)
            known = self._seen.fields(cell)
            is_first = tool.writes and not known
            if tool.tells_only(kind, fields) or is_first or self._seen.covers(cell, value):
                asked = self._seen.was_asked(cell, call.tool, call.arguments)
                return None if asked and known and not known & fields else (cell, rule)
        return self._restated(tool, value)

    def _restated(self, tool: Tool, value: dict[str, Any]) -> tuple[Cell, str] | None:
        """An entity known before of which a result states all that is known, whatever its tool is called."""
        cells = (self._scopes.entity(tool.kind_of(field), value[field]) for field in id_fields(value.items()))
        found = (cell for cell in cells if len(self._seen.fields(cell)) >= _FEWEST_RESTATED)
        return next(((cell, "2 restated") for cell in found if self._seen.covers(cell, value)), None)

    def _define(self, call: _Call, cell: Cell, value: Value, origin: Origin) -> Instruction:
        """Rule 4: a result derives from what its call's arguments were linked to."""
        premises = tuple(dict.fromkeys(call.premises))
        if premises:
            return Derive(target=cell, value=shortened(value), premises=premises, origin=origin)
        return Set(target=cell, value=shortened(value), origin=origin)


def _by(origin: Origin, rule: str, confidence: float) -> Origin:
    return attrs.evolve(origin, rule=rule, confidence=None if confidence == SURE else confidence)


def _nothing(_: Cell) -> bool:
    return False


def _is_object(call: _Call, field: str) -> bool:
    """Whether an argument is the id of what the tool's name speaks of: to `delete_card` an old one is no slip."""
    tool = Tool.of(call.tool)
    return field in id_fields(call.arguments.items()) and bool(tool.subject) and tool.is_about(tool.kind_of(field))


def _addressed(call: _Call, field: str) -> str | None:
    """The argument that names what a call is about: the id its tool's name speaks of, or its only id.

    `book_reservation(user_id, …)` sets nothing of the user; `set_card(customer_id, card)` says by the field that it
    does.
    """
    tool = Tool.of(call.tool)
    ids = id_fields(call.arguments.items())
    named = [one for one in ids if _is_object(call, one)]
    if named:
        return named[0]
    speaks = tool.is_bare or tool.is_about(field)
    return ids[0] if len(ids) == 1 and speaks else None


def _fields(field: str, item: Any) -> dict[str, Any] | None:
    """What an object or a keyed list holds, by the names of its parts; None for a leaf."""
    if isinstance(item, dict):
        return item
    own = element_key(field, item) if isinstance(item, list) else None
    return None if own is None else {str(part[own]): part for part in item}


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


def _inside_text(origin: Origin, content: Any) -> Origin:
    """The origin of what stands in a JSON text: behind `#`, its pointer goes on within the text."""
    return attrs.evolve(origin, pointer=f"{origin.pointer or ''}#") if isinstance(content, str) else origin


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
