"""Programs as pictures: the control-flow graph in the language of Graphviz, statements in its nodes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from html import escape
from typing import NamedTuple

from ..flow.cfg import ControlFlow
from ..program import Program
from ..terminators import Branch, Call, End, Fork, Open, Return, Suspend
from .wording import listed, statement, terminator_text

#: How many characters of a statement are shown.
_WIDTH = 72
#: The colours of a node with notes: behind its name, behind notes, of a faint one, and of statements.
_HEAD, _NOTES, _FAINT, _PLAIN = "#dfe6ee", "#f5f7d8", "#e4e4e4", "black"
#: The terminators that say more than edges do.
_SAID = (Call, End, Open, Return, Suspend)


class Note(NamedTuple):
    """A line that is told beside a program, and its colour."""

    text: str
    colour: str = _PLAIN


class Notes(NamedTuple):
    """What is told of one node: at its start, behind its instructions by position, and at its end.

    A `faint` node is grey.
    """

    start: Sequence[Note] = ()
    behind: Mapping[int, Sequence[Note]] = {}
    end: Sequence[Note] = ()
    faint: bool = False


def to_dot(
    program: Program,
    *,
    statements: bool = True,
    notes: Callable[[int], Notes] | None = None,
    title: Iterable[str] = (),
) -> str:
    r"""The graph of a program for Graphviz (`dot -Tsvg`): a node a block, with its statements unless told otherwise.

    Edges carry conditions and counts; those of a fork are dashed, those into a task and back are dotted. The blocks of
    each task of a workflow stand in a frame, the current end of a log in a double one. `notes` says what else to tell
    of each node of its control-flow graph, by number, and `title` what to write above.

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
    above = "".join(_escaped(line) + r"\l" for line in title)
    lines += [f'  label="{above}"; labelloc=t; labeljust=l; fontname=monospace;'] if above else []
    lines += _nodes(program, flow, _Painter(program, flow, statements, notes))
    lines += _edges(program, flow)
    return "\n".join([*lines, "}"])


def _nodes(program: Program, flow: ControlFlow, painter: _Painter) -> Iterator[str]:
    if program.is_trace:
        yield from (f"  {painter.node(block)}" for block in range(len(program.blocks)))
        return
    for number, task in enumerate(program.tasks.values()):
        parameters = f" ({listed(task.parameters)})" if task.parameters else ""
        yield f"  subgraph cluster{number} {{ label={_quoted(task.name + parameters)};"
        for node in range(len(flow.successors)):
            if program.body[flow.block_of(node)] == task.name:
                yield f"    {painter.node(node)}"
        yield "  }"


class _Painter:
    """Draws nodes: boxes of text, or tables where there are notes."""

    def __init__(
        self, program: Program, flow: ControlFlow, statements: bool, notes: Callable[[int], Notes] | None
    ) -> None:
        self._program = program
        self._flow = flow
        self._statements = statements
        self._notes = notes

    def node(self, node: int) -> str:
        """The line of a node."""
        if self._notes is not None:
            notes = self._notes(node)
            faint = f', color=gray60, fontcolor=gray40, style=filled, fillcolor="{_FAINT}"' if notes.faint else ""
            return f"n{node} [label=<{self._table(node, notes)}>, margin=0.04{faint}{self._frame(node)}];"
        if node in self._flow.landings:
            return f'n{node} [label="", shape=point];'
        lines = [self._head(node), *self._said(node), *self._last(node)]
        shown = "".join(_escaped(_cut(line)) + r"\l" for line in lines)
        return f'n{node} [label="{shown}"{self._frame(node)}];'

    def _frame(self, node: int) -> str:
        return ", peripheries=2" if self._program.is_trace and node == self._program.current_end else ""

    def _head(self, node: int) -> str:
        block = self._program.blocks[self._flow.block_of(node)]
        step = "" if block.step is None else f" step {block.step}"
        return f"back in {block.name}" if node in self._flow.landings else f"{block.name} {block.actor}{step}"

    def _said(self, node: int) -> list[str]:
        """The statements of a block; of a landing, what happens there."""
        if not self._statements:
            return []
        number = self._flow.block_of(node)
        block, scope = self._program.blocks[number], self._program.scope_of(number)
        landed = (self._program.instructions[one] for one in self._program.landed(number))
        return [statement(one, scope) for one in (landed if node in self._flow.landings else block.instructions)]

    def _last(self, node: int) -> list[str]:
        """The terminator, where it says more than edges do."""
        number = self._flow.block_of(node)
        block, scope = self._program.blocks[number], self._program.scope_of(number)
        is_said = self._statements and isinstance(block.terminator, _SAID) and node not in self._flow.landings
        return [terminator_text(block.terminator, scope)] if is_said else []

    def _table(self, node: int, notes: Notes) -> str:
        """The rows of a node with notes."""
        said, last = self._said(node), self._last(node)
        body = [line for at, one in enumerate(said) for line in (Note(_cut(one)), *notes.behind.get(at, ()))]
        # What a call or a return does at its end has positions behind those of the block's own instructions.
        behind_last = (line for at, lines in notes.behind.items() if at >= len(said) for line in lines)
        body += [*map(Note, map(_cut, last)), *behind_last]
        grounds = (_FAINT,) * 4 if notes.faint else (_HEAD, _NOTES, "", _NOTES)
        parts: list[Sequence[Note]] = [[Note(self._head(node))], notes.start, body, notes.end]
        rows = (_row(lines, ground, bold=lines is parts[0]) for lines, ground in zip(parts, grounds, strict=True))
        return f'<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="4">{"".join(rows)}</TABLE>'


def _row(lines: Sequence[Note], background: str, *, bold: bool = False) -> str:
    """Lines below each other on one ground; nothing where there are none."""
    if not lines:
        return ""
    ground = f' BGCOLOR="{background}"' if background else ""
    text = "".join(f'{_html(line)}<BR ALIGN="LEFT"/>' for line in lines)
    return f'<TR><TD ALIGN="LEFT" BALIGN="LEFT"{ground}>{f"<B>{text}</B>" if bold else text}</TD></TR>'


def _html(line: Note) -> str:
    """A line, in its colour; blanks at its beginning are kept."""
    text = "".join(char if char.isprintable() else " " for char in line.text)
    shown = "&#160;" * (len(text) - len(text.lstrip(" "))) + escape(text.lstrip(" "))
    return shown if line.colour == _PLAIN else f'<FONT COLOR="{line.colour}">{shown}</FONT>'


def _cut(text: str) -> str:
    return text if len(text) <= _WIDTH else f"{text[:_WIDTH]}…"


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
