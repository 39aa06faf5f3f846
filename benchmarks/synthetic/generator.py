"""Telling several stories at once: whose turn it is, and what is asked when.

The same recipe, seed and level give the same dialogue, to the byte.
"""

from __future__ import annotations

from collections.abc import Mapping
from heapq import heapify, heappop, heappush
from random import Random

import attrs

from .dialogue import Dialogue, Plant, Question, Turn
from .levels import LEVELS
from .questions import FINDINGS, finding
from .stories import STORIES
from .story import Pause, Story, Telling
from .words import words
from .world import World


@attrs.frozen
class Recipe:
    """What to tell: how many stories of each kind, over how many turns at least, how hard, of which domain.

    `asks` are kinds of findings that are asked at the end. With `defers` all that stories ask is asked there too.
    """

    name: str
    stories: Mapping[str, int]
    turns: int = 0
    level: str = "medium"
    domain: str = "support"
    language: str = "en"
    asks: tuple[str, ...] = tuple(FINDINGS)
    defers: bool = False


def generate(recipe: Recipe, seed: int) -> Dialogue:
    """The dialogue of a recipe and a seed."""
    title = f"{recipe.name}-{recipe.level}-{recipe.domain}-{recipe.language}-{seed}"
    world = World(words(recipe.domain, recipe.language), Random(title), LEVELS[recipe.level])
    return _Telling(recipe, world).dialogue(title)


@attrs.define(order=False)
class _Told:
    """A story that is under way, and from which turn on it may go on."""

    story: Story
    telling: Telling
    ready: int

    def __lt__(self, other: _Told) -> bool:
        return (self.ready, self.story.plant.story) < (other.ready, other.story.plant.story)


class _Telling:
    """All stories of one dialogue: those that wait, those that may go on, and the one that holds the floor."""

    def __init__(self, recipe: Recipe, world: World) -> None:
        self._recipe = recipe
        self._world = world
        self._turns: list[Turn] = []
        self._questions: list[Question] = []
        self._plants: dict[str, Plant] = {}
        self._waiting = self._begun()
        self._ready: list[_Told] = []
        self._floor: _Told | None = None

    def dialogue(self, name: str) -> Dialogue:
        """Tell all stories to their end, and small talk besides."""
        while self._is_going_on():
            self._world.now = len(self._turns) + 1
            self._take_turn()
        self._ask_at_the_end()
        return Dialogue(
            name=name,
            words=self._world.words,
            turns=tuple(self._turns),
            questions=tuple(self._questions),
            entries=self._world.ledger.entries,
            plants=self._plants,
            declarations=tuple(self._world.declarations),
            policy=self._world.policy,
            length=len(self._turns),
            spoken_of=self._world.spoken_of,
        )

    def _begun(self) -> list[_Told]:
        """The stories, each beginning at some turn of the first two thirds."""
        kinds = [kind for kind, count in self._recipe.stories.items() for _ in range(count)]
        latest = max(1, self._recipe.turns * 2 // 3, len(kinds))
        found = [self._begin(kind, self._world.draw.randint(1, latest)) for kind in kinds]
        heapify(found)
        return found

    def _begin(self, kind: str, at: int) -> _Told:
        plant = Plant(f"{kind} {len(self._plants) + 1}", kind, STORIES[kind].forms)
        self._plants[plant.story] = plant
        story = Story(self._world, plant)
        return _Told(story, STORIES[kind].tell(story), at)

    def _is_going_on(self) -> bool:
        under_way = self._floor or self._ready or self._waiting
        return bool(under_way) or len(self._turns) < self._recipe.turns

    def _take_turn(self) -> None:
        told = self._next()
        if told is None:
            self._turns.append(Turn(self._world.now, self._world.draw.choice(("user", "assistant")), (), "chatter"))
            return
        pause = next(told.telling, None)
        if told.story.instructions:
            self._turns.append(told.story.turn())
            self._ask()
        self._put_back(told, pause)

    def _next(self) -> _Told | None:
        """The story that has this turn; None for small talk."""
        if self._floor is not None:
            told, self._floor = self._floor, None
            return told
        while self._waiting and self._waiting[0].ready <= self._world.now:
            self._ready.append(heappop(self._waiting))
        draw = self._world.draw
        if not self._ready or draw.random() < self._world.level.chatter:
            return None
        number = draw.randrange(len(self._ready))
        self._ready[number], self._ready[-1] = self._ready[-1], self._ready[number]
        return self._ready.pop()

    def _put_back(self, told: _Told, pause: Pause | None) -> None:
        if pause is None:
            return
        told.ready = self._world.now + pause.turns
        if pause.holds:
            self._floor = told
        else:
            heappush(self._waiting, told)

    # questions

    def _ask(self) -> None:
        """What is asked at the end of a turn; what held in that turn alone then holds no longer."""
        if not self._recipe.defers:
            self._answer()
        self._world.forget()

    def _ask_at_the_end(self) -> None:
        self._world.pending += (finding(kind) for kind in self._recipe.asks)
        self._answer()

    def _answer(self) -> None:
        """Answer what was asked; what is asked twice at one point is one question."""
        found = (one(self._world) for one in self._world.pending)
        self._questions += {(one.kind, one.about): one for one in found}.values()
        self._world.pending.clear()
