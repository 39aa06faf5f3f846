"""What is generated: a dialogue of turns, the entries its turns make, and the questions asked of it, with answers.

All of it is stated once, in instructions of the IR; `forms` writes it down four ways.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import attrs

from statemem.ir import Cell, Declaration, Instruction, Requirement, Scope
from statemem.policy import Policy

from .words import Words

#: Everything in a dialogue is of one user, said in one session.
USER = Scope("user", "u1")
SESSION = Scope("session", "s1")

#: The ways in which a dialogue is written down; the first three state operations, the last is what people have.
FORMS = ("smir", "ops", "steps", "chat")

_ENTRY = re.compile(r"\be\d+\b")
_TURN = re.compile(r"\bat (\d+)$")
#: How cells name an entity or a task.
_NAMED = re.compile(r'\["[^"]+"\]|task:[\w-]+/')


@attrs.frozen
class Arm:
    """The place of a turn in one arm: of a fork, whose arms do not see each other, or of a branch, which takes one."""

    fork: str
    number: int
    shape: str


@attrs.frozen
class Turn:
    """One turn: who speaks or answers, and what it does to the memory. `story` is the plant it belongs to."""

    number: int
    actor: str
    instructions: tuple[Instruction, ...]
    story: str
    task: str | None = None
    arm: Arm | None = None


@attrs.define(eq=False)
class Plant:
    """One planted story: its kind, the forms that can express it, how deep it goes, when it began and was last told."""

    story: str
    kind: str
    forms: frozenset[str] = frozenset(FORMS)
    depth: int = 1
    began: int = 0
    told: int = 0

    @property
    def distance(self) -> int:
        """How many turns it spans."""
        return self.told - self.began


@attrs.define
class Entry:
    """One memory entry as the generator keeps it: what was written where and when, and what became of it."""

    id: str
    cell: Cell
    value: Any
    turn: int
    actor: str
    plant: Plant
    premises: tuple[str, ...] = ()
    rank: int | None = None
    ended: int | None = None
    by: str | None = None
    outranked: bool = False
    #: Whether it ended with its task, and was neither replaced nor withdrawn.
    released: bool = False
    uses: list[int] = attrs.field(factory=list)

    @property
    def is_lost(self) -> bool:
        """Whether it holds no longer; what ended with its task was true to the end."""
        return self.ended is not None and not self.released

    def is_in_force_at(self, turn: int) -> bool:
        """Whether it is in force at the end of a turn."""
        return self.turn <= turn and not self.outranked and (self.ended is None or self.ended > turn)


@attrs.frozen
class Question:
    """One question, asked at the end of a turn: a kind, what it is about, and the answer, a set of texts.

    `kind` is `holds`, `presumed`, `trusted`, `rests_on`, `unread` or a kind of action, such as `Supersede`. Of what it
    asks and how answers are written, `questions` tells. `plant` is the story that asks; None for what is asked of the
    whole dialogue, whose answers tell by their entries which story they belong to. `text` is the question in words.
    """

    turn: int
    kind: str
    about: str
    text: str
    answer: frozenset[str]
    plant: Plant | None = None


@attrs.frozen
class Dialogue:
    """A dialogue with everything that is known of it."""

    name: str
    words: Words
    turns: tuple[Turn, ...]
    questions: tuple[Question, ...]
    entries: Mapping[str, Entry]
    plants: Mapping[str, Plant]
    declarations: tuple[Declaration | Requirement, ...] = ()
    policy: Policy = attrs.field(factory=Policy)
    #: How many turns the whole of it has.
    length: int = 0
    #: The story of each entity and task, by how cells name it.
    spoken_of: Mapping[str, Plant] = attrs.field(factory=dict)

    def upto(self, turn: int) -> Dialogue:
        """The dialogue as it was at the end of a turn."""
        return attrs.evolve(self, turns=tuple(one for one in self.turns if one.number <= turn))

    @property
    def is_over(self) -> bool:
        """Whether nothing comes after what is there of it."""
        return len(self.turns) == self.length

    def entries_in(self, text: str) -> list[Entry]:
        """The entries that an answer names."""
        return [self.entries[one] for one in _ENTRY.findall(text) if one in self.entries]

    def plants_in(self, text: str) -> list[Plant]:
        """The stories that an answer speaks of: by its entries, else by its turn, else by its cells."""
        entries = self.entries_in(text)
        if entries:
            return [one.plant for one in entries]
        turn = _TURN.search(text)
        if turn is not None and 1 <= int(turn[1]) <= len(self.turns):
            return [self.plants[one] for one in [self.turns[int(turn[1]) - 1].story] if one in self.plants]
        return [self.spoken_of[one] for one in _NAMED.findall(text) if one in self.spoken_of]
