"""Things done to the world, once and again."""

from __future__ import annotations

from ..story import Story, Telling
from .registry import SAID, tale


@tale(SAID)
def repeated_effect(story: Story) -> Telling:
    """An effect is done again with the key it was done with."""
    yield from _twice(story, story.key())
    story.finds("FlagRepeat", f"at {story.now}")


@tale(SAID)
def repeated_without_key(story: Story) -> Telling:
    """An effect without a key is done again with the very same entries."""
    yield from _twice(story, None)
    story.finds("FlagRepeat", f"at {story.now}")


@tale(SAID)
def other_effect(story: Story) -> Telling:
    """An effect is done again on purpose, with a key of its own."""
    fact, effect = story.sets(story.cell(), by="user"), story.effect()
    yield story.later()
    story.acts(effect, fact, key=story.key())
    yield story.later()
    story.acts(effect, fact, key=story.key())


def _twice(story: Story, key: str | None) -> Telling:
    fact, effect = story.sets(story.cell(), by="user"), story.effect()
    yield story.later()
    story.acts(effect, fact, key=key)
    yield story.later()
    story.acts(effect, fact, key=key)
