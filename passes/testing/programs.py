"""Programs to try passes on.

The programs speak of few cells, so that their facts meet: updates, confirmations, appends, deletes, fills, objects and
their parts, late and outranked definitions, what may not happen, uses that name what they saw, references and united
entities.
"""

from __future__ import annotations

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
    Cell,
    Default,
    Delete,
    Derive,
    Effect,
    End,
    Fork,
    Goto,
    Instruction,
    Open,
    Operand,
    Origin,
    Program,
    Same,
    Scope,
    Set,
    Use,
    parse_place,
)
from statemem.ir.terminators import Terminator
from statemem.ir.testing import traces, workflows

SCOPE = Scope("session", "1")
_CELLS = ("a", "b", "o", "o.x", "o.y", 'order["1"].c', 'order["2"].c', 'order["1"]')
_PLACES = (*_CELLS, "@it.c", "@it")
_FAMILIES = ("order[*].c", "order[*]")
_VALUES: tuple[Any, ...] = (1, 2, "v", {"x": 1, "y": 2}, {"x": 2}, None)


def instructions(*, names: bool = True, ranked: bool = True) -> st.SearchStrategy[Instruction]:
    """Instructions over few cells; with `names`, references and united entities, with `ranked`, dates and versions."""
    place = st.sampled_from(_PLACES if names else _CELLS).map(lambda text: parse_place(text, SCOPE))
    common = {"origin": _origins() if ranked else st.just(Origin()), "maybe": st.booleans()}
    value = st.sampled_from(_VALUES)
    seen = st.sampled_from((None, None, None, "e1", "e2"))
    spoken = place | st.sampled_from(_FAMILIES).map(lambda text: parse_place(text, SCOPE))
    operands = st.lists(st.builds(Operand, spoken, seen), min_size=1, max_size=2).map(tuple)
    made = [
        st.builds(Set, target=place, value=value, **common),
        st.builds(Derive, target=place, value=value, premises=operands, **common),
        st.builds(Append, target=place, value=value, **common),
        st.builds(Add, target=place, value=st.just(1), **common),
        st.builds(Default, target=place, value=value, **common),
        st.builds(Delete, target=spoken, **common),
        st.builds(Effect, action=st.just("pay"), arguments=operands),
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
        [End(), Open(), Open((_cell("a"),)), Open((_cell("b"),), complete=True), Open((_cell("o.y"), _cell("b")))]
    )
    gotos = st.builds(Goto, target=target)
    arms = st.lists(target, min_size=2, max_size=3, unique=True)
    branches = arms.map(lambda names: Branch(tuple(map(Arm, names))))
    for number in range(count):
        found = draw(st.lists(instructions(names=names), max_size=3))
        terminator: Terminator = draw(st.one_of(ends, gotos, branches)) if count > 1 else draw(ends)
        program.append(Block(f"b{number}", step=number + 1, instructions=tuple(found), terminator=terminator))
    return program


@st.composite
def forked(draw: st.DrawFn, *, names: bool = True, ranked: bool = True) -> Program:
    """Logs with a fork of two or three arms and its join, and something before and after."""
    count = draw(st.integers(2, 3))
    arms = tuple(f"a{number}" for number in range(count))
    program = Program("forked", SCOPE)
    ends: dict[str, Terminator] = {"first": Fork(arms, "join"), "join": Goto("last"), "last": Open()}
    for number, name in enumerate(("first", *arms, "join", "last")):
        found = draw(st.lists(instructions(names=names, ranked=ranked), max_size=3))
        terminator = ends.get(name, Goto("join"))
        program.append(Block(name, step=number + 1, instructions=tuple(found), terminator=terminator))
    return program


def programs() -> st.SearchStrategy[Program]:
    """Programs of every shape: logs with branches, loops, forks, several ends and tasks; workflows; the empty one."""
    empty = st.builds(Program, st.just("empty"), st.just(SCOPE))
    return st.one_of(chains(), graphs(), graphs(), forked(), traces(), workflows(), empty)
