"""Names of tools taken apart: the verb, whether it writes, what the tool is about; and what a domain file says."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

import attrs

from ...identity import ID_WORDS, singular, words
from ..domain import UNKNOWN, Domain, ToolRule

_READING = frozenset(
    "calculate check describe fetch find get list load look lookup query read retrieve search show view".split()  # noqa: SIM905
)
_WRITING = frozenset(
    """
    add apply approve assign book cancel change close confirm create decline delete disable edit enable exchange grant
    insert modify move open patch pay place post put rebook refund register reject remove rename replace reschedule
    reset return revoke schedule send set submit switch toggle transfer update upsert write
    """.split()  # noqa: SIM905  a list of words reads better without its quotes
)
#: Words that say how much is told of a thing, not of what.
_FILLERS = frozenset(
    "all by data detail details for full id ids info information list my of one record the with".split()  # noqa: SIM905
)


@attrs.frozen
class Tool:
    """What a tool's name says: `subject` are the words of the thing it is about, singular, in order.

    A name that is all verb is about what it does, `refund`, or if it only reads, `lookup`, about anything.

    >>> Tool.of("get_order_details").subject, Tool.of("mcp__shop__update_customer").writes
    (('order',), True)
    """

    name: str
    subject: tuple[str, ...]
    writes: bool
    domain: Domain = UNKNOWN

    @classmethod
    @functools.cache
    def of(cls, name: str) -> Tool:
        """The tool of that name; its verb is the first word that is one, wherever it stands."""
        found = words(name)
        at = next((n for n, word in enumerate(found) if word in _READING or word in _WRITING), None)
        if at is None:
            return cls(name, _about(found), writes=False)
        writes = found[at] in _WRITING
        own = (found[at],) if writes else ()
        return cls(name, _about(found[at + 1 :]) or _about(found[:at]) or own, writes)

    @classmethod
    def known(cls, name: str, domain: Domain) -> Tool:
        """The tool of that name, by what a domain says of it; where it says nothing, by the name.

        >>> order = Domain(tools=(ToolRule(name="peek", entity="order", writes=True),))
        >>> Tool.known("peek", order).kind_of("id"), Tool.known("peek", order).writes
        ('order', True)
        """
        tool, rule = cls.of(name), domain.tool(name)
        subject = tool.subject if rule.entity is None else tuple(singular(word) for word in words(rule.entity))
        return attrs.evolve(
            tool, subject=subject, writes=tool.writes if rule.writes is None else rule.writes, domain=domain
        )

    @property
    def rule(self) -> ToolRule:
        """What the domain says of the tool."""
        return self.domain.tool(self.name)

    def id_fields(self, fields: Mapping[str, Any]) -> list[str]:
        """The fields that name a thing."""
        return self.domain.id_fields(fields)

    @property
    def is_bare(self) -> bool:
        """Whether the name is all verb."""
        return not self.subject or self.subject == tuple(words(self.name))

    def is_about(self, kind: str) -> bool:
        """Whether a kind of entity is among what the name speaks of."""
        return not self.subject or set(words(kind)) <= set(self.subject)

    def tells_only(self, kind: str, fields: frozenset[str]) -> bool:
        """Whether what the name speaks of besides the entity are fields of the answer: `get_order_status` → status."""
        rest = set(self.subject) - set(words(kind))
        return rest <= {singular(word) for field in fields for word in words(field)}

    def kind_of(self, field: str) -> str:
        """The kind of entity an id field names; a bare `id` names what the tool is about.

        >>> Tool.of("x").kind_of("flightNumber"), Tool.of("get_customer_details").kind_of("id")
        ('flight', 'customer')
        """
        if field in self.domain.kinds:
            return self.domain.kinds[field]
        stem = [word for word in words(field) if word not in ID_WORDS]
        return "_".join(stem) or "_".join(self.subject) or self.name


def _about(found: list[str]) -> tuple[str, ...]:
    """The words that name a thing, up to `by`, which tells only how it is found."""
    end = found.index("by") if "by" in found else len(found)
    return tuple(singular(word) for word in found[:end] if word not in _FILLERS)
