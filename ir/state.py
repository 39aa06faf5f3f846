"""The meaning of a program: what is in force after executing it along one path.

This is the one place where the meaning of instructions is written down as code. The store replays events through it,
the tests take it as the oracle, and no analysis may disagree with it. `run` has an example for every clause of it.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable
from typing import Self

from .cells import Cell, Scope
from .diagnostics import UsageError
from .entries import TOMBSTONE, Definition
from .flow.routes import path_to_end
from .instructions import Enter, Instruction, Leave, Mode
from .meaning.facts import Facts
from .meaning.force import is_held
from .meaning.forks import Join, joined_names, joined_tasks
from .meaning.places import Places
from .meaning.resolve import PlaceWrite, ended_scope, renames, scope_ends, universe, writes
from .meaning.walk import Walk
from .origin import Authority
from .program import Program


class State(Facts):
    """What reaches one point of one path: the definitions at each place, names, and the open tasks.

    A place is named when it is first written. One that is named only after a write above it begins as empty as that
    write left it; `run` names all places of its program beforehand, so that nothing depends on when they are named.
    """

    def __init__(self, program: Program, places: Places | None = None, authority: Authority | None = None) -> None:
        super().__init__(program, places, authority)
        self.open_tasks: list[str] = []

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
            self.end_scope(number, scope, definite=not instruction.maybe)
        self.names = renames(instruction, self.names)
        self._mark(instruction)

    def end_scope(self, number: int, scope: Scope, *, definite: bool = True) -> None:
        """The cells of a scope end; `number` is the instruction that ends it, or the last of its turn."""
        for write in list(scope_ends(number, scope, self._places, definite=definite)):
            self._perform(write)

    def copy(self) -> Self:
        """A state that goes on from here on its own."""
        other = copy.copy(self)
        other._reaching, other.open_tasks = dict(self._reaching), list(self.open_tasks)
        return other

    def parted(self) -> Self:
        """A copy for a path that does not come back: places that it names are not named here."""
        other = self.copy()
        other._places = self._places.copy()
        return other

    def join(self, arms: list[Self]) -> Self:
        """The state at the join of a fork that began in this one, from those that its arms left."""
        joined, join = self.copy(), Join(self._program, self._judge)
        kept = self.races.intersection(*(arm.races for arm in arms))
        joined.races = kept.union(*(arm.races - self.races for arm in arms))
        for place in dict.fromkeys(place for arm in arms for place in arm._reaching):
            before, after = self.reaching_at(place), [arm.reaching_at(place) for arm in arms]
            joined._reaching[place] = join.after(before, after)
            if join.is_race(before, after, joined._reaching[place]):
                joined.races |= {place}
        joined.names = joined_names(self.names, [arm.names for arm in arms])
        joined.open_tasks = joined_tasks(self.open_tasks, [arm.open_tasks for arm in arms])
        return joined

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
        settles = write.definite and write.mode is not Mode.EXTEND and write.made in after
        if settles and write.place in self.races:
            self.races -= {write.place}

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
        """Tasks that may be open are: one that is taken up again is open once, one that may be left still is."""
        if isinstance(instruction, Enter) and instruction.task not in self.open_tasks:
            self.open_tasks.append(instruction.task)
        elif isinstance(instruction, Leave) and instruction.task in self.open_tasks and not instruction.maybe:
            self.open_tasks.remove(instruction.task)


def execute_block(state: State, program: Program, block: int) -> None:
    """One block by itself, its turn's end included."""
    Walk(program, state).through(block)


def run(program: Program, path: Iterable[int] | None = None, *, authority: Authority | None = None) -> State:
    """Execute a program along a path of block numbers and return the state at its end.

    Without a path a log is executed to its current end: the blocks from which control leads there, all arms of a fork
    included. `authority` says whose word counts for more, where that is to count. An instruction that a path comes to
    again, in a loop, makes no second entry: sums and lists hold it once. Raises `UsageError` for a workflow without a
    path, and for a path with a block that does not exist or that leaves the task out that it calls.

    The meaning, clause by clause:

    >>> from statemem.ir import build, workflow
    >>> def held(program, *path, **options):
    ...     return run(program, path or None, **options).snapshot(program.scope_of(0))

    1. State. An object falls into leaves, a list of objects by their ids, a list of scalars is one leaf, null a value.

    >>> held(build().set("order", {"items": [{"id": "a", "n": 1}], "tags": ["new"], "gift": None}).program)
    {'order.items["a"].id': 'a', 'order.items["a"].n': 1, 'order.tags': ['new'], 'order.gift': None}

    2. Overlap. Writing an object replaces all leaves below it, those it lacks included; writing below a scalar
       replaces that; reading a path reads what lies above it and below.

    >>> held(build().set("order", {"size": 42, "gift": True}).set("order", {"size": 43}).program)
    {'order.size': 43}
    >>> held(build().set("address", "Lyon").set("address.city", "Paris").program)
    {'address.city': 'Paris'}

    3. Modes. Replace, extend, fill; a deleted place is as good as one that was never written.

    >>> held(build().set("notes", "a").append("notes", "b").set("n", 1).add("n", 2).program)
    {'notes': ['a', 'b'], 'n': 3}
    >>> held(build().set("a", 1).default("a", 2).delete("b").default("b", 3).program)
    {'a': 1, 'b': 3}

    4. Equal value. It confirms: both entries stay as one fact with two sources. `?` equals nothing.

    >>> program = build().set("price", 561, id="e1").set("price", 561.0, id="e2").program
    >>> [entry.id for entry in run(program).in_force(program.entries[0].cell)]
    ['e1', 'e2']

    5. Rank. What is outranked, by version, by the time observed, or by authority where that counts, removes nothing.

    >>> held(build().at(version=2).set("plan", "new").at(version=1).set("plan", "old").program)
    {'plan': 'new'}
    >>> program = build().block("tool").set("price", 10).block("assistant").set("price", 12).program
    >>> held(program), held(program, authority=Authority())
    ({'price': 12}, {'price': 10})

    6. Maybe. An event that may not happen leaves both states: `maybe`, a wildcard, a reference with several targets.

    >>> program = build().set("color", "red").set("color", "blue", maybe=True).program
    >>> [entry.value for entry in run(program).in_force(program.entries[0].cell)]
    ['red', 'blue']
    >>> program = build().set("order[A].n", 1).set("order[*].n", 2).program
    >>> [entry.value for entry in run(program).in_force(program.entries[0].cell)]
    [1, 2]
    >>> program = build().set("a", 1).bind("it", "a").bind("it", "b", maybe=True).set("@it", 2).program
    >>> [entry.value for entry in run(program).in_force(program.entries[0].cell)]
    [1, 2]

    7. Use. It changes nothing, whether the cell was used or merely exposed; a use that names an entry which is not in
       force acted on a stale value, which `State.holds` tells.

    >>> program = build().set("color", "red", id="e1").set("color", "blue").use(("color", "e1")).expose("color").program
    >>> run(program).holds(program.entries[0]), held(program)
    (False, {'color': 'blue'})

    8. Order. Within an instruction reads come before writes: a sum that rests on itself looks at what was there.

    >>> held(build().set("n", 1).add("n", 1).default("n", 5).program)
    {'n': 2}

    9. Same. From there on the facts of both names are the class's; a write to one name replaces what the other held.

    >>> program = build().set("a.x", 1).set("b.y", 2).same("a", "b").set("b.x", 3).program
    >>> [run(program).value(program.entries[0].cell), held(program)]
    [3, {'b.y': 2, 'b.x': 3}]

    10. Fork. Arms do not see each other. A fact from before survives the join if every arm left it; what an arm made
        holds, and what several made of one place is a race.

    >>> program = (
    ...     build().set("a", 0).set("b", 0).fork("left", "right", join="end")
    ...     .block(name="left").set("a", 1).goto("end").block(name="right").delete("b").set("c", 2).goto("end")
    ...     .block(name="end").program
    ... )
    >>> held(program)
    {'a': 1, 'c': 2}

    11. Scope ends. The cells of a turn end with its block, those of a task when it is left for good.

    >>> program = build().enter("f1").block(task="f1").set("line", "down").block().leave("f1", ended=True).program
    >>> list(run(program).cells())
    []

    A call enters its task and derives the parameters; on the way back the result is derived, and the task ends.

    >>> returns = (
    ...     workflow().set("size", 42).call("ship", "size", result="label", then="t2").block().ends()
    ...     .task("ship", "size").block().derive("paper", "L-1", "size").returns("paper").program
    ... )
    >>> held(returns, 0, 2, 1)
    {'size': 42, 'label': ?}
    """
    if path is None and not program.is_trace:
        raise UsageError(f"{program.name!r} is a workflow, through which many ways lead: say which, run(program, path)")
    walk = Walk(program, State(program, universe(program), authority))
    for block in path_to_end(program) if path is None else path:
        walk.through(block)
    return walk.state
