"""`freshness`: which conclusions still rest on what they were drawn from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from typing import Any

from statemem.ir import Cell, Definition, Derive, Instruction, Program, Reference, Segment
from statemem.ir.meaning.force import Definitions, Unranked
from statemem.ir.meaning.resolve import PlaceRead
from statemem.ir.origin import CONCLUDED

from ..framework import Analysis, At, MapOf, register
from ..framework.accesses import Accesses
from ..reaching import Reaching
from .across_arms import broken_across, stated_by_arms
from .facts import (
    NOTHING,
    Born,
    Clause,
    Fact,
    Gone,
    Kept,
    Link,
    Made,
    Readers,
    Sources,
    Telling,
    Told,
    unsaid,
)
from .losses import broken_by, write_at
from .support import Support

#: How many of those who read a place are kept together, so that one more is put in without copying all.
GROUP = 64


@register
class Freshness(Analysis):
    """Conclusions whose premises are what they were: none was replaced by another value or withdrawn, on any path.

    Kept is what each conclusion read and what has ended since; whether that still supports it follows for all of them
    together, since a conclusion may be supported anew by what is concluded later (`support`). A fact has as sources all
    entries in force that state it; one of them is enough, every fact that was read is needed. What a conclusion's own
    write replaces is no change for it, and the end of a scope is none for anybody. (Doyle, "A truth maintenance
    system", 1979.)
    """

    needs = (Reaching,)
    facts = MapOf(Telling(), unsaid)

    def boundary(self, program: Program) -> dict[Any, Told]:
        """Nothing was concluded."""
        return {}

    def transfer(self, instruction: Instruction, state: Any, at: At) -> None:
        """What a conclusion reads, then what its write and every other one ends and states."""
        assert at.number is not None
        if isinstance(instruction, Derive) and is_conclusion(at.accesses, at.number):
            _conclude(instruction, state, at)
        now: dict[Cell, Definitions] = {}
        for write in at.accesses.writes(at.number):
            before = now.get(write.place) or at.facts[Reaching][write.place]
            write_at(write, before, state, at)
            after = at.judge.after(before, write)
            now[write.place] = after if write.definite else before | after

    def on_join(self, before: Told, arms: Sequence[Told], at: At) -> Told:
        """What any arm says of a conclusion; a fact is in force where every arm left it or one surely stated it.

        What was read in one arm has ended if another arm replaced it, which the first did not see.
        """
        if isinstance(at.key, Fact):
            return stated_by_arms([arm if isinstance(arm, Sources) else Sources() for arm in arms], at)
        told = [arm for arm in arms if not isinstance(arm, Sources)]
        if isinstance(at.key, (Born, Kept)) and len(told) < len(arms):
            return reduce(Telling().join, arms)
        found = NOTHING.union(*told)
        return found | frozenset(broken_across(at.key, told, at)) if isinstance(at.key, Link) else found

    def show(self, fact: Any) -> list[str]:
        """`e5 fresh`, `e5 stale by e7`: by what ended the premises that it rests on, however far down."""
        support = Support(fact or {})
        return sorted(
            f"{one} {'fresh' if number in support.fresh else f'stale by {_roots(support, number)}'}"
            for number, ids in support.made.items()
            for one in ids
        )


def is_conclusion(accesses: Accesses, number: int) -> bool:
    """Whether an instruction draws a conclusion.

    What a tool answered, linked by value to what it was asked with, is none: it was looked up with that, and is no less
    true when the place changes from which it was taken. What a tool concludes, by the word of a domain, is one.
    """
    instruction = accesses.program.instructions[number]
    rule = instruction.origin.rule
    is_looked_up = rule is not None and CONCLUDED not in rule and accesses.actor(number).is_tool
    return isinstance(instruction, Derive) and not is_looked_up


def _roots(support: Support, number: int) -> str:
    return " and ".join(sorted({broken.told for broken in support.roots(number)}))


def _conclude(instruction: Derive, state: Any, at: At) -> None:
    """Take down what a conclusion rests on; that it was drawn before is forgotten."""
    assert at.number is not None
    links: dict[Cell, set[Clause]] = {}
    for (read, _), group in _groups(at).items():
        was = instruction.premises[read].was
        home = min(one.place for one in group)
        met = _met(group, at) if was is None else _named(was, group, state, at)
        links.setdefault(home, set()).update(met)
    again = _rests_on(at.number, links, state) if state[at.number] else False
    ids = tuple(one.id for one in at.program.entries_of(at.number))
    state[at.number] = frozenset([Made(ids, tuple(links))])
    for home, clauses in links.items():
        link = Link(at.number, home)
        if not again:
            _forget(link, state)
        state[link] = state[link] | clauses
        for fact in {one for clause in clauses for one in clause if isinstance(one, Fact)}:
            born = Born(at.number, fact)
            state[born] = Telling().join(state[born], state[fact])
            _put(state, fact.place, link)


def _rests_on(number: int, links: Mapping[Cell, set[Clause]], state: Any) -> bool:
    """Whether a conclusion that is drawn again rests on itself as it was before, and so on all that this rested on."""
    work = [one for clauses in links.values() for clause in clauses for one in clause]
    seen: set[Any] = set()
    for one in work:
        sources = state[one] if isinstance(one, Fact | Kept) else NOTHING
        for source in {key[0] for key in sources.some} - seen if isinstance(sources, Sources) else ():
            seen.add(source)
            made = next((told for told in state[source] if isinstance(told, Made)), None)
            for home in made.homes if made is not None else ():
                work += [below for clause in state[Link(source, home)] for below in clause]
    return number in seen


def _forget(link: Link, state: Any) -> None:
    """What a conclusion rested on when it was drawn before."""
    for one in {one for clause in state[link] for one in clause}:
        if isinstance(one, Fact | Kept):
            state[Kept(link.reader, one) if isinstance(one, Fact) else one] = NOTHING
            state[Born(link.reader, one if isinstance(one, Fact) else one.fact)] = NOTHING
    state[link] = NOTHING


def _groups(at: At) -> dict[tuple[int, tuple[Segment, ...]], list[PlaceRead]]:
    """The places that each premise reads, those together that are names of one fact."""
    assert at.number is not None
    found: dict[tuple[int, tuple[Segment, ...]], list[PlaceRead]] = {}
    for read in at.accesses.reads(at.number):
        found.setdefault((read.read, read.below), []).append(read)
    return found


def _met(group: list[PlaceRead], at: At) -> Iterator[Clause]:
    """The facts in force: one under any of the sure names of an entity, each by itself under names that may be its."""
    there = at.facts[Reaching][group[0].place]
    if len(group) == 1 and isinstance(there, Unranked) and there.statement is not None:
        yield frozenset([Fact(group[0].place, there.statement)])
        return
    places: dict[object, set[Cell]] = {}
    for one in at.judge.in_force_together([at.facts[Reaching][read.place] for read in group]):
        if not one.is_tombstone:
            places.setdefault(at.judge.statement(one), set()).add(one.cell)
    sure = {read.place for read in group if read.definite}
    for statement, cells in places.items():
        facts = [Fact(cell, statement) for cell in cells]
        yield from [frozenset(facts)] if cells <= sure else [frozenset([fact]) for fact in facts]


def _named(was: str, group: list[PlaceRead], state: Any, at: At) -> Iterator[Clause]:
    """The facts that the entries state which a premise names; what ended one before has broken it from the first."""
    for entry in at.program.named(was):
        for place in (read.place for read in group):
            if isinstance(entry.cell, Reference) or entry.cell == place:
                one = Definition(entry.instruction, entry.leaf, place)
                reaching = at.facts[Reaching][place]
                yield from (frozenset([broken]) for broken in state[Gone(one)])
                if one in reaching:
                    yield frozenset([Fact(place, at.judge.statement(one))])
                if one._replace(yields=True) in reaching:
                    stronger = at.judge.stronger(one, reaching) or [one]
                    yield frozenset([broken_by(one, stronger[-1].instruction, at)])


def _put(state: Any, place: Cell, link: Link) -> None:
    """Those who read a place are found again by it."""
    group = link.reader // GROUP
    readers, groups = Readers(place, group), Readers(place, -1)
    if link not in state[readers]:
        state[readers] = state[readers] | {link}
    if group not in state[groups]:
        state[groups] = state[groups] | {group}
