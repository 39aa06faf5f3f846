"""Small logs of which one knows the right answer by thought: what is superseded, stale or one."""

import json

import pytest

from statemem import analyze, lower
from statemem.ir.frontends.linking.patterns import recognise
from statemem.passes import Word


def told(*turns):
    """The report on calls `(tool, arguments, result)`."""
    messages = []
    for number, (tool, arguments, result) in enumerate(turns, 1):
        function = {"name": tool, "arguments": json.dumps(arguments)}
        messages.append(
            {"role": "assistant", "content": None, "tool_calls": [{"id": f"c{number}", "function": function}]}
        )
        messages.append({"role": "tool", "tool_call_id": f"c{number}", "content": json.dumps(result)})
    return analyze(messages)


def superseded(report):
    return [one.entry.value for one in report.of(Word.SUPERSEDED)]


ORDER = {"order_id": "W15", "status": "open", "color": "black", "total": 561.5}
GET_ORDER = ("get_order", {"order_id": "W15"}, ORDER)
NOTHING_IS_REPLACED = {
    "a short answer of a writing tool": (GET_ORDER, ("cancel_order", {"order_id": "W15"}, {"order_id": "W15", "status": "open"})),
    "a short answer in an envelope": (
        ("get_order", {"order_id": "W15"}, {"success": True, "data": ORDER}),
        ("cancel_order", {"order_id": "W15"}, {"success": True, "data": {"order_id": "W15", "status": "open"}}),
    ),
    "a part of a nested object": (
        ("get_user", {"user_id": "u_1"}, {"user_id": "u_1", "address": {"street": "Rue 1", "city": "Lyon"}}),
        ("find_user_city", {"user_id": "u_1"}, {"user_id": "u_1", "address": {"city": "Lyon"}}),
    ),
    "another page": (
        ("list_orders", {"user_id": "u_1", "page": 1}, {"user_id": "u_1", "orders": [{"order_id": "W1", "status": "open"}]}),
        ("list_orders", {"user_id": "u_1", "page": 2}, {"user_id": "u_1", "orders": [{"order_id": "W3", "status": "sent"}]}),
    ),
    "another day": (
        ("get_flight_status", {"flight_number": "HA1", "date": "05-20"}, {"flight_number": "HA1", "status": "free"}),
        ("get_flight_status", {"flight_number": "HA1", "date": "05-21"}, {"flight_number": "HA1", "status": "late"}),
    ),
    "another currency": (
        ("get_price", {"product_id": "P1", "currency": "EUR"}, {"product_id": "P1", "price": 10.5}),
        ("get_price", {"product_id": "P1", "currency": "USD"}, {"product_id": "P1", "price": 11.7}),
    ),
    "two kinds of one number": (("orders.get", {"id": 7}, {"id": 7, "status": "packed"}), ("customers.get", {"id": 7}, {"id": 7, "status": "new"})),
    "two kinds behind a prefix": (("mcp__shop__get_order", {"id": 7}, {"id": 7, "s": 1}), ("mcp__shop__get_customer", {"id": 7}, {"id": 7, "s": 2})),
    "a return of an order": (("get_order", {"order_id": 3}, {"id": 3, "status": "packed"}), ("create_order_return", {"order_id": 7}, {"id": 3, "order_id": 7, "status": "new"})),
    "a ticket of a customer": (("get_customer", {"customer_id": "c_44"}, {"customer_id": "c_44", "status": "active"}), ("create_ticket", {"customer_id": "c_44", "subject": "x"}, {"status": "open"})),
    "a shipment of an order": (GET_ORDER, ("get_shipment_status", {"order_id": "W15"}, {"status": "in transit"})),
    "two bookings of a user": (("book_table", {"user_id": "u_1", "date": "A"}, {"status": "ok", "table": 4}), ("book_table", {"user_id": "u_1", "date": "B"}, {"status": "ok", "table": 6})),
    "two lines of a cart": (("add_item", {"cart_id": "k_1", "sku": "A"}, {"cart_id": "k_1", "sku": "A", "qty": 1}), ("add_item", {"cart_id": "k_1", "sku": "B"}, {"cart_id": "k_1", "sku": "B", "qty": 2})),
    "two things of one user": (("lookup", {"query": "a"}, {"user_id": "u_1", "status": "x"}), ("lookup", {"query": "b"}, {"user_id": "u_1", "status": "y"})),
    "different searches by mail": (("find_user", {"email": "a@b.example"}, "Error: none"), ("find_user", {"email": "c@b.example"}, "u_1")),
    "things that refer to each other": (
        ("get_user", {"user_id": "u1x"}, {"user_id": "u1x", "account_id": "a9", "status": "active", "country": "FR", "name": "Ann"}),
        ("get_account", {"account_id": "a9"}, {"account_id": "a9", "user_id": "u1x", "status": "active", "country": "FR", "balance": 5}),
        ("close_account", {"account_id": "a9"}, {"account_id": "a9", "status": "active"}),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", NOTHING_IS_REPLACED)
def test_nothing_is_replaced_by(name):
    assert [] == superseded(told(*NOTHING_IS_REPLACED[name]))


FAILURES = [
    {"error": "timeout"}, {"success": False, "message": "timeout"}, {"detail": "Not found"}, {"message": "Rate limit exceeded"},
    {"error_message": "x"}, {"errorCode": 1}, {"isError": True, "content": "boom"}, {"statusCode": 500, "body": "Internal"},
    {"status": "error", "message": "not allowed"}, {"error": "timeout", "order_id": "W15", "code": 504, "request_id": "r1", "ts": 1},
]  # fmt: skip


@pytest.mark.parametrize("failure", FAILURES, ids=json.dumps)
def test_a_failed_call_replaces_nothing(failure):
    assert [] == superseded(told(GET_ORDER, ("get_order", {"order_id": "W15"}, failure)))


LISTED = [{"order_id": "W15", "status": "open"}, {"order_id": "W16", "status": "new"}]
REPLACED = {
    "the status in a list": (("list_orders", {"customer_id": "c_1"}, LISTED), ("get_order", {"order_id": "W15"}, {**ORDER, "status": "sent"})),
    "the status in a list of a field": (("list_orders", {"customer_id": "c_1"}, {"orders": LISTED, "count": 2}), ("get_order", {"order_id": "W15"}, {**ORDER, "status": "sent"})),
    "the status, by a list": (GET_ORDER, ("list_orders", {"customer_id": "c_1"}, [{"order_id": "W15", "status": "sent"}])),
    "the status, by another tool": (GET_ORDER, ("get_order_status", {"order_id": "W15"}, {"status": "sent"})),
    "the status, by a tool of another name": (GET_ORDER, ("ship", {"order_id": "W15"}, {**ORDER, "status": "sent"})),
    "the status, by a tool with a prefix": (GET_ORDER, ("shop_update_order", {"order_id": "W15", "status": "sent"}, {"order_id": "W15", "status": "sent"})),
    "the status, in an envelope": (GET_ORDER, ("get_order", {"order_id": "W15"}, {"ok": True, "result": {**ORDER, "status": "sent"}})),
}  # fmt: skip


@pytest.mark.parametrize("name", REPLACED)
def test_what_is_replaced_is(name):
    assert ["open"] == superseded(told(*REPLACED[name]))


def test_a_value_and_its_copy_replaced_at_once_are_one_line_of_the_report():
    report = told(GET_ORDER, GET_ORDER, ("get_order", {"order_id": "W15"}, {**ORDER, "status": "sent"}))
    assert (["open", "open"], 1) == (superseded(report), str(report).count("open → sent"))


CARD_1, CARD_7 = ({"customer_id": "c_44", "card": card} for card in ("card_1201", "card_7788"))
BEFORE = (("get_customer", {"customer_id": "c_44"}, CARD_1), ("get_customer", {"customer_id": "c_44"}, CARD_7))
MOVED = (
    ("get_reservation", {"reservation_id": "R-1"}, {"reservation_id": "R-1", "day": "2024-05-20"}),
    ("get_reservation", {"reservation_id": "R-1"}, {"reservation_id": "R-1", "day": "2024-05-25"}),
)
NOT_STALE = {
    "setting it back": (*BEFORE, ("crm_update_customer", {"customer_id": "c_44", "card": "card_1201"}, CARD_1)),
    "setting it back by a verb behind": (*BEFORE, ("customers.update", {"customer_id": "c_44", "card": "card_1201"}, CARD_1)),
    "removing the old one": (*BEFORE, ("delete_card", {"card_id": "card_1201"}, {"deleted": True})),
    "a date under another name": (*MOVED, ("get_holidays", {"date": "2024-05-20"}, {"holiday": False})),
}  # fmt: skip


@pytest.mark.parametrize("name", NOT_STALE)
def test_it_is_no_stale_use(name):
    assert [] == told(*NOT_STALE[name]).stale_uses


def test_a_refund_to_the_old_card_is_one_even_if_it_was_charged_before():
    charge, refund = (
        ("charge", {"payment_id": "card_1201"}, {"done": 1}),
        ("refund", {"payment_id": "card_1201"}, {"done": 2}),
    )
    assert ["card_1201"] == [use.entry.value for use in told(charge, *BEFORE, refund).stale_uses]


def test_results_are_matched_by_call_and_not_by_the_ids_of_messages():
    calls = {"role": "assistant", "tool_calls": [{"id": f"c{n}", "function": {"name": "get_weather", "arguments": {"city": city}}} for n, city in ((1, "Lyon"), (2, "Nice"))]}  # fmt: skip
    results = [
        {"role": "tool", "id": f"msg_{n}", "name": "get_weather", "content": f'{{"temp": {n}}}'} for n in (20, 25)
    ]
    assert [] == superseded(analyze([calls, *results]))


def ops(*turns):
    return analyze([{"turn": n, "scope": "session:1", **turn} for n, turn in enumerate(turns, 1)])


def op(kind, name="x", value=None, entry=None, **more):
    return {
        "op": kind,
        "name": name,
        **({"value": value} if value is not None else {}),
        **({"id": entry} if entry else {}),
        **more,
    }


def words(report):
    return {one.entry.id: one.word.value for one in report.entries}


def dated(day, *operations):
    return {"time": f"2024-01-{day:02}T00:00:00Z", "ops": list(operations)}


def test_additions_do_not_push_each_other_out_whatever_their_dates():
    report = ops(
        dated(1, op("append", value="a", entry="m1")),
        dated(2, op("append", value="b", entry="m2")),
        dated(3, op("use", was="m1")),
    )
    assert ({"m1": "unknown", "m2": "unknown"}, []) == (words(report), report.stale_uses)


def test_a_later_confirmation_leaves_its_first_source_in_force():
    report = ops(
        dated(1, op("set", value="c", entry="m1")),
        dated(2, op("set", value="c", entry="m2")),
        dated(3, op("use", was="m1")),
    )
    assert ({"m1": "unknown", "m2": "unknown"}, []) == (words(report), report.stale_uses)


def test_what_came_too_late_stays_history_when_something_newer_comes():
    report = ops(*(dated(day, op("set", value=str(day), entry=f"m{day}")) for day in (5, 3, 6)))
    assert {"m5": "superseded", "m3": "history", "m6": "unknown"} == words(report)


def test_what_is_outranked_removes_nothing():
    report = ops(
        dated(1, op("set", value="a", entry="m1")),
        dated(5, op("set", value="a", entry="m5")),
        dated(3, op("set", value="b", entry="m3")),
    )
    assert {"m1": "unknown", "m5": "unknown", "m3": "history"} == words(report)


def test_a_default_that_did_nothing_is_no_entry():
    assert {"m1": "unknown"} == words(
        ops({"ops": [op("set", value="a", entry="m1"), op("default", value="b", entry="m2")]})
    )


def test_the_cells_of_a_turn_are_ended_and_not_superseded():
    report = ops({"ops": [op("set", value="a", entry="m1", scope="turn:t1")]}, {"ops": [op("set", "y", 1, "m2")]})
    assert {"m1": "ended", "m2": "unknown"} == words(report)


def test_a_task_ends_its_cells_whatever_its_end_is_dated():
    report = ops(
        dated(9, op("enter", "f1")),
        {"task": "f1", **dated(9, op("set", value="a", entry="m1"))},
        dated(3, op("leave", "f1", ended=True)),
    )
    assert {"m1": "ended"} == words(report)


def test_tasks_of_one_name_in_two_sessions_are_two():
    turns = [{"scope": f"session:{n}", "ops": [op("enter", "f1")]} if k == 0 else {"scope": f"session:{n}", "task": "f1", "ops": [op("set", value=n, entry=f"m{n}")]} for n in (1, 2) for k in (0, 1)]  # fmt: skip
    assert {"m1": "unknown", "m2": "unknown"} == words(ops(*turns))


def test_an_id_given_twice_goes_on_naming_the_first_and_is_told():
    report = ops({"ops": [op("set", "a", 1, "m0"), op("set", "b", 2, "m0")]}, {"ops": [op("use", "a", was="m0")]})
    assert (["FE035"], []) == ([problem.code for problem in report.problems], report.stale_uses)


def test_a_use_that_names_the_entry_of_another_cell_is_a_mistake_and_no_stale_use():
    report = ops({"ops": [op("set", "a", 1, "m0"), op("set", "b", 2, "m1")]}, {"ops": [op("use", "a", was="m1")]})
    assert (["IR007"], []) == ([problem.code for problem in report.problems], report.stale_uses)


def test_a_stale_use_through_a_reference():
    report = ops(
        {"ops": [op("bind", "@it", to="o[1]"), op("set", "@it.c", "x", "m0"), op("set", "@it.c", "y", "m1")]},
        {"ops": [op("use", "@it.c", was="m0")]},
    )
    assert ["m0"] == [use.entry.id for use in report.stale_uses]
    assert "m0" in str(report)


def test_a_step_reads_before_it_writes():
    entries = [{"entry_id": name, "content": name, "created_step": step, **more} for name, step, more in (("m1", 1, {"semantic_fact": "a"}), ("m2", 5, {"semantic_fact": "a"}), ("m3", 5, {}))]  # fmt: skip
    assert [] == analyze([*entries, {"step_id": 5, "accessed_memory_ids": ["m1"]}]).stale_uses


def test_both_sides_of_an_open_conflict_are_in_force():
    entries = [{"entry_id": f"m{n}", "content": text, "created_step": n, "semantic_fact": "f", "version": 1} for n, text in ((1, "a"), (2, "b"), (3, "c"))]  # fmt: skip
    report = analyze([*entries, {"step_id": 4, "accessed_memory_ids": ["m1"]}])
    assert ({"m1": "unknown", "m2": "unknown", "m3": "unknown"}, 3, []) == (
        words(report),
        len(report.conflicts),
        report.stale_uses,
    )


def test_facts_that_differ_in_a_telling_sign_are_two():
    entries = [{"entry_id": f"m{n}", "content": n, "created_step": n, "semantic_fact": fact} for n, fact in enumerate(("skill: C++", "skill: C#"), 1)]  # fmt: skip
    assert {"m1": "unknown", "m2": "unknown"} == words(analyze(entries))


def test_ids_are_found_where_no_blank_parts_them_from_the_words():
    assert ["W1577"] == [said.value for said in recognise("请把订单W1577改成白色")]


def _books(*seats: str) -> dict[str, object]:
    calls = [{"id": "c1", "function": {"name": "book_seat", "arguments": {"seat": seat}}} for seat in seats]
    return {"role": "assistant", "tool_calls": calls}


def test_calls_that_share_an_id_keep_their_own_arguments():
    answer = {"role": "tool", "tool_call_id": "c1", "content": "no"}
    program = lower([_books("first row"), answer, _books("second row"), answer, _books("third row"), answer])
    cells = [str(entry.cell) for entry in program.entries if entry.value in ("first row", "second row", "third row")]
    assert 3 == len(set(cells))


def test_results_of_one_message_that_share_an_id_are_taken_in_order():
    answers = [{"role": "tool", "tool_call_id": "c1", "content": text} for text in ("taken", "free")]
    program = lower([_books("first row", "second row"), *answers])
    held = {str(entry.cell): entry.value for entry in program.entries}
    assert ("taken", "free") == tuple(
        next(value for cell, value in held.items() if "book_seat" in cell and row in cell)
        for row in ("first row", "second row")
    )
