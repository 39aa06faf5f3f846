"""Programs of any length for the growth benchmark of the IR: invented content, the same for the same seed.

One is like that of a log. In two others everything is in the names: every entity has a second one, or every one has
been what one reference points to.
"""

import random
from collections import deque
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

from benchmarks.growth_logs import CITIES, COLOURS, STATUSES, SUBJECTS
from statemem.ir import (
    Actor,
    Append,
    Bind,
    Block,
    Cell,
    Derive,
    Instruction,
    Operand,
    Origin,
    Program,
    Reference,
    Same,
    Scope,
    Set,
    Use,
)
from statemem.ir import key as keyed
from statemem.ir import name as named

A_BLOCK, BLOCKS_AN_ORDER = 5, 12
RECENT, LASTING = 10, 20
FILE = "log.jsonl"

SESSION, USER = Scope("session", "1"), Scope("user", "7")
TOPIC, SUMMED_UP = (Cell(SESSION, (named(text),)) for text in ("topic", "summary"))
CITY, NOTES = Cell(USER, (named("address"), named("city"))), Cell(USER, (named("notes"),))
ACTORS = (Actor("user"), Actor("tool", "get_order"), Actor("assistant"))
TOOL = ACTORS[1]


def program_of(kind: str, size: int, seed: int) -> Program:
    """A program of a kind, of so many instructions: blocks of five that go on to one another."""
    program = Program(kind, SESSION)
    program.add_scope(SESSION, USER)
    program.add_scope(USER)
    block = KINDS[kind](random.Random(seed))
    for number in range(size // A_BLOCK):
        program.extend(block(number))
    return program


def _united(draw: random.Random) -> Callable[[int], Block]:
    """Orders of which every one has a second name, by which it is read."""

    def block(number: int) -> Block:
        order, other = (_order(f"{letter}{number}") for letter in "WA")
        status, colour = order.child("status"), other.child("colour")
        made = (
            Set(target=status, value=draw.choice(STATUSES), id=f"s{number}"),
            Set(target=colour, value=draw.choice(COLOURS), id=f"c{number}"),
            Same(left=order, right=other),
            Use(operands=(Operand(other.child("status"), f"s{number}"),)),
            Use(operands=(Operand(order.child("colour"), f"c{number}"),)),
        )
        return Block(f"t{number}", TOOL, number, None, made)

    return block


def _bound(draw: random.Random) -> Callable[[int], Block]:
    """Orders to which one reference points, each in its turn."""

    def block(number: int) -> Block:
        order = _order(f"W{number}")
        made = (
            Set(target=order.child("status"), value=draw.choice(STATUSES), id=f"s{number}"),
            Bind(reference="it", target=order),
            Use(operands=(Operand(Reference("it", (named("status"),)), f"s{number}"),)),
            Set(target=Reference("it", (named("colour"),)), value=draw.choice(COLOURS), id=f"c{number}"),
            Use(operands=(Operand(order.child("colour"), f"c{number}"),)),
        )
        return Block(f"t{number}", TOOL, number, None, made)

    return block


def _order(text: str) -> Cell:
    return Cell(USER, (named("order"), keyed(text)))


class _Log:
    """What the blocks of a log say: orders that are read and answered, facts that last, notes that add up."""

    def __init__(self, draw: random.Random) -> None:
        self._draw = draw
        self._ids = count(1)
        self._lasting: list[Operand] = []
        self._recent: deque[Operand] = deque(maxlen=RECENT)
        self._said = Origin()

    def block(self, number: int) -> Block:
        """The block of that number: a person's, a tool's or the assistant's."""
        self._said = Origin(event=f"evt_{number}", file=FILE, line=number + 1)
        order = _order(f"W{number // BLOCKS_AN_ORDER}")
        kind = number % len(ACTORS)
        made = (self._asked, self._found, self._answered)[kind](order)
        return Block(f"t{number + 1}", ACTORS[kind], number + 1, None, tuple(made), origin=self._said)

    def _asked(self, _: Cell) -> Iterator[Instruction]:
        yield self._write(Set, TOPIC, self._sentence(), "/content")
        yield self._write(Set, CITY, self._draw.choice(CITIES), "/content")
        fact = Cell(USER, (named("fact"), keyed(f"{self._draw.choice(SUBJECTS)} {next(self._ids)}")))
        yield self._write(Set, fact, self._sentence(), "/content")
        yield self._use(self._recent[0], self._lasting[-1], purpose="prompt")
        yield self._write(Append, NOTES, self._sentence(), "/content")

    def _found(self, order: Cell) -> Iterator[Instruction]:
        yield self._write(Set, order.child("status"), self._draw.choice(STATUSES), "/content#/status")
        yield self._write(Set, order.child("total"), self._draw.randint(500, 99_999) / 100, "/content#/total")
        yield self._write(Set, order.child("colour"), self._draw.choice(COLOURS), "/content#/items/0/colour")
        yield self._write(Set, order.child("count"), self._draw.randint(1, 9), "/content#/items/0/count")
        yield self._use(self._recent[0], purpose="call")

    def _answered(self, order: Cell) -> Iterator[Instruction]:
        status, total, colour, number = list(self._recent)[-4:]
        yield self._use(status, total, self._draw.choice(self._lasting), purpose="reply")
        yield self._write(Derive, SUMMED_UP, self._sentence(), "/content", premises=(status, colour))
        yield self._write(Derive, order.child("weight"), self._draw.random(), "/content", premises=(number,))
        yield self._write(Append, NOTES, self._sentence(), "/content")
        yield self._use(self._recent[-1], purpose="reply")

    def _write(self, make: Callable[..., Instruction], cell: Cell, value: Any, at: str, **parts: Any) -> Instruction:
        written = Operand(cell, f"m{next(self._ids)}")
        self._recent.append(written)
        if len(self._lasting) < LASTING:
            self._lasting.append(written)
        origin = Origin(event=self._said.event, file=FILE, line=self._said.line, pointer=at)
        return make(target=cell, value=value, id=written.was, origin=origin, **parts)

    def _use(self, *operands: Operand, purpose: str) -> Instruction:
        return Use(operands=operands, purpose=purpose, origin=self._said)

    def _sentence(self) -> str:
        return f"The {self._draw.choice(SUBJECTS)} is {self._draw.choice(COLOURS)} in {self._draw.choice(CITIES)}"


KINDS: dict[str, Callable[[random.Random], Callable[[int], Block]]] = {
    "log": lambda draw: _Log(draw).block,
    "united": _united,
    "bound": _bound,
}
