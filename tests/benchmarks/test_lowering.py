"""The comparison of the product with an independent counter: on a log counted by hand, and on the tau logs."""

import gzip
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from benchmarks.lowering.tau_causes import Case, Cause, cases
from benchmarks.lowering.tau_compare import Comparison, compare, load, main
from benchmarks.lowering.tau_figures import count as count_reference
from benchmarks.lowering.tau_log import read
from benchmarks.lowering.tau_product import Lowered, count, lowered
from benchmarks.lowering.tau_raw import data_directory
from statemem import lower
from statemem.passes import Manager

Message = dict[str, Any]

NO_DATA = f"no tau logs at {data_directory()}; STATEMEM_DATA names the folder that holds tau/"


def user(text: str) -> Message:
    return {"role": "user", "content": text}


def reply(text: str) -> Message:
    return {"role": "assistant", "content": text}


def call(number: int, tool: str, **arguments: str | int) -> Message:
    function = {"name": tool, "arguments": json.dumps(arguments)}
    return {"role": "assistant", "content": None, "tool_calls": [{"id": f"c{number}", "function": function}]}


def result(number: int, **fields: Any) -> Message:
    return {"role": "tool", "tool_call_id": f"c{number}", "content": json.dumps(fields)}


def order_line(item: str, price: float) -> dict[str, Any]:
    return {"item_id": item, "product_id": "2000000001", "price": price}


ORDER = [
    user("my order is #W1000001"),
    call(1, "get_order_details", order_id="#W1000001"),
    result(1, order_id="#W1000001", status="pending", items=[order_line("1000000001", 20.55)]),
    reply("order #W1000001 is pending and costs 20.55"),
    user("please send 1000000002 instead"),
    call(2, "modify_order", order_id="#W1000001", old="1000000001", new="1000000002"),
    result(2, order_id="#W1000001", status="modified", items=[order_line("1000000002", 22.55)]),
    call(3, "find_stock", item_id="1000000001"),
]
RESERVATION = [
    user("how many bags may I take?"),
    call(1, "get_reservation", reservation_id="ZX1Y2W"),
    result(1, reservation_id="ZX1Y2W", bags=0),
    call(2, "get_reservation", reservation_id="ZX1Y2W"),
    result(2, reservation_id="ZX1Y2W", bags=0),
    call(3, "update_reservation_bags", reservation_id="ZX1Y2W", bags=2),
    result(3, reservation_id="ZX1Y2W", bags=2),
]


@pytest.fixture
def by_hand(tmp_path: Path) -> list[Lowered]:
    """Two conversations, as read and as lowered."""
    path = tmp_path / "hand.json.gz"
    runs = [{"task_id": task, "trial": 0, "traj": traj} for task, traj in enumerate((ORDER, RESERVATION))]
    path.write_bytes(gzip.compress(json.dumps(runs).encode()))
    return lowered(path, read(path))


def causes(found: list[Case]) -> dict[Cause, int]:
    return dict(Counter(case.cause for case in found))


def test_both_count_the_same_definitions_and_uses(by_hand: list[Lowered]) -> None:
    """18 definitions of 11 objects: two ids of the order's line, the order, its first price and the reservation used.

    Distances: 1; 1, 1; 2, 3, 1; 2 in the first conversation, 1; 1 in the second.
    """
    product, reference = count(by_hand), count_reference(one.raw for one in by_hand)
    for figures in (reference, product):
        assert (18, 11, 1) == (figures.definitions, figures.objects, figures.reuse_distance)
        assert 54.5 == round(figures.never_used, 1)


def test_both_count_the_same_overwritten_facts(by_hand: list[Lowered]) -> None:
    """4 of 7: status, item and price of the exchanged line, bags."""
    reference, product = count_reference(one.raw for one in by_hand), count(by_hand)
    assert (7, 57.1) == (reference.facts, round(reference.overwritten, 1))
    assert (7, 57.1) == (product.facts, round(product.overwritten, 1))


def test_every_case_has_its_cause(by_hand: list[Lowered]) -> None:
    assert {
        Cause.SAME: 2,
        Cause.OTHER_LINE: 2,
        Cause.KEPT_ON_LINE: 1,
        Cause.CONFIRMED: 1,
        Cause.STALE: 1,
    } == causes(compare("hand", by_hand).cases)


def test_what_only_the_reference_lists_is_unexplained(by_hand: list[Lowered]) -> None:
    """A product that saw nothing of the conversation: three overwritten fields and a replaced argument are left."""
    order = by_hand[0].raw
    blind = lower([user("hello")])
    found = cases(Lowered(order, blind, Manager(blind)))
    assert {Cause.UNEXPLAINED: 4} == causes(found)
    line = "items.2000000001"
    assert [f"{line}.item_id", f"{line}.item_id", f"{line}.price", "status"] == sorted(one.path for one in found)


def test_no_data_is_said_and_ends_with_2(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("STATEMEM_DATA", str(tmp_path))
    assert 2 == main([])
    assert "set STATEMEM_DATA" in capsys.readouterr().err


@pytest.fixture(scope="module")
def tau() -> dict[str, Comparison]:
    if not data_directory().is_dir():
        pytest.skip(NO_DATA)
    return {domain: compare(domain, pairs) for domain, pairs in load(data_directory()).items()}


def test_nothing_in_the_tau_logs_is_unexplained(tau: dict[str, Comparison]) -> None:
    assert [] == [case for one in tau.values() for case in one.cases if case.cause is Cause.UNEXPLAINED]


@pytest.mark.parametrize(
    ("domain", "figures"),
    [
        ("airline", {"never_used", "overwritten", "reuse_distance"}),
        ("retail", {"never_used", "overwritten", "reuse_distance"}),
    ],
)
def test_the_figures_of_the_tau_logs_are_the_first_measurements(
    tau: dict[str, Comparison], domain: str, figures: set[str]
) -> None:
    """Retail: short phrases in replies are no uses yet, and an exchanged line is another cell, so two are missing."""
    assert figures <= {check.figure for check in tau[domain].checks if check.met}
