"""Files in a real session of a coding agent, whose results state each file before its edit."""

import gzip
import json
import os
from pathlib import Path

import pytest

from statemem import analyze, lower
from statemem.ir.frontends.opaque import shortened

DATA = Path(os.environ.get("STATEMEM_DATA", Path(__file__).parent.parent.parent.parent / "shared" / "data"))
SESSION = DATA / "claude_code" / "spotter__4d5611e5-241a-462a-8d15-5122611a9569.jsonl.gz"
needs_session = pytest.mark.skipif(not SESSION.exists(), reason=f"no session at {SESSION}; set STATEMEM_DATA")


@needs_session
def test_the_texts_after_the_edits_of_a_real_session_are_those_that_its_log_states():
    """Each result states the file before its edit. Files differ only where a formatter ran unseen, after 13 edits of two."""
    stated, found = {}, []
    for record in _records():
        result = record.get("toolUseResult")
        for block in _blocks(record):
            if block.get("type") == "tool_use" and block["name"] in ("Read", "Edit", "Write"):
                found.append(("call", block["id"], block["name"], json.dumps(block["input"])))
            elif block.get("type") == "tool_result" and isinstance(block["content"], str):
                found.append(("result", block["tool_use_id"], "", block["content"]))
                stated[block["tool_use_id"]] = result if isinstance(result, dict) else {}
    program = lower([_message(*one) for one in found])
    equal = [
        _is_as_stated(one, stated[one.origin.event]) for one in program.instructions if one.origin.rule == "10 changed"
    ]
    assert equal.count(True) >= 30
    assert equal.count(False) <= 13
    assert 32 == sum(one.origin.rule == "10 quoted" for one in program.instructions)
    assert [] == analyze([_message(*one) for one in found]).stale_uses


def _records():
    with gzip.open(SESSION, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def _blocks(record):
    content = (record.get("message") or {}).get("content")
    return [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []


def _message(kind, call, tool, text):
    if kind == "result":
        return {"role": "tool", "tool_call_id": call, "content": text}
    return {"role": "assistant", "tool_calls": [{"id": call, "function": {"name": tool, "arguments": text}}]}


def _is_as_stated(instruction, stated):
    if stated.get("oldString"):
        expected = stated["originalFile"].replace(
            stated["oldString"], stated["newString"], -1 if stated["replaceAll"] else 1
        )
    else:
        expected = stated.get("content") or stated.get("newString", "")
    value = instruction.value["text"] if isinstance(instruction.value, dict) else instruction.value
    return value in (shortened(expected), shortened(expected.rstrip("\n"))) or value.strip("\n") in expected
