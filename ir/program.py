"""Programs: blocks of straight-line instructions, the tasks that hold them, and the entries they make."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

import attrs

from .blocks import Block, Task, ids_of
from .cells import Scope
from .declarations import Declaration, Requirement
from .entries import Definition, Entry, entries_made
from .instructions import Enter, Instruction
from .terminators import Call, End, Goto, Open, Return, Terminator
from .values import Value

Shape = Literal["trace", "workflow"]


class Program:
    """An agent's run, everything one user ever said, or a workflow.

    It grows by `append` and `extend`, which leave what was there as it is, and is changed by edits: block and
    instruction numbers are the order of creation and never change. `version` counts all changes, so that a solution
    can say which program it belongs to; `edits` counts those that are no growth.
    """

    def __init__(self, name: str, scope: Scope, *, shape: Shape = "trace", task: str = "main") -> None:
        self.name = name
        self.shape: Shape = shape
        self.scopes: dict[Scope, Scope | None] = {}
        self.tasks: dict[str, Task] = {}
        self.declarations: list[Declaration] = []
        self.requirements: list[Requirement] = []
        self.metadata: dict[str, dict[str, Value]] = {}
        self.blocks: list[Block] = []
        self.body: list[str] = []
        self.version = 0
        self.edits = 0
        #: The ends that were said to go on, by number and in that order: where the edges lie that growth added.
        self.ends_moved: list[int] = []
        self._current: int | None = None
        self._ids_taken: set[str] = set()
        self._ids_given = 0
        self.instructions: list[Instruction] = []
        self.entries: list[Entry] = []
        self._first: list[int] = []  # of each block: the number of its first instruction
        self._landing: list[int] = []  # of each block: the number of the first that happens on the way back to it
        self._first_entry: list[int] = []
        self._block_of: list[int] = []
        self._number_of_block: dict[str, int] = {}
        self._entry_numbers: dict[str, int] = {}
        self._objects: dict[str, int] = {}
        self.add_task(Task(task, scope))

    # declarations

    def add_scope(self, scope: Scope, parent: Scope | None = None) -> None:
        """Make a scope known; a parent once given stays."""
        self.scopes[scope] = self.scopes.get(scope) or parent

    def add_task(self, task: Task) -> None:
        """Open a body of blocks; blocks that name no other go to the one added last. A call comes after its task."""
        self.tasks[task.name] = task
        if task.scope not in self.scopes:
            self.add_scope(task.scope)

    def declare(self, declaration: Declaration | Requirement) -> None:
        """State something of a cell, a family of cells, or a kind of task."""
        if isinstance(declaration, Requirement):
            self.requirements.append(declaration)
        else:
            self.declarations.append(declaration)
        self.version += 1

    # growth

    def extend(self, block: Block) -> int:
        """Add a block after the current end, to which control now goes on, and return its number.

        Raises ValueError where control goes on from there already.
        """
        end = self.current_end
        if end is not None and not isinstance(self.blocks[end].terminator, (Open, End)):
            raise ValueError(
                f"block {self.blocks[end].name!r} is no end to go on from: control goes on from it already"
            )
        if end is not None:
            self.set_terminator(end, Goto(block.name))
        return self.append(block)

    def append(self, block: Block, *, task: str | None = None) -> int:
        """Add a block at the end of a body and return its number. Edges into it are made by the terminators.

        An instruction that makes an entry and has no id is given the next free one of `e1`, `e2` …
        Raises ValueError, and leaves the program as it was, for a body that no task has.
        """
        if task is not None and task not in self.tasks:
            raise ValueError(f"no task is called {task!r}")
        number = len(self.blocks)
        self.reserve_ids(ids_of(block))
        self.blocks.append(self._with_ids(block))
        self.body.append(next(reversed(self.tasks)) if task is None else task)
        self._current = None
        self._index(number)
        for scope, parent in self.scopes_named(number):
            self.scopes.setdefault(scope, parent)
        self.version += 1
        return number

    def reserve_ids(self, ids: Iterable[str]) -> None:
        """Give none of these ids to an entry that has none of its own."""
        self._ids_taken.update(ids)

    def set_terminator(self, number: int, terminator: Terminator) -> None:
        """Say where control goes after a block; a block that calls or returns is appended as such.

        To go on from an end is growth, everything else is an edit.
        """
        before = self.blocks[number].terminator
        if isinstance(before, (Call, Return)) or isinstance(terminator, (Call, Return)):
            raise ValueError("a call or a return has instructions, so it is given with its block")
        self.blocks[number] = attrs.evolve(self.blocks[number], terminator=terminator)
        self.version += 1
        if isinstance(before, (Open, End)):
            self.ends_moved.append(number)
        else:
            self.edits += 1

    def stand_at(self, number: int) -> None:
        """Make a block the current end, where it is not the one appended last; the next `extend` goes on from it.

        Raises ValueError for a block that does not exist.
        """
        if not 0 <= number < len(self.blocks):
            raise ValueError(f"there is no block {number} to stand at; the program has {len(self.blocks)}")
        self._current = number if number != len(self.blocks) - 1 else None
        self.version += 1

    def _with_ids(self, block: Block) -> Block:
        if any(item.makes_entry and item.id is None for item in block.instructions):
            block = attrs.evolve(block, instructions=tuple(map(self._with_id, block.instructions)))
        last = block.terminator
        if isinstance(last, (Call, Return)) and last.id is None and (isinstance(last, Call) or last.operands):
            block = attrs.evolve(block, terminator=attrs.evolve(last, id=self._next_id()))
        return block

    def _with_id(self, instruction: Instruction) -> Instruction:
        if not instruction.makes_entry or instruction.id is not None:
            return instruction
        return attrs.evolve(instruction, id=self._next_id())

    def _next_id(self) -> str:
        self._ids_given += 1
        while f"e{self._ids_given}" in self._ids_taken:
            self._ids_given += 1
        return f"e{self._ids_given}"

    # edits

    def become(self, other: Program) -> None:
        """Edit: say what another program says, in which every block and instruction has its number.

        Raises ValueError where the numbers differ.
        """
        if self._first != other._first or len(self.instructions) != len(other.instructions):
            raise ValueError("an edit leaves the number of blocks and of their instructions as it is")
        version, edits = self.version + 1, self.edits + 1
        self.__dict__.update(other.__dict__)
        self.version, self.edits = version, edits

    # indices

    def _index(self, number: int) -> None:
        """Number the instructions of a block and of what its terminator does, and their entries."""
        block = self.blocks[number]
        self._number_of_block.setdefault(block.name, number)
        self._first.append(len(self.instructions))
        at_end, on_return = self._implied(number)
        for instruction in (*block.instructions, *at_end):
            self._add_instruction(instruction, number)
        self._landing.append(len(self.instructions))
        for instruction in on_return:
            self._add_instruction(instruction, number)

    def _implied(self, number: int) -> tuple[tuple[Instruction, ...], tuple[Instruction, ...]]:
        """What the terminator of a block does at its end, and on the way back from the task it calls."""
        last = self.blocks[number].terminator
        if isinstance(last, Return):
            return last.passing(self.tasks[self.body[number]].scope), ()
        if not isinstance(last, Call):
            return (), ()
        task = self.tasks.get(last.task) or Task(last.task, Scope("task", last.task))
        return last.passing(task.scope, task.parameters), last.landing(task.scope)

    def _add_instruction(self, instruction: Instruction, block: int) -> None:
        position = len(self.instructions)
        self.instructions.append(instruction)
        self._block_of.append(block)
        self._first_entry.append(len(self.entries))
        made = entries_made(instruction, position, block)
        if instruction.id is not None and made and made[0].id != instruction.id:
            self._objects.setdefault(instruction.id, position)
        for entry in made:
            self._entry_numbers.setdefault(entry.id, len(self.entries))
            self.entries.append(entry)

    # look-up

    def block_named(self, name: str) -> int | None:
        """The number of the block of that name."""
        return self._number_of_block.get(name)

    def executed(self, block: int) -> range:
        """The numbers of the instructions that a block executes, those of its call or return last."""
        return range(self._first[block], self._landing[block])

    def landed(self, block: int) -> range:
        """The numbers of the instructions on the way back from the task that a block calls; else none."""
        following = block + 1
        return range(
            self._landing[block], self._first[following] if following < len(self._first) else len(self.instructions)
        )

    def numbered(self, block: int) -> Iterator[tuple[int, Instruction]]:
        """The instructions that a block executes, with their numbers."""
        return ((number, self.instructions[number]) for number in self.executed(block))

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
        first = self._first_entry[instruction]
        following = instruction + 1
        end = self._first_entry[following] if following < len(self._first_entry) else len(self.entries)
        return self.entries[first:end]

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
        return self.said() == other.said()

    def said(self) -> tuple[object, ...]:
        """Everything that a program says, without what is only an index of it."""
        tasks = list(self.tasks.values())
        declared = self.scopes, tasks, self.declarations, self.requirements, self.metadata
        return self.name, self.shape, declared, self.blocks, self.body, self.current_end

    @property
    def is_trace(self) -> bool:
        """Whether this is a log, not a workflow."""
        return self.shape == "trace"

    @property
    def current_end(self) -> int | None:
        """The block where the log stands now: the last one appended, or the one it was made to stand at."""
        return len(self.blocks) - 1 if self.blocks and self._current is None else self._current

    @property
    def other_end(self) -> int | None:
        """The block where the log stands, if that is not the last one appended."""
        return self._current
