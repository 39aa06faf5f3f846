"""What a program states beside its blocks (scopes, bodies, declarations, what is said of entries), one item each.

An item stands before the first block that has to do with it, so that a log applied turn by turn and the same log
applied at once give the same events.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from statemem.ir import (
    Cell,
    Declaration,
    Enter,
    Entry,
    Program,
    Requirement,
    Scope,
    Task,
    parse_cell,
    parse_scope,
)
from statemem.ir.cells import Place
from statemem.ir.instructions import scopes_of

from .events import canonical

_ANY = Scope("session", "")


class Item(NamedTuple):
    """One statement: its kind, what it is about, and what it says, in JSON."""

    kind: str
    subject: str | int
    content: Any

    @property
    def key(self) -> tuple[str, str | int]:
        """What it is about: two items of one key that differ contradict each other."""
        return self.kind, self.subject

    def replaces(self, content: Any) -> bool:
        """Whether it may be said after `content`: a scope without a parent may be given one."""
        return self.kind == "scope" and content is None


def preambles(program: Program) -> list[list[Item]]:
    """The items before each block, and after them those that no block has to do with."""
    found: list[list[Item]] = [[] for _ in range(len(program.blocks) + 1)]
    stated = (_tasks, _scopes, _declarations, _requirements, _metadata)
    for items, first in (one(program) for one in stated):
        for item, block in zip(items, _in_order(first), strict=True):
            found[block].append(item)
    return found


def _in_order(first: list[int]) -> list[int]:
    """Blocks at which statements of one kind are made, none before one that stands ahead of it."""
    placed = list(first)
    for position in range(len(placed) - 2, -1, -1):
        placed[position] = min(placed[position], placed[position + 1])
    return placed


_Placed = tuple[list[Item], list[int]]


def _tasks(program: Program) -> _Placed:
    first = _first(program.body)
    items = [Item("task", task.name, _task(task)) for task in program.tasks.values()]
    return items, [first.get(name, len(program.blocks)) for name in program.tasks]


def _task(task: Task) -> Any:
    return {"scope": str(task.scope), "kind": task.kind, "parameters": list(task.parameters)}


def _scopes(program: Program) -> _Placed:
    named: dict[Scope, int] = {}
    for block in range(len(program.blocks)):
        for scope in _scopes_at(program, block):
            _name(program, named, scope, block)
    items = [Item("scope", str(scope), parent and str(parent)) for scope, parent in program.scopes.items()]
    return items, [named.get(scope, len(program.blocks)) for scope in program.scopes]


def _name(program: Program, named: dict[Scope, int], scope: Scope | None, block: int) -> None:
    """A scope is met where a block names it or one that lies in it."""
    while scope is not None and scope not in named:
        named[scope] = block
        scope = program.scopes.get(scope)


def _scopes_at(program: Program, block: int) -> Iterator[Scope]:
    yield program.tasks[program.body[block]].scope
    yield program.scope_of(block)
    for instruction in program.blocks[block].instructions:
        if isinstance(instruction, Enter):
            yield Scope("task", instruction.task)
        yield from scopes_of(instruction)


def _declarations(program: Program) -> _Placed:
    """In the order made; what is declared of a cell stands before its first write, of a family at the start."""
    if not program.declarations:
        return [], []
    written = _first_written(program)
    items = [Item("cell", number, _declaration(one)) for number, one in enumerate(program.declarations)]
    return items, [written.get(one.pattern, 0) for one in program.declarations]


def _first_written(program: Program) -> dict[Place, int]:
    found: dict[Place, int] = {}
    for number, instruction in enumerate(program.instructions):
        for write in instruction.writes():
            found.setdefault(write.place, program.block_of(number))
    return found


def _declaration(declaration: Declaration) -> Any:
    stated = {
        "cell": str(declaration.pattern),
        "sensitive": declaration.sensitive,
        "pinned": declaration.pinned,
    }
    return {**stated, "depends": list(map(str, declaration.depends))} if declaration.depends else stated


def _requirements(program: Program) -> _Placed:
    items = [
        Item("requirement", number, {"kind": one.kind, "cells": list(map(str, one.cells))})
        for number, one in enumerate(program.requirements)
    ]
    return items, [0] * len(items)


def _metadata(program: Program) -> _Placed:
    items = [Item("entry", entry, said) for entry, said in program.metadata.items()]
    blocks = {name: block for entry in reversed(program.entries) for name, block in _names(program, entry)}
    return items, [blocks.get(entry, len(program.blocks)) for entry in program.metadata]


def _names(program: Program, entry: Entry) -> Iterator[tuple[str, int]]:
    return ((name, entry.block) for name in program.names_of(entry.instruction, entry.leaf))


def _first(names: list[str]) -> dict[str, int]:
    return {name: number for number, name in reversed(list(enumerate(names)))}


# from items back to a program


def begun(name: str, items: list[Item]) -> Program:
    """An empty program of the body that the first items state."""
    first = next(item for item in items if item.kind == "task")
    return Program(name, parse_scope(first.content["scope"]), task=str(first.subject))


def state(program: Program, item: Item) -> None:
    """Make the statement of an item to a program."""
    _STATERS[item.kind](program, str(item.subject), item.content)


def _state_task(program: Program, name: str, content: Any) -> None:
    scope = parse_scope(content["scope"])
    program.add_task(Task(name, scope, content["kind"], tuple(content["parameters"])))


def _state_scope(program: Program, name: str, content: Any) -> None:
    program.add_scope(parse_scope(name), None if content is None else parse_scope(content))


def _state_declaration(program: Program, _number: str, content: Any) -> None:
    pattern = parse_cell(content["cell"], _ANY)
    program.declare(Declaration(pattern, content["sensitive"], content["pinned"], _cells(content.get("depends", ()))))


def _state_requirement(program: Program, _number: str, content: Any) -> None:
    program.declare(Requirement(content["kind"], _cells(content["cells"])))


def _cells(texts: Iterable[str]) -> tuple[Cell, ...]:
    return tuple(parse_cell(text, _ANY) for text in texts)


def _state_metadata(program: Program, entry: str, content: Any) -> None:
    program.metadata[entry] = content


_STATERS: dict[str, Callable[[Program, str, Any], None]] = {
    "task": _state_task,
    "scope": _state_scope,
    "cell": _state_declaration,
    "requirement": _state_requirement,
    "entry": _state_metadata,
}


class Known:
    """The items a store holds of a conversation."""

    def __init__(self) -> None:
        self._content: dict[tuple[str, str | int], Any] = {}

    def add(self, item: Item) -> None:
        """Take up an item; of two about one subject the later one holds."""
        self._content[item.key] = item.content

    def is_new(self, item: Item) -> bool:
        """Whether the item says something that is not yet known."""
        return item.key not in self._content or (item.content is not None and item.replaces(self._content[item.key]))

    def contradicted(self, item: Item) -> bool:
        """Whether something else is known of the subject."""
        return not self.is_new(item) and canonical(self._content[item.key]) != canonical(item.content)

    def beyond(self, items: list[Item]) -> Item | None:
        """The first item known that is not among `items`."""
        given = {item.key for item in items}
        return next((Item(*key, content) for key, content in self._content.items() if key not in given), None)

    def content(self, item: Item) -> Any:
        """What is known of the subject of an item."""
        return self._content[item.key]
