"""What a system under test is: it reads a dialogue turn by turn, and answers questions in between.

What it is handed holds nothing of the answers: not what became of an entry, nor which story a turn or question is of.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any, Protocol

import attrs

from statemem.ir import Cell, Declaration, Delete, Requirement
from statemem.policy import Policy

from ..dialogue import Dialogue, Question, Turn
from ..forms import chat
from ..words import Words


@attrs.frozen
class Setting:
    """What a system may know before a dialogue begins: its words, what is declared of cells, the policy."""

    words: Words
    declarations: tuple[Declaration | Requirement, ...]
    policy: Policy


@attrs.frozen
class Written:
    """One entry that a turn writes: its id and cell, its value, who wrote it, and the ids of what it rests on."""

    id: str
    cell: Cell
    value: Any
    actor: str
    premises: tuple[str, ...]


@attrs.frozen(slots=False)
class Seen:
    """One turn as a system sees it: who speaks, and what the turn wrote and which cells it emptied."""

    number: int
    actor: str
    writes: tuple[Written, ...]
    withdrawn: tuple[str, ...]
    _told: Callable[[], list[dict[str, Any]]] = attrs.field(alias="told", repr=False, eq=False)

    @classmethod
    def of(cls, turn: Turn, dialogue: Dialogue) -> Seen:
        """What is seen of a turn of a dialogue."""
        made = (dialogue.entries[one.id] for one in turn.instructions if one.id and one.id in dialogue.entries)
        return cls(
            number=turn.number,
            actor=turn.actor,
            writes=tuple(Written(one.id, one.cell, one.value, one.actor, one.premises) for one in made),
            withdrawn=tuple(str(one.target) for one in turn.instructions if isinstance(one, Delete)),
            told=lambda: chat.messages(turn, dialogue),
        )

    @cached_property
    def messages(self) -> list[dict[str, Any]]:
        """The chat messages of the turn."""
        return self._told()


class System(Protocol):
    """A memory under test. A new one is made for every dialogue."""

    def read(self, seen: Seen) -> None:
        """Take in a turn."""
        ...

    def answer(self, question: Question) -> Iterable[str] | None:
        """The answer to a question; None if such questions cannot be answered."""
        ...


Maker = Callable[[Dialogue], System]


@attrs.frozen
class Entrant:
    """A system with its name and the form it reads, which decides what of a dialogue it can be asked for."""

    name: str
    make: Maker
    form: str = "ops"

    @classmethod
    def of(cls, name: str, made: Callable[[Setting], System], form: str = "ops") -> Entrant:
        """A system that is made for a setting."""
        return cls(name, lambda one: made(Setting(one.words, one.declarations, one.policy)), form)
