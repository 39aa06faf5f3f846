import pytest

from statemem import lower
from statemem.ir import Use
from statemem.recording import Recorder

core = pytest.importorskip("langchain_core.messages", reason="needs langchain-core: pip install 'statemem[interop]'")
ORDER = '{"order_id": "W15-77", "color": "black"}'


def agent(answers, *, last_is_tool=False):
    """An agent of a model that answers what it is told to, and of one tool."""
    from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
    from langchain_core.runnables import RunnableLambda
    from langchain_core.tools import tool

    @tool
    def get_order(order_id: str) -> str:
        """Look an order up."""
        return ORDER

    llm = GenericFakeChatModel(messages=iter(answers))

    def lead(_):
        history = [core.HumanMessage("Where is W15-77?")]
        history.append(llm.invoke(history))
        history.append(get_order.invoke({**history[-1].tool_calls[0], "type": "tool_call"}))
        return history[-1].content if last_is_tool else llm.invoke(history).content

    return RunnableLambda(lead)


def asks():
    return core.AIMessage("", tool_calls=[{"name": "get_order", "args": {"order_id": "W15-77"}, "id": "c1"}])


def recorded(path, runnable, **config):
    from statemem.recording.langchain import RecordingHandler

    with Recorder(path) as recorder:
        runnable.invoke({}, config={"callbacks": [RecordingHandler(recorder)], **config})
    (file,) = recorder.files
    return file


def actors(file):
    return [str(block.actor) for block in lower(file).blocks]


def test_an_agent_is_recorded_as_it_runs(tmp_path):
    file = recorded(tmp_path, agent([asks(), core.AIMessage("Order W15-77 is black.")]))
    assert ["user", "assistant", "tool:get_order", "assistant"] == actors(file)
    assert "get_order(order_id)" in [item.purpose for item in lower(file).instructions if isinstance(item, Use)]


def test_a_tool_that_ran_last_is_written_at_the_end(tmp_path):
    assert ["user", "assistant", "tool:get_order"] == actors(recorded(tmp_path, agent([asks()], last_is_tool=True)))


def test_a_thread_names_the_conversation(tmp_path):
    file = recorded(tmp_path, agent([asks(), core.AIMessage("Black.")]), metadata={"thread_id": "k7"})
    assert ("k7.jsonl", 4) == (file.name, len(lower(file).blocks))
