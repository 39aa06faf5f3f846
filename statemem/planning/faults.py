"""What went wrong already: stale uses, conflicts that are still open, effects that were done twice."""

from __future__ import annotations

from statemem.actions import Action, Kind
from statemem.ir import Cell, Definition, Effect
from statemem.ir.values import dumps
from statemem.passes import Conflict, StaleUse
from statemem.passes.conflicts import Rule
from statemem.passes.repeats import Certainty, Repeat

from .situation import Situation
from .wording import purpose_of

#: The code of a conflict by its rule.
_CONFLICTS = {
    Rule.VERSION: "SM201",
    Rule.SAME: "SM202",
    Rule.BRANCHES: "SM203",
    Rule.RACE: "SM204",
    Rule.AUTHORITY: "SM205",
    Rule.ALIAS: "SM206",
}


def stale_use(use: StaleUse, situation: Situation) -> Action:
    """The agent acted on an old value."""
    words = situation.words
    step, purpose = words.step(use.instruction), purpose_of(situation.program, use.instruction)
    what = f" for {words.text(purpose)}" if purpose else ""
    return Action(
        kind=Kind.FLAG_STALE_USE,
        code="SM101",
        cell=use.cell,
        entry=use.entry.id,
        other=use.instead[-1].id if use.instead else None,
        reason=f"step {step} used {words.value(use.entry.id)}{what}, {words.ended(use.ended)}",
        basis="observation",
        unless="an entry in force had stated the same value at that step",
        step=step,
        instruction=use.instruction,
    )


def is_open(found: Conflict, situation: Situation) -> bool:
    """Whether both sides are still in force; of a weaker source that came later, whether it stands in the place."""
    sides = (found.right,) if found.rule is Rule.AUTHORITY else (found.left, found.right)
    return all(map(situation.is_in_force, sides))


def conflict(found: Conflict, situation: Situation) -> Action:
    """Two facts contradict each other."""
    sides = [found.left, found.right]
    if sides[0].is_tombstone:  # an action is about an entry
        sides.reverse()
    entry = situation.program.entry_of(sides[0])
    assert entry is not None
    told = " and ".join(_side(one, situation) for one in sides)
    return Action(
        kind=Kind.FLAG_CONFLICT,
        code=_CONFLICTS[found.rule],
        cell=found.right.cell,
        entry=entry.id,
        other=situation.words.id(sides[1]),
        reason=f"{told} contradict each other: {found.rule.value}",
        basis="observation",
        unless="a later definition replaced both, or one of the two was withdrawn",
        step=situation.words.step(max(found.left.instruction, found.right.instruction)),
        instruction=found.instruction,
    )


def _side(definition: Definition, situation: Situation) -> str:
    named = situation.words.id(definition)
    if not definition.is_tombstone:
        return situation.words.value(named or "")
    return "what was emptied" if named is None else f"what {situation.words.text(named)} emptied"


_REPEATS = {
    Certainty.ALL: "SM151",
    Certainty.ARMS: "SM151",
    Certainty.SOME: "SM152",
    Certainty.POSSIBLE: "SM153",
}


def repeat(found: Repeat, situation: Situation) -> Action:
    """An effect was done again that had been done."""
    words, effect = situation.words, situation.program.instructions[found.instruction]
    assert isinstance(effect, Effect)
    step, first = words.step(found.instruction), words.step(found.earlier[0])
    argument = next((one.place for one in effect.arguments if isinstance(one.place, Cell)), None)
    key = f" with key {words.text(dumps(effect.key))}" if effect.key is not None else ""
    steps = (f"step {situation.program.step_of(one)}" for one in found.path)
    return Action(
        kind=Kind.FLAG_REPEAT,
        code=_REPEATS[found.certainty],
        cell=argument or Cell(situation.program.scope_of(situation.program.block_of(found.instruction)), ()),
        reason=f"step {step} does the effect {words.text(effect.action)}{key}, done at step {first} "
        f"{found.certainty.value}",
        basis="observation",
        unless="it had another key" if effect.key is not None else "each had a key of its own",
        step=step,
        instruction=found.instruction,
        proof=(f"done at step {first}, and again: {' → '.join(steps)}",),
    )
