"""Rules about forks: every arm comes to the join, and to no block of another arm."""

from __future__ import annotations

from collections.abc import Iterator

from ..cells import bare_or_quoted
from ..program import Program
from ..terminators import Fork, targets
from .finding import Finding, Spot

#: The blocks to which control goes on from each within its own body; two arms may well call one task.
Ways = list[list[int]]


def forks(program: Program) -> Iterator[Finding]:
    """An arm that never comes to its join, or that shares blocks with another; a log may stop within an arm."""
    found = [(number, block.terminator) for number, block in enumerate(program.blocks)]
    if not any(isinstance(terminator, Fork) for _, terminator in found):
        return
    named = (map(program.block_named, targets(terminator)) for _, terminator in found)
    ways = [[target for target in numbers if target is not None] for numbers in named]
    joins: dict[str, str] = {}
    for number, terminator in found:
        if isinstance(terminator, Fork):
            spot = Spot("terminator", number)
            if terminator.join in joins:
                message = f"{terminator.join!r} is the join of block {joins[terminator.join]!r} already"
                yield Finding("IR016", message, spot, bare_or_quoted(terminator.join), after="join")
            joins.setdefault(terminator.join, program.blocks[number].name)
            yield from _arms(program, ways, terminator, spot)


def _arms(program: Program, ways: Ways, fork: Fork, spot: Spot) -> Iterator[Finding]:
    join = program.block_named(fork.join)
    if join is None:
        return
    taken: dict[int, str] = {}
    for arm in fork.arms:
        blocks = _blocks(ways, program.block_named(arm), join)
        shared = next((taken[block] for block in sorted(blocks) if block in taken), None)
        if shared is not None:
            message = f"the arms {shared!r} and {arm!r} come together before their join {fork.join!r}"
            yield Finding("IR016", message, spot, bare_or_quoted(arm), after="fork")
        elif blocks and not _comes_to(ways, blocks, join) and not _may_go_on(program, ways, blocks):
            message = f"the arm {arm!r} never comes to the join {fork.join!r}"
            hint = f"end it with: goto {bare_or_quoted(fork.join)}"
            yield Finding("IR016", message, spot, bare_or_quoted(arm), hint, "fork")
        taken.update(dict.fromkeys(blocks, arm))
    yield from _from_elsewhere(program, ways, taken, spot)


def _from_elsewhere(program: Program, ways: Ways, taken: dict[int, str], spot: Spot) -> Iterator[Finding]:
    """Control that comes into an arm otherwise than by its fork."""
    for number, following in enumerate(ways):
        entered = next((block for block in following if block in taken), None)
        if entered is not None and number not in taken and number != spot.number:
            message = f"control comes from block {program.blocks[number].name!r} into the arm {taken[entered]!r}"
            yield Finding("IR016", message, spot, bare_or_quoted(taken[entered]), after="fork")


def _blocks(ways: Ways, start: int | None, join: int) -> set[int]:
    """What can be reached from the start of an arm without going through the join."""
    blocks = set() if start is None or start == join else {start}
    work = list(blocks)
    while work:
        new = set(ways[work.pop()]) - blocks - {join}
        blocks |= new
        work.extend(new)
    return blocks


def _comes_to(ways: Ways, blocks: set[int], join: int) -> bool:
    return any(join in ways[block] for block in blocks)


def _may_go_on(program: Program, ways: Ways, blocks: set[int]) -> bool:
    """Whether a log stops within the arm, where it may yet go on."""
    return program.is_trace and any(not ways[block] for block in blocks)
