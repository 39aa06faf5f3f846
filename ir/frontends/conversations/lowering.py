"""Messages to blocks, one after the other: each is linked by what the path of messages before it told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import attrs

from ...blocks import Block
from ...cells import Cell, Scope, key, name
from ...diagnostics import Problem
from ...instructions import EXPOSURE, Delete, Instruction, Operand, Set, Use, written
from ...origin import Actor, Origin
from ...program import Program
from ...terminators import OPEN, Terminator
from ..domain import UNKNOWN, Domain
from ..linking import Linker
from ..linking.entities import Scopes
from ..messages import Message, Opaque, Part, Removal, Stated, Text, ToolCall, ToolResult
from ..opaque import cost, digest, mark
from .path import Path
from .told import Told


class Lowering:
    """The program of one conversation, which grows message by message.

    A log that does not branch is lowered by `add` alone; in a tree a block is made and learned on a path of its own.
    """

    def __init__(self, label: str, user: str | None, problems: list[Problem], domain: Domain = UNKNOWN) -> None:
        self._scopes = Scopes(Scope("user", user or label), Scope("session", label))
        self.program = Program(label, self._scopes.session)
        self.program.add_scope(self._scopes.user)
        self.program.add_scope(self._scopes.session, self._scopes.user)
        self._cells: dict[str, dict[Cell, None]] = {}  # what each message wrote, all its pieces together
        self.start = Path(Linker(self.program, self._scopes, problems, domain), Told(self.program))

    def add(self, message: Message) -> Block:
        """Add a message after the last one, and return its block."""
        number = len(self.program.blocks) + 1
        self.learn(self.start, message, self.program.extend(self.block(number, message, self.start, OPEN)))
        return self.program.blocks[-1]

    def learn(self, path: Path, message: Message, block: int) -> None:
        """Take in a block that was added to the program: what it defines is known along its path."""
        path.linker.learn(block)
        own = message.whole or message.key
        path.told.add(own, block)
        if own is not None:
            made = (item for item in self.program.blocks[block].instructions if not isinstance(item, Delete))
            cells = (place for item in made for place in written(item) if isinstance(place, Cell))
            self._cells.setdefault(own, {}).update(dict.fromkeys(cells))

    def block(self, number: int, message: Message, path: Path, terminator: Terminator) -> Block:
        """The block of a message, as it stands where a path has led."""
        location = message.location
        origin = Origin(
            event=message.id or f"m{number}",
            file=location.file,
            line=location.line,
            record=location.record,
            pointer=location.pointer,
            recorded=message.time,
        )
        actor = self._actor(message, path)
        instructions = tuple(self._instructions(number, message, path, origin))
        shared = attrs.evolve(origin, pointer=None)
        return Block(f"m{number}", actor, number, None, instructions, terminator, shared)

    def _actor(self, message: Message, path: Path) -> Actor:
        result = next((part for part in message.parts if isinstance(part, ToolResult)), None)
        if message.role == "tool" and result is not None and not message.name:
            call = result.call or next(iter(path.waiting), "")
            return Actor("tool", result.tool or path.tools.get(call) or "")
        return Actor(message.role, message.name)

    def _instructions(self, number: int, message: Message, path: Path, origin: Origin) -> Iterator[Instruction]:
        yield from self._shown(message, origin)
        path.enter(message)
        calls = sum(isinstance(part, ToolCall) for part in message.parts)
        group = f"m{number}" if calls > 1 else None
        position = 0
        for part in _in_order(message.parts):
            at = _at(origin, part)
            if isinstance(part, ToolCall):
                position += 1
                yield from self._call(f"{number}.{position}", part, path, attrs.evolve(at, group=group))
            else:
                yield from self._part(message, part, path, at)

    def _part(self, message: Message, part: Part, path: Path, origin: Origin) -> Iterator[Instruction]:
        if isinstance(part, Text) and message.role == "user":
            yield from path.linker.user_text(part.text, origin)
        elif isinstance(part, Text) and message.role == "assistant":
            yield from path.linker.reply(part.text, origin)
        elif isinstance(part, ToolResult):
            call = path.answered(part)
            tool = part.tool or path.tools.get(call) or "tool"
            yield from path.linker.result(call, tool, part.content, origin, failed=part.failed)
        elif isinstance(part, Opaque):
            yield from self._opaque(part, origin)
        elif isinstance(part, Stated):
            yield attrs.evolve(part.build(self._scopes), origin=origin)
        elif isinstance(part, Removal):
            gone = path.told.remove(part.keys)
            yield from (Delete(target=cell, origin=attrs.evolve(origin, rule="removed")) for cell in gone)

    def _call(self, fallback: str, call: ToolCall, path: Path, origin: Origin) -> Iterator[Instruction]:
        own = call.id or fallback
        path.called(own, call.tool)
        yield from path.linker.call(call.tool, call.arguments, own, attrs.evolve(origin, event=own))

    def _opaque(self, part: Opaque, origin: Origin) -> Iterator[Instruction]:
        """What is not text is one entry; what was made from all that was shown exposes all there is."""
        cell = Cell(self._scopes.session, (name("attachment"), key(mark(part.value))))
        opaque = attrs.evolve(origin, rule="opaque")
        if part.sees_all:
            everything = (Operand(Cell(self._scopes.user, ())), Operand(Cell(self._scopes.session, ())))
            yield Use(operands=everything, purpose=EXPOSURE, origin=opaque)
        costs = attrs.evolve(opaque, tokens=cost(part.kind, part.value))
        yield Set(target=cell, value=digest(part.kind, part.value), origin=costs)

    def _shown(self, message: Message, origin: Origin) -> Iterator[Instruction]:
        """What the log says stood in the prompt."""
        prompt = message.prompt
        if prompt is None:
            return
        cells = dict.fromkeys(cell for one in prompt.shown for cell in self._cells.get(one, ()))
        if cells:
            at = attrs.evolve(origin, tokens=prompt.tokens, cached=prompt.cached)
            yield Use(operands=tuple(map(Operand, cells)), purpose=EXPOSURE, origin=at)


def _in_order(parts: Iterable[Part]) -> Iterator[Part]:
    """The parts, before each answer of a tool what came with it."""
    for part in parts:
        if isinstance(part, ToolResult):
            yield from (attrs.evolve(one, location=one.location or part.location) for one in part.attached)
        yield part


def _at(origin: Origin, part: Part) -> Origin:
    """Where a part stands: in the record of its message, unless it has one of its own."""
    own = part.location
    if own is not None:
        origin = attrs.evolve(origin, file=own.file, line=own.line, record=own.record, pointer=own.pointer)
    return attrs.evolve(origin, pointer=f"{origin.pointer or ''}/{part.pointer}") if part.pointer else origin
