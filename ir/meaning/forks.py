"""The join of a fork: one state from those that its arms left (2-ir, Meaning 10)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import attrs

from ..cells import Cell
from ..entries import NEVER, Definition
from ..instructions import Add, Append
from ..program import Program
from .force import Definitions, Judge
from .names import Names


class Join:
    """Joins what reaches one place, `before` the fork and after each of its arms."""

    def __init__(self, program: Program, judge: Judge) -> None:
        self._program = program
        self._judge = judge

    def after(self, before: Definitions, arms: Sequence[Definitions]) -> Definitions:
        """What was there before survives where every arm left it; what an arm made holds, unless outranked there."""
        changed = [arm for arm in arms if arm != before]
        if len(changed) == 1:
            return changed[0]
        survivors = before.intersection(*arms)
        sure = [{one for one in arm - before if self._is_sure(one, arm & before)} for arm in arms]
        made = (
            self._ranked(one, frozenset().union(*sure) - arm) if not one.yields else one
            for arm in arms
            for one in arm - before
        )
        # in a loop an arm may make again what was there before; then nothing is new, and what the arms left holds
        return survivors.union(made) or frozenset().union(*changed)

    def _ranked(self, one: Definition, others: Iterable[Definition]) -> Definition:
        yields = not one.is_tombstone and any(self._judge.outranks(other, one) for other in others)
        return one._replace(yields=True) if yields else one

    def _is_sure(self, one: Definition, kept: Definitions) -> bool:
        """Whether a write surely happened in its arm, which kept nothing from before that it would have replaced."""
        return not one.yields and all(old.yields or self._judge.survives(old, one) for old in kept)

    def is_race(self, before: Definitions, arms: Sequence[Definitions], after: Definitions) -> bool:
        """Whether two arms wrote a place so that their order would tell; two that only add to it may do so in any.

        Where rank has decided, so that one arm alone is left in force, there is none.
        """
        wrote = [frozenset(one for one in (arm - before) & after if one.instruction != NEVER) for arm in arms]
        writing = [made for made in wrote if made]
        replaced = any(not self._extends(one) for made in writing for one in made)
        return len(writing) > 1 and replaced and len({self._statements(made) for made in writing}) > 1

    def _extends(self, one: Definition) -> bool:
        return isinstance(self._program.instructions[one.instruction], (Append, Add))

    def _statements(self, made: Definitions) -> frozenset[object]:
        """What an arm states; two arms that delete state the same."""
        return frozenset("nothing" if one.is_tombstone else self._judge.statement(one) for one in made)


def joined_names(before: Names, arms: Sequence[Names]) -> Names:
    """Unions of every arm hold; a reference points to what the arm that bound it left, or may to what several did."""
    return attrs.evolve(
        before,
        references=_joined_references(before.references, [arm.references for arm in arms]),
        may_be_one=before.may_be_one.union(*(arm.may_be_one for arm in arms)),
        must_be_one=before.must_be_one.union(*(arm.must_be_one for arm in arms)),
    )


_References = Mapping[str, frozenset[Cell | None]]


def _joined_references(before: _References, arms: Sequence[_References]) -> _References:
    found = dict(before)
    for name in dict.fromkeys(name for arm in arms for name in arm):
        changed = [arm[name] for arm in arms if name in arm and arm[name] != before.get(name)]
        if changed:
            found[name] = frozenset().union(*changed)
    return found


def joined_tasks(before: Sequence[str], arms: Sequence[Sequence[str]]) -> list[str]:
    """The tasks that every arm left open, and those that an arm opened."""
    kept = [task for task in before if all(task in arm for arm in arms)]
    return kept + list(dict.fromkeys(task for arm in arms for task in arm if task not in before))
