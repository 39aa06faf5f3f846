from statemem.ir.frontends import choose
from statemem.ir.frontends.reader import read

from .written import actors, assistant, branches, lowered, used, user


def test_steps_of_thought_action_and_observation_are_calls_and_results():
    steps = [
        {"thought": "Look.", "action": "open src/a.py 10", "observation": "[File: src/a.py (1 lines total)]\n1:x = 1"},
        {"thought": "Run.", "action": "python a.py\n", "observation": "1"},
        {"thought": "Done.", "action": "submit", "observation": ""},
    ]
    (program,), _ = lowered([{"trajectory": steps, "info": {}}])
    assert ["assistant", "tool:open", "assistant", "tool:bash", "assistant", "tool:submit"] == actors(program)


def test_a_history_without_calls_has_its_actions_in_the_answers():
    history = [
        {"role": "system", "content": "Use the commands.", "agent": "main"},
        user("Fix the bug"),
        {**assistant("Let me look.\n```\nls -F\n```"), "thought": "Let me look.", "action": "ls -F\n"},
        user("a.py\n(Open file: n/a)"),
        assistant("Now the file.\n```\nopen a.py\n```"),
        user("[File: a.py (1 lines total)]\n1:x = 1"),
    ]
    (program,), _ = lowered([{"history": history, "info": {}}])
    assert ["system", "user", "assistant", "tool:bash", "assistant", "tool:open"] == actors(program)


def test_a_demonstration_is_nothing_that_was_done():
    history = [
        {**assistant("Look.\n```\nopen demo.py\n```"), "is_demo": True, "agent": "main"},
        {**user("[File: demo.py (1 lines total)]\n1:x = 1"), "is_demo": True, "agent": "main"},
        {**user("Fix the bug"), "agent": "main"},
    ]
    (program,), _ = lowered([{"history": history}])
    assert (["system", "system", "user"], ()) == (actors(program), tuple(program.instructions))


def test_a_chat_in_a_history_is_no_run_of_an_agent():
    chat = [user("How do I read a file?"), assistant("So:\n```python\nopen(path)\n```"), user("No, for order K9-123")]
    (program,), _ = lowered([{"history": chat}], format="openai")
    assert ["user", "assistant", "user"] == actors(program)


def test_a_result_that_names_its_calls_in_a_list_finds_the_call():
    function = {"name": "open", "arguments": '{"path": "a.py"}'}
    history = [
        {**assistant("Look."), "agent": "main", "tool_calls": [{"id": "c1", "function": function}]},
        {"role": "tool", "content": "[File: a.py (1 lines total)]\n1:x = 1", "tool_call_ids": ["c1"]},
    ]
    (program,), _ = lowered([{"history": history}])
    assert ["assistant", "tool:open"] == actors(program)


def test_the_runs_of_a_mini_agent_are_recognised_as_messages_and_as_a_record():
    messages = [
        {"role": "system", "content": "One command."},
        user("Fix the bug"),
        assistant("I look.\n\n```bash\ncat a.py\n```"),
        user("<returncode>0</returncode>\n<output>\nx = 1\n</output>"),
        assistant("Done."),
    ]
    for records in (messages, [{"info": {}, "messages": messages, "trajectory_format": "mini-swe-agent-1"}]):
        assert "trajectory" == choose(read(records, [])).name
        (program,), _ = lowered(records)
        assert ["system", "user", "assistant", "tool:bash", "assistant"] == actors(program)


def event(number, source, **more):
    return {"id": number, "timestamp": "2026-01-02T03:04:05", "source": source, "message": "", **more}


def test_observations_of_a_run_answer_the_actions_that_caused_them():
    history = [
        event(0, "agent", action="system", args={"content": "You are an agent."}),
        event(1, "user", action="message", args={"content": "Fix the bug in W15-77"}),
        event(2, "agent", action="run", args={"command": "grep W15-77 a.py", "thought": "I look.", "hidden": False}),
        event(3, "agent", observation="run", cause=2, content="W15-77", extras={}),
        event(4, "agent", action="finish", args={"final_thought": "Done."}),
    ]
    (program,), codes = lowered([{"instance_id": "i1", "history": history}])
    assert ("i1", ["system", "user", "assistant", "tool:run", "assistant"], []) == (
        program.name,
        actors(program),
        codes,
    )


def test_a_call_is_read_from_the_answer_of_the_model_where_that_is_kept():
    call = {"id": "t1", "function": {"name": "str_replace_editor", "arguments": '{"command": "view", "path": "/a.py"}'}}
    made = {"function_name": "str_replace_editor", "tool_call_id": "t1", "model_response": {"choices": [{"message": {"tool_calls": [call]}}]}}  # fmt: skip
    history = [
        event(1, "user", action="message", args={"content": "Look at /a.py"}),
        event(2, "agent", action="read", args={"path": "/a.py", "start": 0, "end": -1}, tool_call_metadata=made),
        event(3, "agent", observation="read", cause=2, content="     1\tx = 1", tool_call_metadata=made),
    ]
    (program,), _ = lowered([{"history": history}])
    assert ["user", "assistant", "tool:str_replace_editor"] == actors(program)


def inner(kind, description, *children, **more):
    return {"node_type": kind, "description": description, "children": list(children), **more}


def test_a_search_has_a_branch_where_several_ways_were_tried():
    good = inner("Action Input", '{"id": "W15-77"}', observation='{"order_id": "W15-77"}', observation_code=0)
    bad = inner("Action Input", "{}", observation='{"error": "no id"}', observation_code=2)
    root = inner("Action Input", "", inner("Thought", "First way", inner("Action", "get_order", bad)), inner("Action", "get_order", good))  # fmt: skip
    (program,), _ = lowered([{"win": True, "tree": {"size": 1, "tree": root}, "answer_generation": {"query": "Where is W15-77?"}}])  # fmt: skip
    assert [2] == branches(program)
    assert ['session:log-1/id["W15-77"]'] == used(program)["get_order(id)"]
    assert 2 == actors(program).count("tool:get_order")


def reply(number, role, text, *replies):
    return {"message_id": f"m{number}", "text": text, "role": role, "replies": list(replies)}


def test_a_tree_of_replies_has_a_branch_for_each_message_with_several():
    tree = reply(1, "prompter", "Hi", reply(2, "assistant", "Hello", reply(3, "prompter", "x"), reply(4, "prompter", "y")), reply(5, "assistant", "Hey"))  # fmt: skip
    (program,), _ = lowered([{"message_tree_id": "t1", "prompt": tree}])
    assert ("t1", [2, 2], ["m1", "m2", "m3", "m4", "m5"]) == (
        program.name,
        branches(program),
        [block.origin.event for block in program.blocks],
    )


def test_a_deep_tree_is_read():
    tree = reply(0, "prompter", "end")
    for number in range(1, 40):
        tree = reply(number, "assistant" if number % 2 else "prompter", f"say {number}", tree)
    (program,), _ = lowered([{"message_tree_id": "deep", "prompt": tree}])
    assert 40 == len(program.blocks)


def test_what_a_run_says_of_itself_is_no_call():
    history = [
        event(1, "user", action="message", args={"content": "Fix the bug"}),
        event(2, "agent", action="run", args={"command": "ls"}),
        event(3, "environment", action="change_agent_state", args={"agent_state": "paused"}),
        event(4, "environment", observation="agent_state_changed", content="", extras={"agent_state": "paused"}),
        event(5, "agent", observation="run", cause=2, content="a.py"),
        event(6, "agent", action="condensation", args={"forgotten_event_ids": [1], "summary": "Fixing a bug."}),
    ]
    (program,), _ = lowered([{"history": history}])
    assert ["user", "assistant", "system", "system", "tool:run", "system"] == actors(program)
    assert [True] == [item.origin.rule == "opaque" for item in program.blocks[-1].instructions][-1:]
