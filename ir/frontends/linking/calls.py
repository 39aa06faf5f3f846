"""Calls that wait for their results, and how the instructions they make say where they come from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import attrs

from ...instructions import Operand
from ...origin import Origin
from .files.operations import Operation
from .files.slips import Slip
from .tools import Tool

SURE, LIKELY, GUESSED = 1.0, 0.9, 0.5


@attrs.define
class Call:
    """A call that waits for its result; `message` counts the messages before its own.

    `premises` are what its arguments were linked to; `slots` those of a form among that, on which no result rests: a
    form that is filled in anew makes no earlier answer wrong. `operations` are what the call does to files, `names` how
    the log wrote fields that are synonyms, by their real names. `slip` is a quote of what a file held before.
    """

    about: Tool
    arguments: dict[str, Any]
    id: str
    message: int = 0
    premises: list[Operand] = attrs.field(factory=list)
    slots: list[Operand] = attrs.field(factory=list)
    names: Mapping[str, str] = attrs.field(factory=dict)
    operations: tuple[Operation, ...] = ()
    slip: Slip | None = None

    def copy(self) -> Call:
        """The same call on a path of its own."""
        return attrs.evolve(self, premises=list(self.premises), slots=list(self.slots))

    @property
    def tool(self) -> str:
        """The name of the tool."""
        return self.about.name

    @property
    def keeps_arguments(self) -> bool:
        """Whether new arguments are kept under the call: what a form has need not be, unless the call acts."""
        return self.about.rule.form is None or self.about.rule.effect is not None

    def written(self, field: str) -> str:
        """A field as the log wrote it, before a synonym was resolved."""
        return self.names.get(field, field)

    def is_object(self, field: str) -> bool:
        """Whether an argument is the id of what the tool's name speaks of: to `delete_card` an old one is no slip."""
        tool = self.about
        return field in tool.id_fields(self.arguments) and bool(tool.subject) and tool.is_about(tool.kind_of(field))

    def addressed(self, field: str) -> str | None:
        """The argument that names what a call is about: the id its tool's name speaks of, or its only id.

        `book_reservation(user_id, …)` sets nothing of the user; `set_card(customer_id, card)` says by the field that it
        does.
        """
        tool = self.about
        ids = tool.id_fields(self.arguments)
        named = [one for one in ids if self.is_object(one)]
        if named:
            return named[0]
        speaks = tool.is_bare or tool.is_about(field)
        return ids[0] if len(ids) == 1 and speaks else None


def by(origin: Origin, rule: str, confidence: float) -> Origin:
    """The origin of what a linking rule made."""
    return attrs.evolve(origin, rule=rule, confidence=None if confidence == SURE else confidence)


def inside_text(origin: Origin, content: Any) -> Origin:
    """The origin of what stands in a JSON text: behind `#`, its pointer goes on within the text."""
    return attrs.evolve(origin, pointer=f"{origin.pointer or ''}#") if isinstance(content, str) else origin


def inside(origin: Origin, *fields: str) -> Origin:
    """The origin of a part: its JSON pointer goes on to the fields."""
    steps = (field.replace("~", "~0").replace("/", "~1") for field in fields)
    return attrs.evolve(origin, pointer="/".join((origin.pointer or "", *steps)))
