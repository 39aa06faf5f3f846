"""What is asked of a memory, and the answers as the generator's ledger has them.

An answer is a set of texts. A value is written as JSON. Findings are written with the ids of entries: `e7 by e9` was
replaced, `e9 into e7` restates, `e7 against e9` contradicts, `e7 at 30` was used at that turn when it held no longer.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from statemem.ir import Cell

from .dialogue import Entry, Plant, Question
from .world import World

#: What a cell holds that is known to hold nothing any more.
NOTHING = "nothing"

Asked = Callable[[World], Question]

#: The kinds of questions about one cell or entry, with what each asks.
ABOUT_ONE = {
    "holds": "what a cell holds now",
    "presumed": "whether what a question takes for granted still holds",
    "trusted": "whether a conclusion may still be trusted",
    "rests_on": "which conclusions rest on an entry",
}


def holds(cell: Cell, plant: Plant) -> Asked:
    """What does a cell hold now?"""

    def asked(world: World) -> Question:
        values = frozenset(shown(one.value) for one in world.ledger.there(cell)) or frozenset([NOTHING])
        text = world.words.sentence("holds", cell=world.words.spoken(cell))
        return Question(world.now, "holds", str(cell), text, values, plant)

    return asked


def presumed(cell: Cell, value: Any, plant: Plant) -> Asked:
    """A question that takes a value for granted: does it hold?"""

    def asked(world: World) -> Question:
        is_so = any(shown(one.value) == shown(value) for one in world.ledger.there(cell))
        text = world.words.sentence("presumed", cell=world.words.spoken(cell), value=value)
        return Question(world.now, "presumed", f"{cell} = {shown(value)}", text, _yes(is_so), plant)

    return asked


def trusted(entry: Entry) -> Asked:
    """May a conclusion still be trusted?"""

    def asked(world: World) -> Question:
        fresh = entry.ended is None and any(map(world.ledger.is_fresh, world.ledger.fact(entry)))
        text = world.words.sentence("trusted", cell=world.words.spoken(entry.cell))
        return Question(world.now, "trusted", entry.id, text, _yes(fresh), entry.plant)

    return asked


def rests_on(entry: Entry) -> Asked:
    """What rests on an entry, however far above?"""

    def asked(world: World) -> Question:
        found = frozenset(world.ledger.resting_on(entry))
        text = world.words.sentence("rests_on", cell=world.words.spoken(entry.cell), value=entry.value)
        return Question(world.now, "rests_on", entry.id, text, found, entry.plant)

    return asked


def finding(kind: str) -> Asked:
    """All findings of a kind at this point."""

    def asked(world: World) -> Question:
        return Question(world.now, kind, "", world.words.sentence(kind), frozenset(FINDINGS[kind](world)))

    return asked


def shown(value: Any) -> str:
    """A value as answers write it: numbers as they are told, without a needless point."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return json.dumps(value.strip() if isinstance(value, str) else value, ensure_ascii=False)


def _yes(is_so: bool) -> frozenset[str]:
    return frozenset(["yes" if is_so else "no"])


# findings


def _planted(kind: str) -> Callable[[World], Iterator[str]]:
    return lambda world: (text for (own, text) in world.findings if own == kind)


def _superseded(world: World) -> Iterator[str]:
    """What was replaced; whether a weaker source may replace a stronger one is not decided yet."""
    replaced = (one for one in world.ledger.entries.values() if one.by is not None)
    undecided = world.undecided()
    return (f"{one.id} by {one.by}" for one in replaced if one.id not in undecided)


def _merged(world: World) -> Iterator[str]:
    undecided = world.undecided()
    for fact in world.ledger.facts():
        yield from (f"{one.id} into {fact[0].id}" for one in fact[1:] if one.id not in undecided)
    yield from _planted("Merge")(world)


def _conflicting(world: World) -> Iterator[str]:
    return (f"{one.left} against {one.right}" for one in world.ledger.conflicts if world.ledger.is_open(one))


def _outranked(world: World) -> Iterator[str]:
    return (one.id for one in world.ledger.entries.values() if one.outranked)


def _stale(world: World) -> Iterator[str]:
    yield from (one.id for one in world.ledger.stale())
    yield from _planted("Revalidate")(world)


def _unread(world: World) -> Iterator[str]:
    return (one.id for one in world.ledger.in_force() if not one.uses)


def _spent(world: World) -> Iterator[str]:
    return (one.id for one in world.ledger.in_force() if one.uses)


#: Where the ledger has the findings of each kind. Those that it does not compute are planted.
FINDINGS: dict[str, Callable[[World], Iterator[str]]] = {
    "Supersede": _superseded,
    "Merge": _merged,
    "FlagConflict": _conflicting,
    "Revalidate": _stale,
    "history": _outranked,
    "unread": _unread,
    "spent": _spent,
    **{
        kind: _planted(kind)
        for kind in ("FlagStaleUse", "Quarantine", "Confirm", "FlagRepeat", "Ask", "Suspend", "Resume", "Release")
    },
}
