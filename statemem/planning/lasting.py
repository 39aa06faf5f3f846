"""Facts that deserve to outlive their session."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from statemem.actions import Action, Kind
from statemem.passes import Standing
from statemem.passes.collection.generations import PROFILE
from statemem.passes.collection.survival import Survived, survived

from .situation import Fact, Key, Situation, key_of
from .wording import counted

#: The kinds of scope from which facts are promoted; those of the user and wider ones last already.
_PASSING = ("session", "task", "turn")


def promotions(situation: Situation) -> dict[Key, list[Action]]:
    """The promotion of each fact that deserves it, by the entry that stands for the fact."""
    passing = [one for one in situation.standings if one.cell.scope.kind in _PASSING and _may_last(one, situation)]
    if not passing:
        return {}
    found = survived(situation.manager, situation.policy.promotion.every)
    known = {(one.entry.instruction, one.entry.leaf): one for one in found}
    promoted: dict[Key, list[Action]] = {}
    for standing in passing:
        fact = situation.fact_of(key_of(standing))
        if fact and fact[0] is standing:
            sources = [known[key] for key in map(key_of, fact) if key in known]
            promoted[key_of(standing)] = list(_promoted(standing, fact, sources, situation))
    return promoted


def _promoted(standing: Standing, fact: Fact, sources: list[Survived], situation: Situation) -> Iterator[Action]:
    """The first reason there is; the surest comes first."""
    own, words = situation.words.value(standing.entry.id), situation.words
    steps = sorted({step for one in sources for step in one.collections if step <= situation.now})
    wanted = situation.policy.promotion.collections
    sessions = list(dict.fromkeys(str(scope) for one in sources for scope in one.sessions))
    if any(_is_lasting(one, situation) for one in fact):
        yield _action(standing, "SM921", f"{own} is stated as lasting", "the log did not state it", ())
    elif sessions:
        told = " and ".join(map(words.text, sessions))
        yield _action(standing, "SM922", f"{own} was used in {told}", "no other session had used it", ())
    elif len(steps) >= wanted and not any(_is_linked(one, situation) for one in fact):
        reason = f"{own} survived {counted(len(steps), 'collection')}; its generation asks for {wanted}"
        unless = "it had not been used for longer between two of them"
        yield _action(standing, "SM923", reason, unless, (f"survived at steps {', '.join(map(str, steps))}",))


def _may_last(standing: Standing, situation: Situation) -> bool:
    """Whether an entry can be promoted: of what was linked only what another session uses, or is said to last."""
    sessions = sum(scope.kind == "session" for scope in situation.program.scopes)
    return sessions > 1 or not _is_linked(standing, situation) or _is_lasting(standing, situation)


def _is_lasting(standing: Standing, situation: Situation) -> bool:
    return situation.program.metadata.get(standing.entry.id, {}).get("generation") == PROFILE.value


def _is_linked(standing: Standing, situation: Situation) -> bool:
    """Whether an entry was found by linking values of calls: what an agent works with, however long it does."""
    return situation.program.instructions[standing.entry.instruction].origin.rule is not None


def _action(standing: Standing, code: str, reason: str, unless: str, proof: Iterable[str]) -> Action:
    return Action(
        kind=Kind.PROMOTE,
        code=code,
        cell=standing.cell,
        entry=standing.entry.id,
        reason=f"{reason}; it belongs to the user and not to this {standing.cell.scope.kind}",
        basis="policy",
        unless=unless,
        step=standing.created,
        proof=tuple(proof),
    )
