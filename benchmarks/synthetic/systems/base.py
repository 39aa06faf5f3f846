"""What a system under test is: it reads a dialogue turn by turn, and answers questions in between."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any, Protocol

import attrs

from statemem.ir import Delete

from ..dialogue import Dialogue, Entry, Question, Turn
from ..forms import chat


@attrs.frozen(slots=False)
class Seen:
    """One turn as a system sees it: as messages, and as what it wrote and withdrew for those that read no text."""

    turn: Turn
    dialogue: Dialogue = attrs.field(repr=False)

    @property
    def number(self) -> int:
        """The number of the turn, from 1."""
        return self.turn.number

    @property
    def actor(self) -> str:
        """Who speaks or answers: `user`, `assistant`, `tool:get_status`."""
        return self.turn.actor

    @cached_property
    def messages(self) -> list[dict[str, Any]]:
        """The chat messages of the turn."""
        return chat.messages(self.turn, self.dialogue)

    @cached_property
    def writes(self) -> list[Entry]:
        """The entries that the turn writes: `id`, `cell`, `value`, and the ids of its `premises`."""
        ids = (one.id for one in self.turn.instructions if one.id is not None)
        return [self.dialogue.entries[one] for one in ids if one in self.dialogue.entries]

    @cached_property
    def withdrawn(self) -> list[str]:
        """The cells that the turn empties."""
        return [str(one.target) for one in self.turn.instructions if isinstance(one, Delete)]


class System(Protocol):
    """A memory under test. A new one is made for every dialogue."""

    def read(self, seen: Seen) -> None:
        """Take in a turn."""
        ...

    def answer(self, question: Question) -> Iterable[str] | None:
        """The answer to a question, without a look at its `answer`; None if such questions cannot be answered."""
        ...


#: Makes a system for a dialogue, of which it may know beforehand the words, the declarations and the policy.
Maker = Callable[[Dialogue], System]


@attrs.frozen
class Entrant:
    """A system with its name and the form it reads, which decides what of a dialogue it can be asked for."""

    name: str
    make: Maker
    form: str = "ops"
