"""Conclusions that rest on what is no longer so, and cells that did not follow what they depend on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import TypeVar

from statemem.actions import Action, Kind
from statemem.ir.entries import Entry
from statemem.ir.values import canonical
from statemem.passes import Consistency
from statemem.passes.dependencies.consistency import Inconsistency, open_at
from statemem.passes.endings import How
from statemem.passes.premises.staleness import Stale, stale

from .situation import Key, Situation

T = TypeVar("T")

#: How many links of a chain of conclusions are told.
_MOST_LINKS = 10

_ENDINGS = {
    How.REPLACED: "was replaced",
    How.DELETED: "was deleted",
    How.LACKING: "is gone with the whole that lacks it",
    How.SCOPE: "ended with its scope",
    How.OUTRANKED: "was outranked when it came",
}


def revalidations(situation: Situation) -> Iterator[Action]:
    """Facts in force that no source supports any more, and declared dependants that are out of step."""
    found = stale(situation.manager, situation.point)
    lost = {(one.entry.instruction, one.entry.leaf) for one in found}
    open_ones = (one for one in found if not _has_support(one.entry, lost, situation))
    yield from (_revalidate(one, situation) for one in open_ones if not _names_itself(one.entry, situation))
    if situation.manager.result(Consistency):
        yield from (_out_of_step(one, situation) for one in open_at(situation.manager, situation.point))


def _names_itself(entry: Entry, situation: Situation) -> bool:
    """Whether an entry is the id of what it tells of: that follows from nothing, whatever came with it."""
    path = situation.cell_of(entry).path
    return len(path) > 1 and path[-2].kind == "key" and canonical(entry.value) == canonical(path[-2].text)


def _has_support(entry: Entry, lost: Iterable[Key], situation: Situation) -> bool:
    """Whether another source of the same fact stands that has lost no premise; of several that have, one is told."""
    fact = situation.fact_of((entry.instruction, entry.leaf))
    keys = [(one.entry.instruction, one.entry.leaf) for one in fact]
    return any(key not in lost for key in keys) or (bool(keys) and keys[0] != (entry.instruction, entry.leaf))


def _revalidate(found: Stale, situation: Situation) -> Action:
    words, root = situation.words, found.chain[-1]
    step = words.step(found.ended.by.instruction) if found.ended else situation.now
    successor = situation.program.entry_of(found.ended.by) if found.ended else None
    certainty = "" if found.surely else " on some path"
    through = _through(found.chain[1:-1], situation)
    told = words.ended(found.ended) if found.ended else "withdrawn"
    own = words.value(found.entry.id)
    return Action(
        kind=Kind.REVALIDATE,
        code="SM801",
        cell=situation.cell_of(found.entry),
        entry=found.entry.id,
        other=root.id,
        reason=f"{own} rests on {words.value(root.id)}{through}, which was {told}{certainty}",
        basis="observation",
        unless=f"{words.text(found.entry.id)} were concluded anew, or {_restored(found, situation)}",
        step=step,
        instruction=found.entry.instruction,
        proof=(*_chain(found, situation), _change(found, successor, situation)),
    )


def _restored(found: Stale, situation: Situation) -> str:
    above = next(reversed(found.chain[1:-1]), found.chain[-1])
    return f"{situation.words.text(above.id)} had been confirmed by a source that still holds"


def _through(between: Sequence[Entry], situation: Situation) -> str:
    """The premises between a conclusion and its root; of many those next to either end."""
    if not between:
        return ""
    ids = [situation.words.text(one.id) for one in _ends(between)]
    left_out = len(between) - len(ids)
    if left_out:
        ids.insert(_MOST_LINKS // 2, f"{left_out} more")
    return f", through {', '.join(ids)}"


def _ends(links: Sequence[T]) -> list[T]:
    """The first and the last ones of many: in a cascade every conclusion has a chain as long as it is deep."""
    half = _MOST_LINKS // 2
    return list(links) if len(links) <= _MOST_LINKS else [*links[:half], *links[-half:]]


def _chain(found: Stale, situation: Situation) -> Iterator[str]:
    """Each premise with the conclusion that rests on it, from the conclusion down to the root."""
    links = list(pairwise(found.chain))
    told = [_concluded(*link, situation) for link in _ends(links)]
    left_out = len(links) - len(told)
    if left_out:
        told.insert(_MOST_LINKS // 2, f"… and so on through {left_out} more conclusions")
    yield from told


def _concluded(conclusion: Entry, premise: Entry, situation: Situation) -> str:
    words = situation.words
    step = words.step(conclusion.instruction)
    return f"step {step}: {words.value(conclusion.id)} was concluded from {words.value(premise.id)}"


def _change(found: Stale, successor: Entry | None, situation: Situation) -> str:
    """What ended the root."""
    words, root = situation.words, found.chain[-1]
    if found.ended is None:
        return f"{words.text(root.id)} was withdrawn"
    step = words.step(found.ended.by.instruction)
    by = f" by {words.value(successor.id)}" if successor is not None else ""
    return f"step {step}: {words.text(root.id)} {_ENDINGS[found.ended.how]}{by}"


def _out_of_step(found: Inconsistency, situation: Situation) -> Action:
    words, dependence = situation.words, found.dependence
    step = words.step(found.change)
    now = ", ".join(words.value(one.id) for one in found.after) or "nothing"
    was = ", ".join(words.value(one.id) for one in found.before) or "nothing"
    held = found.dependants[0]
    certainty = "" if found.surely else " on some path"
    return Action(
        kind=Kind.REVALIDATE,
        code="SM802",
        cell=dependence.cell,
        entry=held.id,
        other=next((one.id for one in reversed(found.after)), None),
        reason=f"{words.value(held.id)} depends on {words.cell(dependence.on)}, which went from {was} to {now} at step "
        f"{step} without it{certainty}",
        basis="observation",
        unless=f"{words.cell(dependence.cell)} were written or confirmed",
        step=step,
        instruction=found.change,
        proof=(
            f"declared: {words.text(str(dependence.cell))} depends on {words.text(str(dependence.on))}",
            f"step {words.step(held.instruction)}: {words.value(held.id)} was written last",
            f"step {step}: {words.cell(dependence.on)} changed from {was} to {now}",
        ),
    )
