"""Writing the text form: the canonical text of programs, ids and origins included."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import groupby
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
from ..origin import NOWHERE, Actor, Origin
from ..origin_fields import to_fields
from ..program import Block, Declaration, Program, Task
from ..terminators import Arm, Branch, End, Fork, Goto, Open, Terminator
from ..values import UNKNOWN, Value
from .facts import Fact

Facts = dict[tuple[int, int, int], list[Fact]]


def dumps(programs: Program | Iterable[Program], facts: Iterable[Fact] | None = None) -> str:
    """The canonical text of one program or several, with expected facts behind the statements they follow.

    >>> from statemem.ir import build
    >>> print(dumps(build("session:1/", name="tea").block("user").set("topic", "tea").use("topic").end()), end="")
    program "tea"
    <BLANKLINE>
    scope session:1/
    <BLANKLINE>
    task main in session:1/ {
      block t1 user {
        topic = set "tea" as e1
        use topic
        end
      }
    }
    """
    known: Facts = defaultdict(list)
    for fact in facts or ():
        known[fact.program, fact.block, fact.after].append(fact)
    each = [programs] if isinstance(programs, Program) else programs
    texts = ("\n".join(_program(program, number, known)) for number, program in enumerate(each))
    return "\n\n".join(texts) + "\n"


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


# programs


def _program(program: Program, number: int, facts: Facts) -> Iterator[str]:
    yield f"program {quoted(program.name)}{'' if program.is_trace else ' workflow'}"
    yield ""
    yield from _scopes(program)
    yield from map(_declaration, program.declarations)
    yield from (f"entry {bare_or_quoted(one)} with {value_text(said)}" for one, said in program.metadata.items())
    yield ""
    for head, blocks in _runs(program):
        yield head
        for block in blocks:
            yield from _block(program, block, partial(_behind, facts, number, block))
        yield "}"


def _scopes(program: Program) -> Iterator[str]:
    """The scopes, but for those of tasks that naming the task makes known."""
    implied: dict[Scope, Scope] = {}
    for block in range(len(program.blocks)):
        for named, enclosing in program.scopes_named(block):
            implied.setdefault(named, enclosing)
    bodies = {task.scope for task in program.tasks.values()}
    for scope, parent in program.scopes.items():
        if parent is None:
            yield f"scope {scope}"
        elif scope in bodies or implied.get(scope) != parent:
            yield f"scope {scope} in {parent}"


def _declaration(declaration: Declaration) -> str:
    sensitive = " sensitive" if declaration.sensitive else ""
    return f"cell {declaration.pattern}{sensitive}{' pinned' if declaration.pinned else ''}"


def _runs(program: Program) -> Iterator[tuple[str, list[int]]]:
    """Heads of tasks with their blocks, in the tasks' order; a task is gone on with where blocks alternate."""
    waiting = list(program.tasks.values())
    for name, run in groupby(range(len(program.blocks)), lambda block: program.body[block]):
        while any(task.name == name for task in waiting[1:]):
            yield _task(waiting.pop(0)), []
        first = bool(waiting) and waiting[0].name == name
        yield _task(waiting.pop(0)) if first else f"task {bare_or_quoted(name)} {{", list(run)
    yield from ((_task(task), []) for task in waiting)


def _task(task: Task) -> str:
    kind = "" if task.kind is None else f" is {bare_or_quoted(task.kind)}"
    parameters = f" ({_listed(map(bare_or_quoted, task.parameters))})" if task.parameters else ""
    return f"task {bare_or_quoted(task.name)}{kind}{parameters} in {task.scope} {{"


def _block(program: Program, number: int, behind: Callable[[int], str]) -> Iterator[str]:
    block, scope = program.blocks[number], program.scope_of(number)
    yield f"  {_block_head(block)}{behind(-1)}"
    for position, instruction in enumerate(block.instructions):
        yield f"    {_statement(instruction, scope, block.origin)}{behind(position)}"
    yield f"    {_terminator(block.terminator, scope)}{behind(len(block.instructions))}"
    yield "  }"


def _block_head(block: Block) -> str:
    step = "" if block.step is None else f" step {block.step}"
    task = "" if block.task is None else f" in {bare_or_quoted(block.task)}"
    origin = _origin(block.origin, NOWHERE)
    return f"block {bare_or_quoted(block.name)} {_actor(block.actor)}{step}{task}{origin} {{"


def _actor(actor: Actor) -> str:
    kind = bare_or_quoted(actor.kind)
    return f"{kind}:{bare_or_quoted(actor.name)}" if actor.name else kind


def _behind(facts: Facts, program: int, block: int, after: int) -> str:
    """The facts expected at a point, as they stand behind its statement."""
    return "".join(f"  {fact}" for fact in facts.get((program, block, after), ()))


# instructions


def statement(instruction: Instruction, scope: Scope) -> str:
    """One instruction as it is printed in a block of that scope, its origin left out."""
    return _statement(attrs.evolve(instruction, origin=NOWHERE), scope, NOWHERE)


def _statement(instruction: Instruction, scope: Scope, inherited: Origin) -> str:
    maybe = "maybe " if instruction.maybe else ""
    own = "" if instruction.id is None else f" as {bare_or_quoted(instruction.id)}"
    body = _INSTRUCTIONS[type(instruction)](instruction, scope)
    return f"{maybe}{body}{own}{_origin(instruction.origin, inherited)}"


def _origin(origin: Origin, inherited: Origin) -> str:
    fields = to_fields(origin, inherited)
    event = fields.pop("event") if fields.get("event") is not None else None
    start = "" if event is None else f" from {quoted(event)}"
    return f"{start} with {value_text(fields)}" if fields else start


def _assignment(verb: str) -> Callable[[Assignment, Scope], str]:
    return lambda one, scope: f"{_place(one.target, scope)} = {verb} {value_text(one.value)}"


def _derive(one: Derive, scope: Scope) -> str:
    return f"{_assignment('derive')(one, scope)} from {_operands(one.premises, scope) or '()'}"


def _delete(one: Delete, scope: Scope) -> str:
    return f"delete {_place(one.target, scope)}"


def _use(one: Use, scope: Scope) -> str:
    purpose = "" if one.purpose is None else f" for {bare_or_quoted(one.purpose)}"
    return f"use {_operands(one.operands, scope) or '()'}{purpose}"


def _bind(one: Bind, scope: Scope) -> str:
    return f"@{bare_or_quoted(one.reference)} -> {_place(one.target, scope)}"


def _same(one: Same, scope: Scope) -> str:
    return f"same {_place(one.left, scope)}, {_place(one.right, scope)}"


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


def _terminator(terminator: Terminator, scope: Scope) -> str:
    match terminator:
        case Goto(target):
            return f"goto {bare_or_quoted(target)}"
        case Branch(arms):
            return f"branch {_listed(map(_arm, arms))}"
        case Fork(arms, join):
            return f"fork {_listed(map(bare_or_quoted, arms))} join {bare_or_quoted(join)}"
        case Open(expected, complete):
            return _open(expected, complete, scope)
        case End():
            return "end"


def _arm(arm: Arm) -> str:
    condition = "" if arm.condition is None else f" on {bare_or_quoted(arm.condition)}"
    weight = "" if arm.weight is None else f" weight {value_text(arm.weight)}"
    return f"{bare_or_quoted(arm.target)}{condition}{weight}"


def _open(expected: tuple[Cell, ...], complete: bool, scope: Scope) -> str:
    cells = _listed(_place(cell, scope) for cell in expected)
    if complete:
        return f"open only {cells or '()'}"
    return f"open expect {cells}" if cells else "open"


# places


def _operands(operands: Iterable[Operand], scope: Scope) -> str:
    return _listed(map(partial(_operand, scope), operands))


def _operand(scope: Scope, operand: Operand) -> str:
    was = "" if operand.was is None else f" was {bare_or_quoted(operand.was)}"
    return f"{_place(operand.place, scope)}{was}"


def _place(place: Place, scope: Scope) -> str:
    """A cell, bare where it lies in the block's own scope, or a reference."""
    if isinstance(place, Cell):
        return path_text(place.path) if place.scope == scope else str(place)
    # Behind another segment a path has the dot it needs, and a word of the language needs no quotes.
    return f"@{bare_or_quoted(place.name)}{path_text((_ANY_NAME, *place.path))[1:]}"


_ANY_NAME = segment("_")


def _listed(texts: Iterable[str]) -> str:
    return ", ".join(texts)
