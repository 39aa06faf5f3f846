"""Memory actions: what the plan proposes for each entry, and on what facts."""

from __future__ import annotations

import enum
from typing import Literal

import attrs

from statemem.ir import Cell

#: What an action's verdict rests on: the log itself, what the horizon expects, or age and policy.
Basis = Literal["observation", "expectation", "policy"]


class Kind(enum.Enum):
    """The kinds of action."""

    FLAG_STALE_USE = "FlagStaleUse"
    FLAG_CONFLICT = "FlagConflict"
    SUPERSEDE = "Supersede"
    MERGE = "Merge"
    KEEP = "Keep"
    DEMOTE = "Demote"
    ARCHIVE = "Archive"


#: The stable codes with what each means.
CODES = {
    "SM101": "the agent acted on a value that was no longer in force",
    "SM201": "equal version, different content",
    "SM202": "two names of one entity, different values",
    "SM203": "different values reach one use along different branches",
    "SM204": "two arms of a fork wrote one cell and did not see each other",
    "SM205": "a weaker source came later than a stronger one and differs",
    "SM206": "two facts of which it is not sure that both speak of one entity",
    "SM301": "replaced by another value",
    "SM401": "restates a fact that is in force",
    "SM501": "live",
    "SM502": "pinned",
    "SM503": "not spoken of by the horizon, and used or made recently",
    "SM601": "dead: the horizon speaks of the cell and nothing will read it",
    "SM602": "not spoken of by the horizon, and cold",
    "SM701": "replaced, deleted or gone",
    "SM702": "its scope ended",
    "SM703": "outranked when it came",
    "SM704": "dead and demoted",
    "SM705": "cold for longer again",
}


@attrs.frozen(kw_only=True)
class Action:
    """One proposal of a plan.

    `entry` is the id of the entry it is about, `other` that of the entry it is related to: its successor, the fact it
    is merged into, the other side of a conflict. `reason` is one sentence that quotes the log, `unless` what would
    change the verdict. `step` is where the facts arose.
    """

    kind: Kind
    code: str
    cell: Cell
    entry: str
    reason: str
    basis: Basis
    unless: str
    step: int
    other: str | None = None
    instruction: int | None = None
