"""What goes into a store comes out of it: programs, state, and the same bytes however it went in."""

from __future__ import annotations

import itertools
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import attrs
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from statemem.ir import Add, Builder, Cell, End, Enter, Leave, Open, Origin, Program, build, run
from statemem.ir.blocks import Block
from statemem.ir.diagnostics import InputError
from statemem.ir.frontends import lower
from statemem.ir.terminators import OF_WORKFLOWS, Terminator
from statemem.ir.testing import programs, traces
from statemem.store import Store
from statemem.store.effects import effects

MODERATE = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])

_NAMES = st.sampled_from(["color", "order.size", "order", "user:7/phone", "user:7/home.city", "note", "turn:t2/draft"])
_VALUES = st.sampled_from(
    ["white", "black", 3, 2.5, None, True, {"size": "L", "city": "上海"}, ["a", "b"], {"?": None}]
)


def _write(op: str) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({"op": st.just(op), "name": _NAMES, "value": _VALUES})


OPERATIONS = st.one_of(
    *map(_write, ("set", "append", "default")),
    st.fixed_dictionaries({"op": st.just("add"), "name": _NAMES, "value": st.integers(-3, 3)}),
    st.fixed_dictionaries(
        {"op": st.just("derive"), "name": _NAMES, "value": _VALUES, "from": st.lists(_NAMES, max_size=2)}
    ),
    st.fixed_dictionaries({"op": st.just("delete"), "name": _NAMES, "maybe": st.booleans()}),
    st.fixed_dictionaries({"op": st.just("use"), "name": _NAMES, "for": st.just("reply")}),
    st.fixed_dictionaries({"op": st.just("bind"), "name": st.just("it"), "to": _NAMES}),
    st.fixed_dictionaries({"op": st.just("set"), "name": st.just("@it"), "value": _VALUES}),
    st.just({"op": "enter", "name": "f1", "kind": "broadband"}),
    st.just({"op": "leave", "name": "f1", "ended": True}),
    st.just({"op": "same", "name": "order", "to": "user:7/home"}),
    st.just({"op": "effect", "name": "refund", "args": ["order"], "key": "r-1"}),
)
LOGS = st.lists(st.tuples(st.lists(OPERATIONS, max_size=4), st.sampled_from([None, "f1"])), min_size=1, max_size=6)
Turns = list[dict[str, Any]]


def turns(log: list[tuple[list[dict[str, Any]], str | None]], scope: str = "session:1") -> Turns:
    known: Turns = [{"turn": 0, "scope": "user:7", "ops": []}]
    return known + [{"turn": n, "scope": scope, "task": task, "ops": ops} for n, (ops, task) in enumerate(log, 1)]


def lowered(records: Turns, name: str = "log") -> Program:
    program = next(lower(records, []))
    program.name = name
    return program


def in_force(program: Program) -> dict[Cell, Any]:
    state = run(program)
    return {cell: state.value(cell) for cell in state.cells() if cell.scope.kind != "turn"}


def without_files(program: Program) -> Program:
    program.blocks = [
        attrs.evolve(block, origin=_bare(block.origin), instructions=tuple(map(_bared, block.instructions)))
        for block in program.blocks
    ]
    return program


def _bare(origin: Origin) -> Origin:
    return attrs.evolve(origin, file=None, line=None)


def _bared(instruction: Any) -> Any:
    return attrs.evolve(instruction, origin=_bare(instruction.origin))


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Path]:
    """A new file name each time, which hypothesis needs within one test."""
    folder, numbers = tmp_path_factory.mktemp("stores"), itertools.count()
    return lambda: folder / f"{next(numbers)}.db"


@MODERATE
@given(LOGS)
def test_a_replay_gives_the_program_and_its_state(fresh: Callable[[], Path], log: Any) -> None:
    program = lowered(turns(log))
    with Store.open(fresh(), create=True) as store:
        store.apply(program, now=1)
        again = store.program("log")
        assert again.same_as(without_files(program))
        assert {fact.cell: fact.value for fact in store.state()} == in_force(program)
        store.verify()


@MODERATE
@given(LOGS, st.data())
def test_turn_by_turn_and_at_once_give_the_same_bytes(fresh: Callable[[], Path], log: Any, data: st.DataObject) -> None:
    records = turns(log)
    cuts = sorted(data.draw(st.sets(st.integers(1, len(records)))) | {len(records)})
    with Store.open(fresh(), create=True) as once, Store.open(fresh(), create=True) as piecewise:
        once.apply(lowered(records), now=1)
        added = [piecewise.apply(lowered(records[:cut]), now=1) for cut in cuts]
        assert list(piecewise.dump()) == list(once.dump())
        assert sum(one.operations for one in added) == len(lowered(records).instructions)
        piecewise.verify()


@MODERATE
@given(LOGS)
def test_the_same_log_twice_adds_nothing(fresh: Callable[[], Path], log: Any) -> None:
    with Store.open(fresh(), create=True) as store:
        store.apply(lowered(turns(log)), now=1)
        before = list(store.dump())
        again = store.apply(lowered(turns(log)), now=1)
        assert not again.changed
        assert () == again.events
        assert list(store.dump()) == before


@MODERATE
@given(LOGS, st.data())
def test_a_shorter_log_adds_nothing_and_is_told_so(fresh: Callable[[], Path], log: Any, data: st.DataObject) -> None:
    records = turns(log)
    cut = data.draw(st.integers(1, len(records)))
    with Store.open(fresh(), create=True) as store:
        store.apply(lowered(records), now=1)
        applied = store.apply(lowered(records[:cut]), now=1)
        assert not applied.changed
        assert applied.behind == _length(lowered(records)) - _length(lowered(records[:cut]))


def _length(program: Program) -> int:
    return len(program.blocks) + len(program.instructions)


@MODERATE
@given(LOGS)
def test_as_of_a_step_is_the_state_of_the_log_up_to_it(fresh: Callable[[], Path], log: Any) -> None:
    records = turns(log)
    with Store.open(fresh(), create=True) as store:
        store.apply(lowered(records), now=1)
        for step in range(1, len(records)):
            expected = in_force(lowered(records[: step + 1]))
            assert {fact.cell: fact.value for fact in store.state(at=step)} == expected


@MODERATE
@given(LOGS, LOGS, LOGS)
def test_the_tables_are_what_a_rebuild_makes(fresh: Callable[[], Path], first: Any, second: Any, third: Any) -> None:
    """`verify` compares the tables, refreshed conversation by conversation, with a replay of everything."""
    with Store.open(fresh(), create=True) as store:
        for number, log in enumerate((first, second, third)):
            store.apply(lowered(turns(log, f"session:{number}"), f"log{number}"), now=1)
            store.verify()
        before = list(store.dump())
        store.rebuild()
        assert list(store.dump()) == before


@MODERATE
@given(LOGS)
def test_what_an_event_says_was_in_force_was(fresh: Callable[[], Path], log: Any) -> None:
    with Store.open(fresh(), create=True) as store:
        events = store.apply(lowered(turns(log)), now=1).events
        last: dict[str, str | None] = {}
        for event in _writes_of_one_leaf(events):
            assert event.before == last.get(event.cell, event.before)
            last[event.cell] = event.after


def _writes_of_one_leaf(events: Any) -> Iterator[Any]:
    """Up to the first that another place may change too."""
    for event in events:
        if event.kind == "operation" and event.record["op"] in ("bind", "same", "enter", "leave"):
            return
        if event.cell == "session:1/note" and event.record["op"] != "use":
            yield event


@settings(
    max_examples=30,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)
@given(programs())
def test_any_program_is_kept_exactly_or_refused(program: Program) -> None:
    with tempfile.TemporaryDirectory() as folder, Store.open(f"{folder}/s.db", create=True) as store:
        program.shape = "trace"
        try:
            store.apply(program, now=1)
        except InputError as error:
            assert "ST016" == error.problems[0].code
            assert _cannot_be_recorded(program)
            assert [] == store.events()
            return
        assert store.program(program.name).same_as(without_files(program))
        assert not store.apply(program, now=1).changed
        store.verify()


def _cannot_be_recorded(program: Program) -> bool:
    """Awkward references, empty names and amounts, steps no database can count, and ends that no log has."""
    if any(isinstance(block.terminator, OF_WORKFLOWS) for block in program.blocks):
        return True
    return any(map(_is_odd, program.instructions)) or any(abs(block.step or 0) >= 2**63 for block in program.blocks)


def _is_odd(instruction: Any) -> bool:
    texts = [getattr(instruction, name, "x") for name in ("task", "action", "reference", "kind", "purpose")]
    places = [*instruction.reads(), *instruction.writes()]
    named = [one.place.name for one in places if hasattr(one.place, "name")]
    return "" in texts or isinstance(instruction, Add) or bool(named) or hasattr(instruction, "reference")


def test_blocks_that_were_cut_short_go_on() -> None:
    whole = turns([([{"op": "set", "name": "a", "value": 1}, {"op": "set", "name": "b", "value": 2}], None)])
    short = turns([([{"op": "set", "name": "a", "value": 1}], None)])
    with tempfile.TemporaryDirectory() as folder, Store.open(f"{folder}/s.db", create=True) as store:
        store.apply(lowered(short), now=1)
        assert 1 == store.apply(lowered(whole), now=1).operations
        assert store.program("log").same_as(lowered(whole))


def test_memory_entries_and_their_metadata_grow_step_by_step() -> None:
    entries = [
        {"entry_id": f"m{n}", "content": f"c{n}", "created_step": n, "keywords": [n], "pinned": n == 2}
        for n in range(4)
    ]
    steps: Turns = [{"step_id": n, "accessed_memory_ids": [f"m{n - 1}"] if n else []} for n in range(4)]
    logs = [[record for pair in zip(entries[:n], steps[:n], strict=True) for record in pair] for n in range(1, 5)]
    with tempfile.TemporaryDirectory() as folder, Store.open(f"{folder}/a.db", create=True) as store:
        for log in logs:
            store.apply(lowered(log), now=1)
        with Store.open(f"{folder}/b.db", create=True) as once:
            once.apply(lowered(logs[-1]), now=1)
            assert list(store.dump()) == list(once.dump())
        assert store.program("log").same_as(without_files(lowered(logs[-1])))


def test_a_task_met_later_is_part_of_the_replay() -> None:
    first = [{"turn": 1, "scope": "session:1", "ops": [{"op": "set", "name": "a", "value": 1}]}]
    more: Turns = [*first, {"turn": 2, "scope": "session:2", "ops": [{"op": "enter", "name": "f1"}]}]
    more.append({"turn": 3, "scope": "session:2", "ops": [{"op": "set", "scope": "user:7", "name": "x", "value": 1}]})
    more.append({"turn": 4, "scope": "session:1", "ops": [{"op": "leave", "name": "f1"}]})
    with tempfile.TemporaryDirectory() as folder, Store.open(f"{folder}/s.db", create=True) as store:
        for end in range(1, 5):
            store.apply(lowered(more[:end]), now=1)
        assert store.program("log").same_as(lowered(more))
        assert not store.apply(lowered(more), now=1).changed


def test_blocks_are_what_lower_made() -> None:
    """The check above compares something: a program with other blocks is not the same."""
    program, other = lowered(turns([([], None)])), lowered(turns([([], None)]))
    other.append(Block("more", instructions=(Enter(task="x"), Leave(task="x"))))
    assert not program.same_as(other)


def test_where_a_log_stands_is_kept_as_it_moves() -> None:
    def tree(*, at: str | None = None, more: bool = False) -> Program:
        builder = build("session:1/", name="log").block(name="q").set("a", 1).branch("r1", "r2")
        builder.block(name="r1").set("a", 2).stays_open().block(name="r2").set("a", 3)
        if more:
            builder.block(name="r3").set("a", 4)
        return (builder.standing_at(at) if at else builder).program

    grown: list[tuple[dict[str, Any], int]] = [
        ({"at": "r1"}, 2),
        ({}, 3),
        ({"at": "r1"}, 2),
        ({"at": "r1", "more": True}, 2),
        ({"more": True}, 4),
    ]
    with tempfile.TemporaryDirectory() as folder, Store.open(f"{folder}/s.db", create=True) as store:
        for options, expected in grown:
            program = tree(**options)
            store.apply(program, now=1)
            assert store.program("log").same_as(program)
            assert [expected] == [fact.value for fact in store.state()]
            assert not store.apply(program, now=1).changed
        store.verify()


@pytest.mark.parametrize("ends", [False, True])
def test_a_log_goes_on_from_any_end_of_a_message_tree(ends: bool) -> None:
    def tree() -> Builder:
        builder = build("session:1/", name="log").block(name="q").set("a", 1).branch("first", "second")
        builder.block(name="first").set("a", 2)
        return builder

    first = tree().ends() if ends else tree().stays_open()
    short = first.block(name="second").set("a", 3).standing_at("first").program
    longer = tree().goto("more").block(name="second").set("a", 3).stays_open().block(name="more").append("a", 4).program
    with tempfile.TemporaryDirectory() as folder, Store.open(f"{folder}/s.db", create=True) as store:
        store.apply(short, now=1)
        store.apply(longer, now=1)
        assert store.program("log").same_as(longer)
        assert [[2, 4]] == [fact.value for fact in store.state()]
        store.verify()


def test_an_end_of_a_message_tree_becomes_no_other_end() -> None:
    def tree(end: Terminator) -> Program:
        builder = build("session:1/", name="log").block(name="q").branch("first", "second")
        return builder.block(name="first").set("a", 2).terminate(end).block(name="second").set("a", 3).program

    with tempfile.TemporaryDirectory() as folder, Store.open(f"{folder}/s.db", create=True) as store:
        store.apply(tree(Open()), now=1)
        with pytest.raises(InputError, match="ST020"):
            store.apply(tree(End()), now=1)


@given(traces())
def test_effects_are_the_same_wherever_one_begins(program: Program) -> None:
    """Whether one walk goes on through the log, or another begins at each operation."""
    whole = effects(program, 0)
    for number in range(len(program.instructions)):
        alone = effects(program, number)
        assert {key: value for key, value in whole.items() if key >= number} == alone


def forked(end: str) -> Program:
    """A fork with three arms; `end` says how the second goes on: not at all, by two answers, by another fork."""
    names = ["a0", "a1", "a2"]
    builder = build("session:1/", name="log").block(name="q").set("x", 0).fork(*names, join="j")
    for name in names:
        builder.block(name=name).append("x", name)
        if name != "a1":
            builder.goto("j")
        elif end == "open":
            builder.stays_open()
        elif end == "tree":
            builder.branch("b", "c").block(name="b").append("x", "b").goto("j").block(name="c").append("x", "c")
            builder.stays_open()
        else:
            builder.fork("b", "c", join="d").block(name="b").append("x", "b").goto("d")
            builder.block(name="c").append("x", "c").goto("d").block(name="d").append("x", "d").goto("j")
    return builder.block(name="j").append("x", "j").program


@pytest.mark.parametrize("end", ["open", "tree", "fork"])
def test_effects_in_arms_are_the_same_wherever_one_begins(end: str) -> None:
    program = forked(end)
    whole = effects(program, 0)
    for number in whole:
        assert whole[number] == effects(program, number)[number]


def test_a_walk_goes_on_from_fork_to_fork(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("statemem.store.effects.path_to")  # by which a walk begins anew
    assert 8 == len(effects(forked("fork"), 0))


def test_what_depends_on_what_and_what_tasks_need_is_kept() -> None:
    program = (
        build("user:7/", name="log").declare("total", "items").requires("return", "address").set("total", 1).program
    )
    with tempfile.TemporaryDirectory() as folder, Store.open(f"{folder}/s.db", create=True) as store:
        store.apply(program, now=1)
        assert store.program("log").same_as(program)


@given(traces())
def test_any_valid_log_is_kept_as_it_grows(program: Program) -> None:
    with tempfile.TemporaryDirectory() as folder, Store.open(f"{folder}/s.db", create=True) as store:
        store.apply(program, now=1)
        assert store.program(program.name).same_as(without_files(program))
        store.verify()
