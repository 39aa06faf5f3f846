"""Databases that the packages themselves wrote, and ones made by hand where they cannot write what is to be shown."""

import asyncio
import json
import sqlite3
from datetime import UTC, datetime

import msgspec
import pytest

from statemem import analyze, lower
from statemem.ir import Delete, Scope, Set, run
from statemem.ir.diagnostics import InputError
from statemem.ir.frontends import lower as lower_all
from statemem.ir.verifier import verify

from .written import actors, branches, used

ORDER = '{"order_id": "W15-77", "color": "black"}'


def of(path):
    problems = []
    programs = list(lower_all(path, problems))
    assert [] == [one for program in programs for one in verify(program) if one.severity == "error"]
    return programs, [problem.code for problem in problems]


def unchanged(path):
    return {one.name: one.read_bytes() for one in path.parent.iterdir() if one.name.startswith(path.name)}


# the Agents SDK

ITEMS = [
    {"role": "user", "content": "Where is W15-77?"},
    {"type": "function_call", "call_id": "c1", "name": "get_order", "arguments": '{"order_id": "W15-77"}'},
    {"type": "function_call_output", "call_id": "c1", "output": ORDER},
    {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Order W15-77 is black."}]},
]


def sessions(path, **items):
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE agent_messages (id INTEGER PRIMARY KEY, session_id TEXT, message_data TEXT, created_at TEXT)")  # fmt: skip
        for session, rows in items.items():
            for row in rows:
                data = row if isinstance(row, str) else json.dumps(row)
                database.execute("INSERT INTO agent_messages (session_id, message_data, created_at) VALUES (?, ?, ?)", (session, data, "2026-01-02 03:04:05"))  # fmt: skip
    database.close()
    return path


def test_each_session_is_a_program_and_the_database_stays_as_it_is(tmp_path):
    path = sessions(tmp_path / "s.db", k7=ITEMS, k8=ITEMS[:1])
    before = unchanged(path)
    programs, codes = of(path)
    assert [("k7", ["user", "assistant", "tool:get_order", "assistant"]), ("k8", ["user"])] == [
        (program.name, actors(program)) for program in programs
    ]
    assert ([], before) == (codes, unchanged(path))
    assert datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC) == programs[0].blocks[0].origin.recorded


def test_a_row_that_is_no_json_is_told_with_its_number(tmp_path):
    problems = []
    list(lower_all(sessions(tmp_path / "s.db", k7=[ITEMS[0], "{oops"]), problems))
    assert [("FE100", 2)] == [(one.code, one.location.record) for one in problems]


def test_an_encrypted_item_is_one_entry_with_its_digest(tmp_path):
    (program,), codes = of(
        sessions(tmp_path / "s.db", k7=[{"__enc__": 1, "v": 1, "kid": "hkdf-v1", "payload": "gAAA"}])
    )
    assert ([], ["encrypted item"]) == (codes, [entry.value.split(",")[0] for entry in program.entries])


def test_a_damaged_database_is_an_error_and_no_traceback(tmp_path):
    path = sessions(tmp_path / "s.db", k7=ITEMS * 200)
    data = bytearray(path.read_bytes())
    data[4096:] = b"\xff" * (len(data) - 4096)
    path.write_bytes(data)
    with pytest.raises(InputError):
        of(path)


def test_sessions_that_the_package_writes_are_read(tmp_path):
    agents = pytest.importorskip("agents", reason="needs openai-agents: pip install 'statemem[interop]'")
    path = tmp_path / "s.db"

    async def write():
        session = agents.SQLiteSession("k7", path)
        await session.add_items(ITEMS)
        session.close()

    asyncio.run(write())
    (program,), codes = of(path)
    assert (["user", "assistant", "tool:get_order", "assistant"], []) == (actors(program), codes)
    assert ['session:k7/id["W15-77"]'] == used(program)["get_order(order_id)"]


def test_branches_that_the_package_writes_are_branches_and_the_log_stands_in_the_last(tmp_path):
    memory = pytest.importorskip(
        "agents.extensions.memory", reason="needs openai-agents: pip install 'statemem[interop]'"
    )
    path = tmp_path / "s.db"

    async def write():
        session = memory.AdvancedSQLiteSession(session_id="k8", db_path=path, create_tables=True)
        await session.add_items([{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}, {"role": "user", "content": "Where is W15-77?"}])  # fmt: skip
        await session.create_branch_from_turn(2)
        await session.add_items([{"role": "user", "content": "Where is W15-78?"}])
        session.close()

    asyncio.run(write())
    (program,), codes = of(path)
    assert (["user", "assistant", "user", "user"], [2], 3, []) == (
        actors(program),
        branches(program),
        program.current_end,
        codes,
    )


def test_a_branch_from_the_first_turn_knows_nothing_of_the_others(tmp_path):
    memory = pytest.importorskip(
        "agents.extensions.memory", reason="needs openai-agents: pip install 'statemem[interop]'"
    )
    path = tmp_path / "s.db"

    async def write():
        session = memory.AdvancedSQLiteSession(session_id="k8", db_path=path, create_tables=True)
        await session.add_items([{"role": "user", "content": "Where is W15-77?"}, {"role": "assistant", "content": "Here."}])  # fmt: skip
        await session.create_branch_from_turn(1)
        await session.add_items([{"role": "user", "content": "Where is W15-78?"}, {"role": "assistant", "content": "W15-77, W15-78"}])  # fmt: skip
        session.close()

    asyncio.run(write())
    (program,), codes = of(path)
    assert (["system", "user", "assistant", "user", "assistant"], [2], 4, []) == (
        actors(program),
        branches(program),
        program.current_end,
        codes,
    )
    assert ['session:k8/id["W15-78"]'] == used(program)["reply"]


def test_a_row_whose_number_is_none_is_placed_by_its_name(tmp_path):
    path = tmp_path / "s.db"
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE agent_messages (id, session_id, message_data, created_at)")
        database.execute("INSERT INTO agent_messages VALUES ('x', 'k7', ?, NULL)", (json.dumps(ITEMS[0]),))
    database.close()
    (program,), _ = of(path)
    assert [(None, "/agent_messages/x/content")] == [(i.origin.record, i.origin.pointer) for i in program.instructions]


# LangGraph


@pytest.fixture
def graph(tmp_path):
    """A graph of a model and a tool with a checkpointer, and the file it writes to."""
    pytest.importorskip("langgraph.checkpoint.sqlite", reason="needs langgraph-checkpoint-sqlite: pip install 'statemem[interop]'")  # fmt: skip
    from langchain_core.messages import AIMessage, ToolMessage
    from langgraph.checkpoint.sqlite import SqliteSaver
    from langgraph.graph import END, START, MessagesState, StateGraph

    class State(MessagesState):
        color: str
        seen: int

    def agent(state):
        last = state["messages"][-1]
        call = {"name": "get_order", "args": {"order_id": "W15-77"}, "id": f"c{len(state['messages'])}"}
        asks = last.type == "human" and "W15-77" in last.content
        return {"messages": [AIMessage("", tool_calls=[call]) if asks else AIMessage("Order W15-77 is black.")]}

    def tools(state):
        call = state["messages"][-1].tool_calls[0]
        answer = ToolMessage(ORDER, tool_call_id=call["id"], name="get_order")
        return {"messages": [answer], "color": "black", "seen": state.get("seen", 0) + 1}

    def route(state):
        return "tools" if getattr(state["messages"][-1], "tool_calls", None) else END

    builder = StateGraph(State)
    builder.add_node("agent", agent)
    builder.add_node("tools", tools)
    builder.add_edge(START, "agent")
    builder.add_conditional_edges("agent", route, ["tools", END])
    builder.add_edge("tools", "agent")
    path = tmp_path / "g.db"
    connection = sqlite3.connect(path, check_same_thread=False)
    yield builder.compile(checkpointer=SqliteSaver(connection)), path
    connection.close()


THREAD = {"configurable": {"thread_id": "k7"}}


def asked(text="Where is W15-77?"):
    from langchain_core.messages import HumanMessage

    return {"messages": [HumanMessage(text)]}


def test_what_each_checkpoint_adds_is_what_a_node_said_and_set(graph):
    app, path = graph
    app.invoke(asked(), THREAD)
    (program,), codes = of(path)
    assert (["user", "assistant", "tool:get_order", "assistant:tools", "assistant"], []) == (actors(program), codes)
    assert ['session:k7/id["W15-77"]'] == used(program)["get_order(order_id)"]
    held = run(program).snapshot(Scope("session", "k7"))
    assert ("black", 1) == (held["state.color"], held["state.seen"])


def test_a_channel_that_changes_is_replaced_and_one_that_does_not_is_not_said_again(graph):
    app, path = graph
    app.invoke(asked(), THREAD)
    app.invoke(asked(), THREAD)
    (program,), _ = of(path)
    written = [
        str(item.target) for item in program.instructions if isinstance(item, Set) and "state" in str(item.target)
    ]
    assert ["session:k7/state.color", "session:k7/state.seen", "session:k7/state.seen"] == written


def test_a_state_that_was_gone_back_to_is_a_branch(graph):
    app, path = graph
    app.invoke(asked(), THREAD)
    early = next(one for one in app.get_state_history(THREAD) if one.next == ("tools",))
    app.update_state(early.config, asked("Something else"))
    (program,), _ = of(path)
    assert ([2], "user") == (branches(program), actors(program)[-1])


def test_messages_that_a_state_lost_take_with_them_what_they_alone_stated(graph):
    from langchain_core.messages import RemoveMessage

    app, path = graph
    app.invoke(asked("Where is W15-77?"), THREAD)
    first = app.get_state(THREAD).values["messages"][0]
    app.update_state(THREAD, {"messages": [RemoveMessage(id=first.id)]})
    (program,), _ = of(path)
    assert ['session:k7/id["W15-77"]'] == [str(i.target) for i in program.instructions if isinstance(i, Delete)]


def deleted(program):
    return [str(item.target) for item in program.instructions if isinstance(item, Delete)]


def test_a_thread_that_was_begun_anew_has_two_beginnings(graph):
    app, path = graph
    app.invoke(asked("Where is W15-88?"), THREAD)
    first = list(app.get_state_history(THREAD))[-1]
    app.invoke(asked("Hi"), first.config)
    (program,), codes = of(path)
    assert (["system", "user", "assistant", "user", "assistant"], [2], []) == (
        actors(program),
        branches(program),
        codes,
    )


def test_each_branch_of_a_thread_loses_what_it_removes(graph):
    from langchain_core.messages import RemoveMessage

    app, path = graph
    app.invoke(asked("Where is W15-88?"), THREAD)
    state = app.get_state(THREAD)
    for _ in range(2):
        app.update_state(state.config, {"messages": [RemoveMessage(id=state.values["messages"][0].id)]})
    (program,), _ = of(path)
    assert ([2], ['session:k7/id["W15-88"]'] * 2) == (branches(program), deleted(program))


def test_all_messages_of_a_state_may_be_removed(graph):
    from langchain_core.messages import RemoveMessage
    from langgraph.graph.message import REMOVE_ALL_MESSAGES

    app, path = graph
    app.invoke(asked("Where is W15-88?"), THREAD)
    app.update_state(THREAD, {"messages": [RemoveMessage(id=REMOVE_ALL_MESSAGES)]}, as_node="tools")
    (program,), _ = of(path)
    assert ['session:k7/id["W15-88"]'] == deleted(program)
    assert {} == run(program).snapshot(Scope("session", "k7"))


def test_a_message_that_takes_the_place_of_another_takes_its_facts_away(graph):
    from langchain_core.messages import HumanMessage

    app, path = graph
    app.invoke({"messages": [HumanMessage("Where is W15-88?", id="h1")]}, THREAD)
    app.update_state(THREAD, {"messages": [HumanMessage("Where is W15-89?", id="h1")]})
    (program,), _ = of(path)
    assert ['session:k7/id["W15-88"]'] == deleted(program)
    assert {'id["W15-89"]': "W15-89"} == run(program).snapshot(Scope("session", "k7"))


def by_hand(path, states, writes=()):
    """A database of a checkpointer: `(id, parent, type, state)` and `(id, channel, type, value)`."""
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE checkpoints (thread_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id, type, checkpoint, metadata)")  # fmt: skip
        database.execute("CREATE TABLE writes (thread_id, checkpoint_ns, checkpoint_id, task_id, idx, channel, type, value)")  # fmt: skip
        for state in states:
            database.execute("INSERT INTO checkpoints VALUES ('k7', '', ?, ?, ?, ?, '{}')", state)
        for number, (own, *write) in enumerate(writes):
            database.execute("INSERT INTO writes VALUES ('k7', '', ?, 't', ?, ?, ?, ?)", (own, number, *write))
    database.close()
    return path


def test_a_checkpoint_that_is_nested_too_deep_is_not_read_and_says_so(tmp_path):
    deep = []
    for _ in range(100):
        deep = [deep]
    states = [
        (own, None, "msgpack", msgspec.msgpack.encode({"channel_values": {"color": value}}))
        for own, value in (("a", "black"), ("b", deep))
    ]
    (program,), codes = of(by_hand(tmp_path / "g.db", states))
    assert (["FE105"], 1) == (codes, len(program.instructions))


def test_what_was_written_and_cannot_be_read_is_told(tmp_path):
    state = json.dumps({"channel_values": {"color": "black"}}).encode()
    path = by_hand(tmp_path / "g.db", [("a", None, "json", state)], [("a", "color", "pickle", b"\x80")])
    assert ["FE105"] == of(path)[1]


def test_a_channel_that_is_kept_as_changes_is_told(tmp_path):
    path = tmp_path / "g.db"
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE checkpoints (thread_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id, type, checkpoint, metadata)")  # fmt: skip
        database.execute("CREATE TABLE writes (thread_id, checkpoint_ns, checkpoint_id, task_id, idx, channel, type, value)")  # fmt: skip
        state = {"channel_values": {"n": 1}, "channel_versions": {"n": "1", "messages": "1", "branch:to:a": "1"}}
        database.execute("INSERT INTO checkpoints VALUES ('k7', '', 'a', NULL, 'json', ?, '{}')", (json.dumps(state).encode(),))  # fmt: skip
    database.close()
    assert ["FE107"] == of(path)[1]


def test_threads_are_programs_of_their_own(graph):
    app, path = graph
    app.invoke(asked(), THREAD)
    app.invoke(asked("Hi"), {"configurable": {"thread_id": "k8"}})
    assert ["k7", "k8"] == [program.name for program in of(path)[0]]


def test_a_database_is_analysed_like_any_log(graph):
    app, path = graph
    app.invoke(asked(), THREAD)
    assert "k7" == analyze(path).name == lower(path).name


def test_a_pickled_checkpoint_is_not_read_and_says_so(tmp_path):
    state = json.dumps({"channel_values": {"color": "black"}, "versions_seen": {}}).encode()
    states = [("a", None, "pickle", b"\x80"), ("b", "a", "json", state)]
    (program,), codes = of(by_hand(tmp_path / "g.db", states, [("b", "color", "json", b'"white"')]))
    assert (["FE105"], [False, True]) == (codes, [item.maybe for item in program.instructions])
