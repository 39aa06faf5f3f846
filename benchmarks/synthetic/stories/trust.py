"""Text that nobody vouches for, on its way to where it may do harm, and changes that somebody has to agree to."""

from __future__ import annotations

import attrs

from statemem.ir import Cell, Declaration, key, name
from statemem.policy import CellPattern, Guard

from ..dialogue import SESSION, Entry
from ..story import Story, Telling
from .registry import PINNING, SAID, tale


def page_of(story: Story) -> Entry:
    """A page that somebody else has written."""
    cell = Cell(SESSION, (name("page"), key(f"P{story.world.number()}"), name("text")))
    return story.sets(cell, story.world.words.injected(story.draw), by="tool:open_page", trust="untrusted")


def _summary(story: Story) -> Telling:
    """The page is summarised together with what the user said, and the summary summarised again, as deep as it goes."""
    page = page_of(story)
    yield story.later()
    fact = story.sets(story.cell(), by="user")
    yield story.later()
    below = story.derives(story.conclusion(), page, fact)
    yield story.later()
    for _ in range(story.deep() - 1):
        below = story.derives(story.conclusion(), below)
        yield story.later()
    story.told += [page, below]


@tale(SAID)
def tainted_effect(story: Story) -> Telling:
    """What a page says comes through summaries and merges to an effect on the world."""
    yield from _summary(story)
    story.acts(story.effect(), story.told[-1], key=story.key())
    story.finds("Quarantine", story.told[-1].id)


@tale(SAID)
def quoted_only(story: Story) -> Telling:
    """What a page says comes through summaries to a reply: it may be quoted."""
    yield from _summary(story)
    story.uses(story.told[-1])


@tale(SAID)
def vouched_for(story: Story) -> Telling:
    """The user states what the summary says before anything is done with it."""
    yield from _summary(story)
    summary = story.told[-1]
    story.sets(summary.cell, summary.value, by="user")
    yield story.later()
    story.acts(story.effect(), summary, key=story.key())


@tale(PINNING)
def tainted_pin(story: Story) -> Telling:
    """A summary of a page is pinned, so that it would stand in every context."""
    page = page_of(story)
    yield story.later()
    cell = story.conclusion()
    story.world.declarations.append(Declaration(cell, pinned=True))
    summary = story.derives(cell, page)
    story.finds("Quarantine", summary.id)


def guarded(story: Story) -> Cell:
    """A cell that may change only if the user agrees."""
    kind, field = story.world.words.guarded()
    guard = Guard(cells=CellPattern.parse(f"{kind}[*].{field}"))
    if guard not in story.world.policy.guards:
        story.world.policy = attrs.evolve(story.world.policy, guards=(*story.world.policy.guards, guard))
    return story.cell(story.entity(kind), field)


@tale(SAID)
def guarded_change(story: Story) -> Telling:
    """A tool changes a guarded value, and the user has not said a word."""
    cell = guarded(story)
    story.sets(cell, by="user")
    yield story.later()
    changed = story.sets(cell)
    story.finds("Confirm", changed.id)


@tale(SAID)
def agreed_change(story: Story) -> Telling:
    """A tool changes a guarded value, and the user states the new one."""
    cell = guarded(story)
    story.sets(cell, by="user")
    yield story.later()
    changed = story.sets(cell)
    yield story.later()
    story.sets(cell, changed.value, by="user")


@tale(SAID)
def own_change(story: Story) -> Telling:
    """The user changes a guarded value."""
    cell = guarded(story)
    story.sets(cell, by="user")
    yield story.later()
    story.sets(cell, by="user")
