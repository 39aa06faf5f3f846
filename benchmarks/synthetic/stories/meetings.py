"""Where stories meet: what changes, is said again or is done touches what another story rests on."""

from __future__ import annotations

from ..ledger import entity_of
from ..questions import trusted
from ..story import NEXT, Story, Telling, reference, task_cell
from .aliases import pair
from .registry import SAID, STRUCTURED, tale
from .trust import guarded, page_of


@tale(STRUCTURED)
def late_ground(story: Story) -> Telling:
    """An overtaken version of a root arrives late: the conclusion from the current one stands."""
    cell = story.cell()
    root = story.sets(cell, version=2)
    yield story.later()
    conclusion = story.derives(story.conclusion(), root)
    yield story.later()
    story.sets(cell, version=1)
    story.asks(trusted(conclusion))
    story.asks_about(cell, root.value)


@tale(STRUCTURED)
def disputed_ground(story: Story) -> Telling:
    """A root is contradicted by another entry of its version, and then settled by a later one, which ends both."""
    cell = story.cell()
    root = story.sets(cell, version=3)
    yield story.later()
    conclusion = story.derives(story.conclusion(), root)
    yield story.later()
    story.sets(cell, version=3)
    story.asks(trusted(conclusion))
    story.asks_about(cell)
    yield story.later()
    story.sets(cell, version=4)
    story.asks(trusted(conclusion))
    story.asks_about(cell)


@tale(SAID)
def ground_by_another_name(story: Story) -> Telling:
    """A root changes under a second name of its entity, and with it what was concluded from the first."""
    one, other = pair(story)
    root = story.sets(one)
    yield story.later()
    conclusion = story.derives(story.conclusion(), root)
    yield story.later()
    story.says("user")
    story.unites(entity_of(one), entity_of(other))
    story.asks(trusted(conclusion))
    yield story.later()
    story.sets(other, story.value(one, other))
    story.asks(trusted(conclusion))
    story.asks_about(one)


@tale(SAID)
def ground_lost_in_a_digression(story: Story) -> Telling:
    """A root changes while another task is at hand, and what had been concluded before it falls."""
    root = story.sets(story.cell())
    yield story.later()
    conclusion = story.derives(story.conclusion(), root)
    yield story.later()
    kind, (field, *_) = story.world.words.task(story.draw)
    task = story.opens(kind)
    yield NEXT
    story.task = task
    story.sets(task_cell(task, field), story.required(kind, field), by="user")
    yield NEXT
    story.sets(root.cell)
    story.asks(trusted(conclusion))
    yield NEXT
    story.closes(task)
    story.asks(trusted(conclusion))


@tale(SAID)
def stale_effect(story: Story) -> Telling:
    """Something is done to the world with a value that was replaced."""
    cell = story.cell()
    old = story.sets(cell, by="user")
    yield story.later()
    story.sets(cell, by="user")
    yield story.later()
    story.acts(story.effect(), old, key=story.key())


@tale(SAID)
def use_of_the_withdrawn(story: Story) -> Telling:
    """A value is used after it was withdrawn."""
    cell = story.cell()
    old = story.sets(cell, by="user")
    yield story.later()
    story.says("user")
    story.withdraws(cell)
    story.asks_about(cell, old.value)
    yield story.later()
    story.uses(old, purpose="message")


@tale(SAID)
def stale_by_another_name(story: Story) -> Telling:
    """A value that was replaced under a second name of its entity is used under the first."""
    one, other = pair(story)
    old = story.sets(one)
    yield story.later()
    story.says("user")
    story.unites(entity_of(one), entity_of(other))
    yield story.later()
    story.sets(other, story.value(one, other))
    yield story.later()
    story.uses(old, purpose="message")


@tale(SAID)
def tainted_though_confirmed_by_a_tool(story: Story) -> Telling:
    """A summary of a page is stated again by another tool, which vouches for nothing, and comes to an effect."""
    page = page_of(story)
    yield story.later()
    summary = story.derives(story.conclusion(), page)
    yield story.later()
    story.sets(summary.cell, summary.value, by="tool:open_mail", trust="untrusted")
    yield story.later()
    story.acts(story.effect(), summary, key=story.key())
    story.finds("Quarantine", summary.id)


@tale(SAID)
def guarded_by_a_word(story: Story) -> Telling:
    """A tool changes a guarded value through a word that means its entity."""
    cell, word = guarded(story), story.word()
    story.sets(cell, by="user")
    yield story.later()
    story.says("user")
    story.binds(word, entity_of(cell))
    yield story.later()
    changed = story.sets(cell, at=reference(word, cell.path[-1].text))
    story.finds("Confirm", changed.id)


@tale(SAID)
def repeated_across_tasks(story: Story) -> Telling:
    """An effect is done in a task and, with the same key, again in another."""
    fact, effect, own = story.sets(story.cell(), by="user"), story.effect(), story.key()
    yield story.later()
    for is_again in (False, True):
        kind, _ = story.world.words.task(story.draw)
        task = story.opens(kind)
        yield NEXT
        story.task = task
        story.acts(effect, fact, key=own)
        if is_again:
            story.finds("FlagRepeat", f"at {story.now}")
        yield NEXT
        story.closes(task)
        if not is_again:
            yield story.later()
