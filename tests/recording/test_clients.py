"""The vendors' own clients, whose requests a function answers in the place of the network."""

import asyncio
import importlib
import json

import pytest

from statemem import lower
from statemem.ir import Use
from statemem.ir.diagnostics import UsageError
from statemem.recording import Recorder
from statemem.recording.transports import recorded

openai = pytest.importorskip("openai", reason="needs openai: pip install 'statemem[interop]'")
anthropic = pytest.importorskip("anthropic", reason="needs anthropic: pip install 'statemem[interop]'")


def http(vendor, handler, *, waits=False):
    """The client of the release of httpx that a vendor uses, a function in the place of the network."""
    base = (vendor.DefaultAsyncHttpxClient if waits else vendor.DefaultHttpxClient).__mro__
    root = next(kind.__module__.partition(".")[0] for kind in base if kind.__module__.startswith("httpx"))
    package = importlib.import_module(root)

    def answer(request):
        status, kind, text = handler(json.loads(request.content))
        parts = [text[start : start + 40].encode() for start in range(0, len(text), 40)]
        return package.Response(status, headers={"content-type": kind}, content=(_slowly if waits else iter)(parts))

    client = package.AsyncClient if waits else package.Client
    return client(transport=package.MockTransport(answer))


async def _slowly(parts):
    for part in parts:
        yield part


CHAT = {"id": "x1", "object": "chat.completion", "created": 1, "model": "m", "choices": [{"index": 0, "finish_reason": "tool_calls", "message": {"role": "assistant", "content": None, "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "get_order", "arguments": '{"order_id": "W15-77"}'}}]}}], "usage": {"prompt_tokens": 9, "completion_tokens": 1, "total_tokens": 10}}  # fmt: skip
MESSAGES = {"id": "x1", "type": "message", "role": "assistant", "model": "m", "stop_reason": "tool_use", "stop_sequence": None, "content": [{"type": "tool_use", "id": "t1", "name": "get_order", "input": {"order_id": "W15-77"}}], "usage": {"input_tokens": 9, "output_tokens": 1}}  # fmt: skip
ITEMS = {"id": "r1", "object": "response", "created_at": 1, "model": "m", "status": "completed", "output": [{"type": "function_call", "id": "f1", "call_id": "c1", "name": "get_order", "arguments": '{"order_id": "W15-77"}', "status": "completed"}], "parallel_tool_calls": True, "tool_choice": "auto", "tools": [], "usage": {"input_tokens": 9, "output_tokens": 1, "total_tokens": 10, "input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 0}}}  # fmt: skip
ASKED = [{"role": "user", "content": "Where is W15-77?"}]


def events(*data, named=False):
    lines = [
        f"event: {one['type']}\ndata: {json.dumps(one)}\n\n" if named else f"data: {json.dumps(one)}\n\n"
        for one in data
    ]
    return 200, "text/event-stream", "".join(lines) + ("" if named else "data: [DONE]\n\n")


def in_one_piece(answer):
    return lambda _: (200, "application/json", json.dumps(answer))


def called(files):
    (file,) = files
    program = lower(file)
    return ["get_order(order_id)"] == [i.purpose for i in program.instructions if isinstance(i, Use) and "order" in (i.purpose or "")]  # fmt: skip


def an_openai(handler, recorder, *, waits=False):
    kind = openai.AsyncOpenAI if waits else openai.OpenAI
    return recorded(kind(api_key="k", http_client=http(openai, handler, waits=waits)), recorder)


def an_anthropic(handler, recorder, *, waits=False):
    kind = anthropic.AsyncAnthropic if waits else anthropic.Anthropic
    return recorded(kind(api_key="k", http_client=http(anthropic, handler, waits=waits)), recorder)


def test_calls_of_a_chat_are_recorded_and_answered_as_ever(tmp_path):
    with Recorder(tmp_path) as recorder:
        answer = an_openai(in_one_piece(CHAT), recorder).chat.completions.create(model="m", messages=ASKED)
    assert ("get_order", True) == (answer.choices[0].message.tool_calls[0].function.name, called(recorder.files))


def test_a_chat_that_streams_is_recorded_when_it_has_ended(tmp_path):
    part = {"id": "x1", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    call = {"index": 0, "id": "c1", "type": "function", "function": {"name": "get_order", "arguments": '{"order_id": '}}
    rest = {"index": 0, "function": {"arguments": '"W15-77"}'}}
    chunks = [{**part, "choices": [{"index": 0, "delta": {"tool_calls": [one]}}]} for one in (call, rest)]
    with Recorder(tmp_path) as recorder:
        client = an_openai(lambda _: events(*chunks), recorder)
        assert 2 == len(list(client.chat.completions.create(model="m", messages=ASKED, stream=True)))
        assert called(recorder.files)


def test_calls_of_the_responses_interface_are_recorded(tmp_path):
    with Recorder(tmp_path) as recorder:
        an_openai(in_one_piece(ITEMS), recorder).responses.create(model="m", input="Where is W15-77?")
    assert called(recorder.files)


def test_calls_with_blocks_are_recorded(tmp_path):
    with Recorder(tmp_path) as recorder:
        answer = an_anthropic(in_one_piece(MESSAGES), recorder).messages.create(model="m", max_tokens=9, messages=ASKED)
    assert ("get_order", True) == (answer.content[0].name, called(recorder.files))


def test_blocks_that_stream_are_recorded(tmp_path):
    said = [
        {"type": "message_start", "message": {**MESSAGES, "content": [], "stop_reason": None}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "tool_use", "id": "t1", "name": "get_order", "input": {}}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "input_json_delta", "partial_json": '{"order_id": "W15-77"}'}},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": "tool_use", "stop_sequence": None}, "usage": {"output_tokens": 1}},
        {"type": "message_stop"},
    ]  # fmt: skip
    with Recorder(tmp_path) as recorder:
        client = an_anthropic(lambda _: events(*said, named=True), recorder)
        with client.messages.stream(model="m", max_tokens=9, messages=ASKED) as stream:
            assert "get_order" == stream.get_final_message().content[0].name
        assert called(recorder.files)


@pytest.mark.parametrize("vendor", ["openai", "anthropic"])
def test_clients_that_wait_are_recorded(tmp_path, vendor):
    async def ask(recorder):
        if vendor == "openai":
            client = an_openai(in_one_piece(CHAT), recorder, waits=True)
            await client.chat.completions.create(model="m", messages=ASKED)
        else:
            client = an_anthropic(in_one_piece(MESSAGES), recorder, waits=True)
            await client.messages.create(model="m", max_tokens=9, messages=ASKED)
        await client.close()

    with Recorder(tmp_path) as recorder:
        asyncio.run(ask(recorder))
    assert called(recorder.files)


def test_a_call_that_fails_is_not_recorded_and_fails_as_ever(tmp_path):
    with Recorder(tmp_path) as recorder:
        client = an_openai(lambda _: (400, "application/json", '{"error": {"message": "no"}}'), recorder)
        with pytest.raises(openai.BadRequestError):
            client.chat.completions.create(model="m", messages=ASKED)
    assert [] == recorder.files


def test_an_answer_that_is_there_at_once_is_recorded_too(tmp_path):
    client = openai.OpenAI(api_key="k", http_client=http(openai, in_one_piece(CHAT)))
    transport = client._client._transport
    handler = transport.handler

    def whole(request):
        response = handler(request)
        response.read()
        return response

    transport.handler = whole
    with Recorder(tmp_path) as recorder:
        recorded(client, recorder).chat.completions.create(model="m", messages=ASKED)
    assert called(recorder.files)


def test_what_is_no_client_is_refused_with_a_way_out(tmp_path):
    with Recorder(tmp_path) as recorder, pytest.raises(UsageError, match=r"Recorder\.call"):
        recorded(object(), recorder)
