"""Facts in the text form: behind the statements they follow, as `run` prints them and as they are read back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from statemem.ir import Program
from statemem.ir.text import Fact, dumps
from statemem.ir.text.facts import fact_text

from ..framework import Pass, Solution
from ..framework.pipeline import label
from .facts import Change, Found, View, node_facts, texts, unreached

#: Up to how many facts are told in full; of more, only what changed.
MOST = 8


def render(one: Pass, result: Any, program: Program) -> str:
    """What one pass found, as text."""
    return to_text(Found(program, {one: result}, View(program)))


def to_text(found: Found, *, every: bool = False) -> str:
    """The program with the facts of analyses behind its statements, then what other passes found, as comments.

    Facts stand at the end of every block: in full where they are few, else as what changed since the block before.
    With `every` they also stand at its start, and behind each instruction as what it changed. Blocks that nothing
    reaches have none, and are named.
    """
    return "\n".join(_lines(found, every))


def _lines(found: Found, every: bool) -> Iterator[str]:
    groups = _apart(found.solutions)
    for solutions in groups:
        if len(groups) > 1:
            yield f"# {found.view.program.name}, {', '.join(label(one.analysis) for one in solutions)}"
        facts = (_shown(found, fact) for one in solutions for fact in facts_of(one, every=every))
        yield dumps(found.view.program, facts).rstrip("\n")
    yield from _unreached(found)
    for one, _, lines in found.others:
        yield f"# {found.view.program.name}, {label(one)}: {len(lines)} found"
        yield from (f"#   {' '.join(found.view.text(line).splitlines())}" for line in lines)


def _apart(solutions: Iterable[Solution]) -> list[list[Solution]]:
    """Solutions in groups of different names: behind a statement nothing else tells them apart."""
    groups: list[list[Solution]] = []
    for one in solutions:
        free = (group for group in groups if all(one.analysis.name != other.analysis.name for other in group))
        group = next(free, None)
        if group is None:
            groups.append([one])
        else:
            group.append(one)
    return groups


def _shown(found: Found, fact: Fact) -> Fact:
    return fact._replace(texts=tuple(fact_text(found.view.text(text)) for text in fact.texts))


def _unreached(found: Found) -> Iterator[str]:
    """The same for all analyses, since it is a matter of control."""
    for solution in found.solutions[:1]:
        blocks = found.view.program.blocks
        names = [blocks[node].name for node in unreached(solution) if node < len(blocks)]
        if names:
            yield f"# {found.view.program.name}, not reached and so without facts: {', '.join(names)}"


# facts of a solution


def facts_of(solution: Solution, *, every: bool = False) -> Iterator[Fact]:
    """The facts of a solution at the points at which they are told."""
    return _at_every(solution) if every else _at_ends(solution)


def _at_ends(solution: Solution) -> Iterator[Fact]:
    known: list[str] = []
    for block, fact in solution.block_ends().items():
        now = texts(solution, fact)
        yield from _told(solution, block, len(solution.program.blocks[block].instructions), known, now)
        known = now


def _at_every(solution: Solution) -> Iterator[Fact]:
    known: list[str] = []
    for number, block in enumerate(solution.program.blocks):
        found = node_facts(solution, number)
        if found is None:
            continue
        count = len(block.instructions)
        yield from _told(solution, number, -1, known, found.start)
        for position, change in enumerate(found.changes[:count]):
            yield from _changed(solution, number, position, change)
        yield from _told(solution, number, count, found.states[count], found.end)
        known = found.end


def _told(solution: Solution, block: int, after: int, known: list[str], now: list[str]) -> Iterator[Fact]:
    """All that holds where that is little, else what is new since another point."""
    if len(now) <= MOST:
        yield Fact(0, block, after, solution.analysis.name, "=", tuple(now))
    else:
        yield from _changed(solution, block, after, Change.of(known, now))


def _changed(solution: Solution, block: int, after: int, change: Change) -> Iterator[Fact]:
    if change.gained:
        yield Fact(0, block, after, solution.analysis.name, "+=", tuple(change.gained))
    if change.lost:
        yield Fact(0, block, after, solution.analysis.name, "-=", tuple(change.lost))
