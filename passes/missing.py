"""`missing`: what has to be known before one can act, and is not: required cells, and what a reference points to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from statemem.ir import Cell, Effect, Enter, Instruction, Leave, Program, Reference, Scope
from statemem.ir.declarations import Requirement
from statemem.ir.instructions import places
from statemem.ir.meaning.names import UNBOUND, Names

from .aliases import Aliases
from .assigned import Assigned, Sure
from .chains import UseDefChains, slice_back, use_def_chains
from .framework import Analysis, At, Before, BlockEnd, Derivation, Manager, Point, Powerset, register
from .framework.points import node_of
from .program_ends import told_ends
from .reaching import Reaching


class MissingCell(NamedTuple):
    """A cell that an open task requires and that some path to a point does not assign."""

    task: str
    cell: Cell
    where: Point


class UnclearReference(NamedTuple):
    """A reference on which an effect depends and that may point to several entities, or to none.

    `where` is the instruction that reads or writes through it: the effect, or one that made what the effect uses.
    `candidates` are what it may point to there; `unbound` says that it may point to nothing.
    """

    effect: int
    reference: str
    where: int
    candidates: tuple[Cell, ...]
    unbound: bool


Finding = MissingCell | UnclearReference


class OpenTasks(Analysis):
    """Tasks that may be open: entered, and neither left nor ended since."""

    facts = Powerset[str]()

    def transfer(self, instruction: Instruction, state: Any, at: At) -> None:
        """Enter opens, or takes up again; Leave puts aside, or ends."""
        if isinstance(instruction, Enter):
            state.gen(instruction.task)
        elif isinstance(instruction, Leave):
            state.kill(instruction.task)

    def on_join(self, before: bool, arms: Sequence[bool], at: At) -> bool:
        """What an arm opened is open; what was open before, if no arm left it."""
        return all(arms) if before else any(arms)


@register
class Missing(Derivation):
    """What tasks require and some path does not assign; references that effects depend on and that are not clear.

    Tasks are looked at where they are open at an end of the program, and where they are ended; at any other point
    `missing_at` tells. References are looked at behind every effect, in its arguments and in all that these rest on.
    """

    needs = (Assigned, Aliases, Reaching)

    def derive(self, program: Program, manager: Manager) -> list[Finding]:
        """The findings, those of cells first, in the order of the program."""
        return [*_cells(program, manager), *_references(program, manager)]

    def show(self, found: list[Finding], program: Program) -> list[str]:
        """`f1 lacks task:f1/address at the end of t4`, `refund depends on @it: order["1"] | unbound at e3`."""
        return [_shown(one, program) for one in found]


def missing_at(manager: Manager, point: Point) -> list[MissingCell]:
    """What the tasks that may be open at a point require and some path to it does not assign.

    >>> from statemem.ir import build
    >>> builder = build().requires("return", "address", "size").enter("f1", "return").block(task="f1").set("size", 42)
    >>> [str(one.cell) for one in missing_at(Manager(builder.open()), BlockEnd(1))]
    ['task:f1/address']
    """
    if not manager.program.requirements:
        return []
    required = _required(manager.program)
    body = manager.program.body[manager.graph.flow.block_of(node_of(point, manager.graph.flow))]
    tasks = dict.fromkeys([body, *sorted(manager.solve(OpenTasks).fact(point))])
    return [one for task in tasks for one in _lacking(manager, task, required.get(task, ()), point)]


def _lacking(manager: Manager, task: str, required: Iterable[Cell], point: Point) -> Iterator[MissingCell]:
    """The required cells of a task at which nothing is assigned under any of their names."""
    if not required:
        return
    names: Names = manager.solve(Aliases).fact(point)
    for cell in required:
        sure = (target.cell for target in names.denoted(cell) if target.definite)
        if not any(_is_held(manager, one, point) for one in sure):
            yield MissingCell(task, cell, point)


def _is_held(manager: Manager, cell: Cell, point: Point) -> bool:
    """Whether something is assigned at a cell, below it, or above it."""
    known, places = manager.solve(Assigned), manager.accesses.places
    return any(Sure.HELD in known.value(place, point) for place in places.overlapping(cell))


def _cells(program: Program, manager: Manager) -> Iterator[MissingCell]:
    """Of tasks that are open at an end, of a log at the current one, and of each task where it is ended."""
    if not program.requirements:
        return
    flow, required, ends = manager.graph.flow, _required(program), told_ends(manager)
    for node in sorted(manager.graph.reached):
        for point, task in _ended(manager, flow.executed(node)):
            yield from _lacking(manager, task, required.get(task, ()), point)
        if node in ends:
            yield from missing_at(manager, BlockEnd(node))


def _ended(manager: Manager, numbers: Iterable[int]) -> Iterator[tuple[Point, str]]:
    """The open tasks that some instructions end, and the points before that."""
    for number in numbers:
        leave, point = manager.program.instructions[number], Before(number)
        if isinstance(leave, Leave) and leave.ended and manager.solve(OpenTasks).holds(leave.task, point):
            yield point, leave.task


def _required(program: Program) -> dict[str, list[Cell]]:
    """The cells that each task requires by its kind, those of its own scope under its own name."""
    kinds: dict[str, set[str | None]] = {name: {task.kind} for name, task in program.tasks.items()}
    for one in program.instructions:
        if isinstance(one, Enter):
            kinds.setdefault(one.task, set()).add(one.kind)
    found: dict[str, list[Cell]] = {}
    for task, own in kinds.items():
        scope = program.tasks[task].scope if task in program.tasks else Scope("task", task)
        cells = (_of_task(one, cell, scope) for one in program.requirements if one.kind in own for cell in one.cells)
        found[task] = list(dict.fromkeys(cells))
    return found


def _of_task(requirement: Requirement, cell: Cell, own: Scope) -> Cell:
    return Cell(own, cell.path) if cell.scope == requirement.scope else cell


def _references(program: Program, manager: Manager) -> Iterator[UnclearReference]:
    """What is unclear behind each effect; nothing is where no place is named through a reference."""
    if not any(isinstance(named, Reference) for instruction in program.instructions for named in places(instruction)):
        return
    chains = use_def_chains(manager)
    for effect in _effects(manager):
        unclear = [one for number in _behind(chains, effect) for one in _unclear(program, manager, effect, number)]
        yield from dict.fromkeys(unclear)


def _effects(manager: Manager) -> list[int]:
    program, flow = manager.program, manager.graph.flow
    reached = (number for node in manager.graph.reached for number in flow.executed(node))
    return sorted(number for number in reached if isinstance(program.instructions[number], Effect))


def _behind(chains: UseDefChains, effect: int) -> list[int]:
    """The effect, and the instructions that made what it uses and what that rests on."""
    used = chains.seen(effect)
    made = {one.instruction for one in used}
    made |= {entry.instruction for one in used for entry in slice_back(chains, one)}
    return [effect, *sorted(made)]


def _unclear(program: Program, manager: Manager, effect: int, number: int) -> Iterator[UnclearReference]:
    instruction, names = program.instructions[number], manager.accesses.names(number)
    for place in places(instruction):
        if isinstance(place, Reference):
            targets = names.references.get(place.name, UNBOUND)
            cells = tuple(sorted(target for target in targets if target is not None))
            if len(targets) > 1 or None in targets or any(cell.is_pattern for cell in cells):
                yield UnclearReference(effect, place.name, number, cells, None in targets)


def unclear_at(manager: Manager, number: int) -> list[UnclearReference]:
    """The references of one instruction, whatever it is, that may point to several entities, or to none."""
    return list(dict.fromkeys(_unclear(manager.program, manager, number, number)))


def _shown(one: Finding, program: Program) -> str:
    if isinstance(one, MissingCell):
        return f"{one.task} lacks {one.cell} at {_where(one.where, program)}"
    action = program.instructions[one.effect]
    assert isinstance(action, Effect)
    targets = [*map(str, one.candidates), *(["unbound"] if one.unbound else [])]
    place = program.instructions[one.where].id
    behind = f" at {place}" if place is not None and one.where != one.effect else ""
    return f"{action.action} depends on {Reference(one.reference)}: {' | '.join(targets)}{behind}"


def _where(point: Point, program: Program) -> str:
    if isinstance(point, BlockEnd):
        return f"the end of {program.blocks[point.block].name}"
    return f"its end in {program.blocks[program.block_of(point[0])].name}"
