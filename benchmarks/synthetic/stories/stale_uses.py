"""Acts on values that no longer hold, and acts that look like them and are none."""

from __future__ import annotations

from ..questions import rests_on, trusted
from ..story import NEXT, Story, Telling
from .registry import tale


@tale()
def stale_use(story: Story) -> Telling:
    """A value is used after it was replaced."""
    cell = story.cell()
    old = story.sets(cell)
    yield story.later()
    new = story.sets(cell)
    yield story.later()
    story.uses(old, purpose="message")
    story.asks_about(cell, old.value, new.value)


@tale()
def timely_use(story: Story) -> Telling:
    """A value is used right before it is replaced, and the new one right after: no fault."""
    cell = story.cell()
    old = story.sets(cell)
    yield story.later()
    story.uses(old, purpose="message")
    yield NEXT
    new = story.sets(cell)
    yield NEXT
    story.uses(new, purpose="message")


@tale()
def stale_conclusion(story: Story) -> Telling:
    """A conclusion is drawn from a value that was replaced, and used."""
    cell = story.cell()
    old = story.sets(cell)
    yield story.later()
    story.sets(cell)
    yield story.later()
    conclusion = story.derives(story.conclusion(), old)
    story.asks_about(cell, old.value)
    yield story.later()
    story.uses(conclusion)
    story.asks(trusted(conclusion), rests_on(old))


@tale()
def returned_use(story: Story) -> Telling:
    """A value was replaced and came back before it is used: no fault."""
    cell = story.cell()
    first = story.sets(cell)
    yield story.later()
    story.sets(cell)
    yield story.later()
    again = story.sets(cell, first.value)
    yield story.later()
    story.uses(again, purpose="message")


@tale()
def restated_use(story: Story) -> Telling:
    """A value was replaced and came back, and is used by the entry that stated it first: it is no old value."""
    cell = story.cell()
    first = story.sets(cell)
    yield story.later()
    story.sets(cell)
    yield story.later()
    story.sets(cell, first.value)
    yield story.later()
    story.uses(first, purpose="message")


@tale()
def others_value(story: Story) -> Telling:
    """What was replaced in one place is in force in another: to use it there is no fault."""
    here = story.cell()
    there = story.cell(story.entity(here.path[0].text), here.path[-1].text)
    old = story.sets(here)
    yield story.later()
    kept = story.sets(there, old.value)
    yield story.later()
    story.sets(here)
    yield story.later()
    story.uses(kept, purpose="message")
