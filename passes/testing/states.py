"""Checks against the executable meaning of programs, `ir.state`, along paths of blocks."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from itertools import islice, product
from typing import Any

import attrs

from statemem.ir import Call, ControlFlow, Fork, Program, Return, Use, run
from statemem.ir.meaning.force import Judge

from ..framework import Manager
from ..reaching import Reaching
from .reports import fail

#: How many ways are gone through an arm of a fork.
MOST_WAYS = 3


def paths(program: Program, *, longest: int = 8, most: int = 200) -> Iterator[list[int]]:
    """Paths of block numbers from the entries, each as far as `longest` blocks, at most `most` of them.

    A return goes back to the call it belongs to, and ends the path where there is none. Forks are gone through by one
    arm, as a run that is still on its way and does not come to the join, and by all of them, each in a few ways.
    """
    flow = ControlFlow(program)
    work = [_Way([entry]) for entry in flow.entries]
    for _ in range(most):
        if not work:
            return
        way = work.pop(0)
        yield way.path
        if len(way.path) < longest:
            work.extend(_onward(program, flow, way))


@attrs.frozen
class _Way:
    """A path, the calls that are open at its end, and the joins of the forks of which it goes through one arm."""

    path: list[int]
    calls: tuple[int, ...] = ()
    joins: frozenset[int | None] = frozenset()

    def to(self, *blocks: int, **changed: Any) -> _Way:
        return attrs.evolve(self, path=[*self.path, *blocks], **changed)


def _onward(program: Program, flow: ControlFlow, way: _Way) -> Iterator[_Way]:
    """A way one block longer; from a fork, by all arms to the join too."""
    block = way.path[-1]
    terminator = program.blocks[block].terminator
    if isinstance(terminator, Fork):
        yield from (way.to(*blocks) for blocks in _through_arms(program, flow, block, frozenset()))
        way = attrs.evolve(way, joins=way.joins | {program.block_named(terminator.join)})
    if isinstance(terminator, Call):
        way = attrs.evolve(way, calls=(*way.calls, block))
    if isinstance(terminator, Return) and not way.calls:
        return
    for node in flow.successors[block]:
        if node in way.joins:
            continue
        if node not in flow.landings:
            yield way.to(node)
        elif flow.landings[node] == way.calls[-1]:
            yield from (way.to(following, calls=way.calls[:-1]) for following in flow.successors[node])


def _through_arms(program: Program, flow: ControlFlow, block: int, around: frozenset[int]) -> Iterator[list[int]]:
    """The blocks of a fork's arms, one way through each, and its join; nothing where an arm does not come to it.

    `around` are the forks in whose arms it lies.
    """
    fork = program.blocks[block].terminator
    assert isinstance(fork, Fork)
    join = program.block_named(fork.join)
    starts = [program.block_named(arm) for arm in fork.arms]
    if join is None or None in starts:
        return
    within = around | {block}
    ways = (_ways(program, flow, (start, join), within) for start in starts if start is not None)
    for chosen in product(*(list(islice(way, MOST_WAYS)) for way in ways)):
        yield [*(block for way in chosen for block in way), join]


def _ways(program: Program, flow: ControlFlow, ends: tuple[int, int], around: frozenset[int]) -> Iterator[list[int]]:
    """The ways from the start of an arm to the join, no block twice; an arm without blocks has an empty one."""
    start, join = ends
    if start == join:
        yield []
        return
    work = [[start]]
    for way in work:
        for onward in _from(program, flow, way[-1], around):
            if onward[-1] == join:
                yield [*way, *onward[:-1]]
            elif onward[-1] not in flow.landings and not set(way).intersection(onward):
                work.append([*way, *onward])


def _from(program: Program, flow: ControlFlow, block: int, around: frozenset[int]) -> Iterator[list[int]]:
    """The blocks that follow one in an arm; from a fork all its arms, since only with all does it come to its join."""
    if not isinstance(program.blocks[block].terminator, Fork):
        yield from ([following] for following in flow.successors[block])
    elif block not in around:
        yield from _through_arms(program, flow, block, around)


def decided(program: Program, *, most: int = 4) -> Iterator[Program]:
    """The program in the ways in which what may happen does or does not, of which there are 2 ** `most` at the most."""
    unsure = [number for number, one in enumerate(program.instructions) if one.maybe]
    for happens in islice(product((True, False), repeat=len(unsure)), 2**most):
        one = copy.copy(program)
        one.instructions = list(program.instructions)
        for number, does in zip(unsure, happens, strict=True):
            one.instructions[number] = attrs.evolve(one.instructions[number], maybe=False) if does else Use(operands=())
        yield one


def check_reaching(program: Program) -> None:
    """`reaching` is sound: along every path, what `ir.state` finds in force is among what the pass finds there."""
    ends = Manager(program).solve(Reaching).block_ends()
    for path in paths(program):
        state = run(program, path)
        fact = ends[path[-1]]
        for cell in state.places:
            missing = _values(state.reaching_at(cell)) - fact.get(cell, frozenset())
            if missing:
                fail(Reaching(), f"along {path} {missing} are in force at {cell}", program)


def check_exact(program: Program) -> None:
    """On a log without branches `reaching` finds exactly what `ir.state` has in force, at every block end.

    A fill below a definition that outranks a later tombstone is the exception: there `reaching` keeps both.
    """
    ends = Manager(program).solve(Reaching).block_ends()
    judge = Judge(program)
    for last in range(len(program.blocks)):
        state = run(program, range(last + 1))
        for cell in state.places:
            there = ends[last].get(cell, frozenset())
            expected = _values(judge.in_force(state.reaching_at(cell)))
            found = _values(judge.in_force(there))
            if expected != found:
                fail(Reaching(), f"after block {last} {expected} are in force at {cell}, found {found}", program)


def _values(definitions: Any) -> set[Any]:
    return {one for one in definitions if not one.is_tombstone}
