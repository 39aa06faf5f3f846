"""Rows of the table: who did what over which graph, how long it took, and whether the answer was right."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from statistics import mean, median
from typing import NamedTuple

PRODUCT = "statemem"
#: The product's rows that those of others are compared with.
COMPARED = {"liveness": "solve", "reaching": "full sets", "generic": "solve"}
HEADER = (
    f"{'workload':<14}{'analysis':<10}{'who':<19}{'what':<22}{'asked':<7}{'runs':>5}{'median':>13}{'ratio':>9}"
    "  same  note"
)


class Key(NamedTuple):
    """What a row is about."""

    workload: str
    analysis: str
    who: str
    what: str


@dataclass(frozen=True)
class Row:
    """Measured values of one thing: processor seconds, or bytes where `unit` says so.

    `asked` says whether facts are only solved for, so that any block can be asked (lazy), or all are made (eager).
    Without values nothing was measured, and the note says why.
    """

    key: Key
    asked: str = ""
    values: list[float] = field(default_factory=list)
    same: bool | None = None
    compared: int = 0
    note: str = ""
    unit: str = "s"

    @property
    def median(self) -> float | None:
        """The middle value."""
        return median(self.values) if self.values else None

    @property
    def mean(self) -> float | None:
        """The mean value."""
        return mean(self.values) if self.values else None


class Rows:
    """All rows, found by what they are about."""

    def __init__(self) -> None:
        self._rows: dict[Key, Row] = {}

    def __iter__(self) -> Iterator[Row]:
        return iter(self._rows.values())

    def add(self, rows: Iterable[Row]) -> Iterator[Row]:
        """Keep rows, and hand them on as they come."""
        for row in rows:
            self._rows[row.key] = row
            yield row

    def get(self, key: Key) -> Row | None:
        """The row about that."""
        return self._rows.get(key)

    def ratio(self, row: Row) -> float | None:
        """How many times as long a row took as the product's."""
        workload, analysis, *_ = row.key
        own = self.get(Key(workload, analysis, PRODUCT, COMPARED.get(analysis, "")))
        return quotient(row.median, own.median if own else None)

    @property
    def wrong(self) -> list[Row]:
        """The rows whose answers differ."""
        return [row for row in self if row.same is False]


def line(row: Row, ratio: float | None) -> str:
    """One row as a line."""
    same = {True: "yes", False: "NO", None: ""}[row.same]
    times = "" if ratio is None else f"{ratio:,.2f}x"
    workload, analysis, who, what = row.key
    return (
        f"{workload:<14}{analysis:<10}{who:<19}{what:<22}{row.asked:<7}{len(row.values) or '':>5}"
        f"{shown(row.median, row.unit):>13}{times:>9}  {same:<4}  {row.note}"
    ).rstrip()


def shown(value: float | None, unit: str) -> str:
    """A value in a unit one can read."""
    if value is None:
        return "none" if unit else ""
    if unit == "bytes":
        return f"{value / 1e6:,.2f} MB"
    if value >= 1:
        return f"{value:,.2f} s"
    return f"{value * 1e3:,.2f} ms" if value >= 1e-3 else f"{value * 1e6:,.1f} µs"


def quotient(one: float | None, other: float | None) -> float | None:
    """One over the other, where both are there."""
    return None if one is None or not other else one / other
