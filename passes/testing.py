"""A kit for authors of passes: programs to try them on, and checks; needs the `test` extra.

The programs speak of few cells, so that their facts meet: updates, confirmations, appends, deletes, fills, objects and
their parts, late and outranked definitions, what may not happen, references and united entities.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from hypothesis import strategies as st

from statemem.ir import (
    Add,
    Append,
    Arm,
    Bind,
    Block,
    Branch,
    Call,
    Cell,
    ControlFlow,
    Default,
    Delete,
    Derive,
    End,
    Goto,
    Instruction,
    Open,
    Operand,
    Origin,
    Program,
    Return,
    Same,
    Scope,
    Set,
    Use,
    parse_place,
    run,
)
from statemem.ir.meaning.force import Judge
from statemem.ir.terminators import Terminator
from statemem.ir.text import dumps

from .framework import Lattice, Manager
from .reaching import Reaching

SCOPE = Scope("session", "1")
_CELLS = ("a", "b", "o", "o.x", "o.y", 'order["1"].c', 'order["2"].c', 'order["1"]')
_PLACES = (*_CELLS, "@it.c", "@it")
_VALUES: tuple[Any, ...] = (1, 2, "v", {"x": 1, "y": 2}, {"x": 2}, None)


def instructions(*, names: bool = True, ranked: bool = True) -> st.SearchStrategy[Instruction]:
    """Instructions over few cells; with `names`, references and united entities, with `ranked`, dates and versions."""
    place = st.sampled_from(_PLACES if names else _CELLS).map(lambda text: parse_place(text, SCOPE))
    common = {"origin": _origins() if ranked else st.just(Origin()), "maybe": st.booleans()}
    value = st.sampled_from(_VALUES)
    operands = st.lists(place.map(Operand), min_size=1, max_size=2).map(tuple)
    made = [
        st.builds(Set, target=place, value=value, **common),
        st.builds(Derive, target=place, value=value, premises=operands, **common),
        st.builds(Append, target=place, value=value, **common),
        st.builds(Add, target=place, value=st.just(1), **common),
        st.builds(Default, target=place, value=value, **common),
        st.builds(Delete, target=place, **common),
        st.builds(Use, operands=operands, purpose=st.sampled_from([None, "exposure"])),
    ]
    return st.one_of(made + _naming() if names else made)


def _naming() -> list[st.SearchStrategy[Instruction]]:
    entity = st.sampled_from(('order["1"]', 'order["2"]')).map(_cell)
    return [
        st.builds(Bind, reference=st.just("it"), target=entity, maybe=st.booleans()),
        st.builds(Same, left=st.just(_cell('order["1"]')), right=st.just(_cell('order["2"]')), maybe=st.booleans()),
    ]


def _cell(text: str) -> Cell:
    place = parse_place(text, SCOPE)
    assert isinstance(place, Cell)
    return place


def _origins() -> st.SearchStrategy[Origin]:
    dates = st.integers(1, 3).map(lambda day: datetime(2026, 1, day, tzinfo=UTC))
    versions = st.none() | st.integers(1, 2)
    return st.builds(Origin, observed=st.none() | dates, version=versions) | st.just(Origin())


@st.composite
def chains(draw: st.DrawFn, *, names: bool = True, ranked: bool = True, most: int = 6) -> Program:
    """Logs without branches."""
    program = Program("chain", SCOPE)
    for number in range(draw(st.integers(1, most))):
        found = draw(st.lists(instructions(names=names, ranked=ranked), max_size=4))
        program.extend(Block(f"b{number}", step=number + 1, instructions=tuple(found)))
    return program


@st.composite
def graphs(draw: st.DrawFn, *, names: bool = True, most: int = 6) -> Program:
    """Programs of any shape: branches, loops, irreducible regions, blocks that nothing reaches, several ends."""
    program = Program("graph", SCOPE)
    count = draw(st.integers(1, most))
    target = st.integers(0, count - 1).map(lambda number: f"b{number}")
    ends: st.SearchStrategy[Terminator] = st.sampled_from(
        [End(), Open(), Open((_cell("a"),)), Open((_cell("b"),), complete=True)]
    )
    gotos = st.builds(Goto, target=target)
    arms = st.lists(target, min_size=2, max_size=3, unique=True)
    branches = arms.map(lambda names: Branch(tuple(map(Arm, names))))
    for number in range(count):
        found = draw(st.lists(instructions(names=names), max_size=3))
        terminator: Terminator = draw(st.one_of(ends, gotos, branches)) if count > 1 else draw(ends)
        program.append(Block(f"b{number}", step=number + 1, instructions=tuple(found), terminator=terminator))
    return program


def paths(program: Program, *, longest: int = 8, most: int = 200) -> Iterator[list[int]]:
    """Paths of block numbers from the entries, each as far as `longest` blocks, at most `most` of them.

    A return goes back to the call it belongs to, and ends the path where there is none. Forks are gone through by one
    arm, as a run that is still on its way.
    """
    flow = ControlFlow(program)
    work: list[tuple[list[int], tuple[int, ...]]] = [([entry], ()) for entry in flow.entries]
    for _ in range(most):
        if not work:
            return
        path, calls = work.pop(0)
        yield path
        if len(path) < longest:
            work.extend(([*path, block], left) for block, left in _onward(program, flow, path[-1], calls))


def _onward(
    program: Program, flow: ControlFlow, block: int, calls: tuple[int, ...]
) -> Iterator[tuple[int, tuple[int, ...]]]:
    """The blocks after a block, each with the calls that are open there."""
    terminator = program.blocks[block].terminator
    if isinstance(terminator, Call):
        calls = (*calls, block)
    if isinstance(terminator, Return) and not calls:
        return
    for node in flow.successors[block]:
        if node not in flow.landings:
            yield node, calls
        elif flow.landings[node] == calls[-1]:
            yield from ((following, calls[:-1]) for following in flow.successors[node])


def check_laws(lattice: Lattice[Any], facts: list[Any]) -> None:
    """The laws of a join semilattice on sample facts; `leq` must say what `join` does."""
    for one in facts:
        assert lattice.join(one, one) == one
        assert lattice.join(lattice.bottom, one) == one
        assert lattice.leq(lattice.bottom, one)
        for two in facts:
            joined = lattice.join(one, two)
            assert joined == lattice.join(two, one)
            assert lattice.leq(one, two) == (joined == two)
            for three in facts:
                assert lattice.join(joined, three) == lattice.join(one, lattice.join(two, three))


def check_reaching(program: Program) -> None:
    """`reaching` is sound: along every path, what `ir.state` finds in force is among what the pass finds there."""
    ends = Manager(program).solve(Reaching).block_ends()
    for path in paths(program):
        state = run(program, path)
        fact = ends[path[-1]]
        for cell in state.places:
            missing = _values(state.reaching_at(cell)) - fact.get(cell, frozenset())
            assert missing == set(), f"{dumps(program)}\n{path} {cell}"


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
            assert expected == _values(judge.in_force(there)), f"{dumps(program)}\n{last} {cell}"


def _values(definitions: Any) -> set[Any]:
    return {one for one in definitions if not one.is_tombstone}


__all__ = ["chains", "check_exact", "check_laws", "check_reaching", "graphs", "instructions", "paths"]
