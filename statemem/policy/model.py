"""What a policy says."""

from __future__ import annotations

from collections.abc import Mapping

import attrs

from statemem.actions import Action
from statemem.ir import Cell
from statemem.ir.origin import Authority
from statemem.passes.trust.rules import STANDARD, TrustRules

from .patterns import CellPattern


@attrs.frozen(kw_only=True)
class Generation:
    """How a generation of entries ages, in steps since an entry was made or last used.

    An entry is cold when more than `cold_after` steps have passed, and archived when more than `archive_factor` times
    as many have; without a factor it is never archived by age.
    """

    cold_after: int = 5
    archive_factor: int | None = 2

    def is_cold(self, age: int) -> bool:
        """Whether an entry of this age has left the context."""
        return age > self.cold_after

    def is_archived(self, age: int) -> bool:
        """Whether an entry of this age has left the search store too."""
        return self.archive_factor is not None and age > self.cold_after * self.archive_factor


def _defaults() -> dict[str, Generation]:
    return {
        "turn": Generation(cold_after=0, archive_factor=None),
        "session": Generation(cold_after=5, archive_factor=2),
        "profile": Generation(cold_after=50, archive_factor=4),
    }


@attrs.frozen(kw_only=True)
class Guard:
    """Cells whose value may change only if somebody agrees: actors of these kinds, `assistant:checker` being one."""

    cells: CellPattern
    by: tuple[str, ...] = ("user",)


@attrs.frozen(kw_only=True)
class Promotion:
    """When a fact of a session becomes the user's: after so many collections survived, one `every` so many steps."""

    collections: int = 3
    every: int = 5


@attrs.frozen(kw_only=True)
class Suppression:
    """Findings that are not told: of a code, of a family of cells, of a conversation; what is None is any."""

    code: str
    cells: CellPattern | None = None
    conversation: str | None = None
    reason: str = ""

    def hides(self, action: Action, conversation: str) -> bool:
        """Whether a finding of a conversation is one of them."""
        is_there = self.cells is None or self.cells.covers(action.cell)
        return action.code == self.code and is_there and self.conversation in (None, conversation)


@attrs.frozen
class Policy:
    """What the planner does with the facts the passes prove.

    >>> Policy.of(cold_after=3).generations["session"]
    Generation(cold_after=3, archive_factor=2)
    """

    generations: dict[str, Generation] = attrs.field(factory=_defaults)
    guards: tuple[Guard, ...] = ()
    trust: TrustRules = STANDARD
    authority: Authority | None = None
    promotion: Promotion = Promotion()
    suppressions: tuple[Suppression, ...] = ()

    @classmethod
    def of(cls, *, cold_after: int = 5, archive_factor: int = 2) -> Policy:
        """The default policy with another threshold for the session generation."""
        return cls({**_defaults(), "session": Generation(cold_after=cold_after, archive_factor=archive_factor)})

    def generation(self, cell: Cell, metadata: Mapping[str, object]) -> tuple[str, Generation]:
        """The generation of an entry: the one its log states, `turn` for the cells of a turn, else `session`."""
        stated = metadata.get("generation")
        if isinstance(stated, str) and stated in self.generations:
            return stated, self.generations[stated]
        name = "turn" if cell.scope.kind == "turn" else "session"
        return name, self.generations[name]

    def guard_of(self, cell: Cell) -> Guard | None:
        """The guard of a cell, if it has one."""
        return next((guard for guard in self.guards if guard.cells.covers(cell)), None)

    def hides(self, action: Action, conversation: str) -> bool:
        """Whether a finding of a conversation is suppressed."""
        return any(one.hides(action, conversation) for one in self.suppressions)
