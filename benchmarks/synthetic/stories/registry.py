"""The stories by name, and in which forms each can be told."""

from __future__ import annotations

from collections.abc import Callable

import attrs

from ..dialogue import FORMS
from ..story import Story, Telling

#: Forms in which one can say anything that operations can: in a chat in words.
SAID = frozenset(["smir", "ops", "chat"])
#: Forms that have what no chat message states: versions, times of observation.
STRUCTURED = frozenset(["smir", "ops", "steps"])
OPERATIONS = SAID & STRUCTURED
#: What only a program has: arms and branches, declarations.
PROGRAM = frozenset(["smir"])
#: Where entries can be pinned.
PINNING = frozenset(["smir", "steps"])
ALL = frozenset(FORMS)


@attrs.frozen
class Tale:
    """How a kind of story is told, and in which forms it can be."""

    name: str
    tell: Callable[[Story], Telling]
    forms: frozenset[str]

    @property
    def title(self) -> str:
        """What it plants, in a line."""
        return (self.tell.__doc__ or "").partition("\n")[0]


STORIES: dict[str, Tale] = {}


def tale(forms: frozenset[str] = ALL) -> Callable[[Callable[[Story], Telling]], Callable[[Story], Telling]]:
    """Make a story known by the name of its function."""

    def known(tell: Callable[[Story], Telling]) -> Callable[[Story], Telling]:
        STORIES[tell.__name__] = Tale(tell.__name__, tell, forms)
        return tell

    return known
