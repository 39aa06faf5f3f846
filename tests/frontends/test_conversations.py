"""Conversations that are trees, made of messages themselves: what each way through one knows."""

from hypothesis import given
from hypothesis import strategies as st

from statemem.ir import Delete, Use
from statemem.ir.diagnostics import Location
from statemem.ir.frontends.conversations.programs import programs
from statemem.ir.frontends.messages import Conversation, Message, Prompt, Removal, Role, Text, ToolCall, ToolResult
from statemem.ir.frontends.reader import read
from statemem.ir.instructions import EXPOSURE
from statemem.ir.terminators import Goto
from statemem.ir.verifier import verify

from .written import actors, branches

ORDERS = ("W15-77", "W15-78")


def said(number, *parts, role: Role = "user", follows=None, **more):
    key = None if number is None else str(number)
    return Message(role=role, parts=parts, location=Location(record=number), key=key, follows=follows, **more)


def lowered(messages, *, is_tree=True):
    problems = []
    conversation = Conversation(label="k", messages=messages, is_tree=is_tree)
    (program,) = programs([conversation], read([{"role": "user", "content": ""}], []), problems)
    assert [] == [one for one in verify(program) if one.severity == "error"]
    return program, [one.code for one in problems]


def shown(program):
    uses = [item for item in program.instructions if isinstance(item, Use) and item.purpose == EXPOSURE]
    return [str(place) for use in uses for place, _ in use.operands]


def told(call, status):
    return ToolResult(f'{{"status": "{status}"}}', call)


def asked(call, order):
    return ToolCall("get_order", {"order_id": order}, call)


def test_several_beginnings_branch_from_an_empty_start_and_one_has_none():
    first, second = said(1, Text("W15-77")), said(2, Text("W15-78"))
    program, _ = lowered([first, second])
    assert (["start", "m1", "m2"], [2]) == ([block.name for block in program.blocks], branches(program))
    program, _ = lowered([first])
    assert ["m1"] == [block.name for block in program.blocks]


def test_a_message_that_continues_goes_on_from_the_one_before_it_in_the_log():
    tree = [said(1, Text("Hi")), said(2, Text("Hello"), follows="1"), said(3, Text("Hey"), follows="1")]
    program, codes = lowered([*tree, said(4, Text("Well?"), continues=True)])
    assert ([2], Goto("m4"), []) == (branches(program), program.blocks[2].terminator, codes)


def test_what_stood_in_a_prompt_is_all_that_the_pieces_of_a_message_defined():
    calls = said(1, asked("c1", "W15-77"), asked("c2", "W15-78"), role="assistant")
    answers = said(2, told("c1", "packed"), told("c2", "sent"), Text("And W15-79?"), follows="1")
    reply = said(3, Text("Well."), role="assistant", follows="2", prompt=Prompt(shown=("2",)))
    program, _ = lowered([calls, answers, reply])
    assert ['user:k/order["W15-77"]', 'user:k/order["W15-78"]', 'session:k/id["W15-79"]'] == shown(program)


def test_pieces_of_a_message_without_a_key_stay_together():
    program, _ = lowered([said(None, Text("W15-77"), told(None, "packed"), Text("W15-78"), continues=True)])
    assert (["user", "tool", "user"], []) == ([one.split(":")[0] for one in actors(program)], branches(program))


def test_what_one_branch_removes_another_keeps():
    tree = [
        said(1, Text("W15-77")),
        said(2, Removal(("1",)), role="system", follows="1"),
        said(3, Text("Is W15-77 here?"), role="assistant", follows="1"),
        said(4, Removal(("1",)), role="system", follows="3"),
    ]
    program, _ = lowered(tree)
    gone = [program.blocks[program.block_of(n)].name for n, item in enumerate(program.instructions) if isinstance(item, Delete)]  # fmt: skip
    assert ["m2", "m4"] == gone


# any tree at all

PARTS = st.sampled_from(["say", "reply", "call", "calls", "result", "remove"])


def part_of(kind, number, choice):
    order, status = ORDERS[choice % 2], ("packed", "sent")[choice % 2]
    if kind in ("say", "reply"):
        return Text(f"It is {order}")
    if kind.startswith("call"):
        return asked(f"c{number}", order)
    return Removal((str(choice),)) if kind == "remove" else told(None, status)


def message(number, kind, choice, parent):
    roles: dict[str, Role] = {"say": "user", "result": "tool", "remove": "system"}
    role: Role = roles.get(kind, "assistant")
    parts = [part_of(kind, number, choice)]
    parts += [asked(f"d{number}", ORDERS[0])] if kind == "calls" else []
    return said(number, *parts, role=role, follows=None if parent is None else str(parent))


def meaning(program, numbers):
    return [
        (str(block.actor), *map(what, block.instructions))
        for block in (program.blocks[number] for number in numbers)
        if block.name != "start"
    ]


def what(item):
    reads = sorted((str(read.place), read.was is not None) for read in item.reads())
    writes = [(str(write.place), write.mode, write.leaves) for write in item.writes()]
    return type(item).__name__, reads, writes, item.origin.rule, item.origin.confidence


@given(st.lists(st.tuples(PARTS, st.integers(0, 8), st.integers(-2, 8)), min_size=1, max_size=9))
def test_each_way_through_a_tree_says_what_it_says_alone(drawn):
    parents = [None if not number or parent < 0 else parent % number for number, (*_, parent) in enumerate(drawn)]
    messages = [message(n, kind, choice, parents[n]) for n, (kind, choice, _) in enumerate(drawn)]
    program, codes = lowered(messages)
    assert [] == codes
    first = len(program.blocks) - len(messages)
    for number in range(len(messages)):
        way = way_to(number, parents)
        alone, _ = lowered([messages[at] for at in way], is_tree=False)
        assert meaning(alone, range(len(way))) == meaning(program, [first + at for at in way])


def way_to(number, parents):
    way = [number]
    while parents[way[-1]] is not None:
        way.append(parents[way[-1]])
    return way[::-1]
