"""Facts that change, are confirmed, come late, or come again in other words."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from ..story import Story, Telling
from ..words import respelled
from .registry import OPERATIONS, STRUCTURED, tale


@tale()
def update(story: Story) -> Telling:
    """A value is replaced, and the new one is used."""
    cell = story.cell()
    old = story.sets(cell)
    yield story.later()
    new = story.sets(cell)
    yield story.later()
    story.uses(new)
    story.asks_about(cell, old.value, new.value)


@tale()
def many_updates(story: Story) -> Telling:
    """A value changes again and again; one of them comes back."""
    cell = story.cell()
    first = last = story.sets(cell)
    for _ in range(story.deep()):
        yield story.later()
        last = story.sets(cell)
    yield story.later()
    back = story.sets(cell, first.value)
    story.asks_about(cell, last.value, back.value)


@tale()
def confirmation(story: Story) -> Telling:
    """A fact is stated again, by somebody else."""
    cell = story.cell()
    first = story.sets(cell)
    yield story.later()
    story.sets(cell, first.value, by="user")
    story.asks_about(cell)


@tale()
def respelling(story: Story) -> Telling:
    """A fact is stated again, written in another way: a number with a point, letters taken apart."""
    cell = story.cell()
    first = story.sets(cell)
    yield story.later()
    story.sets(cell, respelled(first.value))
    story.asks_about(cell)


@tale(STRUCTURED)
def late_version(story: Story) -> Telling:
    """A version that was overtaken arrives late."""
    cell = story.cell()
    new = story.sets(cell, version=2)
    yield story.later()
    old = story.sets(cell, version=1)
    story.asks_about(cell, old.value, new.value)


@tale(OPERATIONS)
def late_news(story: Story) -> Telling:
    """What was observed earlier is told later."""
    cell = story.cell()
    noon = datetime(2025, 3, 30, 12, tzinfo=UTC)
    new = story.sets(cell, observed=noon)
    yield story.later()
    old = story.sets(cell, observed=noon - timedelta(days=story.draw.randint(1, 400)))
    story.asks_about(cell, old.value, new.value)


@tale()
def reworded(story: Story) -> Telling:
    """A note is taken down twice, in other words: only one who reads it can tell."""
    first, other = story.world.words.note(story.draw)
    one = story.sets(story.note(), first, by="user")
    yield story.later()
    two = story.sets(story.note(), other, by="user")
    story.finds("Merge", f"{two.id} into {one.id}")
