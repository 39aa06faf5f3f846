"""Where a request goes on: the message of a conversation up to which its history is known.

A history is looked up by the way that it repeats; where that was changed, by its last answers, of which each tells a
conversation only as far as no other has it.
"""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from ...diagnostics import Problem
from .. import fields
from .comparing import Trust, agreement
from .histories import History, Turn
from .identity import chained, identity_of
from .index import Index
from .records import Exchange
from .talks import Node, Shown, Talk, next_said, view_of, way_of

#: Of the answers in a history, so many of the last are looked for where messages before them were changed.
_LAST_ANSWERS = 3


@attrs.frozen(eq=False)
class Found:
    """Where a request goes on: after a message of a conversation, with so much of the history and what it repeats."""

    talk: Talk
    node: Node | None = None
    length: int = 0
    expected: list[Shown] = attrs.field(factory=list)
    is_exact: bool = True


class Finder:
    """Finds where requests go on, in the conversations of an index."""

    def __init__(self, index: Index, problems: list[Problem]) -> None:
        self._index = index
        self._problems = problems

    def recorded(self, exchange: Exchange, history: History) -> Talk | None:
        """The conversation that has this very call already: two instruments recorded it."""
        again = self._index.ids.get(exchange.id or "")
        return again.talk if again is not None and again.way == _way_through(exchange, history) else None

    def found(self, exchange: Exchange, history: History) -> Found | None:
        """Where a request goes on; None where it begins a conversation."""
        if exchange.previous is not None:
            return self._after(exchange)
        own = None if exchange.conversation is None else self._index.named.get(exchange.conversation, [])
        if own and exchange.is_kept:
            return _at_its_end(own[-1])
        exact = self._exact(history, own)
        changed = self._changed(history, own, 0 if exact is None else exact.length)
        if changed is not None or exact is not None:
            return changed or exact
        begun = own if own is not None else self._index.unanswered(history.identities())
        return max((_from_start(talk, history) for talk in begun), key=_length, default=None) if begun else None

    def _after(self, exchange: Exchange) -> Found | None:
        """After the answer that a request names; its history is what is new."""
        node = self._index.ids.get(exchange.previous or "")
        if node is None:
            message = f"it goes on from {exchange.previous!r}, which is not in the log; a conversation of its own"
            self._problems.append(fields.warning("FE064", message, exchange.location))
            return None
        return Found(node.talk, node, 0, view_of(node))

    def _exact(self, history: History, own: list[Talk] | None) -> Found | None:
        """The last answer up to which all of a history is as it was, or as it was repeated before."""
        ways = history.ways()
        for position in range(len(history.turns) - 1, -1, -1):
            if history.turns[position].role == "assistant":
                node, is_view = self._index.at_way(ways[position], own)
                if node is not None:
                    return Found(node.talk, node, position + 1, (view_of if is_view else way_of)(node), not is_view)
        return None

    def _changed(self, history: History, own: list[Talk] | None, above: int) -> Found | None:
        """A later answer that is known, though what leads to it was changed; of several the one that agrees best."""
        turns = history.turns
        places = [n for n in range(len(turns) - 1, above - 1, -1) if turns[n].role == "assistant"]
        for position in places[:_LAST_ANSWERS]:
            given = turns[: position + 1]
            agreeing = _agreeing(self._index.answers(turns[position].identity, own), given, is_named=own is not None)
            if len({one.talk for one in agreeing}) > 1:
                self._tell_alike(given[-1])
                return None
            if agreeing:
                return agreeing[0]
        return None

    def _tell_alike(self, turn: Turn) -> None:
        message = "it may go on from one of several conversations alike; taken for one of its own"
        self._problems.append(fields.warning("FE065", message, turn.read.message.location))


def _way_through(exchange: Exchange, history: History) -> str:
    """The digest of the way through a history to the last of what was answered first."""
    way = history.ways()[-1] if history.turns else ""
    for read in exchange.answers[0] if exchange.answers else ():
        identity = identity_of(read.message)
        way = chained(way, identity) if identity else way
    return way


def _agreeing(nodes: Sequence[Node], given: Sequence[Turn], *, is_named: bool) -> list[Found]:
    """The answers whose histories agree best with one that was changed, the latest first."""
    is_alone = len({node.talk for node in nodes}) == 1
    trust = Trust.NAMED if is_named else Trust.ALONE if is_alone else Trust.COMMON
    best = 0.0
    found: list[Found] = []
    for node in nodes:
        expected = view_of(node)
        agreed = agreement(expected, given, trust)
        if agreed > best:
            best, found = agreed, []
        if agreed and agreed == best:
            found.append(Found(node.talk, node, len(given), expected, is_exact=False))
    return found


def _at_its_end(talk: Talk) -> Found:
    """The service keeps the history itself: what is sent is new, and all before it is shown."""
    return Found(talk, talk.tip, 0, [] if talk.tip is None else view_of(talk.tip))


def _from_start(talk: Talk, history: History) -> Found | None:
    """As much of a history as a conversation has from its beginning; nothing if that is no more than rules."""
    node: Node | None = None
    length = 0
    siblings = talk.first
    for turn in history.turns:
        known = next_said(siblings, turn.identity)
        if known is None:
            break
        node, siblings, length = known, known.after, length + 1
    if node is None or all(turn.is_rule for turn in history.turns[:length]):
        return None
    return Found(talk, node, length, way_of(node))


def _length(found: Found | None) -> int:
    return 0 if found is None else found.length
