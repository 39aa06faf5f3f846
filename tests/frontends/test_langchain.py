import json

import pytest

from statemem.ir import Delete, Scope, Use, run
from statemem.ir.frontends import choose
from statemem.ir.frontends.reader import read
from statemem.ir.instructions import EXPOSURE

from .written import actors, lowered, used

ORDER = '{"order_id": "W15-77", "color": "black"}'


def human(text, **more):
    return {"type": "human", "data": {"content": text, "type": "human", **more}}


def ai(text: object = "", *calls, **more):
    return {"type": "ai", "data": {"content": text, "type": "ai", "tool_calls": list(calls), **more}}


def tool(call, content, **more):
    return {"type": "tool", "data": {"content": content, "type": "tool", "tool_call_id": call, **more}}


CALL = {"name": "get_order", "args": {"order_id": "W15-77"}, "id": "c1", "type": "tool_call"}


def test_messages_as_dictionaries_are_recognised_and_read():
    log = [human("Where is W15-77?"), ai("", CALL), tool("c1", ORDER)]
    assert "langchain" == choose(read(log, [])).name
    (program,), codes = lowered(log)
    assert (["user", "assistant", "tool:get_order"], []) == (actors(program), codes)
    assert ['session:log/id["W15-77"]'] == used(program)["get_order(order_id)"]


def test_a_call_that_stands_in_the_content_too_is_one_call():
    block = {"type": "tool_use", "id": "c1", "name": "get_order", "input": {"order_id": "W15-77"}}
    (program,), _ = lowered([human("Where is W15-77?"), ai([block], CALL)])
    assert 1 == sum(isinstance(item, Use) for item in program.instructions)


def test_a_call_that_could_not_be_read_is_kept_and_told():
    broken = {"name": "get_order", "args": '{"order_id": ', "id": "c2", "error": "no JSON"}
    _, codes = lowered([human("Hi"), ai("", invalid_tool_calls=[broken])])
    assert ["FE044"] == codes


def test_a_result_with_the_status_of_an_error_tells_nothing_of_the_entity():
    white = ORDER.replace("black", "white")
    (program,), _ = lowered([ai("", CALL), tool("c1", ORDER), ai("", CALL), tool("c1", white, status="error")])
    assert "black" == run(program).snapshot(Scope("user", "log"))['order["W15-77"].color']


def test_a_message_that_is_removed_takes_with_it_what_it_alone_stated():
    log = [
        human("Where is W15-77?", id="h1"),
        {"type": "remove", "data": {"type": "remove", "id": "h1", "content": ""}},
    ]
    (program,), _ = lowered(log)
    assert ['session:log/id["W15-77"]'] == [str(i.target) for i in program.instructions if isinstance(i, Delete)]


def test_a_fact_that_a_message_without_an_id_states_too_is_kept():
    gone = {"type": "remove", "data": {"type": "remove", "id": "h1", "content": ""}}
    (program,), _ = lowered([human("Where is W15-77?"), human("I mean W15-77", id="h1"), gone])
    assert [] == [item for item in program.instructions if isinstance(item, Delete)]


def test_all_pieces_of_a_removed_message_are_removed():
    calls = [{"name": "get_order", "args": {"order_id": f"W15-7{n}"}, "id": f"c{n}"} for n in (7, 8)]
    told = [{"type": "tool_result", "tool_use_id": one["id"], "content": '{"status": "packed"}'} for one in calls]
    gone = {"type": "remove", "data": {"type": "remove", "id": "h1", "content": ""}}
    (program,), _ = lowered([ai("", *calls), human(told, id="h1"), gone])
    assert ['user:log/order["W15-77"].status', 'user:log/order["W15-78"].status'] == [
        str(item.target) for item in program.instructions if isinstance(item, Delete)
    ]


def test_whoever_speaks_in_a_role_of_its_own_is_an_agent_of_that_name():
    for chat in (
        {"type": "chat", "data": {"content": "No.", "type": "chat", "role": "critic"}},
        {"type": "chat", "content": "No.", "role": "critic"},
    ):
        (program,), codes = lowered([human("Hi"), chat])
        assert (["user", "assistant:critic"], []) == (actors(program), codes)


def test_all_messages_may_be_removed_at_once():
    gone = {"type": "remove", "data": {"type": "remove", "id": "__remove_all__", "content": ""}}
    (program,), _ = lowered([human("W15-77", id="h1"), human("W15-78", id="h2"), gone])
    assert {} == run(program).snapshot(Scope("session", "log"))


def a_run(order, kind, inputs, outputs, **more):
    return {"id": f"r{order}", "trace_id": "t1", "dotted_order": f"2026Zr0.{order}", "run_type": kind, "name": more.pop("name", kind), "inputs": inputs, "outputs": outputs, **more}  # fmt: skip


def model(order, history, answer, **more):
    return a_run(order, "llm", {"messages": [history]}, {"generations": [[{"message": answer}]]}, **more)


def test_runs_in_any_order_are_joined_to_one_conversation():
    history = [human("Where is W15-77?"), ai("", CALL), tool("c1", ORDER)]
    runs = [
        model(3, history, ai("Order W15-77 is black.")),
        a_run(2, "tool", {"order_id": "W15-77"}, {"output": tool("c1", ORDER)}, name="get_order"),
        model(1, history[:1], ai("", CALL)),
    ]
    (program,), codes = lowered(runs)
    assert ("t1", ["user", "assistant", "tool:get_order", "assistant"], []) == (program.name, actors(program), codes)
    assert 2 == sum(isinstance(item, Use) and item.purpose == EXPOSURE for item in program.instructions)


def test_a_tool_that_ran_last_is_told_though_no_model_saw_its_answer():
    runs = [
        model(1, [human("Where is W15-77?")], ai("", CALL)),
        a_run(2, "tool", {"order_id": "W15-77"}, {"output": tool("c1", ORDER)}, name="get_order"),
    ]
    (program,), _ = lowered(runs)
    assert ["user", "assistant", "tool:get_order"] == actors(program)


def test_traces_of_one_thread_are_one_conversation():
    first, second = (
        [human("Hi")],
        [human("Hi"), ai("Hello there, what can I do for you on this fine day?"), human("Bye")],
    )
    runs = [
        model(1, first, second[1], extra={"metadata": {"thread_id": "k7"}}),
        {**model(2, second, ai("Bye")), "trace_id": "t2", "extra": {"metadata": {"thread_id": "k7"}}},
    ]
    (program,), _ = lowered(runs)
    assert ("k7", 4) == (program.name, len(program.blocks))


def test_runs_inside_others_are_found():
    inner = model(1, [human("Hi")], ai("Hello"))
    (program,), _ = lowered([a_run(0, "chain", {}, {}, child_runs=[inner])])
    assert ["user", "assistant"] == actors(program)


def test_answers_that_a_wrapped_client_recorded_are_read():
    call = {"id": "c1", "type": "function", "function": {"name": "get_order", "arguments": '{"order_id": "W15-77"}'}}
    asked = {"messages": [{"role": "user", "content": "Where is W15-77?"}], "model": "m"}
    told = {"choices": [{"index": 0, "message": {"role": "assistant", "content": None, "tool_calls": [call]}}]}
    (program,), _ = lowered([a_run(1, "llm", asked, told)])
    assert ["user", "assistant"] == actors(program)


def test_a_record_that_is_no_run_is_told():
    _, codes = lowered([model(1, [human("Hi")], ai("Hello")), {"x": 1}])
    assert ["FE090"] == codes


# with the packages themselves

core = pytest.importorskip("langchain_core.messages", reason="needs langchain-core: pip install 'statemem[interop]'")


def written_by_the_package():
    call = {"name": "get_order", "args": {"order_id": "W15-77"}, "id": "c1"}
    return [
        core.HumanMessage("Where is W15-77?", id="h1"),
        core.AIMessage("", tool_calls=[call], id="a1"),
        core.ToolMessage(ORDER, tool_call_id="c1", name="get_order"),
        core.AIMessage("Order W15-77 is black."),
    ]


def test_what_the_package_writes_is_read_in_both_forms():
    from langchain_core.load import dumpd

    for write in (dumpd, core.message_to_dict):
        log = json.loads(json.dumps([write(message) for message in written_by_the_package()]))
        (program,), codes = lowered(log)
        assert (["user", "assistant", "tool:get_order", "assistant"], []) == (actors(program), codes)


@pytest.mark.parametrize("schema", ["original", "original+chat"])
def test_runs_that_the_package_traces_are_one_conversation(schema):
    from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
    from langchain_core.runnables import RunnableLambda
    from langchain_core.tools import tool as as_tool
    from langchain_core.tracers.base import BaseTracer

    class Recorder(BaseTracer):
        def __init__(self):
            super().__init__(_schema_format=schema)
            self.traced = []

        def _persist_run(self, run):
            self.traced.append(run)

    @as_tool
    def get_order(order_id: str) -> str:
        """Look an order up."""
        return ORDER

    _, asks, _, tells = written_by_the_package()
    llm = GenericFakeChatModel(messages=iter([asks, tells]))

    def agent(_):
        history = [core.HumanMessage("Where is W15-77?")]
        history.append(llm.invoke(history))
        history.append(get_order.invoke({**history[-1].tool_calls[0], "type": "tool_call"}))
        return llm.invoke(history).content

    recorder = Recorder()
    RunnableLambda(agent).invoke({}, config={"callbacks": [recorder]})
    (program,), codes = lowered([dumped(run) for run in recorder.traced])
    assert (["user", "assistant", "tool:get_order", "assistant"], []) == (actors(program), codes)


def dumped(traced):
    """A run as JSON, with those inside it."""
    children = [dumped(child) for child in traced.child_runs]
    return {**json.loads(traced.model_dump_json(exclude={"child_runs", "client"})), "child_runs": children}
