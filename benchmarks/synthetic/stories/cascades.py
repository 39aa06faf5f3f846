"""Conclusions that rest on facts and on each other, whose ground changes, is withdrawn, or is held up otherwise."""

from __future__ import annotations

from statemem.ir import Declaration

from ..dialogue import Entry
from ..questions import rests_on, trusted
from ..story import Story, Telling
from .registry import PROGRAM, SAID, tale


def _chain(story: Story, root: Entry, depth: int) -> Telling:
    """Conclusions one upon the other, with one more beside each; the last of each comes to stand in the list."""
    below = root
    for _ in range(depth):
        beside = story.derives(story.conclusion(), below)
        below = story.derives(story.conclusion(), below)
        story.told += [beside, below]
        yield story.later()


@tale()
def cascade(story: Story) -> Telling:
    """A root changes, and with it all that was concluded from it, however far above."""
    root = story.sets(story.cell())
    yield story.later()
    yield from _chain(story, root, story.deep())
    story.uses(story.told[-1])
    story.asks(*map(trusted, story.told))
    yield story.later()
    story.sets(root.cell)
    story.asks(*map(trusted, story.told), rests_on(root))


@tale(SAID)
def withdrawal(story: Story) -> Telling:
    """A root is withdrawn, and what was concluded from it cannot be trusted any more."""
    root = story.sets(story.cell(), by="user")
    yield story.later()
    yield from _chain(story, root, story.deep())
    story.uses(story.told[-1])
    story.asks(*map(trusted, story.told))
    yield story.later()
    story.withdraws(root.cell)
    story.asks(*map(trusted, story.told), rests_on(root))
    story.asks_about(root.cell, root.value)


@tale()
def confirmed_root(story: Story) -> Telling:
    """A root is only restated: all that rests on it stands."""
    root = story.sets(story.cell())
    yield story.later()
    yield from _chain(story, root, story.deep())
    story.sets(root.cell, root.value)
    story.asks(*map(trusted, story.told), rests_on(root))


def _supported(story: Story) -> Telling:
    """One conclusion from two roots, each enough by itself, and one more above it."""
    left, right = story.sets(story.cell()), story.cell()
    yield story.later()
    other = story.sets(right)
    yield story.later()
    shared = story.derives(story.conclusion(), left)
    yield story.later()
    story.derives(shared.cell, other, value=shared.value)
    yield story.later()
    above = story.derives(story.conclusion(), shared)
    story.told += [left, other, shared, above]
    yield story.later()


@tale()
def other_support(story: Story) -> Telling:
    """One of two roots changes, and the conclusion stands on the other."""
    yield from _supported(story)
    left, _, *conclusions = story.told
    story.sets(left.cell)
    story.asks(*map(trusted, conclusions))


@tale()
def last_support(story: Story) -> Telling:
    """Both roots change, one after the other: only then the conclusion falls."""
    yield from _supported(story)
    left, right, *conclusions = story.told
    story.sets(left.cell)
    story.asks(*map(trusted, conclusions))
    yield story.later()
    story.sets(right.cell)
    story.asks(*map(trusted, conclusions))


@tale()
def redone(story: Story) -> Telling:
    """After a root has changed all is concluded anew, and can be trusted again."""
    root = story.sets(story.cell())
    yield story.later()
    first = story.derives(story.conclusion(), root)
    second = story.derives(story.conclusion(), first)
    yield story.later()
    changed = story.sets(root.cell)
    story.asks(trusted(first), trusted(second))
    yield story.later()
    again = story.derives(first.cell, changed)
    anew = story.derives(second.cell, again)
    story.asks(trusted(again), trusted(anew))


@tale()
def one_of_two(story: Story) -> Telling:
    """A conclusion needs two facts, and one of them changes."""
    left = story.sets(story.cell())
    yield story.later()
    right = story.sets(story.cell())
    yield story.later()
    both = story.derives(story.conclusion(), left, right)
    apart = story.derives(story.conclusion(), right)
    yield story.later()
    story.sets(left.cell)
    story.asks(trusted(both), trusted(apart), rests_on(left), rests_on(right))


@tale(PROGRAM)
def out_of_step(story: Story) -> Telling:
    """Of two cells that are declared to go together one is changed, and the other is not."""
    entity = story.entity()
    kept, driver = story.cell(entity, "total"), story.cell(entity)
    story.world.declarations.append(Declaration(kept, depends=(driver,)))
    story.sets(driver)
    first = story.sets(kept, story.draw.randint(2, 99))
    yield story.later()
    story.sets(driver)
    story.finds("Revalidate", first.id)


@tale()
def diamond(story: Story) -> Telling:
    """Two conclusions from one root are brought together in a third; one that only the other root holds up stands."""
    root = story.sets(story.cell())
    yield story.later()
    left, right = story.derives(story.conclusion(), root), story.derives(story.conclusion(), root)
    yield story.later()
    both = story.derives(story.conclusion(), left, right)
    yield story.later()
    story.sets(root.cell)
    story.asks(*map(trusted, (left, right, both)), rests_on(root))


@tale()
def there_and_back(story: Story) -> Telling:
    """A root changes and comes back: what was concluded in between is no longer so, what was before has to be seen."""
    root = story.sets(story.cell())
    yield story.later()
    before = story.derives(story.conclusion(), root)
    yield story.later()
    between = story.sets(root.cell)
    yield story.later()
    meanwhile = story.derives(story.conclusion(), between)
    story.asks(trusted(before), trusted(meanwhile))
    yield story.later()
    story.sets(root.cell, root.value)
    story.asks(trusted(before), trusted(meanwhile))


@tale()
def overruled(story: Story) -> Telling:
    """The user states otherwise than was concluded: that stands, whatever becomes of the root."""
    root = story.sets(story.cell())
    yield story.later()
    conclusion = story.derives(story.conclusion(), root)
    yield story.later()
    stated = story.sets(conclusion.cell, by="user")
    yield story.later()
    story.sets(root.cell)
    story.asks(trusted(stated))


@tale()
def confirmed_conclusion(story: Story) -> Telling:
    """The user states what was concluded: that stands, whatever becomes of the root."""
    root = story.sets(story.cell())
    yield story.later()
    conclusion = story.derives(story.conclusion(), root)
    yield story.later()
    story.sets(conclusion.cell, conclusion.value, by="user")
    yield story.later()
    story.sets(root.cell)
    story.asks(trusted(conclusion))
