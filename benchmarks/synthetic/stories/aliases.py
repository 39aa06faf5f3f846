"""Second names of entities, stated and merely likely."""

from __future__ import annotations

from statemem.ir import Cell

from ..ledger import entity_of
from ..story import Story, Telling
from ..words import lookalike
from .registry import SAID, tale


@tale(SAID)
def second_name(story: Story) -> Telling:
    """Two names turn out to be those of one entity: what is written under one replaces what the other held."""
    one, other = pair(story)
    story.sets(one)
    yield story.later()
    story.says("user")
    story.unites(entity_of(one), entity_of(other))
    yield story.later()
    story.sets(other)
    story.asks_about(one)
    story.asks_about(other)


@tale(SAID)
def names_disagree(story: Story) -> Telling:
    """Two names of one entity held different values before that was known."""
    one, other = pair(story)
    yield from _disagreeing(story, one, other)
    story.asks_about(one)


@tale(SAID)
def names_agree_again(story: Story) -> Telling:
    """Two names of one entity held different values, until one value is stated for both."""
    one, other = pair(story)
    yield from _disagreeing(story, one, other)
    yield story.later()
    story.sets(one, story.value(one, other))
    story.asks_about(one)
    story.asks_about(other)


def _disagreeing(story: Story, one: Cell, other: Cell) -> Telling:
    """Two cells get different values, and then turn out to be one under two names."""
    story.sets(one)
    yield story.later()
    story.sets(other, story.value(one, other))
    yield story.later()
    story.says("user")
    story.unites(entity_of(one), entity_of(other))


@tale(SAID)
def lookalikes(story: Story) -> Telling:
    """Two entities whose keys differ in case alone may be one: that is to be asked."""
    entity = story.entity()
    one = story.cell(entity)
    other = story.cell(lookalike(entity), one.path[-1].text)
    story.sets(one)
    yield story.later()
    story.sets(other, story.value(one, other))
    story.finds("Ask", f"same {' or '.join(sorted(str(entity_of(cell)) for cell in (one, other)))}")


@tale(SAID)
def lookalikes_named(story: Story) -> Telling:
    """Two entities whose keys differ in case alone are said to be one: nothing is to be asked."""
    entity = story.entity()
    one = story.cell(entity)
    other = story.cell(lookalike(entity), one.path[-1].text)
    story.sets(one)
    yield story.later()
    story.says("user")
    story.unites(entity_of(one), entity_of(other))
    yield story.later()
    story.sets(other, story.value(one, other))
    story.asks_about(one)


def pair(story: Story) -> tuple[Cell, Cell]:
    """One field of two entities of a kind."""
    one = story.cell()
    return one, story.cell(story.entity(one.path[0].text), one.path[-1].text)
