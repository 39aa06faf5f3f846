"""From events back to programs, and from programs to what is in force.

A conversation's state is that of its own program. Where conversations name the same scope, its state is that of their
programs run one after the other in the order in which they were first applied: a later one replaces, extends or deletes
what an earlier one left, exactly as one log would, while references and open tasks end with the conversation.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

import attrs

from statemem.ir import Cell, Entry, Goto, Instruction, Open, PathError, Program, Scope, State
from statemem.ir.blocks import Block
from statemem.ir.cells import Place
from statemem.ir.flow.routes import path_to_end
from statemem.ir.instructions import written
from statemem.ir.meaning.facts import fold
from statemem.ir.meaning.places import Places
from statemem.ir.meaning.resolve import PlaceWrite, ended_scope, universe
from statemem.ir.meaning.walk import Walk
from statemem.ir.origin import Actor
from statemem.ir.records import RecordError, from_record, read_origin
from statemem.ir.terminators import Terminator
from statemem.ir.values import Value

from .events import Event, Kind, Record
from .preamble import Item, begun, state
from .problems import refusal
from .recording import read_terminator

_ANY = Scope("session", "")

#: The kind of scope that ends with its turn.
PASSING = "turn"


# programs


def program_of(name: str, events: Iterable[Event]) -> Program:
    """The program that the events of one conversation keep."""
    reading = _Reading(name)
    for event in events:
        try:
            reading.add(event)
        except (json.JSONDecodeError, RecordError, PathError, KeyError, TypeError, ValueError) as error:
            message = f"event {event.sequence} cannot be read: {error}"
            raise refusal("ST031", message, hint="Store.verify tells what was changed; restore a backup") from None
    return reading.program()


class _Reading:
    """A program in the making: blocks wait until all their operations are there."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._items: list[list[Item]] = []
        self._waiting: list[Item] = []
        self._heads: list[Record] = []
        self._instructions: list[list[Instruction]] = []
        self._terminators: dict[int, Terminator | None] = {}
        self._standing: str | None = None

    def add(self, event: Event) -> None:
        record = event.record
        if event.kind == Kind.PREAMBLE:
            self._waiting += [Item(*item) for item in record]
        elif event.kind == Kind.BLOCK:
            self._heads.append(record)
            self._standing = None
            self._instructions.append([])
            self._items.append(self._waiting)
            self._waiting = []
        elif event.kind == Kind.OPERATION:
            self._instructions[-1].append(from_record(record, _ANY))
        elif event.kind == Kind.STANDING:
            self._standing = record["block"]
        elif event.kind == Kind.TERMINATOR:
            stated = record["terminator"]
            self._terminators[record["block"]] = None if stated is None else read_terminator(stated)

    def program(self) -> Program:
        first = next(items for items in [*self._items, self._waiting] if items)
        program = begun(self._name, first)
        for number in range(len(self._heads)):
            _state_all(program, self._items[number])
            program.append(self._block(number), task=self._heads[number]["body"])
        _state_all(program, self._waiting)
        end = None if self._standing is None else program.block_named(self._standing)
        if end is not None:
            program.stand_at(end)
        return program

    def _block(self, number: int) -> Block:
        head = self._heads[number]
        kind, _, who = head["actor"].partition(":")
        return Block(
            name=head["block"],
            actor=Actor(kind, who),
            step=head.get("step"),
            task=head.get("task"),
            instructions=tuple(self._instructions[number]),
            terminator=self._terminators.get(number) or self._implied(number),
            origin=read_origin(head.get("with")),
        )

    def _implied(self, number: int) -> Terminator:
        following = self._heads[number + 1 : number + 2]
        return Goto(following[0]["block"]) if following else Open()


def _state_all(program: Program, items: list[Item]) -> None:
    for item in items:
        state(program, item)


# several conversations


def shared_scopes(program: Program) -> set[Scope]:
    """The scopes in which a program may leave something for other conversations, or end something of theirs."""
    found = {place.scope for item in program.instructions for place in written(item) if isinstance(place, Cell)}
    ended = {scope for scope in map(ended_scope, program.instructions) if scope is not None}
    return {scope for scope in found | ended if scope.kind != PASSING}


class Joined:
    """Several programs as one, to be run one after the other."""

    def __init__(self, programs: Sequence[Program]) -> None:
        self.program = Program("store", _ANY)
        self.paths: list[list[int]] = []
        for program in programs:
            first = len(self.program.blocks)
            for block in program.blocks:
                self.program.append(block)
            self.paths.append([first + number for number in path_to_end(program)])

    def run(self) -> Counted:
        """What is in force after all of them."""
        state = Counted(self.program, universe(self.program))
        for path in self.paths:
            walk = Walk(self.program, state)
            for block in path:
                walk.through(block)
            state = walk.state
            part(state)
        return state


def part(state: State) -> None:
    """The end of a conversation: what it called "it" and the tasks it left open mean nothing to the next."""
    state.names = attrs.evolve(state.names, references={})
    state.open_tasks = []


class Counted(State):
    """A state that counts how often each place was written or ended."""

    def __init__(self, program: Program, places: Places) -> None:
        super().__init__(program, places)
        self.versions: dict[Cell, int] = {}

    def _perform(self, write: PlaceWrite) -> None:
        self.versions[write.place] = self.versions.get(write.place, 0) + 1
        super()._perform(write)


def standing(program: Program, state: State, place: Place) -> dict[str, Value]:
    """What is in force at a place and below it, value by cell."""
    groups: dict[Place, list[Entry]] = {}
    for entry in state.in_force(place):
        groups.setdefault(entry.cell, []).append(entry)
    return {str(cell): fold(program, entries) for cell, entries in groups.items()}
