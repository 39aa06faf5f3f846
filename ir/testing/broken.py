"""Slightly broken programs: valid but for one thing, with the code that the verifier has for it and its place."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import attrs
from hypothesis import strategies as st

from ..blocks import Block, Task
from ..cells import Cell, Scope, key, name
from ..declarations import Declaration
from ..drafts import Draft
from ..instructions import Instruction, Leave, Operand, Same, Set, Use
from ..program import Program
from ..rules.finding import Spot
from ..terminators import Arm, Branch, Call, Fork, Goto, Open, Suspend, Terminator
from .valid import trace_drafts, workflow_drafts

_USER, _SESSION, _OTHER = Scope("user", "7"), Scope("session", "1"), Scope("session", "2")


class Broken(NamedTuple):
    """A program with one error, the error's code, and the part that it is found at."""

    program: Program
    code: str
    spot: Spot


#: Where an error is put: a draft and one of its blocks go in, what is broken comes out.
_Break = Callable[[Draft, int], Spot]


@st.composite
def broken(draw: st.DrawFn) -> Broken:
    """Programs of both shapes with one error each."""
    breaks, drafts = draw(st.sampled_from([(_IN_TRACES, trace_drafts()), (_IN_WORKFLOWS, workflow_drafts())]))
    code = draw(st.sampled_from(sorted(breaks)))
    draft = draw(drafts)
    spot = breaks[code](draft, draw(st.integers(0, len(draft.blocks) - 1)))
    return Broken(draft.program(), code, spot)


def _put(draft: Draft, block: int, instruction: Instruction) -> Spot:
    """Puts an instruction at the end of a block."""
    body, one = draft.blocks[block]
    draft.blocks[block] = body, attrs.evolve(one, instructions=(*one.instructions, instruction))
    return Spot("instruction", draft.program().executed(block).start + len(one.instructions))


def _end(draft: Draft, block: int, terminator: Terminator) -> Spot:
    """Gives a block another end."""
    body, one = draft.blocks[block]
    draft.blocks[block] = body, attrs.evolve(one, terminator=terminator)
    return Spot("terminator", block)


def _add(draft: Draft, *blocks: Block, body: str = "main") -> int:
    """Adds blocks to which nothing leads, and returns the number of the first."""
    first = len(draft.blocks)
    draft.blocks += [(body, block) for block in blocks]
    return first


def _set(cell: Cell, id: str | None = None) -> Set:
    return Set(target=cell, value=1, id=id)


def _lost_jump(draft: Draft, block: int) -> Spot:
    return _end(draft, _add(draft, Block("extra")), Goto("nowhere"))


def _two_names(draft: Draft, block: int) -> Spot:
    return Spot("block", _add(draft, Block(draft.blocks[block][1].name, terminator=Goto("extra")), Block("extra")))


def _two_ids(draft: Draft, block: int) -> Spot:
    _put(draft, block, _set(Cell(_USER, (name("x"),)), "twice"))
    extra = _add(draft, Block("extra"))
    return _put(draft, extra, _set(Cell(_USER, (name("y"),)), "twice"))


def _undeclared(draft: Draft, block: int) -> Spot:
    return _put(draft, block, _set(Cell(Scope("project", "lost"), (name("x"),))))


def _hidden(draft: Draft, block: int) -> Spot:
    draft.scopes[_OTHER] = _USER
    return _put(draft, block, _set(Cell(_OTHER, (name("x"),))))


def _no_such_entry(draft: Draft, block: int) -> Spot:
    return _put(draft, block, Use(operands=(Operand(Cell(_USER, (name("x"),)), "nobody"),)))


def _entry_of_another(draft: Draft, block: int) -> Spot:
    _put(draft, block, _set(Cell(_USER, (name("x"),)), "seen"))
    return _put(draft, block, Use(operands=(Operand(Cell(_USER, (name("y"),)), "seen"),)))


def _not_open(draft: Draft, block: int) -> Spot:
    return _put(draft, block, Leave(task="never"))


def _same_as_its_part(draft: Draft, block: int) -> Spot:
    whole = Cell(_USER, (name("order"), key("A")))
    return _put(draft, block, Same(left=whole, right=whole.child("item")))


def _same_across(draft: Draft, block: int) -> Spot:
    draft.scopes[Scope("org", "1")] = None
    draft.scopes[_USER] = Scope("org", "1")
    far = Cell(Scope("org", "1"), (name("order"),))
    return _put(draft, block, Same(left=Cell(_SESSION, (name("order"),)), right=far))


def _own_ancestor(draft: Draft, block: int) -> Spot:
    one, other = Scope("org", "1"), Scope("org", "2")
    draft.scopes = {one: other, other: one, **draft.scopes}
    return Spot("scope", 0)


def _suspends(draft: Draft, block: int) -> Spot:
    return _end(draft, _add(draft, Block("extra")), Suspend(draft.blocks[0][1].name))


def _stays_open(draft: Draft, block: int) -> Spot:
    return _end(draft, _add(draft, Block("extra")), Open())


def _calls_nothing(draft: Draft, block: int) -> Spot:
    return _end(draft, _add(draft, Block("extra")), Call(task="lost", then=draft.blocks[0][1].name))


def _gives_too_much(draft: Draft, block: int) -> Spot:
    given = tuple(Operand(Cell(_USER, (name(text),))) for text in "abc")
    return _end(draft, _add(draft, Block("extra")), Call(task="main", then="extra", arguments=given))


def _leaves_its_task(draft: Draft, block: int) -> Spot:
    draft.tasks["other"] = Task("other", Scope("task", "other"))
    _add(draft, Block("elsewhere", terminator=Goto("elsewhere")), body="other")
    return _end(draft, _add(draft, Block("extra")), Goto("elsewhere"))


def _arms_meet(draft: Draft, block: int) -> Spot:
    first = _add(
        draft,
        Block("split", terminator=Fork(("left", "right"), "joined")),
        Block("left", terminator=Goto("right")),
        Block("right", terminator=Goto("joined")),
        Block("joined", terminator=Branch((Arm("joined"),))),
    )
    return Spot("terminator", first)


def _depends_on_itself(draft: Draft, block: int) -> Spot:
    total, items = Cell(_USER, (name("sum"),)), Cell(_USER, (name("parts"),))
    draft.declarations += [Declaration(total, depends=(items,)), Declaration(items, depends=(total,))]
    return Spot("declaration", sum(isinstance(one, Declaration) for one in draft.declarations) - 1)


def _two_parameters(draft: Draft, block: int) -> Spot:
    first = next(iter(draft.tasks))
    draft.tasks[first] = attrs.evolve(draft.tasks[first], parameters=("x", "x"))
    return Spot("task", 0)


def _stands_in_the_middle(draft: Draft, block: int) -> Spot:
    draft.at = draft.blocks[0][1].name
    return Spot("program")


_IN_BOTH: dict[str, _Break] = {
    "IR001": _lost_jump,
    "IR002": _two_names,
    "IR003": _two_ids,
    "IR004": _undeclared,
    "IR005": _hidden,
    "IR006": _no_such_entry,
    "IR007": _entry_of_another,
    "IR009": _same_as_its_part,
    "IR011": _own_ancestor,
    "IR016": _arms_meet,
    "IR017": _depends_on_itself,
    "IR018": _two_parameters,
}
_IN_TRACES = {
    **_IN_BOTH,
    "IR008": _not_open,
    "IR010": _same_across,
    "IR012": _suspends,
    "IR019": _stands_in_the_middle,
}
_IN_WORKFLOWS = {
    **_IN_BOTH,
    "IR012": _stays_open,
    "IR013": _calls_nothing,
    "IR014": _gives_too_much,
    "IR015": _leaves_its_task,
}
