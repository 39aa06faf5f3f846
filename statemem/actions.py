"""Memory actions: what the plan proposes, for an entry, a cell or a task, and on what facts."""

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
    FLAG_REPEAT = "FlagRepeat"
    QUARANTINE = "Quarantine"
    REVALIDATE = "Revalidate"
    CONFIRM = "Confirm"
    ASK = "Ask"
    SUPERSEDE = "Supersede"
    MERGE = "Merge"
    KEEP = "Keep"
    SUSPEND = "Suspend"
    RESUME = "Resume"
    RELEASE = "Release"
    PROMOTE = "Promote"
    DEMOTE = "Demote"
    ARCHIVE = "Archive"


#: The kinds that tell of something to be looked at by somebody; the others move entries about.
FINDINGS = frozenset(
    [
        Kind.FLAG_STALE_USE,
        Kind.FLAG_CONFLICT,
        Kind.FLAG_REPEAT,
        Kind.QUARANTINE,
        Kind.REVALIDATE,
        Kind.CONFIRM,
        Kind.ASK,
    ]
)

#: The stable codes with what each means.
CODES = {
    "SM101": "the agent acted on a value that was no longer in force",
    "SM151": "an effect was done that every way to it had done already",
    "SM152": "an effect was done that some way to it had done already",
    "SM153": "an effect without a key was done twice with the very same arguments",
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
    "SM702": "its turn ended",
    "SM703": "outranked when it came",
    "SM704": "dead and demoted",
    "SM705": "cold for longer again",
    "SM801": "a conclusion rests on what was replaced or withdrawn",
    "SM802": "a cell was changed, and one that is declared to depend on it was not",
    "SM811": "an untrusted value reaches an effect",
    "SM812": "an untrusted value reaches a pinned cell",
    "SM813": "an untrusted value becomes a lasting fact",
    "SM814": "an untrusted value becomes an instruction",
    "SM901": "its task was put aside",
    "SM902": "its task was taken up again",
    "SM903": "its task ended",
    "SM911": "an open task requires a cell that some path does not assign",
    "SM912": "an effect depends on a reference that may mean several entities, or none",
    "SM913": "a guarded cell is written through a reference that may mean several entities, or none",
    "SM914": "a cell is read where nothing is known of it",
    "SM915": "two entities whose names differ only in case or form may be one",
    "SM921": "stated as lasting",
    "SM922": "used in another session",
    "SM923": "survived the collections its generation asks for",
    "SM931": "a guarded cell was changed, and nobody who may has agreed",
}


@attrs.frozen(kw_only=True)
class Action:
    """One proposal of a plan.

    `entry` is the id of the entry it is about, None where it is about a cell that nothing was written to, or an effect;
    `other` that of the entry it is related to: its successor, the fact it is merged into, the other side of a conflict,
    the premise that changed. `task` is the task it is about, `candidates` what a question may be answered with,
    `others` the cells it is about besides `cell`.
    `reason` is one sentence that quotes the log, `proof` the steps that lead to the verdict, one a line, `unless` what
    would change it. `step` is where the facts arose.
    """

    kind: Kind
    code: str
    cell: Cell
    reason: str
    basis: Basis
    unless: str
    step: int
    entry: str | None = None
    other: str | None = None
    instruction: int | None = None
    task: str | None = None
    candidates: tuple[str, ...] = ()
    others: tuple[Cell, ...] = ()
    proof: tuple[str, ...] = ()
