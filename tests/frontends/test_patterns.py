"""What is taken for an id, and what merely counts or measures something."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.lowering.tau_held import said
from statemem import analyze
from statemem.ir.frontends.linking.distinctive import is_distinctive, is_identifier, is_quotable
from statemem.ir.frontends.linking.patterns import recognise

MEASURES = ["10th", "22ND", "10am", "11PM", "1300hrs", "10:30", "10:30am", "09:15:00", "28-inch", "4-star", "256GB"]
MEASURES += ["500ml", "1000m", "2nd-floor", "10-year-old", "1920x1080", "10-12", "1080p", "1990s", "3.5kg"]
IDS = ["W15-7", "#W2378156", "card_12", "HAT018", "5G12", "A-15b", "123-ABC", "10th_street_7", "555-1234", "#10th"]


@pytest.mark.parametrize("text", MEASURES)
def test_a_measure_is_no_id(text):
    assert not is_identifier(text)
    assert not is_distinctive(text)
    assert [] == recognise(f"On the {text} please.")


@pytest.mark.parametrize("text", IDS)
def test_an_id_is_one(text):
    assert is_identifier(text)
    assert [text] == [said.value for said in recognise(f"Order {text} please.")]


@pytest.mark.parametrize("text", ["10th", "10am", "28-inch", "10:30"])
def test_a_reply_that_names_a_measure_still_quotes_it(text):
    assert is_quotable(text)


def test_a_name_in_quotation_marks_may_begin_with_a_measure():
    assert [("name", "27-inch lamp")] == [(said.kind, said.value) for said in recognise('the "27-inch lamp"')]


def test_the_same_time_of_day_is_no_stale_use():
    def turn(number, tool, arguments, result):
        call = {"id": f"c{number}", "function": {"name": tool, "arguments": json.dumps(arguments)}}
        answer = {"role": "tool", "tool_call_id": f"c{number}", "content": json.dumps(result)}
        return [{"role": "assistant", "tool_calls": [call]}, answer]

    shop = {"shop_id": "S-15", "opens": "10am", "city": "Lyon", "seats": 4}
    turns = (
        turn(1, "get_shop", {"shop_id": "S-15"}, shop),
        turn(2, "get_shop", {"shop_id": "S-15"}, shop | {"opens": "9am"}),
    )
    log = [*turns[0], *turns[1], *turn(3, "book_table", {"opens": "10am"}, {"ok": True})]
    assert [] == analyze(log).stale_uses


NUMBERS = st.integers(0, 99_999).map(str)
AFTER = st.sampled_from(["st", "nd", "rd", "th", "am", "PM", "hrs", "-inch", "-day-old", "GB", "kg", "m", "x20", "W", "-AB", "", "A", "_1", "-12"])  # fmt: skip


@given(st.lists(st.tuples(NUMBERS, AFTER).map("".join), max_size=5))
def test_the_independent_reading_of_the_rule_agrees(words):
    text = " ".join(words)
    assert {(one.kind, one.value) for one in recognise(text)} == {(kind, value) for _, kind, value in said(text)}
