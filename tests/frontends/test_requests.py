import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statemem import analyze
from statemem.ir import Use
from statemem.ir.instructions import EXPOSURE

from .written import actors, assistant, branches, call, lowered, result, used, user

LAMP = [user("Where is order W15-77?"), call("c1", "get_order", order_id="W15-77")]
SEEN = result("c1", {"order_id": "W15-77", "color": "black", "note": "leave it with the neighbour at number 12"})
TOLD = assistant("Your order is black and will be with you on Thursday before noon.")


def request(history, answer, **more):
    return {
        "request": {"model": "m", "messages": history},
        "response": {"choices": [{"message": answer}], "usage": {"prompt_tokens": 90}},
        **more,
    }


def exposures(program):
    return [
        (sorted({str(place) for place, _ in item.operands}), item.origin.tokens, item.origin.cached)
        for item in program.instructions
        if isinstance(item, Use) and item.purpose == EXPOSURE
    ]


def talk(messages):
    """The requests in which a conversation was led, one for each answer of the model."""
    return [
        request(messages[:position], message)
        for position, message in enumerate(messages)
        if message["role"] == "assistant"
    ]


def test_requests_that_repeat_a_history_are_one_conversation():
    (program,), codes = lowered(talk([*LAMP, SEEN, TOLD]))
    assert (["user", "assistant", "tool:get_order", "assistant"], []) == (actors(program), codes)


def test_requests_of_several_conversations_may_alternate():
    first, second = talk([*LAMP, SEEN, TOLD]), talk([user("Hi"), assistant("Hello"), user("Bye"), assistant("Goodbye")])
    programs, codes = lowered([one for pair in zip(first, second, strict=True) for one in pair])
    assert ([4, 4], []) == ([len(program.blocks) for program in programs], codes)


def test_a_prompt_exposes_what_stood_in_it_with_its_tokens_and_those_from_a_cache():
    cached = {"prompt_tokens": 90, "prompt_tokens_details": {"cached_tokens": 64}}
    first, second = talk([*LAMP, SEEN, TOLD])
    second["response"]["usage"] = cached
    (program,), _ = lowered([first, second])
    said = 'session:log-1/id["W15-77"]'
    assert [([said], 90, None), ([said, 'user:log-1/order["W15-77"]'], 90, 64)] == exposures(program)


def test_what_a_vendor_counts_apart_from_a_prompt_belongs_to_it():
    usage = {"input_tokens": 3, "cache_read_input_tokens": 500, "cache_creation_input_tokens": 20}
    record = request(LAMP[:1], LAMP[1])
    record["response"]["usage"] = usage
    (program,), _ = lowered([record])
    assert (523, 500) == exposures(program)[0][1:]


def test_an_answer_that_is_asked_for_again_is_a_branch():
    other = assistant("It left the warehouse on Monday and should be there by the weekend.")
    (program,), codes = lowered([*talk([*LAMP, SEEN, TOLD]), request([*LAMP, SEEN], other)])
    assert ([2], []) == (branches(program), codes)


def test_a_person_who_edits_what_was_asked_makes_a_branch_that_is_told():
    asked = [*LAMP, SEEN, TOLD, user("Send it back"), assistant("Done, the return label is in your mail box.")]
    again = [*LAMP, SEEN, TOLD, user("Keep it"), assistant("Fine, nothing changes then.")]
    (program,), codes = lowered([*talk(asked), talk(again)[-1]])
    assert ([2], ["FE063"]) == (branches(program), codes)


def test_a_result_that_was_cleared_is_an_edit_and_is_not_shown_any_more():
    cleared = result("c1", "[cleared]")
    (program,), codes = lowered(
        [*talk([*LAMP, SEEN, TOLD]), request([*LAMP, cleared, TOLD, user("Thanks")], assistant("Any time."))]
    )
    assert ([], ["FE061"]) == (branches(program), codes)
    assert [['session:log-1/id["W15-77"]']] == [cells for cells, _, _ in exposures(program)[2:]]


def test_a_summary_in_the_place_of_a_history_is_a_compaction_that_no_person_said():
    summary = user("Summary of the talk so far: the lamp of order W15-77 is black.")
    history = [*LAMP, SEEN, TOLD, user("Thanks"), assistant("You are welcome, please come back any time you like.")]
    short = [summary, *history[-1:], user("One more thing")]
    (program,), codes = lowered([*talk(history), request(short, assistant("Yes, what is it?"))])
    assert (["FE062"], "system") == (codes, actors(program)[-3])
    assert ["user:log-1/*"] == [str(place) for item in program.instructions if item.origin.rule == "opaque" and isinstance(item, Use) for place, _ in item.operands][:1]  # fmt: skip


def test_after_a_compaction_the_conversation_goes_on_without_another_word_of_it():
    summary = user("Summary of the talk so far: the lamp of order W15-77 is black.")
    last = assistant("You are welcome, please come back any time you like.")
    history = [*LAMP, SEEN, TOLD, user("Thanks"), last]
    short = [summary, last, user("One more thing"), assistant("Yes, what is it?")]
    after = [*short, user("Nothing"), assistant("Goodbye.")]
    (program,), codes = lowered([*talk(history), request(short[:-1], short[-1]), request(after[:-1], after[-1])])
    assert (["FE062"], 11) == (codes, len(program.blocks))


def test_a_short_answer_that_many_give_joins_nothing_but_its_own_history():
    programs, _ = lowered([request([user("Hi")], assistant("Hello")), request([user("Hey"), assistant("Hello"), user("x")], assistant("y"))])  # fmt: skip
    assert [2, 4] == [len(program.blocks) for program in programs]


def test_a_conversation_that_is_named_is_one_though_its_rules_change():
    def asked(time, *more):
        return [{"role": "system", "content": f"It is {time}."}, user("Hi"), *more]

    first = request(asked("noon"), assistant("Hello"), conversation_id="k7")
    second = request(asked("one", assistant("Hello"), user("And?")), assistant("Well"), conversation_id="k7")
    (program,), codes = lowered([first, second])
    assert ("k7", ["system", "user", "assistant", "user", "assistant"], []) == (program.name, actors(program), codes)


def test_another_history_under_one_name_is_another_conversation():
    first = request([user("Where is W15-77?")], TOLD, session_id="k7")
    title = request([user("Make a title for: Where is W15-77?")], assistant("A lamp"), session_id="k7")
    programs, codes = lowered([first, title])
    assert ([("k7", 2), ("k7-2", 2)], []) == ([(one.name, len(one.blocks)) for one in programs], codes)


@pytest.mark.parametrize("named", ["k7", {"id": "k7"}])
def test_a_conversation_that_the_service_keeps_goes_on_where_only_what_is_new_is_sent(named):
    def asked(text, answer):
        body = {"model": "m", "conversation": named, "input": [user(text)]}
        return {"request": body, "response": {"output": [{**assistant(answer), "type": "message"}]}}

    (program,), codes = lowered([asked("Where is W15-77?", "Here."), asked("And?", "Well.")])
    assert ("k7", ["user", "assistant", "user", "assistant"], []) == (program.name, actors(program), codes)
    assert 2 == len(exposures(program))


def test_agents_with_other_rules_lead_a_conversation_of_their_own():
    def asked(rules, text):
        return [{"role": "system", "content": rules}, user(text)]

    first = request(asked("You lead.", "Hi"), assistant("Hello"), conversation_id="k7")
    other = request(asked("You search.", "lamps"), assistant("Found"), conversation_id="k7")
    again = request(
        [*asked("You lead.", "Hi"), assistant("Hello"), user("So?")], assistant("Yes"), conversation_id="k7"
    )
    programs, codes = lowered([first, other, again])
    assert ([("k7", 5), ("k7-2", 3)], []) == ([(program.name, len(program.blocks)) for program in programs], codes)


def test_a_request_that_failed_and_was_sent_again_is_one():
    failed = {"request": {"model": "m", "messages": LAMP[:1]}, "response": {"error": {"message": "overloaded"}}}
    (program,), _ = lowered([failed, request(LAMP[:1], LAMP[1])])
    assert ["user", "assistant"] == actors(program)


def test_answers_by_the_id_of_the_one_before_go_on_from_it():
    first = {
        "request": {"model": "m", "input": "Where is order W15-77?"},
        "response": {"id": "r1", "output": [{"type": "function_call", "call_id": "c1", "name": "get_order", "arguments": '{"order_id": "W15-77"}'}]},
    }  # fmt: skip
    second = {
        "request": {"model": "m", "previous_response_id": "r1", "input": [{"type": "function_call_output", "call_id": "c1", "output": '{"order_id": "W15-77"}'}]},
        "response": {"id": "r2", "output": [{"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Here."}]}]},
    }  # fmt: skip
    (program,), _ = lowered([first, second])
    assert ["user", "assistant", "tool:get_order", "assistant"] == actors(program)


CHUNKS = {
    "chat": [
        {"id": "x", "choices": [{"index": 0, "delta": {"role": "assistant", "tool_calls": [{"index": 0, "id": "c1", "function": {"name": "get_order", "arguments": ""}}]}}]},
        {"choices": [{"index": 0, "delta": {"tool_calls": [{"index": 0, "function": {"arguments": '{"order_id": '}}]}}]},
        {"choices": [{"index": 0, "delta": {"tool_calls": [{"index": 0, "function": {"arguments": '"W15-77"}'}}]}}]},
        {"choices": [], "usage": {"prompt_tokens": 90}},
    ],
    "blocks": [
        {"type": "message_start", "message": {"id": "x", "usage": {"input_tokens": 90}}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "tool_use", "id": "c1", "name": "get_order", "input": {}}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "input_json_delta", "partial_json": '{"order_id": "W15-'}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "input_json_delta", "partial_json": '77"}'}},
    ],
    "items": [
        {"type": "response.created", "response": {"id": "x", "output": []}},
        {"type": "response.output_item.done", "item": {"type": "function_call", "call_id": "c1", "name": "get_order", "arguments": '{"order_id": "W15-77"}'}},
        {"type": "response.completed", "response": {"id": "x", "output": [], "usage": {"input_tokens": 90}}},
    ],
}  # fmt: skip


@pytest.mark.parametrize("chunks", CHUNKS.values(), ids=CHUNKS)
@pytest.mark.parametrize(
    "written", [list, lambda chunks: "".join(f"data: {json.dumps(one)}\n\n" for one in chunks) + "data: [DONE]\n"]
)
def test_an_answer_in_chunks_is_as_one_in_a_piece(chunks, written):
    (program,), codes = lowered([{"request": {"model": "m", "messages": LAMP[:1]}, "response": written(chunks)}])
    assert ([([ 'session:log-1/id["W15-77"]'], 90, None)], []) == (exposures(program), codes)  # fmt: skip
    assert ["get_order(order_id)"] == [item.purpose for item in program.instructions if isinstance(item, Use)][1:]


def test_a_record_without_a_history_is_told_and_left_out():
    programs, codes = lowered([*talk(LAMP), {"request": {"model": "m"}, "response": {}}])
    assert (1, ["FE060"]) == (len(programs), codes)


WORDS = st.text("abcdefgh ", min_size=40, max_size=60)


@given(st.lists(st.tuples(st.text("xyz", min_size=1), WORDS), min_size=1, max_size=6))
def test_however_long_a_conversation_is_it_comes_out_as_it_was_led(turns):
    messages = [message for said, answered in turns for message in (user(said), assistant(answered))]
    (program,), codes = lowered(talk(messages))
    assert (["user", "assistant"] * len(turns), [], []) == (actors(program), branches(program), codes)


CARDS = [
    user("Pay my order with the card"),
    call("c1", "get_customer", customer_id="cu-1"),
    result("c1", {"customer_id": "cu-1", "card": "card_111"}),
    call("c2", "update_customer", customer_id="cu-1", card="card_222"),
    result("c2", {"customer_id": "cu-1", "card": "card_222"}),
    assistant("Your new card is on file, shall I charge the order to it now?"),
    user("Yes"),
    call("c3", "charge", customer_id="cu-1", card="card_222"),
    result("c3", {"charged": "card_222", "receipt": "rc-99"}),
    assistant("Charged, you will find the receipt in your mail box shortly."),
    user("Again"),
    call("c4", "charge", customer_id="cu-1", card="card_222"),
    result("c4", {"charged": "card_222", "receipt": "rc-98"}),
    assistant("Charged once more, and the second receipt was sent as well."),
]


def test_one_request_that_was_trimmed_replays_nothing():
    requests = talk(CARDS)
    requests[-2]["request"]["messages"] = requests[-2]["request"]["messages"][-5:]
    (program,), codes = lowered(requests)
    assert (len(CARDS), [], ["FE062"]) == (len(program.blocks), branches(program), codes)
    whole, trimmed = analyze(talk(CARDS)), analyze(requests)
    assert [] == trimmed.stale_uses
    assert [one.word for one in whole.entries] == [one.word for one in trimmed.entries]


def test_calls_whose_ids_are_only_counted_do_not_join_two_conversations():
    def led(order, color):
        return [
            {"role": "system", "content": f"It is {order}."},
            user(f"Where is {order}?"),
            call("functions.get_order:0", "get_order", order_id=order),
            result("functions.get_order:0", {"order_id": order, "color": color}),
            assistant(f"Order {order} is {color} and will be with you before the weekend."),
        ]

    first, second = talk(led("W15-77", "black")), talk(led("W99-11", "white"))
    programs, codes = lowered([one for pair in zip(first, second, strict=True) for one in pair])
    assert ([5, 5], []) == ([len(one.blocks) for one in programs], codes)


@pytest.mark.parametrize("kept", [3, 4, 6])
def test_a_window_of_a_named_conversation_of_short_answers_is_no_new_one(kept):
    messages = [one for n in range(6) for one in (user(f"say {n}"), assistant("OK"))]
    requests = [
        request(messages[max(0, n - kept) : n], message, session_id="k7")
        for n, message in enumerate(messages)
        if message["role"] == "assistant"
    ]
    (program,), _ = lowered(requests)
    assert (len(messages), []) == (len(program.blocks), branches(program))


def test_thoughts_that_are_not_sent_back_make_no_branch():
    thought = assistant("<think>They want a lamp.</think>Which lamp?")
    history = [user("A lamp"), assistant("Which lamp?"), user("The black one")]
    (program,), codes = lowered([request([user("A lamp")], thought), request(history, assistant("Here"))])
    assert (["user", "assistant", "user", "assistant"], []) == (actors(program), codes)


def test_reasoning_that_is_not_sent_back_is_no_compaction():
    called = {"type": "function_call", "call_id": "c1", "name": "get_order", "arguments": '{"order_id": "W15-77"}'}
    first = {
        "request": {"model": "m", "input": [user("Where is W15-77?")]},
        "response": {"output": [{"type": "reasoning", "id": "rs1", "summary": []}, called]},
    }
    told = {"type": "function_call_output", "call_id": "c1", "output": '{"order_id": "W15-77"}'}
    second = {"request": {"model": "m", "input": [user("Where is W15-77?"), called, told]}, "response": {"output": [{**TOLD, "type": "message"}]}}  # fmt: skip
    (program,), codes = lowered([first, second])
    assert (["user", "assistant", "assistant", "tool:get_order", "assistant"], []) == (actors(program), codes)


def test_a_call_that_two_instruments_recorded_is_one():
    first, second = talk([*LAMP, SEEN, TOLD])
    first["response"]["id"] = "r1"
    (program,), _ = lowered([first, first, second, second])
    assert (4, []) == (len(program.blocks), branches(program))


def test_an_answer_to_one_that_is_not_there_is_told():
    record = {"request": {"model": "m", "previous_response_id": "gone", "input": "And?"}, "response": {"output": [{**TOLD, "type": "message"}]}}  # fmt: skip
    _, codes = lowered([record])
    assert ["FE064"] == codes


def test_a_text_that_was_only_embedded_is_no_conversation():
    embedded = {"request": {"model": "e", "input": "Where is W15-77?"}, "response": {"data": [{"embedding": [0.1]}]}}
    programs, codes = lowered([*talk(LAMP), embedded])
    assert (1, ["FE060"]) == (len(programs), codes)


@pytest.mark.parametrize(
    "failed", [{"response": "<html>502</html>"}, {"response": {"content": "x"}, "status_code": 500}]
)
def test_the_page_of_an_error_is_no_answer(failed):
    (program,), _ = lowered([{"request": {"model": "m", "messages": LAMP[:1]}, **failed}])
    assert ["user"] == actors(program)


def test_a_flat_record_with_its_output_beside_its_input_is_read():
    record = {"model": "m", "id": "r1", "input": [user("Where is W15-77?")], "output": [{**TOLD, "type": "message"}]}
    (program,), _ = lowered([record], format="requests")
    assert ["user", "assistant"] == actors(program)


def test_calls_in_parallel_that_all_have_one_index_stay_apart():
    def part(own, name, arguments):
        one = {"index": 0, "id": own, "function": {"name": name, "arguments": arguments}}
        return {"choices": [{"index": 0, "delta": {"tool_calls": [one]}}]}

    chunks = [part("c1", "get_order", '{"order_id":'), part(None, "get_order", ' "W15-77"}'), part("c2", "get_customer", '{"customer_id": "cu-1"}')]  # fmt: skip
    (program,), codes = lowered([{"request": {"model": "m", "messages": LAMP[:1]}, "response": chunks}])
    assert (["get_order(order_id)"], []) == ([one for one in used(program) if one != EXPOSURE], codes)
    assert {"c1", "c2"} == {item.origin.event for item in program.instructions if item.origin.group}


def test_an_id_that_is_given_twice_is_no_sign_that_a_call_was_recorded_twice():
    first, second = request([user("Hi, W15-77")], assistant("a")), request([user("Hi, W99-11")], assistant("b"))
    for record in (first, second):
        record["response"]["id"] = "chatcmpl-42"
    programs, _ = lowered([first, second])
    assert [2, 2] == [len(program.blocks) for program in programs]


def test_a_request_that_failed_is_taken_up_once():
    failed = {"request": {"model": "m", "messages": [user("Hi")]}, "response": {"error": {"message": "overloaded"}}}
    hello = request([user("Hi")], assistant("Hello"))
    rest = [request([user("Hi"), assistant("Hello"), user(f"W{n}-77")], assistant(f"say {n}")) for n in (15, 99)]
    programs, codes = lowered([failed, hello, hello, *rest])
    assert ([4, 4], []) == ([len(program.blocks) for program in programs], codes)


def test_a_result_that_was_cleared_before_a_short_answer_is_an_edit_too():
    ok, cleared = assistant("Ok."), result("c1", "[cleared]")
    (program,), codes = lowered(
        [*talk([*LAMP, SEEN, ok]), request([*LAMP, cleared, ok, user("Thanks")], assistant("Bye"))]
    )
    assert ([], ["FE061"]) == (branches(program), codes)


def test_an_answer_that_two_conversations_got_joins_neither():
    canned = assistant("Thank you, we will come back to you within two working days.")
    led = [[user(f"Return {order}, it is broken"), canned] for order in ("W15-77", "W99-11")]
    window = request([canned, user("Change the address")], assistant("Done, it was changed."))
    programs, codes = lowered([*(one for talked in led for one in talk(talked)), window])
    assert ([2, 2, 3], []) == ([len(program.blocks) for program in programs], codes)


def test_a_window_that_two_conversations_end_in_is_told_and_joins_neither():
    end = [user("yes"), assistant("Sure?"), user("yes"), assistant("Done."), user("thanks"), assistant("Bye.")]
    led = [[user(f"Return {order}"), assistant("Ok."), *end] for order in ("W15-77", "W99-11")]
    window = request([*end, user("Wait")], assistant("Yes?"))
    programs, codes = lowered([*(one for talked in led for one in talk(talked)), window])
    assert ([8, 8, 8], ["FE065"]) == ([len(program.blocks) for program in programs], codes)


def test_a_call_that_a_conversation_never_made_is_of_another():
    def led(order, color):
        return [user("Hi there"), call(f"c{order}", "get_order", order_id=order), result(f"c{order}", {"order_id": order, "color": color}), TOLD, user("yes")]  # fmt: skip

    first = talk([*led("W15-77", "black"), assistant("Ok.")])
    second = request(led("W99-11", "white"), assistant("Fine."))
    programs, codes = lowered([*first, second])
    assert ([6, 6], []) == ([len(program.blocks) for program in programs], codes)


def test_messages_that_say_nothing_may_be_many():
    silent = [user("")] * 1500
    (program,), _ = lowered([request([user("Hi"), *silent, user("Well?")], assistant("Yes"), session_id="k") for _ in range(2)])  # fmt: skip
    assert 1503 == len(program.blocks)


def test_an_empty_answer_makes_no_branch():
    history = [user("Hi"), assistant(""), user("go")]
    (program,), codes = lowered([request(history[:1], history[1], session_id="k"), request(history, assistant("Good, I will go there."), session_id="k")])  # fmt: skip
    assert ([], []) == (branches(program), codes)
