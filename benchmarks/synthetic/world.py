"""What all stories of one dialogue share: its words and its chance, its ledger, what is planted and what is asked."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from random import Random
from typing import Any

import attrs

from statemem.ir import Declaration, Requirement
from statemem.policy import Policy

from .dialogue import Plant, Question
from .ledger import Ledger
from .levels import Level
from .words import Words

#: A finding that is planted: of a kind of action, in words that name entries, from one turn on and up to another.
Finding = tuple[str, str]


@attrs.define
class World:
    """What all stories of one dialogue share."""

    words: Words
    draw: Random
    level: Level
    ledger: Ledger = attrs.field(factory=Ledger)
    now: int = 0
    count: int = 0
    policy: Policy = attrs.field(factory=Policy)
    declarations: list[Declaration | Requirement] = attrs.field(factory=list)
    #: What is planted, in the order in which it came to be.
    findings: dict[Finding, None] = attrs.field(factory=dict)
    #: Of that, what holds at the turn at hand alone.
    momentary: list[Finding] = attrs.field(factory=list)
    #: The values that were told of each field of each kind of entity.
    _told: dict[tuple[str, str], list[Any]] = attrs.field(factory=lambda: defaultdict(list))
    spoken_of: dict[str, Plant] = attrs.field(factory=dict)
    pending: list[Callable[[World], Question]] = attrs.field(factory=list)

    def number(self) -> int:
        """A number nobody has had."""
        self.count += 1
        return self.count

    def value(self, kind: str, field: str) -> Any:
        """A value of a field; where entities are to be alike, every other time one that some entity had before."""
        told = self._told[kind, field]
        if self.level.alike and told and self.draw.random() < 0.5:
            return self.draw.choice(told)
        told.append(self.words.value(kind, field, self.draw))
        return told[-1]

    def forget(self) -> None:
        """What held at one turn alone holds no longer."""
        for one in self.momentary:
            del self.findings[one]
        self.momentary.clear()

    def undecided(self) -> set[str]:
        """Entries with which nothing is done until somebody has looked at them."""
        quarantined = {text for kind, text in self.findings if kind == "Quarantine"}
        open_ones = (one for one in self.ledger.conflicts if self.ledger.is_open(one))
        return quarantined.union(*((one.left, one.right) for one in open_ones))
