"""Answering from a memory that is looked up by cell: what it gives for one, and whether it still has an entry."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable

from ..dialogue import Question


class Lookups(ABC):
    """The questions that any memory of values can be asked; of what rests on what it knows nothing."""

    def answer(self, question: Question) -> Iterable[str] | None:
        """The answer; None where there is no way to ask such a memory."""
        match question.kind:
            case "holds":
                return self.values(question.about, question)
            case "presumed":
                return self._presumed(question)
            case "trusted":
                return self.trusted(question.about, question)
        return self.findings(question.kind)

    @abstractmethod
    def values(self, cell: str, question: Question) -> list[str]:
        """The values that the memory gives for a cell, as answers write them."""

    @abstractmethod
    def trusted(self, entry: str, question: Question) -> list[str]:
        """Whether the memory would let one rely on an entry; nothing where it does not know it."""

    def findings(self, kind: str) -> Iterable[str] | None:
        """The findings of a kind; None for a memory that makes none of it."""
        return None

    def _presumed(self, question: Question) -> list[str]:
        cell, _, value = question.about.partition(" = ")
        values = self.values(cell, question)
        return ["yes" if value in values else "no"] if values else []  # of what it does not know it says nothing
