import json
import threading

import pytest

from statemem import analyze, lower
from statemem.ir import Use
from statemem.ir.diagnostics import Location
from statemem.ir.frontends.messages import ToolCall, ToolResult
from statemem.ir.frontends.traces.timeline import ToolRun
from statemem.ir.instructions import EXPOSURE
from statemem.recording import Recorder

ORDER = '{"order_id": "W15-77", "color": "black"}'
ASKED = {"role": "user", "content": "Where is W15-77?"}
CALL = {"role": "assistant", "content": None, "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "get_order", "arguments": '{"order_id": "W15-77"}'}}]}  # fmt: skip
RESULT = {"role": "tool", "tool_call_id": "c1", "content": ORDER}
SAID = {"role": "assistant", "content": "Order W15-77 is black and on its way to you."}
TALK = [ASKED, CALL, RESULT, SAID]


def answer(message):
    return {
        "choices": [{"message": message}],
        "usage": {"prompt_tokens": 90, "prompt_tokens_details": {"cached_tokens": 64}},
    }


def requests(messages):
    """The calls of a model in which a conversation was led."""
    return [
        ({"model": "m", "messages": messages[:position]}, answer(message))
        for position, message in enumerate(messages)
        if message["role"] == "assistant"
    ]


def recorded(directory, *calls, **options):
    with Recorder(directory, **options) as recorder:
        for request, response in calls:
            recorder.call(request, response)
    return recorder.files


def instructions(program):
    """What a program does, without where it was read and what its conversation is called."""
    return [
        (type(item).__name__, [str(place.path) for place in (read.place for read in item.reads())], getattr(item, "value", None), item.origin.rule)
        for item in program.instructions
    ]  # fmt: skip


def test_a_record_says_what_a_log_of_the_same_requests_would(tmp_path):
    (file,) = recorded(tmp_path / "run", *requests(TALK))
    log = [{"request": request, "response": response} for request, response in requests(TALK)]
    assert instructions(lower(log)) == instructions(lower(file))


def test_what_stood_in_a_prompt_is_recorded_with_its_tokens(tmp_path):
    (file,) = recorded(tmp_path, *requests(TALK))
    shown = [item for item in lower(file).instructions if isinstance(item, Use) and item.purpose == EXPOSURE]
    assert [(1, 90, 64), (2, 90, 64)] == [
        (len(item.operands), item.origin.tokens, item.origin.cached) for item in shown
    ]


def test_a_file_can_be_analysed_while_it_grows(tmp_path):
    first, second = requests(TALK)
    with Recorder(tmp_path) as recorder:
        recorder.call(*first)
        (file,) = recorder.files
        assert 2 == len(lower(file).blocks)
        recorder.call(*second)
        assert 4 == len(lower(file).blocks)
    assert "agent-1" == analyze(file).name


def test_each_conversation_has_a_file_of_its_own(tmp_path):
    other = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}]
    first, second = requests(TALK)
    files = recorded(tmp_path, first, *requests(other), second, name="desk")
    assert {"desk-1.jsonl": 4, "desk-2.jsonl": 2} == {file.name: len(lower(file).blocks) for file in files}


def test_another_branch_has_a_file_that_begins_with_the_way_to_it(tmp_path):
    other = {"role": "assistant", "content": "It left the warehouse on Monday."}
    calls = [*requests(TALK), ({"model": "m", "messages": TALK[:3]}, answer(other))]
    files = recorded(tmp_path, *calls)
    assert [4, 4] == [len(lower(file).blocks) for file in files]


def test_a_conversation_that_is_named_goes_to_a_file_of_that_name(tmp_path):
    with Recorder(tmp_path) as recorder:
        with recorder.conversation("shop/7"):
            recorder.call(*requests(TALK)[0])
        recorder.call({"model": "m", "messages": [ASKED], "metadata": {"thread_id": "k8"}}, answer(SAID))
    assert ["shop%2F7.jsonl", "k8.jsonl"] == [file.name for file in recorder.files]


@pytest.mark.parametrize("name", ["user:42", "shop/7", "thread 7", "größe", "退款" * 60, "a" * 400, "\ud800", ".."])
def test_a_conversation_of_any_name_is_read_back(tmp_path, name):
    with Recorder(tmp_path) as recorder, recorder.conversation(name):
        for call in requests(TALK):
            recorder.call(*call)
    (file,) = recorder.files
    assert (tmp_path, 4) == (file.parent, len(lower(file).blocks))


def test_files_that_are_there_are_never_written_over(tmp_path):
    (first,) = recorded(tmp_path, *requests(TALK))
    before = first.read_bytes()
    (second,) = recorded(tmp_path, *requests(TALK))
    assert (before, "agent-1-2.jsonl") == (first.read_bytes(), second.name)


def test_a_mistake_in_recording_is_logged_and_does_not_reach_the_agent(tmp_path, caplog):
    with Recorder(tmp_path) as recorder:
        recorder.call(*requests(TALK)[0])
        (file,) = recorder.files
        file.unlink()
        file.mkdir()
        recorder.call(*requests(TALK)[1])
    assert "a call could not be recorded" in caplog.text


@pytest.mark.parametrize("odd", [{}, {"messages": "x"}, {"messages": [None, 3]}, {"messages": [{"role": 7}]}])
def test_odd_requests_are_passed_over(tmp_path, odd, caplog):
    assert ([], "") == (recorded(tmp_path, (odd, answer(SAID))), caplog.text)


def test_many_threads_may_record_at_once(tmp_path):
    def lead(recorder, number):
        with recorder.conversation(f"k{number}"):
            for request, response in requests([{"role": "user", "content": f"Where is W{number}-77?"}, *TALK[1:]]):
                recorder.call(request, response)

    with Recorder(tmp_path) as recorder:
        threads = [threading.Thread(target=lead, args=(recorder, number)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert {f"k{n}.jsonl": 4 for n in range(8)} == {file.name: len(lower(file).blocks) for file in recorder.files}


def test_more_conversations_than_files_may_be_open_are_recorded(tmp_path, monkeypatch):
    monkeypatch.setattr("statemem.ir.frontends.exchanges.joining.MOST_OPEN", 3)
    with Recorder(tmp_path) as recorder:
        for number in range(8):
            recorder.call({"messages": [{"role": "user", "content": f"Where is W{number}-77?"}]}, answer(SAID))
        assert 3 == len(recorder._files)
    assert 8 == len(recorder.files)


def test_the_user_of_a_request_is_whose_cells_they_are(tmp_path):
    with Recorder(tmp_path) as recorder:
        for request, response in requests(TALK):
            recorder.call({**request, "user": "7"}, response)
    assert 'user:7/order["W15-77"].color' in [str(entry.cell) for entry in lower(recorder.files[0]).entries]


def test_every_line_is_a_turn_of_an_ops_log(tmp_path):
    (file,) = recorded(tmp_path, *requests(TALK))
    turns = [json.loads(line) for line in file.read_text().splitlines()]
    assert ["user", "assistant", "tool:get_order", "assistant"] == [turn["actor"] for turn in turns]
    assert {"session:agent-1"} == {turn["scope"] for turn in turns}


def run_of(call, content):
    return ToolRun(
        call=ToolCall("get_order", {}, call), result=ToolResult(content, call, "get_order"), location=Location()
    )


def test_what_a_tool_answered_goes_to_the_conversation_that_called_it_and_to_no_other(tmp_path, caplog):
    other = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}]
    with Recorder(tmp_path) as recorder:
        recorder.call(*requests(TALK)[0])
        recorder.call(*requests(other)[0])
        recorder.tool(run_of("c1", ORDER))
        recorder.tool(run_of("c9", ORDER))
    assert [3, 2] == [len(lower(file).blocks) for file in recorder.files]
    assert "no call of get_order is on record" in caplog.text


def test_what_there_is_to_say_of_a_request_is_logged(tmp_path, caplog):
    broken = {"role": "assistant", "tool_calls": [{"id": "c1", "function": {"name": "get_order", "arguments": "{"}}]}
    recorded(tmp_path, ({"model": "m", "messages": [ASKED]}, answer(broken)))
    assert "FE044" in caplog.text
