"""What is trusted and what is not, as data: where labels come from, what takes them off, where they may not arrive.

Models of sources, sanitisers and sinks stand apart from the analysis that follows them, as in CodeQL and Pysa.
"""

from __future__ import annotations

import enum
import re
from functools import lru_cache

import attrs

from statemem.ir.origin import Actor

Labels = frozenset[str]
NO_LABELS: Labels = frozenset()

#: The word of `origin.trust` that says a source may be relied on; every other word is a label.
TRUSTED = "trusted"
#: What somebody outside may have written: a tool's answer, a page, a mail.
UNTRUSTED = "untrusted"
#: What a model wrote, nobody knows from what.
UNKNOWN_PREMISES = "unknown"


def matches(pattern: str, text: str) -> bool:
    """Whether a text is as a pattern says, in which `*` stands for any text and all else for itself.

    >>> matches("*/order[*", 'user:7/order["W15"].price'), matches("search", "search_flights")
    (True, False)
    """
    return _compiled(pattern).fullmatch(text) is not None


@lru_cache(maxsize=1_000)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(".*".join(map(re.escape, pattern.split("*"))), re.DOTALL)


@attrs.frozen(kw_only=True)
class Who:
    """Actors, by patterns of their kind and name."""

    kind: str = "*"
    name: str = "*"

    def fits(self, actor: Actor) -> bool:
        """Whether an actor is one of them."""
        return matches(self.kind, actor.kind) and matches(self.name, actor.name)


ANYBODY = Who()


@attrs.frozen(kw_only=True)
class Writing:
    """What rules are asked about: one write of one cell."""

    actor: Actor
    cell: str
    trust: str | None = None
    rule: str = ""
    is_derived: bool = False


@attrs.frozen(kw_only=True)
class Source:
    """Writes that get a label: by who writes, by the cell, or by the word of trust that the log says of them.

    One without a `trust` of its own does not speak of what is trusted. One without a `label` gives the word of trust
    itself. One that is not for `derived` leaves conclusions to their premises.
    """

    label: str | None = None
    who: Who = ANYBODY
    cell: str = "*"
    trust: str | None = None
    derived: bool = True


@attrs.frozen(kw_only=True)
class Sanitiser:
    """Writes that lose labels: by who writes, by the cell, or by the linking rule that made them."""

    labels: tuple[str, ...] = (UNTRUSTED, UNKNOWN_PREMISES)
    who: Who = ANYBODY
    cell: str = "*"
    rule: str = "*"

    def fits(self, writing: Writing) -> bool:
        """Whether a write is one of them."""
        return self.who.fits(writing.actor) and matches(self.cell, writing.cell) and matches(self.rule, writing.rule)


class SinkKind(enum.Enum):
    """Where a value does harm that should not be there."""

    EFFECT = "effect"
    PIN = "pin"
    LASTING = "lasting"
    INSTRUCTION = "instruction"
    CELL = "cell"


@attrs.frozen(kw_only=True)
class Sink:
    """Effects, or writes, by who acts and a pattern of the action or of the cell."""

    kind: SinkKind
    what: str = "*"
    who: Who = ANYBODY

    def __str__(self) -> str:
        return f"{self.kind.value} {self.what}"


@attrs.frozen(kw_only=True)
class FlowRule:
    """Labels that may not come to some sinks, with a stable code and what is said of it."""

    code: str
    message: str
    labels: tuple[str, ...]
    sinks: tuple[Sink, ...]

    def __str__(self) -> str:
        return self.code


#: The log's own word first: whatever is said of trust, other than `trusted`, is a label. Else a tool brings in what
#: others wrote, whatever it was asked with.
SOURCES = (Source(trust="*"), Source(label=UNTRUSTED, who=Who(kind="tool")))

_INSTRUCTIONS = (
    Sink(kind=SinkKind.INSTRUCTION, who=Who(kind="system")),
    *(
        Sink(kind=SinkKind.INSTRUCTION, what=f"*/{name}{below}")
        for name in ("instructions", "system_prompt")
        for below in ("", ".*", "[*")
    ),
)

#: Only what is known to be untrusted may not come there. What a model wrote from unknown premises is most of a log that
#: records no reads; a policy may forbid it too.
FLOW_RULES = (
    FlowRule(
        code="SM811",
        message="an action on the world rests on what nobody vouches for",
        labels=(UNTRUSTED,),
        sinks=(Sink(kind=SinkKind.EFFECT),),
    ),
    FlowRule(
        code="SM812",
        message="what nobody vouches for is pinned, so that it stays in every context",
        labels=(UNTRUSTED,),
        sinks=(Sink(kind=SinkKind.PIN),),
    ),
    FlowRule(
        code="SM813",
        message="what nobody vouches for became a lasting fact",
        labels=(UNTRUSTED,),
        sinks=(Sink(kind=SinkKind.LASTING),),
    ),
    FlowRule(
        code="SM814",
        message="what nobody vouches for became an instruction",
        labels=(UNTRUSTED,),
        sinks=_INSTRUCTIONS,
    ),
)


@attrs.frozen(kw_only=True)
class TrustRules:
    """All rules of one policy.

    `trusted` are actors of whom sources do not speak, a tool of one's own, say. `models` are the kinds of actors whose
    writes without premises rest on what they were shown, and who so confirm nothing.
    """

    sources: tuple[Source, ...] = SOURCES
    trusted: tuple[Who, ...] = ()
    sanitisers: tuple[Sanitiser, ...] = ()
    flows: tuple[FlowRule, ...] = FLOW_RULES
    models: tuple[str, ...] = ("assistant",)

    def __str__(self) -> str:
        return "standard" if self == STANDARD else "own"

    def is_model(self, actor: Actor) -> bool:
        """Whether an actor writes from what it was shown."""
        return actor.kind in self.models

    def given(self, writing: Writing) -> Labels:
        """The labels that a write has of itself."""
        return frozenset(filter(None, (self._given_by(source, writing) for source in self.sources)))

    def taken(self, writing: Writing) -> Labels:
        """The labels that sanitisers take off a write."""
        return frozenset(label for one in self.sanitisers if one.fits(writing) for label in one.labels)

    def confirmers(self) -> tuple[str, ...]:
        """Who may lower a label by saying the same: the kinds of actors that have none, and those that are trusted."""
        kinds = [kind for kind in ("user", "system", "tool") if not self.is_model(Actor(kind))]
        clean = [kind for kind in kinds if not self.given(Writing(actor=Actor(kind), cell=""))]
        return (*clean, *(f"{one.kind}:{one.name}" for one in self.trusted))

    def _given_by(self, source: Source, writing: Writing) -> str | None:
        """The label that one source gives to a write, if any."""
        if not (source.who.fits(writing.actor) and matches(source.cell, writing.cell)):
            return None
        if writing.is_derived and not source.derived:
            return None
        if source.trust is None:
            return None if self._is_trusted(writing) else source.label
        said = writing.trust
        if said in (None, "", TRUSTED) or not matches(source.trust, said or ""):
            return None
        return source.label or said

    def _is_trusted(self, writing: Writing) -> bool:
        return writing.trust == TRUSTED or any(who.fits(writing.actor) for who in self.trusted)


STANDARD = TrustRules()
