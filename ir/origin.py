"""Origins: where in a log an instruction stands, who wrote it, and how much it is to be trusted."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

import attrs


class Actor(NamedTuple):
    """Who acts in a block: `user`, `assistant:NAME`, `tool:NAME`, `system`.

    >>> str(Actor("tool", "get_order")), Actor("tool", "get_order").is_tool
    ('tool:get_order', True)
    """

    kind: str
    name: str = ""

    @property
    def is_user(self) -> bool:
        """Whether a person speaks."""
        return self.kind == "user"

    @property
    def is_tool(self) -> bool:
        """Whether a tool answers."""
        return self.kind == "tool"

    def __str__(self) -> str:
        return f"{self.kind}:{self.name}" if self.name else self.kind


@attrs.frozen(kw_only=True)
class Origin:
    """Where an instruction comes from. Every field is optional; a block's actor and step serve for all its own.

    `line` and `record` count from 1, `pointer` is a JSON pointer into the record, which behind `#` goes on within a
    JSON text found there, `tokens` the cost of showing the entry or, of what stood in a prompt, that of the prompt,
    `cached` how many of these came from a cache, `confidence` lies in 0 to 1, `rule` names the linking rule that made
    it, `group` is shared by calls that ran in parallel. `observed` is when a fact held, `recorded` when it was written
    down; both are aware datetimes that keep the offset in which the log gave them. A higher `version` outranks a lower
    one of the same cell. `count` is how often the logs held what a workflow was learned from; a block's count is that
    of its instructions too. `named` is how a person or a model wrote names that were normalised.
    """

    event: str | None = None
    file: str | None = None
    line: int | None = None
    record: int | None = None
    pointer: str | None = None
    actor: Actor | None = None
    trust: str | None = None
    observed: datetime | None = None
    recorded: datetime | None = None
    tokens: int | None = None
    cached: int | None = None
    confidence: float | None = None
    rule: str | None = None
    group: str | None = None
    version: int | None = None
    count: int | None = None
    named: str | None = None


NOWHERE = Origin()

#: Stands in the rule of what a tool worked out from what it was given; its other answers were looked up with that.
CONCLUDED = "4 concluded"


@attrs.frozen
class Authority:
    """Whose word counts for more: kinds of actors, the strongest first; for a person's own facts the person's.

    >>> Authority().of("tool") > Authority().of("assistant"), Authority().of("user", own=True) > Authority().of("tool")
    (True, True)
    """

    order: tuple[str, ...] = ("system", "tool", "user", "assistant")
    own: tuple[str, ...] = ("user", "system", "tool", "assistant")

    def of(self, kind: str, *, own: bool = False) -> int:
        """The authority of a kind of actor, higher for the stronger; the lowest for all that are not listed."""
        order = self.own if own else self.order
        return len(order) - order.index(kind) if kind in order else 0


def outranks(left: Origin, right: Origin) -> bool:
    """Whether a definition of origin `left` stays in force against one of origin `right` (2-ir, Meaning 5).

    The higher version wins where both state one, else the later observation where both are dated;
    without either neither outranks the other and the order of the log decides.

    >>> outranks(Origin(version=2), Origin(version=1)), outranks(Origin(version=1), NOWHERE)
    (True, False)
    """
    if left.version is not None and right.version is not None:
        return left.version > right.version
    if left.observed is not None and right.observed is not None:
        return left.observed > right.observed
    return False
