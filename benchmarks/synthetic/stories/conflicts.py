"""Facts that contradict each other for a reason that the later one does not simply win."""

from __future__ import annotations

import attrs

from statemem.ir.origin import Authority

from ..dialogue import Arm, Entry
from ..story import NEXT, Story, Telling
from .registry import PROGRAM, SAID, STRUCTURED, tale


@tale(STRUCTURED)
def same_version(story: Story) -> Telling:
    """Two entries state the same version and different content."""
    cell = story.cell()
    story.sets(cell, version=3)
    yield story.later()
    story.sets(cell, version=3)
    story.asks_about(cell)


@tale(STRUCTURED)
def settled_version(story: Story) -> Telling:
    """Two entries of one version contradict each other until a later version settles it."""
    cell = story.cell()
    story.sets(cell, version=3)
    yield story.later()
    story.sets(cell, version=3)
    yield story.later()
    story.sets(cell, version=4)
    story.asks_about(cell)


@tale(PROGRAM)
def race(story: Story) -> Telling:
    """Two arms of a fork write one cell and do not see each other."""
    yield from _arms(story, "fork")


@tale(PROGRAM)
def branches(story: Story) -> Telling:
    """Along two branches one cell got different values, and both reach one use."""
    yield from _arms(story, "branch")


def _arms(story: Story, shape: str) -> Telling:
    """A value before, one in each of two arms, and a use behind both."""
    cell = story.cell()
    before = story.sets(cell)
    yield NEXT
    fork = story.plant.story
    sides: list[Entry] = []
    for number in (0, 1):
        story.arm = Arm(fork, number, shape)
        sides.append(story.parts(cell, beside=sides, over=before))
        yield NEXT
    story.arm = None
    story.uses(*sides)
    story.asks_about(cell)


@tale(SAID)
def weaker_source(story: Story) -> Telling:
    """A tool has stated it, and the assistant later says otherwise: whose word counts is for the policy to say."""
    story.world.policy = attrs.evolve(story.world.policy, authority=Authority())
    cell = story.cell()
    strong = story.sets(cell)
    yield story.later()
    weak = story.sets(cell, by="assistant")
    story.world.ledger.disagree(strong, weak, open=(weak.id,))


@tale(SAID)
def stronger_source(story: Story) -> Telling:
    """The assistant has said it, and a tool later states otherwise: an update like any other."""
    story.world.policy = attrs.evolve(story.world.policy, authority=Authority())
    cell = story.cell()
    story.sets(cell, by="assistant")
    yield story.later()
    story.sets(cell)
    story.asks_about(cell)
