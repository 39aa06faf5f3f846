"""What the arms of a fork, none of which sees another, make of facts and of conclusions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set

from statemem.ir import Mode

from ..framework import At
from .facts import NOTHING, Broken, Clause, Fact, Key, Link, Sources


def stated_by_arms(arms: Sequence[Sources], at: At) -> Sources:
    """The sources of a fact that stand in every arm, and those that an arm surely made."""
    is_absent = any(arm.absent for arm in arms)
    made: frozenset[Key] = NOTHING
    if at.accesses.is_unranked():
        pairs = zip(arms, at.arms, strict=True)
        made = made.union(*(_made(arm.sure, own) for arm, own in pairs if not arm.absent))
    left = NOTHING if is_absent else arms[0].sure.intersection(*(arm.sure for arm in arms))
    return Sources(NOTHING.union(*(arm.some for arm in arms)), made | left, is_absent and not made)


def _made(sure: frozenset[Key], own: Set[int]) -> frozenset[Key]:
    return frozenset(key for key in sure if key[0] in own)


def broken_across(link: Link, arms: Sequence[frozenset[Clause]], at: At) -> Iterator[Clause]:
    """What other arms may have ended of what a conclusion read in its own, if it did not rest on that arm's own."""
    for arm, own in zip(arms, at.arms, strict=True):
        if link.reader in own:
            facts = {one for clause in arm for one in clause if isinstance(one, Fact)}
            others = [number for other in at.arms if other is not own for number in other]
            for fact in (fact for fact in facts if not _is_stated_before(fact, link.reader, at)):
                yield from (frozenset([broken]) for broken in _may_end(fact, others, at))


def _is_stated_before(fact: Fact, reader: int, at: At) -> bool:
    """Whether the block of a conclusion surely states a fact before it."""
    numbers = range(at.program.executed(at.program.block_of(reader)).start, reader)
    return any(
        write.place == fact.place
        and write.definite
        and write.mode in (Mode.REPLACE, Mode.EXTEND)
        and not write.made.is_tombstone
        and at.judge.statement(write.made) == fact.statement
        for number in numbers
        for write in at.accesses.writes(number)
    )


def _may_end(fact: Fact, numbers: Iterable[int], at: At) -> Iterator[Broken]:
    for number in sorted(numbers):
        for write in at.accesses.writes(number):
            is_other = write.by.is_tombstone or at.judge.statement(write.by) != fact.statement
            if write.place == fact.place and write.mode in (Mode.REPLACE, Mode.DELETE) and is_other:
                told = at.program.instructions[number].id or f"#{number}"
                yield Broken((-1, -1), fact.place, number, told)
