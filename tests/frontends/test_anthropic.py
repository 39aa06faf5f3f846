import json

import pytest

from statemem import analyze
from statemem.ir import Set, Use, run
from statemem.ir.frontends import choose
from statemem.ir.frontends.reader import read
from statemem.ir.instructions import EXPOSURE

from .written import actors, lowered, used


def blocks(role, *content):
    return {"role": role, "content": list(content)}


def words(text):
    return {"type": "text", "text": text}


ASKED = blocks("assistant", {"type": "tool_use", "id": "t1", "name": "get_order", "input": {"order_id": "W15-77"}})
ANSWER = {"type": "tool_result", "tool_use_id": "t1", "content": [words('{"order_id": "W15-77", "color": "black"}')]}


def test_messages_with_blocks_are_recognised():
    assert "anthropic" == choose(read([ASKED], [])).name


def test_what_a_tool_answered_is_said_by_the_tool_and_not_by_the_person():
    (program,), _ = lowered([ASKED, blocks("user", ANSWER, words("Is it W15-77, by any chance?"))])
    assert ["assistant", "tool:get_order", "user"] == actors(program)


def test_several_answers_in_one_message_each_find_their_call():
    asked = blocks(
        "assistant",
        {"type": "tool_use", "id": "t1", "name": "get_order", "input": {"order_id": "W15-77"}},
        {"type": "tool_use", "id": "t2", "name": "get_customer", "input": {"customer_id": "cu-1"}},
    )
    other = {"type": "tool_result", "tool_use_id": "t2", "content": '{"customer_id": "cu-1", "name": "Ann"}'}
    (program,), _ = lowered([asked, blocks("user", other, ANSWER)])
    assert ["assistant", "tool:get_customer", "tool:get_order"] == actors(program)
    assert {"m1"} == {item.origin.group for item in program.instructions if item.origin.rule == "5 new"}


def test_an_answer_of_the_service_stands_between_the_words_of_the_model():
    message = blocks(
        "assistant",
        words("Let me look."),
        {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {"query": "lamps"}},
        {"type": "web_search_tool_result", "tool_use_id": "s1", "content": [{"type": "web_search_result", "url": "https://lamps.example", "title": "Lamps"}]},
        words("I found one."),
    )  # fmt: skip
    (program,), _ = lowered([message])
    assert ["assistant", "tool:web_search", "assistant"] == actors(program)


def test_a_failed_result_tells_nothing_of_the_entity():
    failed = {**ANSWER, "is_error": True, "content": '{"order_id": "W15-77", "color": "white"}'}
    (program,), _ = lowered([ASKED, blocks("user", ANSWER), ASKED, blocks("user", failed)])
    held = run(program).snapshot(next(scope for scope in program.scopes if scope.kind == "user"))
    assert "black" == held['order["W15-77"].color']


def test_thinking_is_an_entry_that_nothing_reads():
    (program,), _ = lowered(
        [blocks("assistant", {"type": "thinking", "thinking": "The order is W15-77.", "signature": "x"})]
    )
    assert [True] == [isinstance(item, Set) and item.origin.rule == "opaque" for item in program.instructions]


def test_a_compaction_was_made_from_all_that_was_shown_and_a_failed_one_is_nothing():
    made = {"type": "compaction", "content": "The person asked for order W15-77."}
    (program,), _ = lowered([ASKED, blocks("user", ANSWER), blocks("assistant", made)], format="anthropic")
    shown = [item for item in program.instructions if isinstance(item, Use) and item.purpose == EXPOSURE]
    assert [["user:log/*", "session:log/*"]] == [[str(place) for place, _ in item.operands] for item in shown]
    (program,), _ = lowered([ASKED, blocks("assistant", {"type": "compaction", "content": None})])
    assert () == program.blocks[-1].instructions


def test_images_and_documents_are_one_entry_with_a_digest_each():
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo" * 40}}
    (program,), _ = lowered([blocks("user", image, {"type": "document", "source": {"type": "file", "file_id": "f1"}})])
    assert ["image", "document"] == [entry.value.split(",")[0] for entry in program.entries]


def test_an_attachment_of_a_result_does_not_hide_its_words():
    image = {"type": "image", "source": {"type": "url", "url": "https://pictures.example/1.png"}}
    (program,), _ = lowered([ASKED, blocks("user", {**ANSWER, "content": [image, *ANSWER["content"]]})])
    assert "black" in [entry.value for entry in program.entries]
    assert ["assistant", "tool:get_order"] == actors(program)


def test_items_of_the_responses_interface_are_read_among_messages():
    items = [
        {"role": "user", "content": [{"type": "input_text", "text": "Where is W15-77?"}]},
        {"type": "reasoning", "id": "rs1", "summary": [], "encrypted_content": "gAAAA"},
        {"type": "function_call", "call_id": "c1", "id": "fc1", "name": "get_order", "arguments": '{"order_id": "W15-77"}'},
        {"type": "function_call_output", "call_id": "c1", "output": '{"order_id": "W15-77", "status": "sent"}'},
        {"type": "message", "id": "ms1", "role": "assistant", "content": [{"type": "output_text", "text": "Order W15-77 was sent."}]},
    ]  # fmt: skip
    (program,), codes = lowered(items)
    assert (["user", "assistant", "assistant", "tool:get_order", "assistant"], []) == (actors(program), codes)
    assert ['session:log/id["W15-77"]'] == used(program)["get_order(order_id)"]


def test_an_output_without_the_id_of_its_call_answers_the_next_that_waits():
    items = [
        {"type": "function_call", "call_id": "c1", "name": "get_order", "arguments": '{"order_id": "W15-77"}'},
        {"type": "function_call_output", "output": '{"order_id": "W15-77", "status": "sent"}'},
    ]
    (program,), _ = lowered(items)
    assert ["assistant", "tool:get_order"] == actors(program)


def test_calls_that_the_service_answers_itself_hold_their_results():
    item = {"type": "mcp_call", "id": "m1", "name": "get_order", "arguments": '{"order_id": "W15-77"}', "output": '{"order_id": "W15-77"}'}  # fmt: skip
    (program,), _ = lowered([item])
    assert ["assistant", "tool:get_order"] == actors(program)


def test_an_item_that_refers_to_another_exposes_what_that_defined():
    items = [
        {"type": "mcp_call", "id": "m1", "name": "get_order", "arguments": '{"order_id": "W15-77"}', "output": '{"order_id": "W15-77"}'},
        {"type": "item_reference", "id": "m1"},
    ]  # fmt: skip
    (program,), _ = lowered(items)
    (shown,) = [item for item in program.instructions if isinstance(item, Use) and item.purpose == EXPOSURE]
    places = [str(place) for place, _ in shown.operands]
    assert ['session:log/call["m1"].order_id', 'user:log/order["W15-77"]'] == places


def test_arguments_that_are_no_json_are_kept_and_told():
    item = {"type": "function_call", "call_id": "c1", "name": "get_order", "arguments": '{"order_id": '}
    _, codes = lowered([item])
    assert ["FE044"] == codes


def test_a_record_as_a_line_may_hold_blocks_too():
    (program,), _ = lowered(json.loads(json.dumps([{"session_id": "s7", "messages": [ASKED, blocks("user", ANSWER)]}])))
    assert ("s7", ["assistant", "tool:get_order"]) == (program.name, actors(program))


def test_a_picture_costs_what_a_vendor_charges_for_one_and_not_its_digest():
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo" * 40}}
    report = analyze([blocks("user", image)])
    assert 1200 == report.tokens_of(report.entries)


def test_objects_that_have_a_type_of_their_own_are_data():
    told = [{"type": "order", "order_id": "W15-77", "color": "black"}]
    (program,), _ = lowered([ASKED, blocks("user", {**ANSWER, "content": told})])
    assert "black" in [entry.value for entry in program.entries]


def test_the_results_of_a_search_were_not_made_from_all_that_was_shown():
    found = {"type": "web_search_result", "url": "https://lamps.example", "encrypted_content": "gAAAA"}
    asked = {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {"query": "lamps"}}
    told = {"type": "web_search_tool_result", "tool_use_id": "s1", "content": [found]}
    (program,), _ = lowered([blocks("assistant", asked, told)])
    assert [] == [item for item in program.instructions if isinstance(item, Use) and item.purpose == EXPOSURE]


@pytest.mark.parametrize(
    "item",
    [
        {"type": "compaction", "encrypted_content": "gAAA"},
        {"type": "reasoning", "summary": []},
        {"type": "tool_search_output", "call_id": "c1", "tools": []},
    ],
    ids=lambda item: item["type"],
)
def test_items_without_ids_are_read(item):
    _, codes = lowered([{"role": "user", "content": "Hi"}, item])
    assert [] == codes
