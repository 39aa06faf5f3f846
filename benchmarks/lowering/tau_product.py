"""The figures of `tau_raw`, counted from the product's own programs of the same files.

The rule is the first measurement's; what defines, what uses and what holds a value is the product's to say:

* A definition is a scalar of an entry that a tool's result or a person's text made; an argument that equals
  nothing known makes an entry too, but defines nothing by that rule. An identifier, as `tau_figures` tells
  them, is one object wherever it occurs; any other value is one per cell, field within the leaf, and value.
* A use is a Use that the product linked (its rules 5 and 7). The value used is the argument where the Use
  stands, or what a leaf in force at the operand holds of the words of a reply. It credits every earlier
  definition of its value; a value that only calls have named is none.
* A fact of a result is *overwritten* if a later result states another value of it; a list that only grew is not.
  The first measurement told the lines of an order apart by product, so an exchanged line is an overwritten fact
  here too, though the product, which keys it by item, calls the old line gone and the new one new.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from benchmarks.lowering.tau_figures import IDENTIFIER
from benchmarks.lowering.tau_log import Conversation, canonical, leaves
from statemem import lower_all
from statemem.ir import Cell, Program, Segment, State, Use
from statemem.ir.entries import Entry
from statemem.ir.frontends.linking.distinctive import is_distinctive
from statemem.ir.state import execute_block
from statemem.passes import Manager

WORD = re.compile(r"[#@]?\w(?:[\w.:/@#,-]*\w)?")

ObjectKey = tuple[object, ...]


@dataclass(frozen=True)
class Lowered:
    """A conversation as the independent reader has it, and as the product lowered it."""

    raw: Conversation
    program: Program
    manager: Manager


class Scalar(NamedTuple):
    """One scalar of an entry: its field within the leaf, its canonical form, whether it may be linked alone."""

    field: str
    value: str
    distinctive: bool


@dataclass
class Tally:
    """One conversation's objects, by key, and whether each was used; distances in messages."""

    definitions: int = 0
    used: dict[ObjectKey, bool] = field(default_factory=dict)
    of_value: dict[str, list[ObjectKey]] = field(default_factory=lambda: defaultdict(list))
    last_seen: dict[str, int] = field(default_factory=dict)
    distances: list[int] = field(default_factory=list)

    def define(self, cell: Cell, scalar: Scalar, message: int) -> None:
        """Take in a definition; a value met before under the same key is the same object."""
        self.definitions += 1
        self.last_seen[scalar.value] = message
        alone = IDENTIFIER.fullmatch(scalar.value)
        key: ObjectKey = (scalar.value,) if alone else (cell, scalar.field, scalar.value)
        if key not in self.used:
            self.used[key] = False
            self.of_value[scalar.value].append(key)

    def use(self, value: str, message: int) -> None:
        """Credit every object of a value that something defined."""
        if value not in self.last_seen:
            return
        self.distances.append(message - self.last_seen[value])
        self.last_seen[value] = message
        self.used.update(dict.fromkeys(self.of_value[value], True))


@dataclass(frozen=True)
class ProductFigures:
    """What the programs of some conversations come to; shares are in percent."""

    conversations: int
    definitions: int
    objects: int
    never_used: float
    facts: int
    overwritten: float
    reuse_distance: float


def lowered(path: Path, conversations: Iterable[Conversation]) -> list[Lowered]:
    """The product's programs of a file beside the conversations they are of, by their place in the file."""
    programs = {position(program): program for program in lower_all(path)}
    pairs = ((one, programs[one.position]) for one in conversations)
    return [Lowered(raw, program, Manager(program)) for raw, program in pairs]


def position(program: Program) -> int:
    """The 0-based place of a conversation in its file: its record, or its place among the simulations of one."""
    origin = next((item.origin for item in program.instructions), program.blocks[0].origin)
    simulation = re.match(r"/simulations/(\d+)/", origin.pointer or "")
    return int(simulation[1]) if simulation else (origin.record or 1) - 1


def count(pairs: Iterable[Lowered]) -> ProductFigures:
    """The figures of some conversations together."""
    found = [(tally(one), *overwritten_facts(one.program)) for one in pairs]
    used = [used for one, _, _ in found for used in one.used.values()]
    facts = sum(len(known) for _, known, _ in found)
    return ProductFigures(
        conversations=len(found),
        definitions=sum(one.definitions for one, _, _ in found),
        objects=len(used),
        never_used=percent(used.count(False), len(used)),
        facts=facts,
        overwritten=percent(sum(len(lost) for _, _, lost in found), facts),
        reuse_distance=median(distance for one, _, _ in found for distance in one.distances),
    )


def tally(one: Lowered) -> Tally:
    """Replay one program: in a message uses come before definitions, a value used twice there counts once."""
    program, state, found = one.program, State(one.program), Tally()
    for block in range(len(program.blocks)):
        message = message_of(program, block)
        for value in dict.fromkeys(used_values(one, block, state)):
            found.use(value, message)
        execute_block(state, program, block)
        for cell, scalar in definitions(program, block):
            found.define(cell, scalar, message)
    return found


def message_of(program: Program, block: int) -> int:
    """The place of a block's message in the raw list, from 0."""
    return program.step_of(block) - 1


def definitions(program: Program, block: int) -> Iterator[tuple[Cell, Scalar]]:
    """What results and persons define: every scalar of their entries that is not empty."""
    if program.blocks[block].actor.kind in ("tool", "user"):
        for entry in entries_in(program, block):
            yield from ((cell_of(entry), scalar) for scalar in scalars(entry.value))


def entries_in(program: Program, block: int) -> Iterator[Entry]:
    """The entries a block makes."""
    for number, _ in program.numbered(block):
        yield from program.entries_of(number)


def scalars(value: object) -> Iterator[Scalar]:
    """The scalars of a leaf that are not empty; a list has several."""
    for path, part in _parts(value):
        text = canonical(part)
        if text:
            yield Scalar(path, text, is_distinctive(part))


def used_values(one: Lowered, block: int, state: State) -> Iterator[str]:
    """The values that the Use instructions of a block use, in canonical form; `state` is what was before it."""
    for _, item in one.program.numbered(block):
        if isinstance(item, Use) and (item.origin.rule or "").startswith("5"):
            yield argument(one.raw, item)
        elif isinstance(item, Use):
            yield from _quoted(one.raw.messages[message_of(one.program, block)].text, item, state)


def argument(raw: Conversation, use: Use) -> str:
    """The argument at which a Use stands, found in the raw record by its pointer."""
    message, call, path = argument_place(use)
    value: Any = raw.messages[message].calls[call].arguments
    for step in path:
        value = value[step] if isinstance(value, dict) else value[int(step)]
    return canonical(value)


def argument_place(use: Use) -> tuple[int, int, list[str]]:
    """Message, call and path within the arguments to which the pointer of a Use leads."""
    pointer = (use.origin.pointer or "").replace("arguments#", "arguments")
    steps = [step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")]
    calls, arguments = steps.index("tool_calls"), steps.index("arguments")
    return int(steps[calls - 1]), int(steps[calls + 1]), steps[arguments + 1 :]


Fact = tuple[object, ...]


def facts_over_time(program: Program) -> list[dict[Fact, Counter[str]]]:
    """What each result states: the values of every fact it has, by the fact's cell with lines keyed by product."""
    blocks = (number for number, block in enumerate(program.blocks) if block.actor.is_tool)
    return [_stated(program, number) for block in blocks for number, _ in program.numbered(block)]


def _stated(program: Program, instruction: int) -> dict[Fact, Counter[str]]:
    entries = program.entries_of(instruction)
    products = {cell_of(one).path[:-1]: str(one.value) for one in entries if cell_of(one).path[-1].text == "product_id"}
    found: dict[Fact, Counter[str]] = defaultdict(Counter)
    for entry in entries:
        found[_fact(cell_of(entry), products)].update(_values(entry.value) or [""])
    return found


def _fact(cell: Cell, products: dict[tuple[Segment, ...], str]) -> Fact:
    """The cell of an entry; in a line of an order the product stands for the line's own key."""
    for end in range(len(cell.path), 3, -1):
        if cell.path[:end] in products and cell.path[end - 1].kind == "key":
            return (cell.scope, *cell.path[: end - 1], products[cell.path[:end]], *cell.path[end:])
    return (cell.scope, *cell.path)


def overwritten_facts(program: Program) -> tuple[set[Fact], set[Fact]]:
    """All facts of results, and those of which a later result states another value."""
    held: dict[Fact, Counter[str]] = {}
    lost: set[Fact] = set()
    for stated in facts_over_time(program):
        lost.update(fact for fact, values in stated.items() if held.get(fact, values) - values)
        held.update(stated)
    return set(held), lost


def _values(value: object) -> list[str]:
    return [scalar for _, scalar in leaves(value)]


def cell_of(entry: Entry) -> Cell:
    """The cell of an entry; these logs name none through a reference."""
    assert isinstance(entry.cell, Cell)
    return entry.cell


def percent(part: float, whole: float) -> float:
    """A share in percent; 0 of nothing."""
    return 100 * part / whole if whole else 0.0


def _quoted(text: str, use: Use, state: State) -> Iterator[str]:
    """What the leaves in force at the operands hold of a reply; of a list, what may be linked alone and is in it."""
    words = {canonical(word.replace(",", "")) for word in WORD.findall(text)}
    for place, _ in use.operands:
        for entry in state.in_force(place):
            found = list(scalars(entry.value))
            named = (one.value for one in found if one.distinctive and _stands_in(one.value, text, words))
            yield from [found[0].value] if len(found) == 1 else named


def _stands_in(value: str, text: str, words: set[str]) -> bool:
    """Whether a text holds a value as a word, a number however written, or as several words."""
    return value in words or (" " in value and re.search(rf"(?<!\w){re.escape(value)}(?!\w)", text) is not None)


def _parts(value: object) -> Iterator[tuple[str, object]]:
    """The scalars of a JSON value as they are, with the dotted field names that lead to them."""
    if isinstance(value, dict):
        for name, part in value.items():
            yield from ((f"{name}.{path}" if path else name, scalar) for path, scalar in _parts(part))
    elif isinstance(value, list):
        for part in value:
            yield from _parts(part)
    else:
        yield "", value
