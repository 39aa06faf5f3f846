"""Logs that are sound, a few records of each format, as values of JSON; and those of STATEMEM_DATA, cut down."""

import gzip
import json
import os
from collections.abc import Iterator
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

from statemem.ir.frontends import frontends

Log = list[Any]

#: Of each real log so many records are taken, of each list in one so many items, of each text so many characters.
_RECORDS, _ITEMS, _CHARACTERS = 3, 8, 200


@cache
def samples() -> tuple[Log, ...]:
    """All logs there are: the examples that formats show, those written here, and real ones."""
    examples = [[json.loads(one.example)] for one in frontends().values()]
    return (*examples, *WRITTEN, *_real())


def _real() -> Iterator[Log]:
    folder = os.environ.get("STATEMEM_DATA")
    for path in sorted(Path(folder).glob("*/*.json*")) if folder else ():
        with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as file:
            text = file.read()
        yield [_cut_down(record) for record in islice(_records(text), _RECORDS)]


def _records(text: str) -> Iterator[Any]:
    try:
        value = json.loads(text)
    except json.JSONDecodeError:
        yield from _lines(text)
        return
    yield from value if isinstance(value, list) else [value]


def _lines(text: str) -> Iterator[Any]:
    for line in filter(str.strip, text.split("\n")):
        try:
            yield json.loads(line)
        except json.JSONDecodeError:
            continue


def _cut_down(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _cut_down(value[name]) for name in islice(value, 4 * _ITEMS)}
    if isinstance(value, list):
        return [_cut_down(item) for item in value[:_ITEMS]]
    return value[:_CHARACTERS] if isinstance(value, str) else value


def _call(call: str, tool: str, arguments: Any) -> Any:
    return {"id": call, "type": "function", "function": {"name": tool, "arguments": json.dumps(arguments)}}


_ORDER = {"order_id": "W15", "status": "packed", "total": 89.5, "items": [{"item_id": "it-1", "color": "black"}]}
_CHAT: Log = [
    {"role": "system", "content": "Help.", "id": "m0"},
    {"role": "user", "content": "Where is order W15-77? Mail me at a@b.example on 2024-05-01."},
    {"role": "assistant", "content": None, "tool_calls": [_call("c1", "get_order", {"order_id": "W15"})]},
    {"role": "tool", "tool_call_id": "c1", "name": "get_order", "content": json.dumps(_ORDER)},
    {"role": "assistant", "tool_calls": [_call("c2", "cancel_order", {"order_id": "W15"}), _call("c3", "wait", {})]},
    {"role": "tool", "tool_call_id": "c2", "content": json.dumps(_ORDER | {"status": "cancelled"})},
    {"role": "tool", "tool_call_id": "c3", "content": '{"error": "busy"}', "is_error": True},
    {"role": "user", "content": [{"type": "text", "text": "And?"}, {"type": "image_url", "image_url": {"url": "x"}}]},
    {"role": "assistant", "content": "Order W15-77 is cancelled, 89.5 in all."},
]


def _use(call: str, tool: str, arguments: Any) -> Any:
    return {"type": "tool_use", "id": call, "name": tool, "input": arguments}


def _result(call: str, content: Any) -> Any:
    return {"type": "tool_result", "tool_use_id": call, "content": content}


_EDIT = {"file_path": "/a.py", "old_string": "x = 1", "new_string": "x = 2"}
_BLOCKS: Log = [
    {"role": "user", "content": [{"type": "text", "text": "Fix it"}]},
    {"role": "assistant", "content": [_use("t1", "Read", {"file_path": "/a.py"})]},
    {"role": "user", "content": [_result("t1", "1\tx = 1\n2\ty = 2")]},
    {"role": "assistant", "content": [{"type": "thinking", "thinking": "so"}, _use("t2", "Edit", _EDIT)]},
    {"role": "user", "content": [_result("t2", [{"type": "text", "text": "ok"}])]},
]
_ITEMS_OF_RESPONSES: Log = [
    {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Where is W15?"}]},
    {"type": "reasoning", "id": "rs1", "summary": [], "encrypted_content": "abc"},
    {"type": "function_call", "call_id": "c1", "name": "get_order", "arguments": '{"order_id": "W15"}'},
    {"type": "function_call_output", "call_id": "c1", "output": json.dumps(_ORDER)},
    {"type": "item_reference", "id": "rs1"},
    {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Packed."}]},
]


def _line(number: int, kind: str, message: Any, **fields: Any) -> Any:
    """A line of a session of a coding agent."""
    parent = f"u{number - 1}" if number else None
    time = f"2025-06-01T10:00:{number:02}.000Z"
    own = {"uuid": f"u{number}", "parentUuid": parent, "sessionId": "s1", "timestamp": time, "isSidechain": False}
    return {"type": kind, **own, "message": message, **fields}


_SESSION: Log = [
    {"type": "summary", "summary": "Fixing", "leafUuid": "u5"},
    *(_line(number, message["role"], message) for number, message in enumerate(_BLOCKS)),
    _line(6, "system", None, subtype="compact_boundary", compactMetadata={"trigger": "auto", "preTokens": 100}),
    _line(7, "user", {"role": "user", "content": "What happened so far"}, isCompactSummary=True),
    _line(8, "assistant", {"role": "assistant", "content": "side"}, isSidechain=True, agentId="a1"),
    {"type": "file-history-snapshot", "messageId": "u1", "snapshot": {}},
]
_REQUESTS: Log = [
    {
        "time": f"2025-06-01T10:0{number}:00Z",
        "request": {"model": "m", "messages": _CHAT[: 2 * number + 2]},
        "response": {"id": f"r{number}", "choices": [{"message": _CHAT[2 * number + 2]}], "usage": {"total_tokens": 9}},
    }
    for number in range(3)
]


def _node(name: str, parent: str | None, children: list[str], role: str | None, text: str) -> Any:
    """A node of the tree of an exported chat."""
    content = {"content_type": "text", "parts": [text]}
    message = {"id": name, "author": {"role": role}, "create_time": 1.7e9, "content": content, "weight": 1.0}
    return {"id": name, "parent": parent, "children": children, "message": message if role else None}


_EXPORT: Any = {
    "id": "conv-1",
    "title": "Trip",
    "create_time": 1.7e9,
    "current_node": "n3",
    "mapping": {
        "n0": _node("n0", None, ["n1"], None, ""),
        "n1": _node("n1", "n0", ["n2", "n3"], "user", "To Lyon on 2024-05-01"),
        "n2": _node("n2", "n1", [], "assistant", "Train"),
        "n3": _node("n3", "n1", [], "assistant", "Bus"),
    },
}
_TREE: Any = {
    "message_tree_id": "t1",
    "prompt": {
        "message_id": "t1",
        "role": "prompter",
        "text": "Hi",
        "replies": [
            {"message_id": "t2", "role": "assistant", "text": text, "replies": []} for text in ("Hello", "Hey")
        ],
    },
}
_FOUND = {"entity": "color", "value": "white"}
_TRACKER: Any = {
    "sender_id": "ann",
    "slots": {"color": "white"},
    "events": [
        {"event": "session_started", "timestamp": 1.0},
        {"event": "user", "timestamp": 2.0, "text": "white", "parse_data": {"entities": [_FOUND]}},
        {"event": "slot", "timestamp": 3.0, "name": "color", "value": "white"},
        {"event": "active_loop", "timestamp": 4.0, "name": "order_form"},
        {"event": "action", "timestamp": 5.0, "name": "action_listen"},
        {"event": "rewind", "timestamp": 6.0},
        {"event": "active_loop", "timestamp": 7.0, "name": None},
        {"event": "undo", "timestamp": 8.0},
        {"event": "reset_slots", "timestamp": 9.0},
        {"event": "bot", "timestamp": 10.0, "text": "Done"},
    ],
}  # fmt: skip
_DIALOGUE: Any = {
    "dialogue_id": "1_0",
    "services": ["Tables_1"],
    "turns": [
        {
            "speaker": "USER",
            "utterance": "A table for 4 in Lyon",
            "frames": [
                {
                    "service": "Tables_1",
                    "actions": [{"act": "INFORM", "slot": "seats", "values": ["4"], "canonical_values": ["4"]}],
                    "state": {"active_intent": "Book", "requested_slots": [], "slot_values": {"seats": ["4", "four"]}},
                }
            ],
        },
        {
            "speaker": "SYSTEM",
            "utterance": "Booked at Chez Luc",
            "frames": [
                {
                    "service": "Tables_1",
                    "actions": [{"act": "OFFER", "slot": "name", "values": ["Chez Luc"]}],
                    "service_call": {"method": "Book", "parameters": {"seats": "4"}},
                    "service_results": [{"name": "Chez Luc", "seats": "4"}],
                }
            ],
        },
    ],
}


def _span(name: str, number: int, parent: str, attributes: dict[str, Any]) -> Any:
    pairs = [{"key": key, "value": {"stringValue": value}} for key, value in attributes.items()]
    own = {"traceId": "ab" * 16, "spanId": f"{number:016x}", "parentSpanId": parent, "name": name}
    times = {"startTimeUnixNano": str(10**18 + number), "endTimeUnixNano": str(10**18 + number + 5)}
    return {**own, **times, "attributes": pairs}


_ASKED = '[{"role": "user", "parts": [{"type": "text", "content": "Hi"}]}]'
_SPANS: Any = {
    "resourceSpans": [{"resource": {"attributes": []}, "scopeSpans": [{"scope": {"name": "agent"}, "spans": [
        _span("chat", 1, "", {"gen_ai.operation.name": "chat", "gen_ai.conversation.id": "c1",
                              "gen_ai.input.messages": _ASKED}),
        _span("execute_tool get_order", 2, f"{1:016x}", {
            "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "get_order",
            "gen_ai.tool.call.arguments": '{"order_id": "W15"}', "gen_ai.tool.call.result": json.dumps(_ORDER)}),
    ]}]}]
}  # fmt: skip
_RUN: Any = {
    "id": "run-1",
    "trace_id": "run-1",
    "dotted_order": "20250601T100000000000Zrun-1",
    "parent_run_id": None,
    "run_type": "llm",
    "name": "ChatModel",
    "start_time": "2025-06-01T10:00:00",
    "inputs": {"messages": [{"type": "human", "data": {"content": "Where is W15?", "type": "human"}}]},
    "outputs": {"generations": [[{"message": {"type": "ai", "data": {"content": "Packed", "type": "ai"}}}]]},
}
_STEPS: Log = [
    {"entry_id": "m1", "content": "Java 17", "created_step": 1, "semantic_fact": "java version", "version": 1},
    {"entry_id": "m2", "content": {"a": [1, 2]}, "created_step": 2, "refs": ["m1"], "keywords": ["x"], "pinned": True},
    {"entry_id": "m3", "content": "Java 21", "created_step": 3, "semantic_fact": "Java: version", "version": 2},
    {"step_id": 4, "accessed_memory_ids": ["m1", "m2"], "created_memory_ids": ["m3"]},
]
_OPS: Log = [
    {"turn": 1, "time": "2024-05-01T10:00:00", "actor": "user", "scope": "session:1", "ops": [
        {"op": "set", "name": "color", "value": "white", "id": "a1"},
        {"op": "append", "name": "notes", "value": "n"}, {"op": "add", "name": "count", "value": 2},
        {"op": "default", "name": "size", "value": "M"}, {"op": "bind", "name": "@it", "to": 'order["W15"]'},
        {"op": "enter", "name": "f1", "kind": "broadband"}]},
    {"turn": 2, "actor": "assistant:a", "scope": "session:1", "task": "f1", "ops": [
        {"op": "derive", "name": "total", "value": 3, "from": ["count", "@it.price"]},
        {"op": "use", "name": "color", "was": "a1", "for": "reply"},
        {"op": "same", "name": 'order["W15"]', "to": 'order["A15"]'},
        {"op": "effect", "name": "ship", "args": ["total"], "key": "k1"}, {"op": "delete", "name": "notes"},
        {"op": "leave", "name": "f1", "ended": True}]},
]  # fmt: skip
WRITTEN: tuple[Log, ...] = (
    _CHAT,
    [{"conversation_id": "c1", "user_id": "u1", "messages": _CHAT}, {"id": 2, "traj": _CHAT[1:4]}],
    [{"simulations": [{"id": "s1", "task_id": 3, "trial": 0, "messages": _CHAT}]}],
    [{"messages": _BLOCKS, "system": "Help."}],
    _ITEMS_OF_RESPONSES,
    [{"id": "r1", "input": _ITEMS_OF_RESPONSES[:1], "output": _ITEMS_OF_RESPONSES[1:]}],
    _SESSION,
    _REQUESTS,
    [_EXPORT],
    [_TREE],
    [_TRACKER],
    [{"sender_id": "ann", **event} for event in _TRACKER["events"]],
    [_DIALOGUE],
    [_SPANS],
    [_RUN],
    _STEPS,
    [{"entries": _STEPS[:3], "steps": _STEPS[3:]}],
    _OPS,
)
