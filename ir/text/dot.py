"""Programs as pictures: the control-flow graph in the language of Graphviz, statements in its nodes."""

from __future__ import annotations

from collections.abc import Iterator

from ..flow.cfg import ControlFlow
from ..program import Program
from ..terminators import Branch, Call, End, Fork, Open, Return, Suspend
from .wording import listed, statement, terminator_text

#: How many characters of a statement are shown.
_WIDTH = 72
#: The terminators that say more than edges do.
_SAID = (Call, End, Open, Return, Suspend)


def to_dot(program: Program, *, statements: bool = True) -> str:
    r"""The graph of a program for Graphviz (`dot -Tsvg`): a node a block, with its statements unless told otherwise.

    Edges carry conditions and counts; those of a fork are dashed, those into a task and back are dotted. The blocks of
    each task of a workflow stand in a frame, the current end of a log in a double one.

    >>> from statemem.ir import build
    >>> print(to_dot(build(name="tea").block("user").set("topic", "tea").block("assistant").use("topic").program))
    digraph "tea" {
      node [shape=box, fontname=monospace];
      n0 [label="t1 user\ltopic = set \"tea\" as e1\l"];
      n1 [label="t2 assistant\luse topic\lopen\l", peripheries=2];
      n0 -> n1;
    }
    """
    flow = ControlFlow(program)
    lines = [f"digraph {_quoted(program.name)} {{", "  node [shape=box, fontname=monospace];"]
    lines += _nodes(program, flow, statements)
    lines += _edges(program, flow)
    return "\n".join([*lines, "}"])


def _nodes(program: Program, flow: ControlFlow, statements: bool) -> Iterator[str]:
    if program.is_trace:
        yield from (_node(program, block, statements) for block in range(len(program.blocks)))
        return
    for number, task in enumerate(program.tasks.values()):
        parameters = f" ({listed(task.parameters)})" if task.parameters else ""
        yield f"  subgraph cluster{number} {{ label={_quoted(task.name + parameters)};"
        for node in range(len(flow.successors)):
            if program.body[flow.block_of(node)] == task.name:
                point = f'  n{node} [label="", shape=point];'
                yield f"  {point if node in flow.landings else _node(program, node, statements)}"
        yield "  }"


def _node(program: Program, number: int, statements: bool) -> str:
    block, scope = program.blocks[number], program.scope_of(number)
    step = "" if block.step is None else f" step {block.step}"
    lines = [f"{block.name} {block.actor}{step}"]
    if statements:
        lines += (statement(one, scope) for one in block.instructions)
        lines += [terminator_text(block.terminator, scope)] if isinstance(block.terminator, _SAID) else []
    shown = "".join(_escaped(line if len(line) <= _WIDTH else f"{line[:_WIDTH]}…") + r"\l" for line in lines)
    double = ", peripheries=2" if program.is_trace and number == program.current_end else ""
    return f'  n{number} [label="{shown}"{double}];'


def _edges(program: Program, flow: ControlFlow) -> Iterator[str]:
    for node, following in enumerate(flow.successors):
        for target in following:
            yield f"  n{node} -> n{target}{_edge(program, flow, node, target)};"


def _edge(program: Program, flow: ControlFlow, node: int, target: int) -> str:
    terminator = program.blocks[flow.block_of(node)].terminator
    if target in flow.landings or (isinstance(terminator, Call) and node not in flow.landings):
        return " [style=dotted]"
    if isinstance(terminator, Fork):
        return " [style=dashed]"
    label = _condition(terminator, program.blocks[target].name) if isinstance(terminator, Branch) else ""
    return f" [label={_quoted(label)}]" if label else ""


def _condition(branch: Branch, target: str) -> str:
    """The conditions and counts of the arms that lead to a block."""
    arms = (arm for arm in branch.arms if arm.target == target)
    said = ([arm.condition or "", "" if arm.weight is None else str(arm.weight)] for arm in arms)
    return listed(" ".join(filter(None, parts)) for parts in said if any(parts))


def _quoted(text: str) -> str:
    return f'"{_escaped(text)}"'


def _escaped(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return "".join(char if char.isprintable() else " " for char in escaped)
