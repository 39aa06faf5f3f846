"""Words such as `it`: what they mean, and where nobody can tell."""

from __future__ import annotations

from ..ledger import entity_of
from ..story import Story, Telling, reference
from .aliases import pair
from .registry import SAID, tale


@tale(SAID)
def mention(story: Story) -> Telling:
    """A value is replaced through a word that means its entity."""
    cell, word = story.cell(), story.word()
    story.sets(cell, by="user")
    yield story.later()
    story.says("user")
    story.binds(word, entity_of(cell))
    yield story.later()
    story.sets(cell, by="user", at=reference(word, cell.path[-1].text))
    story.asks_about(cell)


@tale(SAID)
def ambiguous(story: Story) -> Telling:
    """Something is done with a word that may mean either of two entities: that is to be asked."""
    yield from _in_doubt(story, story.word())


@tale(SAID)
def cleared_up(story: Story) -> Telling:
    """Something was done with a word that may mean either of two entities, until it is said which."""
    word = story.word()
    yield from _in_doubt(story, word)
    yield story.later()
    story.says("user")
    story.binds(word, entity_of(story.told[0].cell))
    story.settles("Ask", story.question)


def _in_doubt(story: Story, word: str) -> Telling:
    one, other = pair(story)
    story.told += [story.sets(one, by="user"), story.sets(other, story.value(one, other), by="user")]
    yield story.later()
    story.says("user")
    story.binds(word, entity_of(one), entity_of(other))
    yield story.later()
    story.acts(story.effect(), *story.told, through=reference(word, one.path[-1].text))
    cells = " or ".join(sorted(str(entity_of(cell)) for cell in (one, other)))
    story.question = f"which {cells} at {story.now}"
    story.finds("Ask", story.question)


@tale(SAID)
def unclear_write(story: Story) -> Telling:
    """A value is given to a word that may mean either of two entities: of each two values may hold."""
    word = story.word()
    one, other = pair(story)
    known = [story.sets(one, by="user"), story.sets(other, story.value(one, other), by="user")]
    yield story.later()
    story.says("user")
    story.binds(word, entity_of(one), entity_of(other))
    yield story.later()
    story.may_set(known, story.value(one, other), through=reference(word, one.path[-1].text))
    yield story.later()
    story.reads_all(one, other)
    story.asks_about(one)
    story.asks_about(other)
