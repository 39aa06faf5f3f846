"""The history of a request, as it is compared with those before: what is said, by whom, and the ways to it."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from .identity import chained, identity_of
from .records import Read


@attrs.frozen(eq=False)
class Turn:
    """A message of a history that says something; `unsaid` are those before it that say nothing others repeat."""

    read: Read
    identity: str
    unsaid: tuple[Read, ...] = ()

    @property
    def role(self) -> str:
        """Who speaks."""
        return self.read.message.role

    @property
    def is_rule(self) -> bool:
        """Whether this is a rule for the model; it changes from request to request, with the time in it perhaps."""
        return self.role == "system"


@attrs.frozen(eq=False)
class History:
    """The turns of a history. What stands at its very end and says nothing that others repeat is left out."""

    turns: tuple[Turn, ...]

    @classmethod
    def of(cls, reads: Sequence[Read]) -> History:
        """The history of messages."""
        turns: list[Turn] = []
        unsaid: list[Read] = []
        for read in reads:
            identity = identity_of(read.message)
            if identity:
                turns.append(Turn(read, identity, tuple(unsaid)))
                unsaid = []
            else:
                unsaid.append(read)
        return cls(tuple(turns))

    def identities(self) -> tuple[str, ...]:
        """What tells one history from another."""
        return tuple(turn.identity for turn in self.turns)

    def ways(self) -> list[str]:
        """The digest of the way up to each turn; rules make no difference."""
        ways: list[str] = []
        way = ""
        for turn in self.turns:
            way = way if turn.is_rule else chained(way, turn.identity)
            ways.append(way)
        return ways
