"""The state after every prefix against an independent reading: on logs read by hand, and on the tau logs."""

import gzip
import json
import random
from pathlib import Path
from typing import Any

import pytest

from benchmarks.lowering.tau_held import Reading
from benchmarks.lowering.tau_raw import data_directory
from benchmarks.lowering.tau_state import Kind, Logged, compare, logged, main, total
from statemem.ir import Program

Message = dict[str, Any]

DATA = sorted(data_directory().glob("*.json.gz"))
SEED, SAMPLED = 20240515, 3


def user(text: str) -> Message:
    return {"role": "user", "content": text}


def call(number: int, tool: str, **arguments: Any) -> Message:
    function = {"name": tool, "arguments": json.dumps(arguments)}
    return {"role": "assistant", "content": None, "tool_calls": [{"id": f"c{number}", "function": function}]}


def result(number: int, content: Any) -> Message:
    text = content if isinstance(content, str) else json.dumps(content)
    return {"role": "tool", "tool_call_id": f"c{number}", "content": text}


ORDER = {
    "order_id": "#W1000001",
    "status": "pending",
    "items": [{"item_id": "11", "price": 20.5}, {"item_id": "12", "price": 7}],
    "address": {"city": "Lyon", "zip": "69001"},
    "history": [{"amount": 27.5}],
}
LOG = [
    user('Cancel #W1000001, it is "no longer needed".'),
    call(1, "get_order_details", order_id="#W1000001"),
    result(1, ORDER),
    call(2, "cancel_order", order_id="#W1000001", status="cancelled", reason="no longer needed", quick=True),
    result(2, {"order_id": "#W1000001", "status": "cancelled"}),
    call(3, "get_order_details", order_id="#W1000001"),
    result(3, "Error: try again"),
    call(4, "get_order_details", order_id="#W1000001"),
    result(4, {"order_id": "#W1000001", "status": "cancelled", "items": [], "history": []}),
]
OF_ORDER = ("entity", "order", "#W1000001")
FAILED = ("result", "get_order_details", '{"order_id": "#W1000001"}')
SAID = {("said", "id", "#W1000001"): "#W1000001", ("said", "name", "no longer needed"): "no longer needed"}
NEW = {("argument", "3", "0", "status"): "cancelled", ("argument", "3", "0", "quick"): True}
FIRST_ANSWER = {
    (*OF_ORDER, "order_id"): "#W1000001",
    (*OF_ORDER, "status"): "pending",
    (*OF_ORDER, "items", "11", "item_id"): "11",
    (*OF_ORDER, "items", "11", "price"): 20.5,
    (*OF_ORDER, "items", "12", "item_id"): "12",
    (*OF_ORDER, "items", "12", "price"): 7,
    (*OF_ORDER, "address", "city"): "Lyon",
    (*OF_ORDER, "address", "zip"): "69001",
    (*OF_ORDER, "history"): [{"amount": 27.5}],
}
CANCELLED = {**FIRST_ANSWER, (*OF_ORDER, "status"): "cancelled"}
READ_AGAIN = {
    (*OF_ORDER, "order_id"): "#W1000001",
    (*OF_ORDER, "status"): "cancelled",
    (*OF_ORDER, "items"): [],
    (*OF_ORDER, "history"): [],
}


def written(folder: Path, *logs: list[Message]) -> Path:
    path = folder / "hand.json.gz"
    runs = [{"task_id": task, "trial": 0, "traj": log} for task, log in enumerate(logs)]
    path.write_bytes(gzip.compress(json.dumps(runs).encode()))
    return path


def run_of(folder: Path, log: list[Message]) -> Logged:
    (one,) = logged(written(folder, log))
    return one


def test_the_reading_of_a_log_by_hand(tmp_path: Path) -> None:
    """A part takes nothing away, an error tells nothing of the order, and an answer asked before is the whole."""
    reading, held = Reading(), []
    for message in run_of(tmp_path, LOG).raw.messages:
        reading.take(message)
        held.append(reading.held())
    assert [
        SAID,
        SAID,
        SAID | FIRST_ANSWER,
        SAID | FIRST_ANSWER | NEW,
        SAID | CANCELLED | NEW,
        SAID | CANCELLED | NEW,
        SAID | CANCELLED | NEW | {FAILED: "Error: try again"},
        SAID | CANCELLED | NEW | {FAILED: "Error: try again"},
        SAID | READ_AGAIN | NEW | {FAILED: "Error: try again"},
    ] == held


def test_the_product_holds_the_same_after_every_message(tmp_path: Path) -> None:
    found = compare(run_of(tmp_path, LOG))
    assert [] == found.differences
    assert (1, 9) == (found.conversations, found.prefixes)
    assert 2 + 2 + 11 + 13 + 13 + 13 + 14 + 14 + 9 == found.cells


@pytest.mark.parametrize(
    ("answer", "kind", "field", "found", "expected"),
    [
        (ORDER | {"status": "sent"}, Kind.OTHER_VALUE, "status", '"sent"', '"pending"'),
        (ORDER | {"paid": 1}, Kind.SURPLUS, "paid", "1", None),
        ({name: ORDER[name] for name in ORDER if name != "status"}, Kind.MISSING, "status", None, '"pending"'),
    ],
)
def test_what_differs_is_told_by_its_kind(
    tmp_path: Path, answer: dict[str, Any], kind: Kind, field: str, found: str | None, expected: str | None
) -> None:
    """The product lowers another answer than the one that was read."""
    one = run_of(tmp_path, LOG[:3])
    (difference,) = compare(Logged(one.raw, one.record | {"traj": [*LOG[:2], result(1, answer)]})).differences
    assert (kind, 2, f"entity order #W1000001 {field}") == (difference.kind, difference.message, difference.field)
    assert (found, expected) == (difference.found, difference.expected)


class Foreseeing(Logged):
    """A run whose prefixes are the whole run."""

    def program(self, messages: int | None = None) -> Program:
        return super().program()


def test_a_prefix_that_knows_what_comes_later_differs(tmp_path: Path) -> None:
    one = run_of(tmp_path, LOG[:3])
    found = compare(Foreseeing(one.raw, one.record)).differences
    assert [(Kind.PREFIX, message) for message in (0, 1) for _ in FIRST_ANSWER] == [
        (one.kind, one.message) for one in found
    ]


def test_agreement_ends_with_0(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("STATEMEM_DATA", str(tmp_path))
    (tmp_path / "tau").mkdir()
    written(tmp_path / "tau", LOG, LOG[:2])
    assert 0 == main([])
    assert [["hand.json.gz", "2", "11", "95", "0"], ["all", "2", "11", "95", "0"]] == [
        line.split() for line in capsys.readouterr().out.splitlines()[1:]
    ]


def test_differences_are_shown_and_written_and_end_with_1(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The reading takes no object out of an envelope."""
    monkeypatch.setenv("STATEMEM_DATA", str(tmp_path))
    (tmp_path / "tau").mkdir()
    written(tmp_path / "tau", [LOG[1], result(1, {"success": True, "data": {"order_id": "#W1000001", "total": 3}})])
    assert 1 == main(["--json", str(tmp_path / "figures.json")])
    assert f"2  {Kind.SURPLUS.value}" in capsys.readouterr().out
    figures = json.loads((tmp_path / "figures.json").read_text(encoding="utf-8"))["hand.json.gz"]
    assert {"missing": 3, "surplus": 2} == figures["kinds"]


def test_no_data_is_said_and_ends_with_2(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("STATEMEM_DATA", str(tmp_path))
    assert 2 == main([])
    assert "set STATEMEM_DATA" in capsys.readouterr().err


@pytest.mark.skipif(not DATA, reason=f"no tau logs at {data_directory()}; STATEMEM_DATA names the folder of tau/")
@pytest.mark.parametrize("path", DATA, ids=lambda path: path.name.split(".")[0])
def test_the_state_after_every_prefix_is_what_the_raw_json_says(path: Path) -> None:
    """Of each file some conversations; the command compares all of them."""
    found = total(map(compare, random.Random(SEED).sample(logged(path), SAMPLED)))
    assert [] == found.differences
    assert SAMPLED == found.conversations
