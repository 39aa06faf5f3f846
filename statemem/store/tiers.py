"""Where plans have put the entries of a conversation: replayed from its plan events, in order."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import attrs

from statemem.actions import Action, Kind

#: The tiers: in the context, found by search, and kept for the record.
HOT, SEARCHED, ARCHIVED = "L1", "L2", "L3"
_TIER = {
    Kind.KEEP.value: HOT,
    Kind.RESUME.value: HOT,
    Kind.DEMOTE.value: SEARCHED,
    Kind.ARCHIVE.value: ARCHIVED,
    Kind.RELEASE.value: ARCHIVED,
}
_MARK = {
    Kind.SUPERSEDE.value: "superseded",
    Kind.MERGE.value: "merged",
    Kind.FLAG_CONFLICT.value: "conflict",
    Kind.REVALIDATE.value: "stale",
    Kind.CONFIRM.value: "unconfirmed",
    Kind.PROMOTE.value: "lasting",
}
#: The kinds that mark an entry which stays where it is, whatever else the plan does with it.
MARKING = frozenset([Kind.REVALIDATE, Kind.CONFIRM, Kind.PROMOTE])
#: What is marked and leaves the context until the mark is taken off again.
_AWAY = {Kind.SUSPEND.value: "suspended", Kind.QUARANTINE.value: "quarantined"}

#: The marks that speak against showing a value as it is, and as current.
DOUBTFUL = frozenset(["conflict", "stale", "unconfirmed", "suspended", "quarantined"])


@attrs.frozen
class Shelf:
    """Where an entry stands: its tier, and the mark a plan gave it with the entry it points to.

    A superseded entry points to its successor, a merged one to the fact it restates, one in conflict to the other side,
    a stale one to the premise that changed.
    """

    tier: str = HOT
    mark: str | None = None
    successor: str | None = None

    def after(self, record: dict[str, Any]) -> Shelf:
        """The shelf after an action. Being moved takes a mark off, but for archiving what was replaced."""
        kind = record["kind"]
        if kind in _MARK:
            return Shelf(self.tier, _MARK[kind], record["other"])
        if kind in _AWAY:
            return Shelf(SEARCHED, _AWAY[kind], record["other"])
        if kind == Kind.ARCHIVE.value and self.mark == "superseded":
            return attrs.evolve(self, tier=ARCHIVED)
        return Shelf(_TIER[kind]) if kind in _TIER else self


class Shelves:
    """The shelves of one conversation's entries by id; an entry no plan spoke of is in L1."""

    def __init__(self, records: Iterable[dict[str, Any]] = ()) -> None:
        self._shelves: dict[str, Shelf] = {}
        for record in records:
            self.put(record)

    def __getitem__(self, entry: str) -> Shelf:
        return self._shelves.get(entry, Shelf())

    def put(self, record: dict[str, Any]) -> None:
        """Carry out an action on an entry; one on a cell or an effect moves nothing. A conflict marks both sides."""
        entry, other = record["entry"], record["other"]
        if entry is None:
            return
        self._shelves[entry] = self[entry].after(record)
        if record["kind"] == Kind.FLAG_CONFLICT.value and other is not None:
            self._shelves[other] = self[other].after({**record, "entry": other, "other": entry})


def action_record(action: Action, now: int) -> dict[str, Any]:
    """What an event keeps of an action."""
    return {
        "kind": action.kind.value,
        "code": action.code,
        "cell": str(action.cell),
        "entry": action.entry,
        "other": action.other,
        "reason": action.reason,
        "basis": action.basis,
        "unless": action.unless,
        "step": action.step,
        "instruction": action.instruction,
        "task": action.task,
        "candidates": list(action.candidates),
        "proof": list(action.proof),
        "now": now,
    }
