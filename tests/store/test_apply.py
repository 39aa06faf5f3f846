"""Applying: what is new, what differs, what belongs to whom."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from statemem.ir import Cell, Open, Program, Scope, Set, build, name
from statemem.ir.blocks import Block, Task
from statemem.ir.diagnostics import InputError, UsageError
from statemem.ir.frontends import lower
from statemem.ir.terminators import Arm, Branch, End, Goto
from statemem.store import Store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "s.db", create=True) as opened:
        yield opened


def phones(*numbers: str) -> Program:
    builder = build("session:1/", name="shop")
    for number in numbers:
        builder.block("user").set("phone", number)
    return builder.program


def values(store: Store, **asked: Any) -> dict[str, Any]:
    return {str(fact.cell): fact.value for fact in store.state(**asked)}


# differences


def test_a_log_that_differs_is_refused_at_the_first_difference_and_changes_nothing(store: Store) -> None:
    store.apply(phones("+33 6 00 00 00 11", "+33 6 00 00 00 22", "+33 6 00 00 00 33"), now=3)
    before = list(store.dump())
    with pytest.raises(InputError) as refused:
        store.apply(phones("+33 6 00 00 00 11", "+33 6 00 00 00 99", "+33 6 00 00 00 44", "x"), now=4)
    assert list(store.dump()) == before
    text = str(refused.value)
    assert refused.value.problems[0].code == "ST020"
    assert "'shop' differs from the store at step 2, session:1/phone" in text
    assert 'the store has value "+33******0022", the log says value "+33******0099"' in text
    assert "00 22" not in text


def test_preview_refuses_what_apply_refuses_and_writes_nothing(store: Store) -> None:
    seen = store.preview(phones("a", "b"), now=1)
    assert (seen.blocks, seen.operations, seen.statements) == (2, 2, 1)
    assert store.events() == []
    store.apply(phones("a"), now=1)
    with pytest.raises(InputError, match="ST020"):
        store.preview(phones("b"), now=1)


@pytest.mark.parametrize(
    ("other", "told"),
    [
        (build("session:1/", name="shop").block("user").set("color", "a"), "the store has set session:1/phone"),
        (build("session:1/", name="shop").block("tool:x").set("phone", "a"), "actor"),
        (build("session:1/", name="shop").block("user", name="b").set("phone", "a"), "the store has block t1"),
        (build("session:1/", name="shop").block("user").set("phone", "a", maybe=True), "the store has no maybe"),
        (build("session:1/", name="shop").block("user").at(trust="low").set("phone", "a"), "the store has no with"),
        (build("session:1/", name="shop").block("user").use("phone"), 'the log says use ["session:1/phone"]'),
        (build("session:2/", name="shop").block("user").set("phone", "a"), "session:2/phone"),
    ],
)
def test_the_refusal_names_what_differs(store: Store, other: Any, told: str) -> None:
    store.apply(phones("a"), now=1)
    with pytest.raises(InputError, match="ST020") as refused:
        store.apply(other.program, now=1)
    assert told in str(refused.value)


def test_what_a_log_states_beside_its_blocks_may_grow_but_not_change(store: Store) -> None:
    store.apply(phones("a"), now=1)
    pinned = build("session:1/", name="shop").declare("phone", pinned=True).block("user").set("phone", "a").program
    assert store.apply(pinned, now=1).statements == 1
    assert store.program("shop").same_as(pinned)
    with pytest.raises(InputError, match="the log says nothing"):
        store.apply(phones("a"), now=1)
    other = build("session:1/", name="shop", parent="user:9/").block("user").set("phone", "a")
    other.declare("phone", sensitive=True)
    with pytest.raises(InputError, match="ST020"):
        store.apply(other.program, now=1)


def test_the_end_of_a_log_is_provisional(store: Store) -> None:
    ended, going_on = phones("a"), phones("a", "b")
    ended.set_terminator(0, End())
    assert store.apply(ended, now=1).statements == 2
    assert store.program("shop").same_as(ended)
    store.apply(going_on, now=2)
    assert store.program("shop").same_as(going_on)
    for terminator in (Open((Cell(Scope("user", "7"), (name("x"),)),)), Open(), End(), Open(), End()):
        going_on.set_terminator(1, terminator)
        assert store.apply(going_on, now=2).statements == 1
        assert store.program("shop").same_as(going_on)


def test_an_earlier_block_may_get_more_ways_to_go_but_no_other_one(store: Store) -> None:
    program = phones("a", "b", "c")
    store.apply(program, now=1)
    program.set_terminator(0, Branch((Arm("t2"), Arm("t3"))))
    store.apply(program, now=1)
    assert store.program("shop").same_as(program)
    program.set_terminator(0, Goto("t3"))
    with pytest.raises(InputError, match="after block t1"):
        store.apply(program, now=1)


def test_an_answer_that_was_given_again_starts_from_the_question(store: Store) -> None:
    program = build("session:1/", name="shop").block("user").set("a", 1).branch("t2", "t3").program
    for value in (2, 3):
        program.append(
            Block(f"t{value}", instructions=(Set(target=Cell(Scope("session", "1"), (name("a"),)), value=value),))
        )
    store.apply(program, now=1)
    writes = [event for event in store.events() if event.kind == "operation"]
    assert [(event.before, event.after) for event in writes] == [(None, "1"), ("1", "2"), ("1", "3")]
    assert values(store) == {"session:1/a": 3}
    store.verify()


def test_a_workflow_is_no_log(store: Store) -> None:
    with pytest.raises(UsageError, match="workflow"):
        store.apply(Program("w", Scope("session", "1"), shape="workflow"), now=1)


@pytest.mark.parametrize("value", [float("nan"), "\ud800", {1, 2}])
def test_what_is_no_json_is_refused_and_changes_nothing(store: Store, value: Any) -> None:
    program = Program("odd", Scope("session", "1"))
    target = Cell(Scope("session", "1"), (name("a"),))
    program.append(Block("t1", instructions=(Set(target=target, value=value),)))
    with pytest.raises(InputError, match="ST015"):
        store.apply(program, now=1)
    assert store.events() == []


# identity


def test_the_same_log_from_another_place_or_packed_is_the_same(store: Store, tmp_path: Path) -> None:
    turns = [{"turn": n, "scope": "session:1", "ops": [{"op": "set", "name": "a", "value": n}]} for n in (1, 2)]
    text = "\n".join(json.dumps(turn) for turn in turns)
    (tmp_path / "other").mkdir()
    (tmp_path / "log.jsonl").write_text(text)
    (tmp_path / "other" / "log.jsonl").write_text("\n\n" + text)
    (tmp_path / "log.jsonl.gz").write_bytes(gzip.compress(text.encode()))
    (tmp_path / "log.json").write_text(json.dumps(turns))
    sources = [tmp_path / path for path in ("log.jsonl", "other/log.jsonl", "log.jsonl.gz", "log.json")]
    applied = [store.apply(program, now=1) for source in sources for program in lower(source, [])]
    assert [one.operations for one in applied] == [2, 0, 0, 0]
    assert not any(one.changed for one in applied[1:])
    assert str(tmp_path) not in "".join(store.dump())


def test_saying_the_same_again_in_a_later_turn_is_an_event_that_changes_nothing(store: Store) -> None:
    program = build("session:1/").block("user").set("a", "x").block("user").set("a", "x").program
    last = store.apply(program, now=1).events[-1]
    assert (last.before, last.after) == ('"x"', '"x"')
    assert [fact.entries for fact in store.state()] == [("e1", "e2")]


def test_events_say_who_what_when_and_from_where(store: Store) -> None:
    program = (
        build("session:1/").block("user", step=4).at(event="evt_9", rule="said").set("a", {"b": 1, "c": 2}).program
    )
    event = store.apply(program, now=1).events[-1]
    assert (event.actor, event.step, event.event, event.cell) == ("user", 4, "evt_9", "session:1/a")
    assert (event.reason, event.before) == ("said", None)
    assert json.loads(event.after or "") == {"session:1/a.b": 1, "session:1/a.c": 2}


# scopes


def test_scopes_and_paths_are_compared_exactly(store: Store) -> None:
    keys = ["jo_li", "jo-li", "jo%li", "JO_LI", "jo", "jo_lia", "j[o]", "jo\\li", 'jo"li', "jo'li", " jo_li", ""]
    for number, key in enumerate(keys):
        own = Scope("user", key)
        store.apply(build(own, name=f"log {number}").block("user").set("a_b", key).set("a.b", number).program, now=1)
    for number, key in enumerate(keys):
        found = store.state(scope=Scope("user", key))
        assert [(fact.cell.path[-1].text, fact.value) for fact in found] == [("b", number), ("a_b", key)]
        assert len(store.history(Cell(Scope("user", key), (name("a_b"),)))) == 1
    assert store.state(scope="user:nobody") == []
    assert len(store.state()) == 2 * len(keys)
    store.verify()


def test_a_prefix_of_a_scope_is_another_scope(store: Store) -> None:
    for key in ("acme", "acme-corp"):
        store.apply(build(f"project:{key}/", name=key).block("user").set("a", key).program, now=1)
    assert values(store, scope="project:acme") == {"project:acme/a": "acme"}
    assert len(values(store)) == 2


def visit(number: int, *, shared: str = "user:7") -> Any:
    return build(f"session:{number}/", name=f"visit {number}").block("user", step=number).set("topic", number), shared


def test_conversations_of_one_user_are_one_history_of_that_user(store: Store) -> None:
    for number, city in enumerate(["Lyon", "Oslo"], 1):
        builder, user = visit(number)
        builder.set(f"{user}/city", city).append(f"{user}/trips", city).default(f"{user}/language", f"of {city}")
        store.apply(builder.program, now=1)
    expected = {"user:7/city": "Oslo", "user:7/language": "of Lyon", "user:7/trips": ["Lyon", "Oslo"]}
    assert values(store, scope="user:7") == expected
    assert values(store, scope="session:1") == {"session:1/topic": 1}
    assert [change.event.conversation for change in store.history("user:7/city")] == ["visit 1", "visit 2"]
    assert {fact.cell.path[0].text: fact.version for fact in store.state(scope="user:7")}["city"] == 2
    assert values(store, at=1) == {
        "session:1/topic": 1,
        "user:7/city": "Lyon",
        "user:7/language": "of Lyon",
        "user:7/trips": ["Lyon"],
    }


def test_what_a_later_conversation_deletes_is_gone(store: Store) -> None:
    store.apply(build("user:7/", name="a").block("user").set("home.city", "Lyon").set("x", 1).program, now=1)
    store.apply(build("user:7/", name="b").block("user").delete("home").program, now=1)
    assert values(store) == {"user:7/x": 1}
    store.verify()


def test_what_one_conversation_calls_it_means_nothing_to_the_next(store: Store) -> None:
    store.apply(build("user:7/", name="a").block("user").set("x", 1).bind("it", "x").program, now=1)
    store.apply(build("user:7/", name="b").block("user").set("y", 1).set("@it", 2).program, now=1)
    assert values(store) == {"user:7/x": 1, "user:7/y": 1}


def test_a_conversation_that_goes_on_later_keeps_its_place(store: Store) -> None:
    store.apply(build("user:7/", name="a").block("user").set("x", 1).program, now=1)
    store.apply(build("user:7/", name="b").block("user").set("x", 2).program, now=1)
    store.apply(build("user:7/", name="a").block("user").set("x", 1).block("user").set("x", 3).program, now=1)
    assert values(store) == {"user:7/x": 2}
    assert store.conversations() == ["a", "b"]
    store.verify()


# asking


def test_history_tells_what_wrote_and_what_ended_a_cell(store: Store) -> None:
    program = build("session:1/").block("user").set("order.color", "white").set("other", 1)
    program.block("user").bind("it", "order").set("@it.color", "black").block("user").set("order", {"size": "L"})
    store.apply(program.block("user").delete("order").program, now=1)
    changes = store.history("session:1/order.color")
    assert [change.event.step for change in changes] == [1, 2, 3]
    assert [list(change.held.values()) for change in changes] == [["white"], ["black"], []]
    whole = store.history("session:1/order")
    assert [list(change.held.values()) for change in whole] == [["white"], ["black"], ["L"], []]
    assert store.history("session:1/nothing") == []


def test_a_moment_is_a_step_an_event_number_or_its_id(store: Store) -> None:
    events = store.apply(phones("a", "b", "c"), now=1).events
    second = [event for event in events if event.kind == "operation"][1]
    for at in (2, "2", "step 2", f"event {second.sequence}", f"#{second.sequence}", second.id, second.id[:10]):
        assert values(store, at=at) == {"session:1/phone": "b"}, at
    assert values(store, at=0) == {}
    assert values(store, at=99) == {"session:1/phone": "c"}


@pytest.mark.parametrize("at", ["yesterday", "event 99", "ffffffffffff", "", "step"])
def test_no_such_moment(store: Store, at: str) -> None:
    store.apply(phones("a"), now=1)
    with pytest.raises(UsageError, match="no moment"):
        store.state(at=at)


def test_names_that_are_none(store: Store) -> None:
    store.apply(phones("a"), now=1)
    with pytest.raises(UsageError, match="did you mean 'shop'"):
        store.program("shopp")
    with pytest.raises(UsageError, match="no conversation"):
        store.entries("nobody")
    with pytest.raises(UsageError, match="no scope"):
        store.state(scope="nothing like it")
    with pytest.raises(UsageError, match="names no scope"):
        store.history("phone")
    with pytest.raises(UsageError, match="not a cell"):
        store.history("user:7/a..b")


def test_the_state_says_where_each_fact_comes_from(store: Store) -> None:
    events = store.apply(phones("a", "b"), now=1).events
    (fact,) = store.state()
    assert (fact.value, fact.version, fact.step, fact.entries, fact.conversation) == ("b", 2, 2, ("e2",), "shop")
    assert fact.event == events[-1].id


def test_a_program_of_several_bodies_comes_back(store: Store) -> None:
    program = phones("a")
    program.add_task(Task("part2", Scope("session", "2"), "billing", ("size",)))
    program.append(Block("b2"))
    program.add_task(Task("idle", Scope("session", "3")))
    store.apply(program, now=1)
    assert store.program("shop").same_as(program)
    assert not store.apply(program, now=1).changed
