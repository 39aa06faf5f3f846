"""Plans: actions become events, and tiers follow from them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from statemem.actions import Action, Kind
from statemem.ir import Program, build, parse_cell
from statemem.ir.cells import Scope
from statemem.ir.diagnostics import UsageError
from statemem.passes import Manager
from statemem.passes.framework.points import BlockEnd
from statemem.planning import plan
from statemem.policy import Policy
from statemem.store import Store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "s.db", create=True) as opened:
        yield opened


def colors(*values: str) -> Program:
    builder = build("session:1/", name="shop").block("user").set("size", "L")
    for value in values:
        builder.block("user").set("color", value)
    return builder.program


def act(kind: Kind, entry: str, other: str | None = None, reason: str = "because") -> Action:
    cell = parse_cell("color", Scope("session", "1"))
    return Action(
        kind=kind,
        code="SM000",
        cell=cell,
        entry=entry,
        other=other,
        reason=reason,
        basis="policy",
        unless="not",
        step=1,
    )


def shelves(store: Store) -> dict[str, tuple[str, str | None, str | None]]:
    return {one.entry: (one.tier, one.mark, one.successor) for one in store.entries()}


def test_actions_move_entries_between_tiers(store: Store) -> None:
    actions = [act(Kind.DEMOTE, "e1"), act(Kind.SUPERSEDE, "e2", "e3"), act(Kind.ARCHIVE, "e2"), act(Kind.KEEP, "e3")]
    applied = store.apply(colors("black", "white"), actions, now=7)
    assert applied.actions == 4
    assert shelves(store) == {"e1": ("L2", None, None), "e2": ("L3", "superseded", "e3"), "e3": ("L1", None, None)}
    assert [json.loads(event.after or "") for event in applied.events[-4:]] == [
        {"tier": "L2"},
        {"mark": "superseded", "successor": "e3", "tier": "L1"},
        {"mark": "superseded", "successor": "e3", "tier": "L3"},
        {"tier": "L1"},
    ]
    store.verify()


def test_a_conflict_marks_both_sides_until_a_plan_keeps_one(store: Store) -> None:
    program = colors("black", "white")
    store.apply(program, [act(Kind.FLAG_CONFLICT, "e2", "e3"), act(Kind.FLAG_STALE_USE, "e1")], now=1)
    assert shelves(store) == {"e1": ("L1", None, None), "e2": ("L1", "conflict", "e3"), "e3": ("L1", "conflict", "e2")}
    store.apply(program, [act(Kind.KEEP, "e3"), act(Kind.MERGE, "e2", "e3")], now=2)
    assert shelves(store)["e2"] == ("L1", "merged", "e3")
    assert shelves(store)["e3"] == ("L1", None, None)


def test_the_other_side_of_a_conflict_is_kept_again_as_it_was_before(store: Store) -> None:
    store.apply(colors("black"), [act(Kind.KEEP, "e1"), act(Kind.KEEP, "e2")], now=1)
    store.apply(colors("black", "white"), [act(Kind.FLAG_CONFLICT, "e2", "e1"), act(Kind.KEEP, "e3")], now=2)
    later = [act(Kind.KEEP, "e1"), act(Kind.SUPERSEDE, "e2", "e3"), act(Kind.KEEP, "e3")]
    store.apply(colors("black", "white", "red"), later, now=3)
    assert shelves(store)["e1"] == ("L1", None, None)


def test_a_plan_adds_only_what_it_says_anew(store: Store) -> None:
    demote = [act(Kind.DEMOTE, "e1")]
    assert 1 == store.apply(colors("black"), demote, now=3).actions
    assert not store.apply(colors("black"), demote, now=3).changed
    later = store.apply(colors("black", "white"), [act(Kind.DEMOTE, "e1", reason="in other words")], now=4)
    assert (1, 0) == (later.operations, later.actions)
    assert 2 == store.apply(colors("black", "white"), [*demote, act(Kind.ARCHIVE, "e1")], now=5).actions


def test_a_plan_for_a_log_the_store_has_gone_beyond_is_not_carried_out(store: Store) -> None:
    store.apply(colors("black", "white"), now=3)
    applied = store.apply(colors("black"), [act(Kind.DEMOTE, "e1")], now=2)
    assert (applied.behind, applied.changed) == (2, False)
    assert shelves(store)["e1"] == ("L1", None, None)


def test_a_plan_about_an_entry_that_is_not_there_changes_nothing(store: Store) -> None:
    with pytest.raises(UsageError, match="'e9'"):
        store.apply(colors("black"), [act(Kind.DEMOTE, "e9")], now=1)
    assert store.events() == []


def planned(program: Program, now: int) -> Sequence[Action]:
    return plan(Manager(program), BlockEnd(len(program.blocks) - 1), now, Policy())


def test_what_the_planner_says_is_what_the_store_does(store: Store) -> None:
    program = colors("black", "white")
    store.apply(program, planned(program, 9), now=9)
    assert shelves(store) == {"e1": ("L2", None, None), "e2": ("L3", "superseded", "e3"), "e3": ("L2", None, None)}
    used = colors("black", "white")
    used.extend(build("session:1/").block("user", name="later", step=9).use("size").program.blocks[0])
    store.apply(used, planned(used, 9), now=9)
    assert shelves(store)["e1"] == ("L1", None, None)
    reasons = [event.reason for event in store.events() if event.kind == "plan"]
    assert any(reason and "replaced at step 3" in reason for reason in reasons)
    store.verify()
