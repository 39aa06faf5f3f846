"""The linker: what the calls, results and texts of one conversation define and use.

It executes what it has made so far through `ir.state`, so that "in force" means here what it means everywhere.
Each instruction carries the rule that made it and a confidence; the numbers are those of the specification.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator
from typing import Any

import attrs

from ...cells import Cell, Segment, key, name, path_text
from ...diagnostics import Problem
from ...entries import Entry
from ...instructions import Instruction, Operand, Set, Use
from ...origin import Origin
from ...program import Program
from ...state import State, execute_block
from ...values import Value
from ..domain import UNKNOWN, Domain
from ..opaque import costed, shortened
from . import entities
from .calls import GUESSED, LIKELY, SURE, Call, by, inside
from .distinctive import HAN, is_distinctive, is_quotable
from .files.commands import CONTENT
from .files.file_linker import FileLinker
from .files.operations import Read, Restore
from .forms import filled
from .known import Excluded, KnownValues, is_argument, is_slot
from .layers import Layered
from .patterns import recognise
from .result_linker import ResultLinker, effect
from .tools import Tool

Path = tuple[Segment, ...]
#: What an argument was linked to, by which rule, and how sure that is.
Link = tuple[Operand, str, float]
_TOKEN = re.compile(r"[#@$€£¥]?[A-Za-z0-9_](?:[A-Za-z0-9_.:/@#,-]*[A-Za-z0-9_])?|[^\W\d_a-zA-Z]+")


class Linker:
    """Builds the instructions of one conversation, message by message.

    `origin` of each method is where the text stands; its pointer is lengthened to the value linked.
    """

    def __init__(
        self, program: Program, scopes: entities.Scopes, problems: list[Problem], domain: Domain = UNKNOWN
    ) -> None:
        self._program = program
        self._domain = domain
        self._scopes = scopes
        self._state = State(program)
        self._known = KnownValues(self._state)
        self._calls: Layered[str, list[Call]] = Layered(_copied_calls)
        self._call_names: Layered[str, bool] = Layered(bool)
        self._named = 0
        self._results = ResultLinker(self._state, scopes, problems, domain)
        self._files = FileLinker(scopes)

    def learn(self, number: int) -> None:
        """Take in a block that was added to the program: what it defines is known from here on."""
        execute_block(self._state, self._program, number)
        for position, _ in self._program.numbered(number):
            for entry in self._program.entries_of(position):
                if not self._files.learn(entry):
                    self._known.add(entry)

    def copy(self) -> Linker:
        """A linker that knows what this one does and goes on along a path of its own."""
        other = copy.copy(self)
        other._state = self._state.parted()
        other._known = self._known.copy(other._state)
        other._results = self._results.copy(other._state)
        other._files = self._files.copy()
        other._calls, other._call_names = self._calls.copy(), self._call_names.copy()
        return other

    # text

    def user_text(self, text: str, origin: Origin) -> Iterator[Instruction]:
        """Rule 6: what a conservative pattern recognises in a person's words."""
        self._files.doubts.heard(text)
        for said in recognise(text, self._domain.said):
            cell = self._scopes.of_said(said.kind, said.value)
            yield Set(target=cell, value=said.value, origin=by(origin, "6 said", LIKELY))

    def reply(self, text: str, origin: Origin) -> Iterator[Instruction]:
        """Rule 7: values quoted in a reply that are distinctive or rare in prose."""
        found: dict[Operand, None] = {}
        for value in self._quoted(text):
            operand = self._operand_of(value)
            if operand is not None:
                found[operand] = None
        if found:
            yield Use(operands=tuple(found), purpose="reply", origin=by(origin, "7 reply", LIKELY))

    def _quoted(self, text: str) -> Iterator[Value]:
        for match in _TOKEN.finditer(text):
            if not HAN.match(match[0]):
                yield from self._known.phrases(text, match.start())
            yield from filter(is_quotable, _readings(match[0]))
        yield from self._known.unspaced(text)

    def _operand_of(self, value: Value) -> Operand | None:
        """The fact in force that states a value. A reply may well name an old one, so that is no stale use."""
        held = self._known.in_force(value, "", _nothing)
        return Operand(held[0].cell) if held is not None else None

    # calls

    def call(self, tool: str, arguments: Any, call_id: str, origin: Origin) -> Iterator[Instruction]:
        """Rule 5: each scalar argument is a use of the entry it equals, or a value of its own."""
        written = arguments if isinstance(arguments, dict) else {"arguments": arguments} if arguments else {}
        named, names = self._domain.resolved(written)
        operations = self._files.operations(tool, named)
        about, own = Tool.known(tool, self._domain), self._own_name(call_id)
        call = Call(about, named, own, len(self._program.blocks), names=names, operations=operations)
        others = self._calls.own(call_id) or []
        self._calls[call_id] = [one for one in others if one.message == call.message] + [call]
        if about.rule.ignore:
            return
        yield from self._files.called(call, origin)
        compared = _compared(call)
        for field, path, value in _argument_leaves(compared):
            steps = [call.written(segment.text) for segment in path]
            at = attrs.evolve(inside(origin, *steps), named=names.get(field))
            yield from self._argument(call, field, path, value, at)
        if about.rule.form is not None:
            yield from filled(call, self._scopes.of_form(tool), compared, origin)

    def _own_name(self, call_id: str) -> str:
        """The id of a call, with a number where the log gave it, or one so written, to another call before."""
        own, number = call_id, self._named
        while own in self._call_names:
            number += 1
            own = f"{call_id}-{number}"
        self._call_names[own] = True
        self._named += 1
        return own

    def _argument(self, call: Call, field: str, path: Path, value: Value, origin: Origin) -> Iterator[Instruction]:
        found = self._linked(call, field, value)
        if found is not None:
            operand, rule, confidence = found
            (call.slots if is_slot(operand.place) else call.premises).append(operand)
            purpose = f"{call.tool}({path_text(path)})"
            yield Use(operands=(operand,), purpose=purpose, origin=by(origin, rule, confidence))
        elif call.keeps_arguments:
            cell = self._scopes.of_argument(call.id).below(path)
            call.premises.append(Operand(cell))
            yield Set(target=cell, value=shortened(value), origin=costed(by(origin, "5 new", SURE), value))

    def _linked(self, call: Call, field: str, value: Value) -> Link | None:
        """The fact that an argument equals: one in force, else one that was replaced, else what a call was given."""
        excluded = self._fields_set(call, field)
        held = self._known.in_force(value, field, lambda cell: is_argument(cell) or excluded(cell))
        if held is not None:
            entry, by_name = held
            confidence = SURE if by_name and is_distinctive(value) else LIKELY if by_name else GUESSED
            return Operand(entry.cell), "5 argument", confidence
        old = self._replaced(call, field, value, excluded)
        if old is not None:
            return Operand(old.cell, old.id), "5 replaced", LIKELY
        again = self._known.in_force(value, field, lambda cell: excluded(cell) or self._is_own_slot(call, cell))
        return (Operand(again[0].cell), "5 argument", GUESSED) if again is not None else None

    def _replaced(self, call: Call, field: str, value: Value, excluded: Excluded) -> Entry | None:
        if call.is_object(field):
            return None
        return self._known.replaced(value, field, lambda cell: is_slot(cell) or excluded(cell))

    def _is_own_slot(self, call: Call, cell: Cell) -> bool:
        """Whether a call that acts would read its own form, which by the time of the answer may be filled in anew."""
        return call.about.rule.effect is not None and self._scopes.of_form(call.tool).covers(cell)

    def _fields_set(self, call: Call, field: str) -> Excluded:
        """The fields a writing tool sets by this argument: their new value is no use of them."""
        tool = call.about
        addressed = call.addressed(field) if tool.writes else None
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
        called = self._calls.own(call_id) or [Call(Tool.known(tool, self._domain), {}, call_id)]
        call = called.pop(0) if len(called) > 1 else called[0]  # calls of one message may share an id
        if call.about.rule.ignore:
            return
        if isinstance(content, str):
            self._files.doubts.noticed(content)
        yield from effect(call, content, origin, failed=failed)
        yield from self._files.slipped(call, content, origin, failed=failed)
        made = self._files.result(call, content, origin, failed=failed)
        yield from self._results.link(call, content, origin, failed=failed) if made is None else made


def _copied_calls(calls: list[Call]) -> list[Call]:
    return [one.copy() for one in calls]


def _nothing(_: Cell) -> bool:
    return False


def _compared(call: Call) -> dict[str, Any]:
    """The arguments that are compared with known values: the texts of files are told by the files' own cells."""
    if all(isinstance(one, (Read, Restore)) for one in call.operations):
        return call.arguments
    return {field: value for field, value in call.arguments.items() if field not in CONTENT}


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


def _readings(token: str) -> Iterator[str]:
    """A word of a reply as it stands, and as a number without currency and thousands marks."""
    yield token
    bare = token.lstrip("$€£¥").replace(",", "")
    if bare != token:
        yield bare
