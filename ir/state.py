"""The meaning of a program: what is in force after executing it along one path.

This is the one place where the meaning of instructions is written down as code. The store replays events
through it, the tests take it as the oracle, and no analysis may disagree with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from .cells import Cell, Place, Scope, path_text
from .cfg import ControlFlow
from .force import Definitions, Judge, is_held
from .instructions import Add, Append, Enter, Instruction, Leave, Mode
from .names import Names
from .places import Places
from .program import TOMBSTONE, Definition, Entry, Program, never_assigned
from .resolve import PlaceWrite, ended_scope, renames, scope_ends, universe, writes
from .values import Value


class State:
    """What reaches one point of one path: the definitions at each place, names, and the open tasks.

    A place is named when it is first written. One that is named only after a write above it begins as empty as that
    write left it; `run` names all places of its program beforehand, so that nothing depends on when they are named.

    Fork and wildcards in writes are not executed yet: arms run in the order the path gives, and a write to
    `order[*].x` may or may not happen at each key known so far.
    """

    def __init__(self, program: Program, places: Places | None = None) -> None:
        self._program = program
        self._judge = Judge(program)
        self._places = places or Places()
        self._reaching: dict[Cell, Definitions] = {}
        self.names = Names()
        self.open_tasks: list[str] = []

    # asking

    @property
    def places(self) -> Places:
        """The places named so far."""
        return self._places

    def reaching_at(self, cell: Cell) -> Definitions:
        """The definitions that reach one place itself."""
        return self._reaching.get(cell) or frozenset([never_assigned(cell)])

    def reaching(self, place: Place) -> Definitions:
        """The definitions that reach every place `place` denotes, history and tombstones included."""
        known = (self.reaching_at(leaf) for leaf in self._leaves(place))
        return frozenset(definition for definitions in known for definition in definitions)

    def in_force(self, place: Place) -> list[Entry]:
        """The entries in force at or below a place, oldest first: several where they confirm, extend or conflict.

        >>> from statemem.ir import build
        >>> program = build("session:1/").set("color", "black").set("color", "white").program
        >>> [entry.value for entry in run(program).in_force(program.entries[0].cell)]
        ['white']
        """
        return self._entries(place, self.defined(place))

    def history(self, place: Place) -> list[Entry]:
        """The entries that reach a place but are outranked there, oldest first."""
        return self._entries(place, self.reaching(place) - self.defined(place))

    def defined(self, place: Place) -> Definitions:
        """The definitions in force at a place, tombstones included; second names of an entity are judged as one."""
        groups: dict[tuple[object, ...], list[Definitions]] = {}
        for target in self.names.denoted(place):
            for leaf in self._places.overlapping(target.cell):
                below = leaf.path[len(target.cell.path) :]
                groups.setdefault(below, []).append(self.reaching_at(leaf))
        return frozenset(one for group in groups.values() for one in self._judge.in_force_together(group))

    def holds(self, entry: Entry) -> bool:
        """Whether an entry made at a cell is in force there."""
        if not isinstance(entry.cell, Cell):
            return False
        return Definition(entry.instruction, entry.leaf, entry.cell) in self.defined(entry.cell)

    def cells(self) -> Iterator[Cell]:
        """The places at which an entry is in force."""
        return (place for place in self._places if self.held(place))

    def held(self, cell: Cell) -> list[Entry]:
        """The entries in force at one place itself, not above or below it."""
        return self._entries(cell, self._judge.in_force(self.reaching_at(cell)))

    def value(self, place: Place) -> Value:
        """The value of a leaf: the latest in force, a list where entries were appended, None where nothing is."""
        own = isinstance(place, Cell) and place in self._places and self.held(place)
        entries = own or self.in_force(place)
        return fold(self._program, entries) if entries else None

    def snapshot(self, scope: Scope) -> dict[str, Value]:
        """All facts of one scope, by path."""
        held = {cell: self.held(cell) for cell in self._places.in_scope(scope)}
        return {path_text(cell.path): fold(self._program, entries) for cell, entries in held.items() if entries}

    def _entries(self, place: Place, definitions: Iterable[Definition]) -> list[Entry]:
        found = (self._program.entry_of(one) for one in sorted(definitions))
        return [entry for entry in found if entry is not None]

    def _leaves(self, place: Place) -> Iterator[Cell]:
        for target in self.names.denoted(place):
            yield from self._places.overlapping(target.cell)

    # executing

    def execute(self, number: int, instruction: Instruction) -> None:
        """One instruction: reads come before writes, so nothing it writes is seen by its own reads."""
        self._name_leaves(instruction)
        performed = list(writes(number, instruction, self.names, self._places))
        if performed and performed[0].mode is Mode.FILL:
            performed = self._filled(instruction, performed)
        for write in performed:
            self._perform(write)
        scope = ended_scope(instruction)
        if scope is not None:
            self.end_scope(number, scope)
        self.names = renames(instruction, self.names)
        self._mark(instruction)

    def end_scope(self, number: int, scope: Scope) -> None:
        """The cells of a scope end; `number` is the instruction that ends it, or the last of its turn."""
        for write in list(scope_ends(number, scope, self._places)):
            self._perform(write)

    def _filled(self, instruction: Instruction, performed: list[PlaceWrite]) -> list[PlaceWrite]:
        """A fill: nothing where something surely is in force, a write where nothing is, else both."""
        targets = [target for write in instruction.writes() for target in self.names.denoted(write.place)]
        held = is_held(
            (target.definite, self._judge.in_force(self.reaching_at(place)))
            for target in targets
            for place in self._places.overlapping(target.cell)
        )
        if held:
            return []
        surely = held is False
        return [write._replace(mode=Mode.REPLACE, definite=write.definite and surely) for write in performed]

    def _perform(self, write: PlaceWrite) -> None:
        before = self.reaching_at(write.place)
        after = self._judge.after(before, write)
        self._reaching[write.place] = after if write.definite else before | after

    def _name_leaves(self, instruction: Instruction) -> None:
        for write in instruction.writes():
            for target in self.names.denoted(write.place):
                if target.own and not target.cell.is_pattern:
                    for path, _ in write.leaves:
                        self._name(target.cell.below(path))
                    if not write.leaves and not self._places.holds_below(target.cell):
                        self._name(target.cell)

    def _name(self, cell: Cell) -> None:
        """Make a place known; what was written at its nearest named ancestor emptied it."""
        if not self._places.add(cell):
            return
        for ancestor in self._places.above(cell):
            there = self.reaching_at(ancestor)
            self._reaching[cell] = frozenset(Definition(one.instruction, TOMBSTONE, cell) for one in there)

    def _mark(self, instruction: Instruction) -> None:
        if isinstance(instruction, Enter):
            self.open_tasks.append(instruction.task)
        elif isinstance(instruction, Leave) and instruction.task in self.open_tasks:
            self.open_tasks.remove(instruction.task)


def run(program: Program, path: Iterable[int] | None = None) -> State:
    """Execute a program along a path of block numbers and return the state at its end.

    Without a path a log is executed to its current end: the blocks from which control leads there, in order.
    """
    state = State(program, universe(program))
    for block in path_to_end(program) if path is None else path:
        execute_block(state, program, block)
    return state


def execute_block(state: State, program: Program, block: int) -> None:
    """One block; the cells of its own turn end with it."""
    last = -1
    for last, instruction in program.numbered(block):
        state.execute(last, instruction)
    if last >= 0:
        state.end_scope(last, Scope("turn", program.blocks[block].name))


def path_to_end(program: Program) -> list[int]:
    """The blocks of a log from its start to its current end, back along first predecessors, each once."""
    end = program.current_end
    flow = ControlFlow(program)
    path: list[int] = []
    seen: set[int] = set()
    while end is not None and end not in seen:
        seen.add(end)
        path.append(end)
        end = flow.predecessors[end][0] if flow.predecessors[end] else None
    return path[::-1]


def fold(program: Program, entries: list[Entry]) -> Value:
    """One value from the entries in force at a leaf, oldest first: sums, lists, or else the latest."""
    value: Value = None
    for position, entry in enumerate(entries):
        instruction = program.instructions[entry.instruction]
        if isinstance(instruction, Append) and position:
            value = [*value, entry.value] if isinstance(value, list) else [value, entry.value]
        elif isinstance(instruction, Append):
            value = [entry.value]
        elif isinstance(instruction, Add) and isinstance(value, (int, float)):
            value = value + entry.value
        else:
            value = entry.value
    return value
