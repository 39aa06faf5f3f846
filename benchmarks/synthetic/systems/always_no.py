"""One who trusts nothing: what that is worth shows how much better than a fixed answer the others are."""

from __future__ import annotations

from ..dialogue import Question
from .base import Seen, Setting

_YES_OR_NO = ("presumed", "trusted")


class AlwaysNo:
    """Says no wherever yes or no is asked."""

    def __init__(self, _: Setting) -> None:
        pass

    def read(self, seen: Seen) -> None:
        """Nothing is kept."""

    def answer(self, question: Question) -> list[str] | None:
        """No."""
        return ["no"] if question.kind in _YES_OR_NO else None
