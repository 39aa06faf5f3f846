"""Many conversations at a glance: a line each, worst first, and totals."""

from __future__ import annotations

from collections.abc import Sequence

from .layout import count, cut, cut_front, pad, plural
from .model import Findings
from .record import OTHERS, counts

#: `others` are findings beside the first two.
_COLUMNS = ("stale use", "conflict", "others", "superseded", "live", "unknown", "dead")
_NAME, _NUMBER = 32, 11


def row(report: Findings) -> tuple[int, ...]:
    """The numbers of one conversation, in the order of the columns."""
    found = counts(report)
    dead = found["spent"] + found["unread"]
    others = sum(action.kind in OTHERS for action in report.actions)
    faults = (found["stale_use"], found["conflict"], others)
    return (*faults, found["superseded"], found["live"], found["unknown"], dead)


class Overview:
    """Collects the lines of many conversations; reports themselves are not kept."""

    def __init__(self) -> None:
        self._rows: list[tuple[str, tuple[int, ...], int, int, int]] = []

    def add(self, report: Findings) -> None:
        """Take one conversation in."""
        carried = report.carried
        tokens = report.tokens_of(report.entries)
        name = report.masker.text(report.name)
        self._rows.append((name, row(report), tokens, carried.token_steps, carried.before_last_use))

    def render(self, width: int) -> str:
        """The table, worst first: by stale uses, conflicts, other findings, superseded entries, then name."""
        ordered = sorted(self._rows, key=lambda line: ([-number for number in line[1][:4]], line[0]))
        head = pad("conversation", _NAME) + "".join(f"{name:>{_NUMBER}}" for name in (*_COLUMNS, "tokens"))
        lines = [head, *(_line(name, numbers, tokens) for name, numbers, tokens, _, _ in ordered)]
        lines += ["", self._totals(), self._carried()]
        return "\n".join(cut(line, width) for line in lines)

    def _totals(self) -> str:
        numbers = tuple(map(sum, zip(*(line[1] for line in self._rows), strict=True)))
        return _line(f"all {plural(len(self._rows), 'conversation')}", numbers, sum(line[2] for line in self._rows))

    def _carried(self) -> str:
        total, useful = sum(line[3] for line in self._rows), sum(line[4] for line in self._rows)
        share = f"{useful / total:.0%}".replace("%", " %") if total else "0 %"
        return f"carried {count(total)} token-steps, {count(useful)} of them before a last use ({share})"


def _line(name: str, numbers: Sequence[int], tokens: int) -> str:
    return pad(cut_front(name, _NAME - 1), _NAME) + "".join(
        f"{count(number):>{_NUMBER}}" for number in (*numbers, tokens)
    )
