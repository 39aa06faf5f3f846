"""What a comparison with gold comes to: precision, recall, what is missed and what is too much, by cause."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Counts:
    """Counts over dialogues: what is there by the gold, what was found, and by cause what is missed and too much."""

    dialogues: int = 0
    gold: int = 0
    right: int = 0
    found: int = 0
    missed: Counter[str] = field(default_factory=Counter)
    surplus: Counter[str] = field(default_factory=Counter)

    @property
    def recall(self) -> float | None:
        """How much of what is there was found."""
        return self.right / self.gold if self.gold else None

    @property
    def precision(self) -> float | None:
        """How much of what was found is there."""
        return self.right / self.found if self.found else None


@dataclass
class Tally:
    """One thing that is looked for in some logs; `controls` are places at which it must not be found.

    `right` counts what was found and is there; where several finds may be one thing, `recalled` counts those things.
    """

    what: str
    items: int = 0
    gold: int = 0
    found: int = 0
    right: int = 0
    controls: int = 0
    recalled: int | None = None
    missed: Counter[str] = field(default_factory=Counter)
    surplus: Counter[str] = field(default_factory=Counter)

    def judge(self, is_gold: bool, is_found: bool, is_right: bool, *, missed: str, surplus: str) -> None:
        """Take in one place: whether the thing is there, whether it was found, whether that is the same."""
        self.gold += is_gold
        self.found += is_found
        self.right += is_right
        if is_gold and not is_right:
            self.missed[missed] += 1
        if is_found and not is_right:
            self.surplus[surplus] += 1

    @property
    def precision(self) -> float | None:
        """How much of what was found is right."""
        return self.right / self.found if self.found else None

    @property
    def recall(self) -> float | None:
        """How much of what is there was found."""
        met = self.right if self.recalled is None else self.recalled
        return met / self.gold if self.gold else None

    def record(self) -> dict[str, Any]:
        """The JSON form."""
        counters = {"missed": dict(self.missed), "surplus": dict(self.surplus)}
        return vars(self) | counters | {"precision": self.precision, "recall": self.recall}


def table(tallies: Iterable[Tally]) -> Iterator[str]:
    """A line for each: what was looked for, precision, recall, and how much was missed or too much."""
    yield f"{'':<56}{'there':>8}{'found':>8}{'precision':>11}{'recall':>11}"
    for one in tallies:
        rates = f"{share(one.precision):>11}{share(one.recall):>11}"
        yield f"{one.what:<56}{one.gold:>8,}{one.found:>8,}{rates}"
        yield from (f"{count:>10,}  missed: {cause}" for cause, count in one.missed.most_common())
        yield from (f"{count:>10,}  too much: {cause}" for cause, count in one.surplus.most_common())


def share(rate: float | None) -> str:
    """A rate in percent."""
    return "none" if rate is None else f"{100 * rate:.1f} %"
