"""Requests joined to conversations by the history they repeat.

A request goes on from the last answer in its history that is known. If all before that is as it was, it simply goes
on, or branches off where something went on from there before. Else it is compared with what a request from there should
have repeated: messages rewritten in place are edits, messages that stand for others are a compaction.
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from ...diagnostics import Location, Problem
from .. import fields
from ..messages import Conversation, Message, Opaque, Prompt
from .comparing import Change, changes, known_again
from .finding import Finder, Found
from .histories import History, Turn
from .identity import COMPACTION, identity_of, words_of
from .index import Index
from .records import Exchange, Read
from .talks import Node, Shown, Talk, keys, next_said, same_unsaid, way_of

#: Conversations held open at once; of more, the one that has rested longest is taken for finished.
MOST_OPEN = 512


class Joining:
    """The conversations that requests were joined to so far."""

    def __init__(self, stem: str, problems: list[Problem]) -> None:
        self._stem = stem
        self._problems = problems
        self._count = 0
        self._open: dict[Talk, None] = {}
        self._index = Index()
        self._finder = Finder(self._index, problems)

    def __len__(self) -> int:
        return len(self._open)

    def add(self, exchange: Exchange) -> Iterator[Conversation]:
        """Join one request; a conversation is given out when it has rested for long."""
        self.join(exchange)
        yield from (talk.conversation() for talk in self.rested())

    def join(self, exchange: Exchange) -> Talk:
        """Join one request, and return the conversation it is of."""
        history = History.of(exchange.history)
        again = self._finder.recorded(exchange, history)
        if again is not None:
            return again
        found = self._finder.found(exchange, history) or Found(self._begin(exchange.conversation, exchange.user))
        talk = found.talk
        self._open.pop(talk, None)
        self._open[talk] = None
        shown, end = self._repeated(exchange, history, found)
        view = None if found.is_exact else shown
        node, more = self._continued(history, found, end, view)
        self._answer(exchange, history, talk, node, [*shown, *more], view if node is end else None)
        return talk

    def say(self, label: str, message: Message) -> Talk:
        """Put what happened beside the calls of a model where the conversation of that name stands."""
        talk = self.named(label) or self._begin(label, None)
        self._open.setdefault(talk)
        talk.add_aside(message)
        return talk

    def named(self, name: str | None) -> Talk | None:
        """The conversation of a name that began last, or without one that which went on last."""
        talks = self._open if name is None else self._index.named.get(name, ())
        return next(reversed(list(talks)), None)

    def rested(self) -> Iterator[Talk]:
        """The conversations that have rested for so long that they are taken for finished."""
        while len(self._open) > MOST_OPEN:
            talk = next(iter(self._open))
            self._close(talk)
            yield talk

    def rest(self) -> Iterator[Conversation]:
        """The conversations that are still open, in the order in which they began."""
        for talk in sorted(self._open, key=lambda talk: talk.begun):
            self._close(talk)
            yield talk.conversation()

    def _begin(self, name: str | None, user: str | None) -> Talk:
        self._count += 1
        talk = Talk(name or f"{self._stem}-{self._count}", self._count, user, is_named=name is not None)
        if name is not None:
            self._index.named.setdefault(name, []).append(talk)
        return talk

    # what it repeats

    def _repeated(self, exchange: Exchange, history: History, found: Found) -> tuple[list[Shown], Node | None]:
        """What was shown of what is known, and the message after which the rest goes on; what was changed is told."""
        if found.is_exact or found.node is None:
            return found.expected, found.node
        shown: list[Shown] = []
        end: Node = found.node
        for one in changes(found.expected, history.turns[: found.length]):
            if one.is_equal:
                shown.extend(one.known)
            elif one.is_edit:
                self._tell_edit(found.talk, one)
                shown.extend(Shown(old.node, new.identity) for old, new in zip(one.known, one.given, strict=True))
            else:
                end = self._replaced(found, one, end, shown, exchange.location)
        return shown, end

    def _replaced(self, found: Found, change: Change, end: Node, shown: list[Shown], location: Location) -> Node:
        """Messages that stand for others are new, but for those that were only left out before."""
        again = list(known_again(change.given, way_of(found.node) if found.node is not None else []))
        shown.extend(one for one in again if one is not None)
        new = [turn for turn, one in zip(change.given, again, strict=True) if one is None]
        self._tell_replaced(found.talk, change, new, location)
        for turn in new:
            message = _summary(turn.read.message) if change.known else turn.read.message
            end = found.talk.add(message, end, identity=turn.identity)
            shown.append(Shown(end, turn.identity))
        return end

    def _tell_edit(self, talk: Talk, change: Change) -> None:
        """Told once: many clients rewrite what a person said at every request."""
        if change.is_of_rules or "FE061" in talk.told:
            return
        talk.told.add("FE061")
        message = f"{_counted(len(change.given))} of the history rewritten in place, an edit; further ones are not told"
        self._problems.append(fields.warning("FE061", message, change.given[0].read.message.location))

    def _tell_replaced(self, talk: Talk, change: Change, new: list[Turn], location: Location) -> None:
        if not new and "FE062" in talk.told:
            return  # a window that moves on at every request
        talk.told.add("FE062")
        at = new[0].read.message.location if new else location
        what = f"{_counted(len(change.known))} of the history left out, {len(new)} in their place: a compaction"
        if not change.known:
            what = f"{_counted(len(new))} put into the history"
        if change.known or new:
            self._problems.append(fields.warning("FE062", what, at))

    def _continued(
        self, history: History, found: Found, node: Node | None, view: list[Shown] | None
    ) -> tuple[Node | None, list[Shown]]:
        """The rest of the history, after what is known; and its last message."""
        talk = found.talk
        added: list[Shown] = []
        for turn in history.turns[found.length :]:
            siblings = talk.first if node is None else node.after
            known = next_said(siblings, turn.identity) if view is None else None
            if known is None:
                node = self._unsaid(talk, turn.unsaid, node)
                self._tell_branch(talk.first if node is None else node.after, turn)
                self._problems.extend(turn.read.problems)
                known = talk.add(turn.read.message, node, identity=turn.identity, view=view)
                if found.node is not None and turn.role == "assistant":
                    self._index.know(known)
            node, view = known, None
            added.append(Shown(node, turn.identity))
        return node, added

    def _unsaid(self, talk: Talk, reads: tuple[Read, ...], node: Node | None) -> Node | None:
        """Messages before a new one that say nothing others repeat, reasoning for instance."""
        for read in reads:
            known = same_unsaid(talk.first if node is None else node.after, read.message)
            if known is None:
                self._problems.extend(read.problems)
            node = known or talk.add(read.message, node)
        return node

    def _tell_branch(self, siblings: dict[str, Node], turn: Turn) -> None:
        if siblings:
            message = "the conversation goes on from here in another way, a branch"
            self._problems.append(fields.warning("FE063", message, turn.read.message.location))

    # what it was answered

    def _answer(
        self,
        exchange: Exchange,
        history: History,
        talk: Talk,
        node: Node | None,
        shown: list[Shown],
        view: list[Shown] | None,
    ) -> None:
        if exchange.answers:
            self._index.served(history.identities())
        elif exchange.conversation is None:
            self._index.wait(talk, history.identities())
        prompt = Prompt(shown=tuple(keys(shown)), tokens=exchange.tokens, cached=exchange.cached)
        for answer in reversed(exchange.answers):
            end = self._said(talk, node, answer, prompt, view)
            if end is not None and exchange.id is not None:
                self._index.name(exchange.id, end)

    def _said(
        self, talk: Talk, node: Node | None, answer: tuple[Read, ...], prompt: Prompt, view: list[Shown] | None
    ) -> Node | None:
        """One answer; one that was given there before, word for word, is that one."""
        first: Prompt | None = prompt
        for read in answer:
            own = identity_of(read.message)
            siblings = talk.first if node is None else node.after
            known = next_said(siblings, own) if own and view is None else None
            if known is None:
                self._problems.extend(read.problems)
                known = talk.add(read.message, node, identity=own, prompt=first, view=view)
            talk.tip = node = known
            self._index.know(node)
            first = view = None
        return node

    def _close(self, talk: Talk) -> None:
        del self._open[talk]
        self._index.forget(talk)


def _summary(message: Message) -> Message:
    """What takes the place of a history was made from all of it, and no person said it."""
    return attrs.evolve(message, role="system", parts=(Opaque(COMPACTION, words_of(message), sees_all=True),))


def _counted(number: int) -> str:
    return "1 message" if number == 1 else f"{number} messages"
