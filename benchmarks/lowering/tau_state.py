"""The state after every prefix of every tau log, against what an independent reading of the raw JSON holds there.

    python -m benchmarks.lowering.tau_state [--json FILE]

A program is executed block by block. After each message the values in force at its cells are compared with those of
`tau_held`, which reads the same messages: each cell with one field, as JSON. That state knows the places of the whole
program from the start. A log is analysed online, so its messages up to there alone are lowered and run as well: that
state knows the places of the prefix and no others, and must hold the same at the same cells.
"""

import argparse
import enum
import gzip
import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.lowering.tau_held import ARGUMENT, ENTITY, SAID, Field, Reading, as_text, result_of
from benchmarks.lowering.tau_log import Conversation, Message, Record, read
from benchmarks.lowering.tau_product import message_of
from benchmarks.lowering.tau_raw import data_directory
from statemem import lower
from statemem.ir import Cell, Instruction, Program, State, run
from statemem.ir.cells import Place
from statemem.ir.meaning.resolve import universe
from statemem.ir.state import execute_block

SUMMARY = "Compare the state after every prefix of the tau logs with an independent reading of their raw JSON."
SHOWN_EXAMPLES = 5
CALL = re.compile(r"/tool_calls/(\d+)/")

Names = Mapping[Cell, Field]
"""The reading's name of an entity, a result, the arguments of a call or a said value, by its cell."""
Unequal = tuple[str, str | None, str | None]
"""A field, what was found there and what was expected; None where nothing is held."""


class Kind(enum.Enum):
    """What a difference is, in a sentence."""

    MISSING = "the reading holds a value and no cell does"
    SURPLUS = "a cell holds a value and the reading does not"
    OTHER_VALUE = "a cell holds another value than the reading"
    PREFIX = "the messages up to there alone come to another value than the whole log has there"


@dataclass(frozen=True)
class Logged:
    """One run of a file: as the independent reader has it, and the record that the product lowers."""

    raw: Conversation
    record: Record

    def program(self, messages: int | None = None) -> Program:
        """The program of the run, or of so many messages of it."""
        name = "messages" if "messages" in self.record else "traj"
        return lower({**self.record, name: self.record[name][:messages]})


@dataclass(frozen=True)
class Difference:
    """A field after a message, with what was found there and what was expected; None where nothing is held."""

    kind: Kind
    conversation: str
    message: int
    field: str
    found: str | None
    expected: str | None


@dataclass
class Comparison:
    """What comparing some conversations came to; a cell counts at every prefix at which it holds something."""

    conversations: int = 0
    prefixes: int = 0
    cells: int = 0
    differences: list[Difference] = field(default_factory=list)


def logged(path: Path) -> list[Logged]:
    """The runs of a file."""
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        content = json.load(stream)
    records = content["simulations"] if isinstance(content, dict) else content
    return [Logged(raw, record) for raw, record in zip(read(path), records, strict=True)]


def compare(one: Logged) -> Comparison:
    """Compare after every message of a conversation."""
    program, reading, found = one.program(), Reading(), Comparison(conversations=1)
    names = names_of(program, one.raw)
    for message, state in states(program, one.raw):
        reading.take(message)
        stepped, alone = in_force(state), in_force(run(one.program(message.index + 1)))
        held = {name: as_text(value) for name, value in reading.held().items()}
        unequal = [*_against_reading(stepped, names, held), *_against_prefix(stepped, alone)]
        found.prefixes += 1
        found.cells += len(stepped)
        found.differences += [Difference(kind, one.raw.id, message.index, *values) for kind, values in unequal]
    return found


def total(comparisons: Iterable[Comparison]) -> Comparison:
    """The figures of several comparisons together."""
    known = list(comparisons)
    return Comparison(
        conversations=sum(one.conversations for one in known),
        prefixes=sum(one.prefixes for one in known),
        cells=sum(one.cells for one in known),
        differences=[difference for one in known for difference in one.differences],
    )


def states(program: Program, raw: Conversation) -> Iterator[tuple[Message, State]]:
    """The state after each message: once all blocks of that message are executed."""
    state, block = State(program, universe(program)), 0
    for message in raw.messages:
        while block < len(program.blocks) and message_of(program, block) == message.index:
            execute_block(state, program, block)
            block += 1
        yield message, state
    assert block == len(program.blocks), "a block belongs to no message"


def in_force(state: State) -> dict[Cell, str]:
    """The value of each cell as JSON text, in which 1, 1.0 and true differ; several in force that differ, all."""
    held = ((cell, [as_text(entry.value) for entry in state.held(cell)]) for cell in state.cells())
    return {cell: " and ".join(dict.fromkeys(values)) for cell, values in held}


def names_of(program: Program, raw: Conversation) -> Names:
    """How the reading names what a program writes, told by the messages that write it: one name each."""
    names: dict[Cell, Field] = {}
    for block in range(len(program.blocks)):
        message = raw.messages[message_of(program, block)]
        for _, instruction in program.numbered(block):
            for top in (_top(write.place) for write in instruction.writes()):
                name = _name(top, message, instruction)
                assert name == names.setdefault(top, name), f"{top} is two fields of the reading"
    assert len(names) == len(set(names.values())), "two cells are one field of the reading"
    return names


def table(comparisons: Mapping[str, Comparison]) -> str:
    """A line for each file and for all; then every kind of difference with examples."""
    head = f"{'file':<52}{'conversations':>14}{'prefixes':>10}{'cells':>10}{'differences':>13}"
    lines = [_line(file, one) for file, one in comparisons.items()]
    whole = total(comparisons.values())
    return "\n".join([head, *lines, _line("all", whole), *_examples(whole.differences)])


def report(comparisons: Mapping[str, Comparison]) -> dict[str, Any]:
    """The JSON form: the figures of each file, and every difference."""
    return {file: _figures(one) for file, one in comparisons.items()}


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table, write the JSON; 1 where something differs, 2 where the data is missing."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.lowering.tau_state", description=SUMMARY)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures and the differences to FILE")
    options = parser.parse_args(arguments)
    paths = sorted(data_directory().glob("*.json.gz"))
    if not paths:
        print(f"No tau logs at {data_directory()}: set STATEMEM_DATA to the folder that holds tau/.", file=sys.stderr)
        return 2
    comparisons = {path.name: total(map(compare, logged(path))) for path in paths}
    print(table(comparisons))
    if options.json:
        text = json.dumps(report(comparisons), indent=1, ensure_ascii=False)
        options.json.write_text(text + "\n", encoding="utf-8")
    return 1 if any(one.differences for one in comparisons.values()) else 0


def _against_reading(
    stepped: Mapping[Cell, str], names: Names, held: Mapping[Field, str]
) -> Iterator[tuple[Kind, Unequal]]:
    """Where the cells hold other values than the fields of the reading."""
    fields = {field_of(cell, names): value for cell, value in stepped.items()}
    assert len(fields) == len(stepped), "two cells are one field of the reading"
    for name in sorted(fields.keys() | held.keys()):
        found, expected = fields.get(name), held.get(name)
        if found != expected:
            yield _kind(found, expected), (" ".join(name), found, expected)


def _kind(found: str | None, expected: str | None) -> Kind:
    if found is None:
        return Kind.MISSING
    return Kind.SURPLUS if expected is None else Kind.OTHER_VALUE


def _against_prefix(stepped: Mapping[Cell, str], alone: Mapping[Cell, str]) -> Iterator[tuple[Kind, Unequal]]:
    """Where the prefix alone comes to other values than the whole program stepped to the same message."""
    if stepped == alone:
        return
    for cell in sorted(stepped.keys() | alone.keys()):
        found, expected = alone.get(cell), stepped.get(cell)
        if found != expected:
            yield Kind.PREFIX, (str(cell), found, expected)


def _top(place: Place) -> Cell:
    """The cell of the whole that a place belongs to: a name, with a key where there is one."""
    assert isinstance(place, Cell), "these logs name no cell through a reference"
    keyed = len(place.path) > 1 and place.path[1].kind == "key"
    return Cell(place.scope, place.path[: 2 if keyed else 1])


def _name(top: Cell, message: Message, instruction: Instruction) -> Field:
    """The reading's name of what an instruction of a message writes to."""
    steps = tuple(segment.text for segment in top.path)
    if top.scope.kind == "user":
        return ENTITY, *steps
    if message.answers is not None:
        return result_of(message.answers)
    call = CALL.search(instruction.origin.pointer or "")
    return (ARGUMENT, str(message.index), call[1]) if call else (SAID, *steps)


def field_of(cell: Cell, names: Names) -> Field:
    """The reading's name of a cell."""
    top = _top(cell)
    return *names[top], *(segment.text for segment in cell.path[len(top.path) :])


def _line(title: str, one: Comparison) -> str:
    return f"{title:<52}{one.conversations:>14,}{one.prefixes:>10,}{one.cells:>10,}{len(one.differences):>13,}"


def _examples(differences: Sequence[Difference]) -> Iterator[str]:
    for kind, count in Counter(one.kind for one in differences).most_common():
        yield f"{count:>7,}  {kind.value}"
        for one in [one for one in differences if one.kind is kind][:SHOWN_EXAMPLES]:
            yield f"         {one.conversation}, message {one.message}: {one.field}: {one.found} for {one.expected}"


def _figures(one: Comparison) -> dict[str, Any]:
    kinds = Counter(difference.kind.name.lower() for difference in one.differences)
    listed = [asdict(difference) | {"kind": difference.kind.name.lower()} for difference in one.differences]
    return asdict(one) | {"kinds": dict(kinds), "differences": listed}


if __name__ == "__main__":
    sys.exit(main())
