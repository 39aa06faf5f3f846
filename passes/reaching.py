"""`reaching`: which definitions of each place may stand there, and where each entry was last."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from statemem.ir import Cell, Definition, Mode, Program, Segment
from statemem.ir.entries import NEVER, never_assigned
from statemem.ir.meaning.force import Definitions, Judge, is_held

from .framework import Analysis, At, MapOf, Powerset, register
from .framework.accesses import Accesses


def _never(cell: Cell) -> Definitions:
    return frozenset([never_assigned(cell)])


@register
class Reaching(Analysis):
    """Definitions that reach a point, place by place, tombstones among them.

    out = gen ∪ (in − killed). A definition kills those of its place that neither outrank nor equal it, an append kills
    none; every place begins with the tombstone "never assigned". What outranks what is settled by the origins, so what
    reaches may be more than what is in force: `in_force` takes the outranked ones out. Full sets, at the end of every
    block, grow with the square of a log; what single reads meet is told by `chains`. (Aho, Lam, Sethi, Ullman,
    Compilers, 2006, section 9.2.4.)
    """

    facts = MapOf(Powerset[Definition](), _never)

    def boundary(self, program: Program) -> dict[Cell, Definitions]:
        """Every place holds its first tombstone."""
        return {}

    def on_write(self, cell: Cell, mode: Mode, state: Any, at: At) -> None:
        """The new definition joins those it does not kill."""
        assert at.write is not None
        before = state[cell]
        after = at.judge.after(before, at.write)
        state[cell] = after | {at.write.made} if _may_not_yield(before, after, at) else after

    def on_fill(self, cell: Cell, state: Any, at: At) -> None:
        """Nothing where something surely stands, a write where nothing does, else both.

        What reaches is asked, not what is in force: a stronger definition from another path must not hide a gap.
        """
        assert at.write is not None
        assert at.number is not None
        reads = at.accesses.reads(at.number)
        held = is_held((read.definite, _before_fill(state[read.place], at.number)) for read in reads)
        if held:
            return
        filled = at.judge.after(state[cell], at.write._replace(mode=Mode.REPLACE))
        state[cell] = filled if held is False else state[cell] | filled

    def on_delete(self, cell: Cell, state: Any, at: At) -> None:
        """A tombstone replaces as a value does."""
        self.on_write(cell, Mode.REPLACE, state, at)

    def on_join(self, before: Definitions, arms: Sequence[Definitions], at: At) -> Definitions:
        """What every arm left, and what any of them made; a weaker one yields to what another arm surely made.

        Made by an arm is what its instructions made, so that of a fork in a loop nothing is lost that comes round.
        """
        kept = frozenset.intersection(*map(frozenset, arms))
        made = [frozenset(one for one in arm if one.instruction in own) for arm, own in zip(arms, at.arms, strict=True)]
        found = set(kept)
        for number, own in enumerate(made):
            others = [(arm, by) for other, (arm, by) in enumerate(zip(arms, made, strict=True)) if other != number]
            found.update(one for definition in own for one in _against(definition, others, at.judge))
        return frozenset(found)

    def show(self, fact: Any) -> list[str]:
        """Each place with the instructions whose definitions reach it; `!` marks tombstones, -1 the first one."""
        return sorted(
            f"{cell} <- {' | '.join(map(_label, sorted(reaching)))}" for cell, reaching in (fact or {}).items()
        )


def _against(made: Definition, others: Iterable[tuple[Definitions, Definitions]], judge: Judge) -> Iterator[Definition]:
    """A definition of one arm as it may and must stand beside those that other arms left, given with what they made."""
    is_weaker = [any(judge.outranks(one, made) for one in by if not one.yields) for _, by in others]
    if made.yields or made.is_tombstone or not any(is_weaker):
        yield made
        return
    yield made._replace(yields=True)
    if not any(_surely_outrank(arm, by, made, judge) for arm, by in others):
        yield made


def _surely_outrank(arm: Definitions, by: Definitions, made: Definition, judge: Judge) -> bool:
    """Whether on every way through an arm something was made that outranks a definition."""
    return all(one.yields or (one in by and judge.outranks(one, made)) for one in arm)


def _may_not_yield(before: Definitions, after: Definitions, at: At) -> bool:
    """Whether a definition that yields here does not on some path, on which no stronger one came.

    Beside a stronger one may stand what confirms or extends it, and that may have come along another branch.
    """
    assert at.write is not None
    made = at.write.made
    if made in after or made._replace(yields=True) not in after:
        return False
    stronger = at.judge.stronger(at.write.by, before)
    if all(one.yields or one in stronger for one in before):
        return False
    return not any(at.accesses.is_certain(one.instruction, one.cell) for one in stronger if one.instruction != NEVER)


def _before_fill(there: Definitions, filling: int) -> list[Definition]:
    """What stood at a place before a fill, one of whose fields may have been written already.

    Nothing did where all that stands there now is of the fill: what an earlier turn of a loop filled comes together
    with what was there before the first.
    """
    if all(one.instruction == filling for one in there):
        return []
    return [one for one in there if not (one.yields and one.instruction == filling)]


def _label(definition: Definition) -> str:
    return f"{'!' if definition.is_tombstone else ''}{definition.instruction}"


def read_in_force(accesses: Accesses, number: int, read: int, state: Any) -> Definitions:
    """The definitions in force that one read of an instruction meets, given the reaching ones before it.

    The names of one entity are judged together.
    """
    groups: dict[tuple[Segment, ...], list[Definitions]] = {}
    for found in accesses.reads(number):
        if found.read == read:
            groups.setdefault(found.below, []).append(state[found.place])
    return frozenset(one for group in groups.values() for one in accesses.judge.in_force_together(group))
