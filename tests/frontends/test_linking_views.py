"""What several tools tell of one entity, each a view of its own: what an answer takes away, and what it must not."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statemem import analyze, lower
from statemem.ir import Delete, Scope, run
from statemem.ir.frontends.domain import Domain, ToolRule
from statemem.passes import Word

ID = {"order_id": "W1004"}


def messages(*turns):
    found = []
    for number, (tool, arguments, result) in enumerate(turns, 1):
        function = {"name": tool, "arguments": json.dumps(arguments)}
        found.append({"role": "assistant", "tool_calls": [{"id": f"c{number}", "function": function}]})
        found.append({"role": "tool", "tool_call_id": f"c{number}", "content": json.dumps(result)})
    return found


def told(tool, **fields):
    """A call that asks for the order, and its answer."""
    return tool, ID, ID | fields


def held(*turns, domain=None):
    """What is in force of the order, its id apart."""
    if not turns:
        return {}
    facts = run(lower(messages(*turns), domain=domain)).snapshot(Scope("user", "log"))
    start = 'order["W1004"].'
    return {path.removeprefix(start): value for path, value in facts.items() if path != f"{start}order_id"}


STATUS, WEIGHT = told("get_order_status", status="packed"), told("get_order_weight", weight=12)


def test_a_tool_that_tells_one_field_again_leaves_what_another_told():
    assert {"status": "sent", "weight": 12} == held(STATUS, WEIGHT, told("get_order_status", status="sent"))


def test_nothing_but_the_old_status_is_superseded():
    report = analyze(messages(STATUS, WEIGHT, told("get_order_status", status="sent")))
    assert ["packed"] == [one.entry.value for one in report.of(Word.SUPERSEDED)]


def test_a_writing_tool_that_is_called_again_leaves_what_another_told():
    again = ("update_order_status", ID | {"status": "held"}, ID | {"status": "held"})
    assert {"status": "held", "weight": 12} == held(STATUS, WEIGHT, again, STATUS, again)


def test_what_the_tool_told_before_and_lacks_now_is_gone_and_says_why():
    turns = [
        told("get_order_status", status="packed", depot="Lyon"),
        WEIGHT,
        told("get_order_status", status="sent"),
    ]
    (gone,) = [item for item in lower(messages(*turns)).instructions if isinstance(item, Delete)]
    assert {"status": "sent", "weight": 12} == held(*turns)
    assert ('user:log/order["W1004"].depot', "2 own id, 3 gone") == (str(gone.target), gone.origin.rule)


def test_an_answer_of_the_only_tool_that_told_anything_is_the_whole():
    program = lower(messages(told("get_order", status="packed", depot="Lyon"), told("get_order", status="sent")))
    assert "2 own id, 3 whole" == program.instructions[-1].origin.rule


def test_what_another_tool_told_anew_is_gone_once_the_first_lacks_it():
    first, second = told("get_order", status="packed", depot="Lyon"), told("get_order", status="sent")
    assert {"status": "sent", "weight": 12} == held(first, WEIGHT, told("get_order_depot", depot="Nice"), second)


def test_an_answer_that_shares_no_more_than_the_id_takes_nothing_away():
    assert {"status": "packed", "note": "x"} == held(told("get_order", status="packed"), told("get_order", note="x"))


def test_another_question_to_the_same_tool_takes_nothing_away():
    brief = ("get_order", ID | {"brief": True}, ID | {"status": "sent"})
    assert {"status": "sent", "weight": 12} == held(told("get_order", status="packed", weight=12), brief)


NESTED: dict[str, tuple[dict[str, Any], dict[str, Any], dict[str, Any]]] = {
    "a field of an object": ({"ship": {"by": "x", "eta": 3}}, {"ship": {"by": "y"}}, {"ship.by": "y"}),
    "an object": ({"a": 1, "ship": {"by": "x"}}, {"a": 1}, {"a": 1}),
    "an element of a list": ({"items": [{"id": "i1", "n": 1}, {"id": "i2", "n": 2}]}, {"items": [{"id": "i1", "n": 3}]},
                             {'items["i1"].id': "i1", 'items["i1"].n': 3}),
    "a field of an element": ({"items": [{"id": "i1", "n": 1, "m": 1}]}, {"items": [{"id": "i1", "n": 3}]},
                              {'items["i1"].id': "i1", 'items["i1"].n': 3}),
    "a list": ({"a": 1, "items": [{"id": "i1"}]}, {"a": 1}, {"a": 1}),
    "another form": ({"a": 1, "items": [{"id": "i1"}]}, {"a": 1, "items": []}, {"a": 1, "items": []}),
}  # fmt: skip


@pytest.mark.parametrize("name", NESTED)
def test_what_is_gone_at_depth_is_gone_and_the_weight_stays(name):
    before, now, expected = NESTED[name]
    assert {**expected, "weight": 12} == held(told("get_order", **before), WEIGHT, told("get_order", **now))


def test_what_others_told_inside_an_object_stays():
    turns = told("get_order", a=1, ship={"by": "x"}), told("get_order_ship", ship={"eta": 3}), told("get_order", a=1)
    assert {"a": 1, "ship.eta": 3} == held(*turns)


def test_a_part_takes_nothing_away_at_any_depth():
    order = told("get_order", a=1, ship={"carrier": {"name": "x", "phone": "1"}}, items=[{"id": "i1", "name": "lamp"}])
    part = told("get_order_ship", ship={"carrier": {"name": "y"}}, items=[{"id": "i1", "sent": 2}])
    assert {
        "a": 1,
        "ship.carrier.name": "y",
        "ship.carrier.phone": "1",
        'items["i1"].id': "i1",
        'items["i1"].name': "lamp",
        'items["i1"].sent': 2,
    } == held(order, part)


@pytest.mark.parametrize(("extent", "expected"), [("whole", {"a": 2}), ("part", {"a": 2, "b": 1, "weight": 12})])
def test_a_domain_has_the_last_word(extent, expected):
    domain = Domain(tools=(ToolRule(name="get_order", result=extent),))
    assert expected == held(told("get_order", a=1, b=1), WEIGHT, told("get_order", a=2), domain=domain)


VIEWS = st.lists(
    st.tuples(st.integers(0, 2), st.sets(st.sampled_from("abc"), min_size=1), st.integers(0, 3)), max_size=12
)


@given(VIEWS)
def test_tools_that_tell_fields_of_their_own_are_each_as_if_alone(views):
    turns = [
        told(f"get_order_v{n}", **{f"v{n}": n, **{f"{f}{n}": value for f in fields}}) for n, fields, value in views
    ]
    alone = [held(*(turn for turn in turns if turn[0].endswith(str(n)))) for n in range(3)]
    assert {field: value for facts in alone for field, value in facts.items()} == held(*turns)
