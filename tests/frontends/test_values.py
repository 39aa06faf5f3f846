"""What the results of tools are read as, and what becomes of it: text that is data, envelopes, tables, pages."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statemem import analyze, lower
from statemem.ir import Scope, run
from statemem.ir.frontends.linking.printed import data_in, page_text
from statemem.ir.frontends.linking.results import parsed
from statemem.passes import Word

ORDER = {"order_id": "W15", "status": "open", "total": 561.5}


def messages(*turns):
    found = []
    for number, (tool, arguments, result) in enumerate(turns, 1):
        function = {"name": tool, "arguments": json.dumps(arguments)}
        found.append({"role": "assistant", "tool_calls": [{"id": f"c{number}", "function": function}]})
        found.append({"role": "tool", "tool_call_id": f"c{number}", "content": result})
    return found


def held(*turns):
    return run(lower(messages(*turns))).snapshot(Scope("user", "log"))


DATA = {
    "JSON": json.dumps(ORDER),
    "a Python literal": repr(ORDER),
    "JSON behind a sentence": f"Here is the order:\n{json.dumps(ORDER, indent=1)}",
    "a fence": f"Found it.\n\n```json\n{json.dumps(ORDER, indent=1)}\n```",
    "a fence of no language": f"```\n{json.dumps(ORDER)}\n```\nAnything else?",
    "lines of fields": "Order ID: W15\nStatus: open\nTotal: 561.5",
    "a list of fields": "- **order_id**: W15\n- **status**: open\n- **total**: 561.5",
    "an envelope with JSON text in it": json.dumps({"error": "", "response": json.dumps(ORDER)}),
    "an envelope with a Python literal in it": json.dumps({"success": True, "data": repr(ORDER)}),
}


@pytest.mark.parametrize("name", DATA)
def test_it_is_the_same_order_however_it_is_printed(name):
    expected = {f'order["W15"].{field}': value for field, value in ORDER.items()}
    assert expected == held(("get_order", {"order_id": "W15"}, DATA[name]))


@pytest.mark.parametrize("name", DATA)
def test_what_is_printed_otherwise_replaces_nothing(name):
    first = ("get_order", {"order_id": "W15"}, json.dumps(ORDER))
    report = analyze(messages(first, ("get_order", {"order_id": "W15"}, DATA[name])))
    assert [] == report.of(Word.SUPERSEDED)


TABLES = {
    "commas": "order_id,status,total\nW15,open,561.5\nW16,new,7\n",
    "tabs": "order_id\tstatus\ttotal\nW15\topen\t561.5\nW16\tnew\t7",
    "Markdown": "| Order ID | Status | Total |\n|---|:--:|--:|\n| W15 | open | 561.5 |\n| W16 | new | 7 |",
    "Markdown without ends": "order_id | status | total\n--- | --- | ---\nW15 | open | 561.5\nW16 | new | 7",
}


@pytest.mark.parametrize("name", TABLES)
def test_the_rows_of_a_table_are_told_of_like_the_objects_of_a_list(name):
    rows = [ORDER, {"order_id": "W16", "status": "new", "total": 7}]
    assert rows == data_in(TABLES[name].strip())
    assert held(("list_orders", {}, json.dumps(rows))) == held(("list_orders", {}, TABLES[name]))


@pytest.mark.parametrize(
    "text",
    [
        "Hello, world\nHow, are you",
        "order_id,status\nW15,open\nW15,new",
        "order_id,status\nW15,open,late\nW16,new",
        "order_id,status",
        "status,color\nopen,black",
        "order_id,order_id\n1,2",
        '"order_id,status\nW15,open',
        "Order ID: W15\nIt is on its way.",
        "Note: W15",
        "Note: one\nAlso: two",
        "Order ID: W15\nOrder ID: W16",
        "The order is {'order_id': 'W15'}",
        "{'order_id': W15}",
        "{'order_id': 'W15'",
        "x" * 300 + "\n{\"order_id\": \"W15\"}",
        '```json\n{"a": 1}\n```\nand\n```json\n{"a": 2}\n```',
        "```python\nprint(1)\n```",
        "[1, 2",
        "a | b\nc | d",
    ],
)  # fmt: skip
def test_it_stays_text(text):
    assert text == data_in(text)


def test_empty_cells_tell_nothing_and_ids_stay_as_they_are_written():
    assert [{"id": "007", "zip": "10115"}, {"id": "8", "n": 2.5}] == data_in("id,zip,n\n007,10115,\n8,,2.5")


def test_a_page_of_html_is_what_it_says():
    page = "<!DOCTYPE html><html><head><script>if (a < b) {}</script></head><body><p>Tea W15</p><p>1 &lt; 2</p></body></html>"
    assert "Tea W15 1 < 2" == data_in(page)
    program = lower(messages(("fetch_page", {"url": "https://shop.example"}, page)))
    assert ["Tea W15 1 < 2"] == [entry.value for entry in program.entries if "fetch_page" in str(entry.cell)]


def test_a_long_page_is_digested():
    program = lower(messages(("fetch_page", {"url": "https://shop.example"}, f"<html><p>{'tea ' * 9_000}</p></html>")))
    assert program.entries[-1].value.startswith("text, 35,999 characters, about 9,000 tokens, sha256")


@pytest.mark.parametrize("inner", [{"success": False, "message": "not found"}, {"error": "timeout"}])
def test_a_failure_in_an_envelope_is_one(inner):
    first = ("get_order", {"order_id": "W15"}, json.dumps(ORDER))
    failed = ("get_order", {"order_id": "W15"}, json.dumps({"error": "", "response": repr(inner)}))
    assert held(first) == held(first, failed)


@pytest.mark.parametrize("answer", [{"status": "401", "msg": "Authentication required"}, {"type": "x", "title": "Bad Request", "status": 400}])  # fmt: skip
def test_an_answer_with_the_number_of_a_failure_is_one(answer):
    first = ("get_order", {"order_id": "W15"}, json.dumps(ORDER))
    assert held(first) == held(first, ("get_order", {"order_id": "W15"}, json.dumps(answer)))


def test_a_title_is_no_failure():
    assert {'book["b_7"].title': "Dune"} == held(("get_book", {"book_id": "b_7"}, '{"title": "Dune"}'))


def test_what_is_no_envelope_is_not_opened():
    assert {"data": "{'a': 1}", "color": "red"} == parsed({"data": "{'a': 1}", "color": "red"})
    assert {"data": "{'a': 1"} == parsed({"data": "{'a': 1"})


@given(st.text(max_size=300) | st.lists(st.sampled_from(["{", "}", "[", "]", "'", '"', ":", ",", "\n", "|", "-", "id", "<html>", "<", "script", ">", "```", "json", "1e999", "\\ud800"]), max_size=30).map("".join))  # fmt: skip
def test_no_text_is_too_odd(text):
    data_in(text)
    page_text(text)
    parsed(text)


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=5), lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3), max_leaves=8))  # fmt: skip
def test_python_literals_are_read_as_they_were_written(value):
    if isinstance(value, (dict, list)) and "\\ud" not in repr(value) and not isinstance(parsed(repr(value)), str):
        assert value == data_in(repr(value))


def test_what_is_nested_too_deeply_stays_text():
    deep = "[" * 200 + "'a'" + "]" * 200
    assert deep == data_in(deep)


LONG = "milk and honey " * 4_000


def costs(result, tool="fetch_page"):
    """What the report counts for the entries of a result: tokens of all that was ever written."""
    report = analyze(messages((tool, {}, result)))
    return report.tokens_of(report.entries)


def test_a_text_that_is_digested_costs_what_it_cost_where_it_was_shown():
    assert 15_000 <= costs(LONG) <= 15_100
    assert costs({"id": "p-15", "body": LONG}, "get_page") < 200  # one field of several: that of its digest


def test_a_file_that_is_digested_does_too():
    call = {"id": "c1", "function": {"name": "Write", "arguments": json.dumps({"file_path": "a.md", "content": LONG})}}
    written = {"role": "tool", "tool_call_id": "c1", "content": "File created successfully"}
    report = analyze([{"role": "assistant", "tool_calls": [call]}, written])
    assert 15_000 <= report.tokens_of(report.entries) <= 15_100
