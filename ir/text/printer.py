"""Writing the text form: the canonical text of programs, ids and origins included."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import groupby

from ..blocks import Block, Task
from ..cells import Scope, bare_or_quoted, quoted
from ..declarations import Declaration, Requirement
from ..origin import NOWHERE, Actor
from ..program import Program
from ..terminators import Call, Return
from .facts import Fact
from .wording import identity_text, listed, origin_text, place_text, statement_text, terminator_text, value_text

Facts = dict[tuple[int, int, int], list[Fact]]


def dumps(programs: Program | Iterable[Program], facts: Iterable[Fact] | None = None) -> str:
    """The canonical text of one program or several, with expected facts behind the statements they follow.

    >>> from statemem.ir import build
    >>> print(dumps(build("session:1/", name="tea").block("user").set("topic", "tea").use("topic").end()), end="")
    program "tea"
    <BLANKLINE>
    scope session:1/
    <BLANKLINE>
    task main in session:1/ {
      block t1 user {
        topic = set "tea" as e1
        use topic
        end
      }
    }
    """
    known: Facts = defaultdict(list)
    for fact in facts or ():
        known[fact.program, fact.block, fact.after].append(fact)
    each = [programs] if isinstance(programs, Program) else programs
    texts = ("\n".join(_program(program, number, known)) for number, program in enumerate(each))
    return "\n\n".join(texts) + "\n"


# programs


def _program(program: Program, number: int, facts: Facts) -> Iterator[str]:
    yield f"program {quoted(program.name)}{'' if program.is_trace else ' workflow'}{_standing(program)}"
    yield ""
    yield from _scopes(program)
    yield from map(_declaration, program.declarations)
    yield from map(_requirement, program.requirements)
    yield from (f"entry {bare_or_quoted(one)} with {value_text(said)}" for one, said in program.metadata.items())
    yield ""
    for head, blocks in _runs(program):
        yield head
        for block in blocks:
            yield from _block(program, block, partial(_behind, facts, number, block))
        yield "}"


def _scopes(program: Program) -> Iterator[str]:
    """The scopes, but for those of tasks that naming the task makes known."""
    implied: dict[Scope, Scope] = {}
    for block in range(len(program.blocks)):
        for named, enclosing in program.scopes_named(block):
            implied.setdefault(named, enclosing)
    bodies = {task.scope for task in program.tasks.values()}
    for scope, parent in program.scopes.items():
        if parent is None:
            yield f"scope {scope}"
        elif scope in bodies or implied.get(scope) != parent:
            yield f"scope {scope} in {parent}"


def _standing(program: Program) -> str:
    """Where the log stands, if not at the block added last."""
    end = program.other_end
    return "" if end is None else f" at {bare_or_quoted(program.blocks[end].name)}"


def _declaration(declaration: Declaration) -> str:
    sensitive = " sensitive" if declaration.sensitive else ""
    pinned = " pinned" if declaration.pinned else ""
    depends = f" depends on {listed(map(str, declaration.depends))}" if declaration.depends else ""
    return f"cell {declaration.pattern}{sensitive}{pinned}{depends}"


def _requirement(one: Requirement) -> str:
    cells = listed(place_text(cell, one.scope) for cell in one.cells) or "()"
    return f"task {bare_or_quoted(one.kind)} requires {cells}"


def _runs(program: Program) -> Iterator[tuple[str, list[int]]]:
    """Heads of tasks with their blocks, in the tasks' order; a task is gone on with where blocks alternate."""
    waiting = list(program.tasks.values())
    for name, run in groupby(range(len(program.blocks)), lambda block: program.body[block]):
        while any(task.name == name for task in waiting[1:]):
            yield _task(waiting.pop(0)), []
        first = bool(waiting) and waiting[0].name == name
        yield _task(waiting.pop(0)) if first else f"task {bare_or_quoted(name)} {{", list(run)
    yield from ((_task(task), []) for task in waiting)


def _task(task: Task) -> str:
    kind = "" if task.kind is None else f" is {bare_or_quoted(task.kind)}"
    parameters = f" ({listed(map(bare_or_quoted, task.parameters))})" if task.parameters else ""
    return f"task {bare_or_quoted(task.name)}{kind}{parameters} in {task.scope} {{"


def _block(program: Program, number: int, behind: Callable[[int], str]) -> Iterator[str]:
    block, scope = program.blocks[number], program.scope_of(number)
    yield f"  {_block_head(block)}{behind(-1)}"
    for position, instruction in enumerate(block.instructions):
        yield f"    {statement_text(instruction, scope, block.origin)}{behind(position)}"
    yield f"    {terminator_text(block.terminator, scope)}{_named(block)}{behind(len(block.instructions))}"
    yield "  }"


def _block_head(block: Block) -> str:
    step = "" if block.step is None else f" step {block.step}"
    task = "" if block.task is None else f" in {bare_or_quoted(block.task)}"
    origin = origin_text(block.origin, NOWHERE)
    return f"block {bare_or_quoted(block.name)} {_actor(block.actor)}{step}{task}{origin} {{"


def _actor(actor: Actor) -> str:
    kind = bare_or_quoted(actor.kind)
    return f"{kind}:{bare_or_quoted(actor.name)}" if actor.name else kind


def _named(block: Block) -> str:
    """The id and the origin of a call or a return."""
    last = block.terminator
    return identity_text(last.id, last.origin, block.origin) if isinstance(last, (Call, Return)) else ""


def _behind(facts: Facts, program: int, block: int, after: int) -> str:
    """The facts expected at a point, as they stand behind its statement."""
    return "".join(f"  {fact}" for fact in facts.get((program, block, after), ()))
