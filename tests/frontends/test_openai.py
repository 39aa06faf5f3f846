import json

from statemem.ir import Derive, Same, Scope, Set, Use, run
from statemem.ir.frontends import lower
from statemem.passes import Manager, StaleUses, standings
from statemem.passes.framework import BlockEnd


def call(call_id, tool, arguments):
    function = {"name": tool, "arguments": arguments if isinstance(arguments, str) else json.dumps(arguments)}
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": call_id, "type": "function", "function": function}],
    }


def result(call_id, tool, value):
    content = value if isinstance(value, str) else json.dumps(value)
    return {"role": "tool", "tool_call_id": call_id, "name": tool, "content": content}


def exchange(number, tool, arguments, value):
    return [call(f"c{number}", tool, arguments), result(f"c{number}", tool, value)]


def one(*messages):
    problems = []
    (program,) = lower([*messages], problems)
    return program, [problem.code for problem in problems]


def user_facts(program):
    return run(program).snapshot(Scope("user", "log"))


def uses(program):
    """What instructions use, by purpose."""
    return {
        item.purpose: [str(place) for place, _ in item.operands]
        for item in program.instructions
        if isinstance(item, Use)
    }


ORDER = {"order_id": "W15-77", "status": "open", "items": [{"item_id": "i-1", "color": "black"}], "customer_id": "cu-1"}


def test_a_result_defines_cells_of_the_entity_it_names():
    program, _ = one(*exchange(1, "get_order", {"order_id": "W15-77"}, ORDER))
    assert {
        'order["W15-77"].order_id': "W15-77",
        'order["W15-77"].status': "open",
        'order["W15-77"].items["i-1"].item_id': "i-1",
        'order["W15-77"].items["i-1"].color': "black",
        'order["W15-77"].customer_id': "cu-1",
    } == user_facts(program)


def test_two_tools_that_speak_of_one_order_write_the_same_cells():
    program, _ = one(
        *exchange(1, "get_order", {"order_id": "W15-77"}, ORDER),
        *exchange(2, "order_status", {"order_id": "W15-77"}, {"status": "shipped"}),
    )
    facts = user_facts(program)
    assert ("shipped", "cu-1") == (facts['order["W15-77"].status'], facts['order["W15-77"].customer_id'])


def test_a_whole_object_takes_away_what_it_lacks_and_a_part_does_not():
    lacking = {key: value for key, value in ORDER.items() if key != "customer_id"}
    program, _ = one(
        *exchange(1, "get_order", {"order_id": "W15-77"}, ORDER),
        *exchange(2, "get_order", {"order_id": "W15-77"}, lacking),
    )
    assert 'order["W15-77"].customer_id' not in user_facts(program)


def test_a_short_answer_of_a_writing_tool_tells_only_a_part():
    program, _ = one(
        *exchange(1, "get_order", {"order_id": "W15-77"}, ORDER),
        *exchange(2, "cancel_order", {"order_id": "W15-77"}, {"status": "cancelled"}),
    )
    assert "cu-1" == user_facts(program)['order["W15-77"].customer_id']


def test_a_result_derives_from_what_its_arguments_were_linked_to():
    program, _ = one(
        *exchange(1, "get_order", {"order_id": "W15-77"}, ORDER), *exchange(2, "get_customer", {"customer_id": "cu-1"}, {"name": "Ann"})
    )  # fmt: skip
    (derived,) = [item for item in program.instructions if isinstance(item, Derive) and "Ann" in str(item.value)]
    assert ['user:log/order["W15-77"].customer_id'] == [str(place) for place, _ in derived.premises]


def test_an_argument_uses_the_field_of_its_own_name_first():
    program, _ = one(
        *exchange(1, "get_order", {"order_id": "W15-77"}, {**ORDER, "note": "cu-1"}),
        call("c2", "get_customer", {"customer_id": "cu-1"}),
    )
    assert ['user:log/order["W15-77"].customer_id'] == uses(program)["get_customer(customer_id)"]


def test_an_argument_that_equals_nothing_known_is_a_value_of_its_own():
    program, _ = one(call("c1", "find", {"name": "Ann"}))
    assert [('session:log/call["c1"].name', "Ann")] == [
        (str(item.target), item.value) for item in program.instructions if isinstance(item, Set)
    ]


CARD_1, CARD_2 = {"customer_id": "cu-1", "card": "card_12"}, {"customer_id": "cu-1", "card": "card_77"}


def test_an_argument_that_equals_a_replaced_value_is_a_stale_use():
    program, _ = one(
        *exchange(1, "get_customer", {"customer_id": "cu-1"}, CARD_1),
        *exchange(2, "get_customer", {"customer_id": "cu-1"}, CARD_2),
        *exchange(
            3, "refund", {"customer_id": "cu-1", "payment_id": "card_12"}, {"refund_id": "rf-1", "paid": "card_12"}
        ),
    )
    assert ["e2/card"] == [use.entry.id for use in Manager(program).result(StaleUses)]


def test_a_value_that_some_other_field_still_states_is_no_stale_use():
    program, _ = one(
        *exchange(1, "get_customer", {"customer_id": "cu-1"}, CARD_1),
        *exchange(2, "get_order", {"order_id": "W15-77"}, {"order_id": "W15-77", "paid_by": "card_12"}),
        *exchange(3, "get_customer", {"customer_id": "cu-1"}, CARD_2),
        call("c4", "refund", {"payment_id": "card_12"}),
    )
    assert [] == Manager(program).result(StaleUses)


def test_the_new_value_a_writing_tool_sets_is_no_use_of_the_field_it_sets():
    program, _ = one(
        *exchange(1, "get_customer", {"customer_id": "cu-1"}, CARD_1),
        *exchange(2, "get_customer", {"customer_id": "cu-1"}, CARD_2),
        call("c3", "update_customer", {"customer_id": "cu-1", "card": "card_12"}),
    )
    assert [] == Manager(program).result(StaleUses)


def test_distinctive_values_quoted_in_a_reply_are_uses():
    program, _ = one(
        *exchange(1, "get_order", {"order_id": "W15-77"}, ORDER),
        {"role": "assistant", "content": "Order W15-77 is open; item i-1."},
    )
    assert ['user:log/order["W15-77"].order_id'] == uses(program)["reply"]


def test_what_a_person_writes_is_recognised_and_a_second_date_replaces_nothing():
    program, _ = one({"role": "user", "content": "From 2026-05-01 to 2026-05-09, mail a.b@shop.example"})
    facts = run(program).snapshot(Scope("session", "log"))
    assert {'date["2026-05-01"]', 'date["2026-05-09"]', 'email["a.b@shop.example"]'} == set(facts)


def test_numbers_compare_by_value_wherever_they_are_written():
    program, _ = one(
        *exchange(1, "get_order_total", {"order_id": "W15-77"}, {"total": 561.0}), call("c2", "pay", {"total": "561"})
    )
    assert ['user:log/order["W15-77"].total'] == uses(program)["pay(total)"]


def test_a_failed_call_tells_nothing_of_the_entity():
    program, _ = one(
        *exchange(1, "get_order", {"order_id": "W15-77"}, ORDER),
        *exchange(2, "get_order", {"order_id": "W15-77"}, {"error": "timeout"}),
    )
    assert "open" == user_facts(program)['order["W15-77"].status']


def test_ids_that_two_results_list_for_one_thing_unite_their_cells():
    one_way = {"order_id": "W15-77", "booking_code": "A-15", "city": "Lyon", "total": 561.5, "status": "open"}
    program, _ = one(
        *exchange(1, "get_order", {"order_id": "W15-77"}, one_way),
        *exchange(2, "get_booking", {"booking_code": "A-15"}, one_way),
    )
    assert 1 == sum(isinstance(item, Same) for item in program.instructions)


def test_results_that_merely_refer_to_each_other_stay_apart():
    program, _ = one(
        *exchange(1, "get_order", {"order_id": "W15-77"}, {"order_id": "W15-77", "customer_id": "cu-1", "total": 5, "city": "Lyon"}),
        *exchange(2, "get_customer", {"customer_id": "cu-1"}, {"customer_id": "cu-1", "last_order_id": "W15-77", "name": "Ann"}),
    )  # fmt: skip
    assert 0 == sum(isinstance(item, Same) for item in program.instructions)


def test_malformed_arguments_are_kept_as_text_and_told():
    program, codes = one(call("c1", "find", '{"name": "An'))
    assert (["FE044"], ['{"name": "An']) == (codes, [entry.value for entry in program.entries])


def test_arguments_written_as_a_python_literal_are_read():
    program, codes = one(call("c1", "find", "{'name': 'Ann'}"))
    assert ([], ["Ann"]) == (codes, [entry.value for entry in program.entries])


def test_calls_without_ids_meet_their_results_in_order():
    first, second = call("", "get_a", {"a_id": "x-1"}), call("", "get_b", {"b_id": "y-2"})
    calls = {"role": "assistant", "tool_calls": [*first["tool_calls"], *second["tool_calls"]]}
    for item in calls["tool_calls"]:
        del item["id"]
    results = [{"role": "tool", "content": '{"n": 1}'}, {"role": "tool", "content": '{"n": 2}'}]
    program, _ = one(calls, *results)
    assert {'a["x-1"].n': 1, 'b["y-2"].n': 2} == user_facts(program)


def test_results_without_ids_meet_the_calls_of_several_messages_in_order():
    orders = ("W15-77", "W15-78")
    bare = {"type": "function_call", "name": "get_order"}
    items = [{**bare, "call_id": f"c{n}", "arguments": json.dumps({"order_id": own})} for n, own in enumerate(orders)]
    chat = [{"role": "assistant", "tool_calls": [{"function": {"name": "get_order", "arguments": json.dumps({"order_id": own})}}]} for own in orders]  # fmt: skip
    told = [{"status": "packed"}, {"status": "sent"}]
    outputs = [{"type": "function_call_output", "output": json.dumps(one)} for one in told]
    results = [{"role": "tool", "content": json.dumps(one)} for one in told]
    for log in ([*items, *outputs], [*chat, *results]):
        program, _ = one(*log)
        assert {'order["W15-77"].status': "packed", 'order["W15-78"].status': "sent"} == user_facts(program)


def test_a_call_that_was_never_answered_waits_no_more_when_the_talk_has_gone_on():
    log = [
        {"role": "assistant", "tool_calls": [{"function": {"name": "get_order", "arguments": {"order_id": "W15-77"}}}]},
        {"role": "user", "content": "Never mind."},
        {"role": "assistant", "tool_calls": [{"function": {"name": "get_order", "arguments": {"order_id": "W15-78"}}}]},
        {"role": "tool", "content": '{"status": "sent"}'},
    ]
    program, _ = one(*log)
    assert {'order["W15-78"].status': "sent"} == user_facts(program)


def test_the_newer_trajectory_format_is_read():
    messages = [
        {"role": "assistant", "content": None, "tool_calls": [{"id": "c1", "name": "get_order", "arguments": {"order_id": "W15-77"}}]},
        {"role": "tool", "id": "c1", "content": json.dumps(ORDER), "error": False},
    ]  # fmt: skip
    (program,) = lower({"simulations": [{"task_id": "7", "trial": 0, "messages": messages}], "info": {}}, [])
    assert ("log-7-0", "tool:get_order") == (program.name, str(program.blocks[1].actor))


def test_a_message_that_cannot_be_read_is_told_of():
    program, codes = one({"role": "user", "content": "hi"}, {"role": "wizard", "content": "?"}, 7)
    assert (1, ["FE041", "FE041"]) == (len(program.blocks), codes)


def test_images_are_opaque_entries_that_nothing_uses():
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64," + "A" * 600}}
    program, _ = one({"role": "user", "content": [{"type": "text", "text": "see"}, image]})
    (entry,) = program.entries
    assert entry.value.startswith("image_url, ")


def test_a_result_with_very_many_leaves_is_kept_by_field_and_told():
    big = {"order_id": "W15-77", "rows": {f"k{n}": n for n in range(5000)}}
    program, codes = one(*exchange(1, "get_order", {"order_id": "W15-77"}, big))
    assert (["FE045"], 2) == (codes, len(user_facts(program)))


def superseded(*messages):
    program, _ = one(*messages)
    return [
        standing.entry.value
        for standing in standings(Manager(program), BlockEnd(len(program.blocks) - 1))
        if not standing.in_force
    ]


def test_searches_that_differ_in_more_than_an_id_replace_nothing_of_each_other():
    first, second = ({"airline_id": "HA-7", "date": day} for day in ("2026-05-01", "2026-05-02"))
    assert [] == superseded(
        *exchange(1, "search_flights", first, {"cheapest": 120}),
        *exchange(2, "search_flights", second, {"cheapest": 340}),
    )


def test_a_page_number_names_no_entity():
    assert [] == superseded(
        *exchange(1, "list_orders", {"page_number": 1, "status": "open"}, {"total": 3}),
        *exchange(2, "list_orders", {"page_number": 1, "status": "sent"}, {"total": 9}),
    )


def test_asking_for_another_part_of_an_entity_takes_nothing_away():
    assert [] == superseded(
        *exchange(1, "get_order", {"order_id": "W15-77", "part": "status"}, {"order_id": "W15-77", "status": "open"}),
        *exchange(2, "get_order", {"order_id": "W15-77", "part": "total"}, {"order_id": "W15-77", "total": 561.5}),
    )


def test_a_row_that_is_added_to_a_ledger_does_not_end_the_rows_before_one_by_one():
    paid, refunded = {"payment_method_id": "card_12", "amount": 50.5}, {"payment_method_id": "card_12", "amount": -20.5}
    before, after = ({**ORDER, "payment_history": rows} for rows in ([paid], [paid, refunded]))
    assert [[paid]] == superseded(
        *exchange(1, "get_order", {"order_id": "W15-77"}, before),
        *exchange(2, "get_order", {"order_id": "W15-77"}, after),
    )
