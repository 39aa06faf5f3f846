"""The report on one conversation: what was found, and the ways to read it."""

from __future__ import annotations

from typing import Any

from statemem.ir import Cell

from .explain import explain
from .model import Findings
from .record import to_dict
from .text import render


class Report(Findings):
    """The report on one conversation at a point: by default the end of its log. `print` it, or ask it why.

    `at` is a step: facts are those at its end, and `now`, to which ages are counted, is that step even where the log
    ends before it. `entries` holds the standing of every entry made so far, `actions` the plan.
    """

    def explain(self, cell: str | Cell, at: int | None = None) -> str:
        """What a cell holds and held, why each entry is what it is, and what would change that.

        `cell` is written as on the command line; an entry id names its cell. Raises `UsageError` where there is none.
        """
        return explain(self if at is None else self.as_of(at), cell)

    def as_of(self, at: int) -> Report:
        """The report on the same log at the end of a step."""
        show = self.masker.show_values
        return Report(
            self.manager, policy=self.policy, at=at, problems=self.problems, show_values=show, baseline=self.baseline
        )

    def to_dict(self) -> dict[str, Any]:
        """The report as JSON types, of schema `statemem.report/1`."""
        return to_dict(self)

    def __str__(self) -> str:
        return render(self)
