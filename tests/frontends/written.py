"""Chat messages as tests write them, and what became of them."""

import json

from statemem.ir import Use
from statemem.ir.frontends import lower
from statemem.ir.terminators import Branch
from statemem.ir.verifier import verify


def user(text):
    return {"role": "user", "content": text}


def assistant(text):
    return {"role": "assistant", "content": text}


def call(call_id, tool, **arguments):
    function = {"name": tool, "arguments": json.dumps(arguments)}
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": call_id, "type": "function", "function": function}],
    }


def result(call_id, value):
    return {"role": "tool", "tool_call_id": call_id, "content": value if isinstance(value, str) else json.dumps(value)}


def lowered(records, format=None):
    """The programs of records, each without an error of the verifier, and the codes of what there was to say."""
    problems = []
    programs = list(lower(records, problems, format=format))
    assert [] == [one for program in programs for one in verify(program) if one.severity == "error"]
    return programs, [problem.code for problem in problems]


def actors(program):
    return [str(block.actor) for block in program.blocks]


def branches(program):
    """How many ways go on from each block from which several do."""
    return [len(block.terminator.arms) for block in program.blocks if isinstance(block.terminator, Branch)]


def used(program):
    """What was used, by purpose."""
    return {
        item.purpose: [str(place) for place, _ in item.operands]
        for item in program.instructions
        if isinstance(item, Use)
    }
