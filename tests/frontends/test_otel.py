import json

import pytest

from statemem.ir import Delete, Scope, Set, Use, run
from statemem.ir.frontends import choose
from statemem.ir.frontends.reader import read
from statemem.ir.instructions import EXPOSURE
from statemem.ir.values import UNKNOWN

from .written import actors, lowered, used

ORDER = {"order_id": "W15-77", "color": "black"}
ASKED = {"role": "user", "parts": [{"type": "text", "content": "Where is W15-77?"}]}
CALLED = {"role": "assistant", "parts": [{"type": "tool_call", "id": "c1", "name": "get_order", "arguments": {"order_id": "W15-77"}}]}  # fmt: skip
ANSWERED = {"role": "tool", "parts": [{"type": "tool_call_response", "id": "c1", "response": ORDER}]}
SAID = {"role": "assistant", "parts": [{"type": "text", "content": "Order W15-77 is black."}], "finish_reason": "stop"}


def typed(value):
    if isinstance(value, bool):
        return {"boolValue": value}
    if isinstance(value, int):
        return {"intValue": str(value)}
    if isinstance(value, dict):
        return {"kvlistValue": {"values": pairs(value)}}
    if isinstance(value, list):
        return {"arrayValue": {"values": [typed(one) for one in value]}}
    return {"stringValue": value}


def pairs(attributes):
    return [{"key": key, "value": typed(value)} for key, value in attributes.items()]


def span(start, name, attributes, **more):
    return {"traceId": "t1", "spanId": f"s{start}", "name": name, "startTimeUnixNano": str(start), "endTimeUnixNano": str(start + 1), "attributes": pairs(attributes), **more}  # fmt: skip


def otlp(*spans):
    return {"resourceSpans": [{"resource": {}, "scopeSpans": [{"scope": {"name": "x"}, "spans": list(spans)}]}]}


def chat(start, asked, answered, written=json.dumps, **more):
    attributes = {"gen_ai.operation.name": "chat", "gen_ai.input.messages": written(asked), "gen_ai.output.messages": written(answered)}  # fmt: skip
    return span(start, "chat m", {**attributes, **more})


def tool(start, call="c1"):
    attributes = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "get_order", "gen_ai.tool.call.id": call, "gen_ai.tool.call.arguments": '{"order_id": "W15-77"}', "gen_ai.tool.call.result": json.dumps(ORDER)}  # fmt: skip
    return span(start, "execute_tool get_order", attributes)


@pytest.mark.parametrize("written", [json.dumps, lambda value: value], ids=["text", "structure"])
def test_spans_of_one_trace_are_one_conversation_in_the_order_of_time(written):
    late = chat(30, [ASKED, CALLED, ANSWERED], [SAID], written)
    log = [otlp(late, tool(20), chat(10, [ASKED], [CALLED], written))]
    assert "otel" == choose(read(log, [])).name
    (program,), codes = lowered(log)
    assert ("t1", ["user", "assistant", "tool:get_order", "assistant"], []) == (program.name, actors(program), codes)
    assert ['session:t1/id["W15-77"]'] == used(program)["get_order(order_id)"]


def test_a_tool_whose_answer_no_model_saw_is_told_by_its_span():
    (program,), _ = lowered([otlp(chat(10, [ASKED], [CALLED]), tool(20))])
    assert ["user", "assistant", "tool:get_order"] == actors(program)


def test_a_tool_that_no_model_asked_for_is_called_by_the_agent():
    (program,), _ = lowered([otlp(tool(20))])
    assert ["assistant", "tool:get_order"] == actors(program)


def test_the_prompt_has_its_tokens_and_those_from_a_cache():
    usage = {"gen_ai.usage.input_tokens": 90, "gen_ai.usage.cache_read.input_tokens": 64}
    (program,), _ = lowered([otlp(chat(10, [ASKED], [SAID], **usage))])
    (shown,) = [item for item in program.instructions if isinstance(item, Use) and item.purpose == EXPOSURE]
    assert (90, 64) == (shown.origin.tokens, shown.origin.cached)


def test_agents_that_lead_one_conversation_are_told_apart():
    own = {"gen_ai.conversation.id": "k7"}
    first = chat(10, [ASKED], [CALLED], **own, **{"gen_ai.agent.name": "desk"})
    second = chat(30, [ASKED, CALLED, ANSWERED], [SAID], **own, **{"gen_ai.agent.name": "writer"})
    (program,), _ = lowered([otlp(first, second)])
    assert ["user", "assistant:desk", "tool:get_order", "assistant:writer"] == actors(program)


def test_traces_of_one_conversation_are_joined_by_its_id():
    own = {"gen_ai.conversation.id": "k7"}
    more = {"role": "user", "parts": [{"type": "text", "content": "And W15-78?"}]}
    second = {**chat(50, [ASKED, SAID, more], [SAID], **own), "traceId": "t2"}
    (program,), _ = lowered([otlp(chat(10, [ASKED], [SAID], **own)), otlp(second)])
    assert ("k7", ["user", "assistant", "user", "assistant"]) == (program.name, actors(program))


OLDER = {
    "numbered": span(10, "openai.chat", {
        "gen_ai.system": "openai", "gen_ai.prompt.0.role": "user", "gen_ai.prompt.0.content": "Where is W15-77?",
        "gen_ai.completion.0.role": "assistant", "gen_ai.completion.0.tool_calls.0.id": "c1",
        "gen_ai.completion.0.tool_calls.0.name": "get_order",
        "gen_ai.completion.0.tool_calls.0.arguments": '{"order_id": "W15-77"}',
    }),
    "events": span(10, "chat m", {"gen_ai.system": "openai"}, events=[
        {"name": "gen_ai.user.message", "attributes": pairs({"content": "Where is W15-77?"})},
        {"name": "gen_ai.choice", "attributes": pairs({"index": 0, "message": json.dumps({"role": "assistant", "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "get_order", "arguments": '{"order_id": "W15-77"}'}}]})})},
    ]),
    "one attribute": span(10, "chat m", {
        "gen_ai.prompt": json.dumps([{"role": "user", "content": "Where is W15-77?"}]),
        "gen_ai.completion": json.dumps([{"role": "assistant", "tool_calls": [{"id": "c1", "function": {"name": "get_order", "arguments": '{"order_id": "W15-77"}'}}]}]),
    }),
}  # fmt: skip


@pytest.mark.parametrize("older", OLDER.values(), ids=OLDER)
def test_older_names_are_read_too(older):
    (program,), codes = lowered([otlp(older)])
    assert (["user", "assistant"], []) == (actors(program), codes)
    assert "get_order(order_id)" in used(program)


def memory(start, operation, **attributes):
    named = {f"gen_ai.memory.{name.replace('_', '.', 1)}": value for name, value in attributes.items()}
    return span(start, operation, {"gen_ai.operation.name": operation, **named})


def records(*pairs_of):
    return json.dumps([{"id": own, "content": content} for own, content in pairs_of])


def test_what_was_done_to_a_memory_is_stated_by_its_spans():
    log = otlp(
        memory(10, "create_memory", store_id="s", records=records(("r1", "likes tea"), ("r2", "lives in Lyon"))),
        memory(20, "update_memory", store_id="s", record_id="r1", records=records(("r1", "likes coffee"))),
        memory(30, "search_memory", store_id="s", records=records(("r1", "likes coffee"))),
        memory(40, "delete_memory", store_id="s", record_id="r2"),
    )
    (program,), codes = lowered([log])
    assert [Set, Set, Set, Use, Delete] == [type(item) for item in program.instructions]
    assert ({'memory["s"]["r1"]': "likes coffee"}, []) == (run(program).snapshot(Scope("user", "t1")), codes)


def test_to_delete_without_a_record_is_to_delete_the_store():
    log = otlp(memory(10, "create_memory", store_id="s", records=records(("r1", "x"))), memory(20, "delete_memory", store_id="s"))  # fmt: skip
    (program,), _ = lowered([log])
    assert {} == run(program).snapshot(Scope("user", "t1"))


def test_a_memory_between_two_calls_of_a_model_makes_no_branch():
    note = memory(20, "create_memory", store_id="s", records=records(("r1", "wants W15-77")))
    (program,), _ = lowered([otlp(chat(10, [ASKED], [CALLED]), note, chat(30, [ASKED, CALLED, ANSWERED], [SAID]))])
    assert ["user", "assistant", "assistant", "tool:get_order", "assistant"] == actors(program)


def test_spans_without_content_are_counted():
    problems = []
    from statemem.ir.frontends import lower

    silent = [span(n, "GET /", {"http.method": "GET"}) for n in range(3)]
    assert 1 == len(list(lower([otlp(*silent, chat(10, [ASKED], [SAID]))], problems)))
    assert ["3 spans tell of no message, tool or memory that came about; passed over"] == [
        one.message for one in problems
    ]


def test_spans_that_the_library_prints_are_read():
    trace = pytest.importorskip(
        "opentelemetry.sdk.trace", reason="needs opentelemetry-sdk: pip install 'statemem[interop]'"
    )
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    exporter = InMemorySpanExporter()
    provider = trace.TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    with provider.get_tracer("shop").start_as_current_span("chat m") as one:
        one.set_attribute("gen_ai.operation.name", "chat")
        one.set_attribute("gen_ai.input.messages", json.dumps([ASKED]))
        one.set_attribute("gen_ai.output.messages", json.dumps([CALLED]))
    (program,), codes = lowered([json.loads(one.to_json()) for one in exporter.get_finished_spans()])
    assert (["user", "assistant"], []) == (actors(program), codes)
    assert program.blocks[1].origin.recorded is not None


def test_what_failed_was_not_done_to_a_memory():
    failed = memory(20, "update_memory", store_id="s", record_id="r1", records=records(("r1", "likes coffee")))
    log = otlp(memory(10, "create_memory", store_id="s", records=records(("r1", "likes tea"))), {**failed, "status": {"code": 2}})  # fmt: skip
    (program,), codes = lowered([log])
    assert ({'memory["s"]["r1"]': "likes tea"}, ["FE096"]) == (run(program).snapshot(Scope("user", "t1")), codes)


def test_what_was_written_and_not_captured_is_not_known():
    log = otlp(memory(10, "create_memory", store_id="s", records=records(("r1", "likes tea"))), memory(20, "update_memory", store_id="s", record_id="r1"))  # fmt: skip
    (program,), _ = lowered([log])
    assert {'memory["s"]["r1"]': UNKNOWN} == run(program).snapshot(Scope("user", "t1"))


def test_messages_in_an_event_of_a_span_are_read():
    details = {"gen_ai.input.messages": json.dumps([ASKED]), "gen_ai.output.messages": json.dumps([CALLED])}
    event = {"name": "gen_ai.client.inference.operation.details", "attributes": pairs(details)}
    (program,), _ = lowered([otlp(span(10, "chat m", {"gen_ai.operation.name": "chat"}, events=[event]))])
    assert ["user", "assistant"] == actors(program)
