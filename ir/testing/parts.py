"""The parts of programs, whatever can be written down: awkward names included, and what nobody would mean."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from functools import cache
from typing import Any, TypeVar

from hypothesis import strategies as st

from ..blocks import Block
from ..cells import ANY, Cell, Place, Reference, Scope, Segment, key, name
from ..instructions import (
    Add,
    Append,
    Bind,
    Default,
    Delete,
    Derive,
    Effect,
    Enter,
    Instruction,
    Leave,
    Operand,
    Same,
    Set,
    Use,
)
from ..origin import Actor, Origin
from ..terminators import Arm, Branch, Call, End, Fork, Goto, Open, Return, Suspend, Terminator
from ..values import UNKNOWN, Value

T = TypeVar("T")
Strategy = st.SearchStrategy

#: Names that meet words of the language, need quotes, look like something else, or are nearly one another.
AWKWARD = (
    *("use", "open", "in", "end", "maybe", "set", "from", "was", "for", "as", "with", "null", "program", "block"),
    *("jo_li", "jo-li", "jo%li", "jo li", "-", "_", "7", "07", "1e5", "e1", "?", "*", "@it", "#W23", ";; after x = y"),
    *("9f1c2e34-8d7a-4c55-b1de-0a1b2c3d4e5f", "/home/ann/notes.md", "C:\\temp", "a.b", "a/b", "user:7/", "order[W15]"),
    *(
        "订单",
        "颜色-2",
        "ключ",
        "café",
        "cafe\u0301",
        "½",
        '"',
        "\\",
        "\\n",
        "two\nlines",
        "\t",
        "\r\n",
        "\u2028",
        "\x00",
        "",
    ),
)


@cache
def texts() -> Strategy[str]:
    """Any text that can be written down, awkward ones often."""
    return st.sampled_from(AWKWARD) | st.text(st.characters(exclude_categories=["Cs"]), max_size=6)


@cache
def values() -> Strategy[Value]:
    """JSON values, with `?` at any depth."""
    numbers = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    leaves = st.none() | st.booleans() | numbers | texts() | st.just(UNKNOWN)
    return st.recursive(leaves, lambda part: st.lists(part, max_size=3) | st.dictionaries(texts(), part, max_size=3))


@cache
def scopes() -> Strategy[Scope]:
    """Few scopes, so that they meet, and any others; a kind is an identifier."""
    few = [Scope("user", "7"), Scope("session", "a b"), Scope("task", "f1"), Scope("use", "use")]
    kinds = st.sampled_from(["org", "project", "user", "agent", "session", "task", "turn", "团队"])
    return st.sampled_from(few) | st.sampled_from(few) | st.builds(Scope, kinds, texts())


@cache
def paths(min_size: int = 0) -> Strategy[tuple[Segment, ...]]:
    """Paths of names, keys and wildcards."""
    segments = st.builds(name, texts()) | st.builds(key, texts()) | st.just(ANY)
    return st.lists(segments, min_size=min_size, max_size=3).map(tuple)


@cache
def cells(scope: Strategy[Scope] | None = None) -> Strategy[Cell]:
    """Cells of some scopes, or of any; the root of a scope is among them."""
    return st.builds(Cell, scopes() if scope is None else scope, paths())


@cache
def places() -> Strategy[Place]:
    """Cells and references."""
    return cells() | st.builds(Reference, texts(), paths())


@cache
def actors() -> Strategy[Actor]:
    """Actors; a kind holds no colon."""
    kinds = st.sampled_from(["user", "assistant", "tool", "system"]) | texts().filter(lambda text: ":" not in text)
    return st.builds(Actor, kinds, texts())


@cache
def times() -> Strategy[datetime]:
    """Instants with an offset in whole minutes, UTC often."""
    minutes = st.just(0) | st.integers(-14 * 60, 14 * 60)
    plain = st.datetimes(datetime(2, 1, 1), datetime(9998, 12, 31))
    return st.builds(lambda moment, offset: moment.replace(tzinfo=_zone(offset)), plain, minutes)


def _zone(minutes: int) -> timezone:
    return timezone(timedelta(minutes=minutes)) if minutes else UTC


@cache
def origins() -> Strategy[Origin]:
    """Origins with any fields."""
    fields: dict[str, Strategy[Any]] = dict.fromkeys(
        ("event", "file", "pointer", "trust", "rule", "group", "named"), texts()
    )
    fields |= dict.fromkeys(("line", "record", "tokens", "version", "count"), st.integers())
    fields |= dict.fromkeys(("observed", "recorded"), times())
    fields |= {"actor": actors(), "confidence": st.floats(0, 1)}
    return st.fixed_dictionaries({}, optional=fields).map(lambda given: Origin(**given))


@cache
def operands() -> Strategy[tuple[Operand, ...]]:
    """What is read, with and without the entry that was seen."""
    return st.lists(st.builds(Operand, places(), or_none(texts())), max_size=3).map(tuple)


@cache
def instructions() -> Strategy[Instruction]:
    """All instructions, certain and uncertain."""
    target, cell = places(), cells()
    read = operands()
    amounts = st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.just(UNKNOWN)
    return st.one_of(
        _instruction(Set, target=target, value=values()),
        _instruction(Derive, target=target, value=values(), premises=read),
        _instruction(Append, target=target, value=values()),
        _instruction(Add, target=target, value=amounts),
        _instruction(Default, target=target, value=values()),
        _instruction(Delete, target=target),
        _instruction(Use, operands=read, purpose=or_none(texts())),
        _instruction(Bind, reference=texts(), target=cell),
        _instruction(Same, left=cell, right=cell),
        _instruction(Effect, action=texts(), arguments=read, key=values()),
        _instruction(Enter, task=texts(), kind=or_none(texts())),
        _instruction(Leave, task=texts(), ended=st.booleans()),
    )


@cache
def terminators() -> Strategy[Terminator]:
    """All terminators; they need not lead to a block that exists."""
    weights = st.integers(0) | st.floats(0, allow_infinity=False)
    ids = or_none(texts())
    arms = st.builds(Arm, texts(), or_none(texts()), or_none(weights))
    return st.one_of(
        st.builds(Goto, texts()),
        st.builds(Branch, st.lists(arms, min_size=1, max_size=3).map(tuple)),
        st.builds(Fork, st.lists(texts(), min_size=1, max_size=3).map(tuple), texts()),
        st.just(End()),
        st.builds(Open, st.lists(cells(), max_size=3).map(tuple), st.booleans()),
        st.builds(Suspend, texts()),
        st.builds(
            Call, task=texts(), then=texts(), arguments=operands(), result=or_none(places()), id=ids, origin=origins()
        ),
        st.builds(Return, operands=operands(), id=ids, origin=origins()),
    )


@cache
def blocks() -> Strategy[Block]:
    """Blocks whose instructions often share the block's origin."""
    return st.builds(
        Block,
        texts(),
        actors(),
        or_none(st.integers()),
        or_none(texts()),
        st.lists(instructions(), max_size=4).map(tuple),
        terminators(),
        origins(),
    )


def or_none(strategy: Strategy[T]) -> Strategy[T | None]:
    """That, or None."""
    return st.none() | strategy


def _instruction(make: Callable[..., Instruction], **parts: Strategy[Any]) -> Strategy[Instruction]:
    own = {"id": or_none(texts()), "origin": st.just(Origin()) | origins(), "maybe": st.booleans()}
    return st.builds(make, **parts, **own)
