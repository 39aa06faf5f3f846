"""Statements in words: instructions, terminators, origins, cells and values as the text form writes them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import attrs

from ..cells import Cell, Place, Scope, bare_or_quoted, path_text, quoted
from ..cells import name as segment
from ..instructions import (
    Add,
    Append,
    Assignment,
    Bind,
    Default,
    Delete,
    Derive,
    Effect,
    Enter,
    Instruction,
    Leave,
    Operand,
    Same,
    Set,
    Use,
)
from ..origin import NOWHERE, Origin
from ..origin_fields import to_fields
from ..terminators import Arm, Branch, Call, End, Fork, Goto, Open, Return, Suspend, Terminator
from ..values import UNKNOWN, Value


def value_text(value: Value) -> str:
    """A value as JSON, `?` where it or a part of it is unknown.

    >>> print(value_text({"seat": UNKNOWN, "meals": ["茶", 2.0, None]}))
    {"seat": ?, "meals": ["茶", 2.0, null]}
    """
    if isinstance(value, dict):
        return "{" + ", ".join(f"{quoted(name)}: {value_text(item)}" for name, item in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(value_text, value)) + "]"
    return "?" if value is UNKNOWN else _encode(value)


_encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode


# instructions


def statement(instruction: Instruction, scope: Scope) -> str:
    """One instruction as it is printed in a block of that scope, its origin left out."""
    return statement_text(attrs.evolve(instruction, origin=NOWHERE), scope, NOWHERE)


def statement_text(instruction: Instruction, scope: Scope, inherited: Origin) -> str:
    """One instruction in a block of that scope, and what it does not inherit of its origin."""
    maybe = "maybe " if instruction.maybe else ""
    body = _INSTRUCTIONS[type(instruction)](instruction, scope)
    return f"{maybe}{body}{identity_text(instruction.id, instruction.origin, inherited)}"


def identity_text(entry: str | None, origin: Origin, inherited: Origin) -> str:
    """The id of an entry and where it comes from, behind the statement that makes it."""
    own = "" if entry is None else f" as {bare_or_quoted(entry)}"
    return f"{own}{origin_text(origin, inherited)}"


def origin_text(origin: Origin, inherited: Origin) -> str:
    """What an origin states beyond what it inherits."""
    fields = to_fields(origin, inherited)
    event = fields.pop("event") if fields.get("event") is not None else None
    start = "" if event is None else f" from {quoted(event)}"
    return f"{start} with {value_text(fields)}" if fields else start


def _assignment(verb: str) -> Callable[[Assignment, Scope], str]:
    return lambda one, scope: f"{place_text(one.target, scope)} = {verb} {value_text(one.value)}"


def _derive(one: Derive, scope: Scope) -> str:
    return f"{_assignment('derive')(one, scope)} from {_operands(one.premises, scope) or '()'}"


def _delete(one: Delete, scope: Scope) -> str:
    return f"delete {place_text(one.target, scope)}"


def _use(one: Use, scope: Scope) -> str:
    purpose = "" if one.purpose is None else f" for {bare_or_quoted(one.purpose)}"
    return f"use {_operands(one.operands, scope) or '()'}{purpose}"


def _bind(one: Bind, scope: Scope) -> str:
    return f"@{bare_or_quoted(one.reference)} -> {place_text(one.target, scope)}"


def _same(one: Same, scope: Scope) -> str:
    return f"same {place_text(one.left, scope)}, {place_text(one.right, scope)}"


def _effect(one: Effect, scope: Scope) -> str:
    key = "" if one.key is None else f" key {value_text(one.key)}"
    return f"effect {bare_or_quoted(one.action)}({_operands(one.arguments, scope)}){key}"


def _enter(one: Enter, _: Scope) -> str:
    kind = "" if one.kind is None else f" is {bare_or_quoted(one.kind)}"
    return f"enter {bare_or_quoted(one.task)}{kind}"


def _leave(one: Leave, _: Scope) -> str:
    return f"leave {bare_or_quoted(one.task)}{' ended' if one.ended else ''}"


_INSTRUCTIONS: dict[type[Instruction], Callable[[Any, Scope], str]] = {
    Set: _assignment("set"),
    Derive: _derive,
    Append: _assignment("append"),
    Add: _assignment("add"),
    Default: _assignment("default"),
    Delete: _delete,
    Use: _use,
    Bind: _bind,
    Same: _same,
    Effect: _effect,
    Enter: _enter,
    Leave: _leave,
}


# terminators


def terminator_text(terminator: Terminator, scope: Scope) -> str:
    """Where control goes, in a block of that scope; the id and the origin of a call or a return left out."""
    match terminator:
        case Goto(target):
            return f"goto {bare_or_quoted(target)}"
        case Branch(arms):
            return f"branch {listed(map(_arm, arms))}"
        case Fork(arms, join):
            return f"fork {listed(map(bare_or_quoted, arms))} join {bare_or_quoted(join)}"
        case Open(expected, complete):
            return _open(expected, complete, scope)
        case End():
            return "end"
        case Suspend(then):
            return f"suspend then {bare_or_quoted(then)}"
        case Call():
            return _call(terminator, scope)
        case Return(operands=operands):
            return f"return {_returned(operands, scope)}".rstrip()


def _returned(operands: tuple[Operand, ...], scope: Scope) -> str:
    """What is returned; a cell called like a word that may follow `return` is quoted."""
    text = _operands(operands, scope)
    first = text.split(" ", 1)[0].rstrip(",")
    return quoted(first) + text[len(first) :] if first in ("as", "from", "with") else text


def _call(call: Call, scope: Scope) -> str:
    result = "" if call.result is None else f"{place_text(call.result, scope)} = "
    arguments = _operands(call.arguments, scope)
    return f"{result}call {bare_or_quoted(call.task)}({arguments}) then {bare_or_quoted(call.then)}"


def _arm(arm: Arm) -> str:
    condition = "" if arm.condition is None else f" on {bare_or_quoted(arm.condition)}"
    weight = "" if arm.weight is None else f" weight {value_text(arm.weight)}"
    return f"{bare_or_quoted(arm.target)}{condition}{weight}"


def _open(expected: tuple[Cell, ...], complete: bool, scope: Scope) -> str:
    cells = listed(place_text(cell, scope) for cell in expected)
    if complete:
        return f"open only {cells or '()'}"
    return f"open expect {cells}" if cells else "open"


# places


def _operands(operands: Iterable[Operand], scope: Scope) -> str:
    return listed(map(partial(_operand, scope), operands))


def _operand(scope: Scope, operand: Operand) -> str:
    was = "" if operand.was is None else f" was {bare_or_quoted(operand.was)}"
    return f"{place_text(operand.place, scope)}{was}"


def place_text(place: Place, scope: Scope) -> str:
    """A cell, bare where it lies in the block's own scope, or a reference."""
    if isinstance(place, Cell):
        return path_text(place.path) if place.scope == scope else str(place)
    # Behind another segment a path has the dot it needs, and a word of the language needs no quotes.
    return f"@{bare_or_quoted(place.name)}{path_text((_ANY_NAME, *place.path))[1:]}"


_ANY_NAME = segment("_")


def listed(texts: Iterable[str]) -> str:
    """Texts with commas between."""
    return ", ".join(texts)
