"""Programs: blocks of straight-line instructions, the tasks that hold them, and the entries they make."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

import attrs

from .cells import Cell, Place, Scope, Segment, path_text
from .instructions import Enter, Instruction
from .origin import NOWHERE, Actor, Origin
from .terminators import OPEN, Goto, Terminator
from .values import Value

Shape = Literal["trace", "workflow"]
SYSTEM = Actor("system")


@attrs.frozen
class Block:
    """One turn or step: straight-line instructions of one actor and where control goes next.

    `step` is the position in the log by its own count; blocks that share one are parts of one step.
    """

    name: str
    actor: Actor = SYSTEM
    step: int | None = None
    task: str | None = None
    instructions: tuple[Instruction, ...] = ()
    terminator: Terminator = OPEN
    origin: Origin = NOWHERE


@attrs.frozen
class Task:
    """A body of blocks: the one of a trace, or a procedure of a workflow."""

    name: str
    scope: Scope
    kind: str | None = None
    parameters: tuple[str, ...] = ()


@attrs.frozen
class Declaration:
    """What is true of a cell, or of a family of cells, whoever uses it."""

    pattern: Cell
    sensitive: bool = False
    pinned: bool = False


class Entry(NamedTuple):
    """A memory entry: one leaf that one instruction wrote.

    `instruction` counts all instructions of the program from 0 in order of creation, `block` its blocks;
    `cell` is a reference where the log named the cell through one.
    """

    id: str
    cell: Place
    value: Value
    instruction: int
    block: int
    leaf: int


class Definition(NamedTuple):
    """An entry as it stands at a place: what reaches, replaces and is replaced.

    `leaf` is the number of the leaf in its instruction, `TOMBSTONE` or `ENDED`; the tombstone of instruction
    `NEVER` stands at every place to begin with. `yields` says that it came after one that outranks it: it is
    history and never was in force.
    """

    instruction: int
    leaf: int
    cell: Cell
    yields: bool = False

    @property
    def is_tombstone(self) -> bool:
        """Whether it says that the place holds nothing."""
        return self.leaf < 0


TOMBSTONE = -1
#: The leaf of a tombstone that the end of a scope leaves: it has no rank, whatever the instruction is dated.
ENDED = -2
NEVER = -1


def never_assigned(cell: Cell) -> Definition:
    """The tombstone with which every place begins."""
    return Definition(NEVER, TOMBSTONE, cell)


class Program:
    """An agent's run, everything one user ever said, or a workflow.

    It grows by `append`; block and instruction numbers are the order of creation and never change.
    `version` counts changes, so that a solution can say which program it belongs to.
    """

    def __init__(self, name: str, scope: Scope, *, shape: Shape = "trace", task: str = "main") -> None:
        self.name = name
        self.shape: Shape = shape
        self.scopes: dict[Scope, Scope | None] = {}
        self.tasks: dict[str, Task] = {}
        self.declarations: list[Declaration] = []
        self.metadata: dict[str, dict[str, Value]] = {}
        self.blocks: list[Block] = []
        self.body: list[str] = []
        self.instructions: list[Instruction] = []
        self.entries: list[Entry] = []
        self.version = 0
        self._first_instruction: list[int] = []
        self._first_entry: list[int] = []
        self._block_of: list[int] = []
        self._number_of_block: dict[str, int] = {}
        self._entry_numbers: dict[str, int] = {}
        self._objects: dict[str, int] = {}
        self._ids_taken: set[str] = set()
        self._ids_given = 0
        self.add_task(Task(task, scope))

    # declarations

    def add_scope(self, scope: Scope, parent: Scope | None = None) -> None:
        """Make a scope known; a parent once given stays."""
        self.scopes[scope] = self.scopes.get(scope) or parent

    def add_task(self, task: Task) -> None:
        """Open a body of blocks; blocks that name no other go to the one added last."""
        self.tasks[task.name] = task
        if task.scope not in self.scopes:
            self.add_scope(task.scope)

    def declare(self, declaration: Declaration) -> None:
        """State something of a cell or a family of cells."""
        self.declarations.append(declaration)
        self.version += 1

    # growth

    def extend(self, block: Block) -> int:
        """Add a block after the current end, to which control now goes on, and return its number."""
        end = self.current_end
        if end is not None:
            self.set_terminator(end, Goto(block.name))
        return self.append(block)

    def append(self, block: Block, *, task: str | None = None) -> int:
        """Add a block at the end of a body and return its number. Edges into it are made by the terminators.

        An instruction that makes an entry and has no id is given the next free one of `e1`, `e2` …
        """
        number = len(self.blocks)
        self.reserve_ids(item.id for item in block.instructions if item.id is not None)
        if any(item.makes_entry and item.id is None for item in block.instructions):
            block = attrs.evolve(block, instructions=tuple(map(self._with_id, block.instructions)))
        self.blocks.append(block)
        self.body.append(next(reversed(self.tasks)) if task is None else task)
        self._number_of_block.setdefault(block.name, number)
        self._first_instruction.append(len(self.instructions))
        for instruction in block.instructions:
            self._add_instruction(instruction, number)
        for scope, parent in self.scopes_named(number):
            self.scopes.setdefault(scope, parent)
        self.version += 1
        return number

    def reserve_ids(self, ids: Iterable[str]) -> None:
        """Give none of these ids to an entry that has none of its own."""
        self._ids_taken.update(ids)

    def set_terminator(self, number: int, terminator: Terminator) -> None:
        """Say where control goes after a block."""
        self.blocks[number] = attrs.evolve(self.blocks[number], terminator=terminator)
        self.version += 1

    def _with_id(self, instruction: Instruction) -> Instruction:
        if not instruction.makes_entry or instruction.id is not None:
            return instruction
        self._ids_given += 1
        while f"e{self._ids_given}" in self._ids_taken:
            self._ids_given += 1
        return attrs.evolve(instruction, id=f"e{self._ids_given}")

    def _add_instruction(self, instruction: Instruction, block: int) -> None:
        position = len(self.instructions)
        self.instructions.append(instruction)
        self._block_of.append(block)
        self._first_entry.append(len(self.entries))
        for write in instruction.writes():
            for leaf, (path, value) in enumerate(write.leaves):
                self._add_entry(
                    Entry(entry_id(instruction, path), _below(write.place, path), value, position, block, leaf)
                )

    def _add_entry(self, entry: Entry) -> None:
        self._entry_numbers.setdefault(entry.id, len(self.entries))
        self.entries.append(entry)

    # look-up

    def block_named(self, name: str) -> int | None:
        """The number of the block of that name."""
        return self._number_of_block.get(name)

    def first_instruction(self, block: int) -> int:
        """The number of the first instruction of a block (or of the next block's, where it is empty)."""
        return self._first_instruction[block]

    def block_of(self, instruction: int) -> int:
        """The number of the block an instruction stands in."""
        return self._block_of[instruction]

    def entry_of(self, definition: Definition) -> Entry | None:
        """The memory entry behind a definition; a tombstone has none."""
        if definition.is_tombstone:
            return None
        return self.entries[self._first_entry[definition.instruction] + definition.leaf]

    def names_of(self, instruction: int, leaf: int) -> tuple[str, ...]:
        """The ids by which a log may name an entry: its own, and that of the whole object it is a leaf of."""
        own = self.entries[self._first_entry[instruction] + leaf].id
        whole = self.instructions[instruction].id
        return (own,) if whole is None or whole == own else (own, whole)

    def named(self, entry: str) -> list[Entry]:
        """The entries an id names: the one of that id, or all leaves of the whole object of that id."""
        own = self.entry_named(entry)
        if own is not None:
            return [own]
        whole = self._objects.get(entry)
        return [] if whole is None else self.entries_of(whole)

    def entry_named(self, entry: str) -> Entry | None:
        """The memory entry with that id."""
        number = self._entry_numbers.get(entry)
        return None if number is None else self.entries[number]

    def entries_of(self, instruction: int) -> list[Entry]:
        """The entries one instruction makes, a leaf each."""
        writes = self.instructions[instruction].writes()
        first = self._first_entry[instruction]
        return self.entries[first : first + sum(len(write.leaves) for write in writes)]

    def numbered(self, block: int) -> Iterator[tuple[int, Instruction]]:
        """The instructions of a block with their numbers."""
        return enumerate(self.blocks[block].instructions, self._first_instruction[block])

    def step_of(self, block: int) -> int:
        """The step of a block: the log's own count, or the block's position from 1 where it has none."""
        step = self.blocks[block].step
        return block + 1 if step is None else step

    def scope_of(self, block: int) -> Scope:
        """The scope in which a block names bare paths."""
        task = self.blocks[block].task
        return Scope("task", task) if task else self.tasks[self.body[block]].scope

    def scopes_named(self, block: int) -> Iterator[tuple[Scope, Scope]]:
        """The scopes of tasks a block lies in or enters, with their parents; to name a task makes its scope known."""
        own = self.scope_of(block)
        if own != self.tasks[self.body[block]].scope:
            yield own, self.tasks[self.body[block]].scope
        for item in self.blocks[block].instructions:
            if isinstance(item, Enter) and item.task != self.blocks[block].task:
                yield Scope("task", item.task), own

    def same_as(self, other: Program) -> bool:
        """Whether both say the same: everything but the version, which counts how they came about."""
        return self._said() == other._said()

    def _said(self) -> tuple[object, ...]:
        tasks = list(self.tasks.values())
        return self.name, self.shape, self.scopes, tasks, self.declarations, self.metadata, self.blocks, self.body

    @property
    def is_trace(self) -> bool:
        """Whether this is a log, not a workflow."""
        return self.shape == "trace"

    @property
    def current_end(self) -> int | None:
        """The block where the log stands now: the last one appended; None for a program without blocks."""
        return len(self.blocks) - 1 if self.blocks else None


def entry_id(instruction: Instruction, path: tuple[Segment, ...]) -> str:
    """The id of a leaf's entry: the instruction's own, with the path below it after a slash."""
    own = instruction.id or ""
    return f"{own}/{path_text(path)}" if path else own


def _below(place: Place, path: tuple[Segment, ...]) -> Place:
    return place._replace(path=place.path + path) if path else place
