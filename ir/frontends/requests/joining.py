"""Requests joined to conversations by the history they repeat.

A request goes on from the last answer in its history that is known. If all before that is as it was, it simply goes
on, or branches off where something went on from there before. Else it is compared with what a request from there should
have repeated: messages rewritten in place are edits, messages that stand for others are a compaction.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher

import attrs

from ...diagnostics import Location, Problem
from .. import fields
from ..messages import Conversation, Message, Opaque, Prompt
from .identity import identity_of, is_telling
from .records import Exchange, Read, words_of
from .talks import Node, Shown, Talk, keys

#: Conversations held open at once; of more, the one that has rested longest is taken for finished.
MOST_OPEN = 512


@attrs.frozen(eq=False)
class _Found:
    """Where a request goes on: a message of a conversation, and how much of the history leads up to it."""

    talk: Talk
    node: Node | None
    length: int


class Joining:
    """The conversations that requests were joined to so far."""

    def __init__(self, stem: str, problems: list[Problem]) -> None:
        self._stem = stem
        self._problems = problems
        self._count = 0
        self._open: dict[Talk, None] = {}
        self._named: dict[str, list[Talk]] = {}
        self._answers: dict[str, dict[Node, Talk]] = {}
        self._ids: dict[str, tuple[Talk, Node]] = {}
        self._unanswered: dict[tuple[str, ...], Talk] = {}

    def add(self, exchange: Exchange) -> Iterator[Conversation]:
        """Join one request; a conversation is given out when it has rested for long."""
        self.join(exchange)
        if len(self._open) > MOST_OPEN:
            yield self._close(next(iter(self._open)))

    def join(self, exchange: Exchange) -> Talk:
        """Join one request, and return the conversation it is of."""
        identities = [identity_of(read.message) for read in exchange.history]
        found = self._found(exchange, identities)
        if found is None:
            found = _Found(self._begin(exchange.conversation, exchange.user), None, 0)
        talk = found.talk
        self._open.pop(talk, None)
        self._open[talk] = None
        shown = self._repeated(exchange, identities, found)
        node, more = self._continued(exchange, identities, found, shown)
        self._answer(exchange, talk, node, [*shown, *more], tuple(identities))
        return talk

    def say(self, label: str, message: Message) -> Talk:
        """Put what happened beside the calls of a model where the conversation of that name stands."""
        talk = (self._named.get(label) or [self._begin(label, None)])[-1]
        self._open.setdefault(talk)
        talk.add_aside(message)
        return talk

    def named(self, name: str | None) -> Talk | None:
        """The conversation of a name, or without one that which went on last."""
        if name is not None:
            return next(reversed(self._named.get(name, ())), None)
        return next(reversed(self._open), None)

    def rest(self) -> Iterator[Conversation]:
        """The conversations that are still open, in the order in which they began."""
        for talk in sorted(self._open, key=lambda talk: talk.begun):
            yield self._close(talk)

    # where a request goes on

    def _found(self, exchange: Exchange, identities: list[str]) -> _Found | None:
        if exchange.previous in self._ids:
            return _Found(*self._ids[exchange.previous], 0)
        own = self._named.get(exchange.conversation or "")
        if own is None and exchange.conversation is not None:
            return None
        for position in range(len(identities) - 1, -1, -1):
            found = self._at(exchange, identities, position, own)
            if found is not None:
                return found
        if own is not None:
            return self._in_named(exchange, identities, own)
        again = self._unanswered.get(tuple(identities))
        return None if again is None else _from_start(again, identities)

    def _at(self, exchange: Exchange, identities: list[str], position: int, own: list[Talk] | None) -> _Found | None:
        """The conversation that has this message of the history as an answer; one repeated as it was, if any."""
        known = self._answers.get(identities[position], {})
        candidates = [(node, talk) for node, talk in reversed(known.items()) if own is None or talk in own]
        exact = [(n, t) for n, t in candidates if _as_it_was(t.repeated(n), identities[: position + 1])]
        exact.sort(key=lambda pair: bool(pair[0].after))
        if not exact and not is_telling(exchange.history[position].message):
            return None
        best = next(iter(exact or candidates), None)
        return None if best is None else _Found(best[1], best[0], position + 1)

    def _in_named(self, exchange: Exchange, identities: list[str], own: list[Talk]) -> _Found | None:
        """Where a history without a known answer goes on in a conversation that is named; under other rules, nowhere.

        Several agents may lead one conversation, each with rules and a history of its own.
        """
        first = exchange.history[0].message if exchange.history else None
        if first is not None and first.role == "system":
            own = [talk for talk in own if identities[0] in talk.first]
        found = [_from_start(talk, identities) for talk in own]
        best = max(found, key=lambda one: one.length, default=None)
        if best is None or any(read.message.role != "system" for read in exchange.history[: best.length]):
            return best
        return _Found(best.talk, best.talk.tip, best.length)

    def _begin(self, name: str | None, user: str | None) -> Talk:
        self._count += 1
        talk = Talk(name or f"{self._stem}-{self._count}", self._count, user)
        if name is not None:
            self._named.setdefault(name, []).append(talk)
        return talk

    # what it repeats

    def _repeated(self, exchange: Exchange, identities: list[str], found: _Found) -> list[Shown]:
        """What was shown of what is known; rewritten and compacted parts of it are told and remembered."""
        if found.node is None:
            return []
        expected = found.talk.repeated(found.node)
        given = identities[: found.length]
        if exchange.previous in self._ids or _as_it_was(expected, given):
            return expected
        return self._compared(exchange, found, expected, given)

    def _compared(self, exchange: Exchange, found: _Found, expected: list[Shown], given: list[str]) -> list[Shown]:
        matcher = SequenceMatcher(None, [one.identity for one in expected], given, autojunk=False)
        shown: list[Shown] = []
        end = found.node
        for kind, first, last, start, stop in matcher.get_opcodes():
            known, reads = expected[first:last], exchange.history[start:stop]
            if kind == "equal":
                shown.extend(known)
            elif _are_rewritten(found.talk, known, reads):
                self._tell_rewritten(reads)
                shown.extend(map(Shown, (one.node for one in known), given[start:stop]))
            else:
                self._tell_replaced(known, reads, exchange.location)
                for read in reads:
                    end = _add_instead(found.talk, read.message, end, is_summary=bool(known))
                    shown.append(Shown(end, end.identity))
        if end is not None:
            end.view = shown
        return shown

    def _tell_rewritten(self, reads: tuple[Read, ...]) -> None:
        """A rule that changes from request to request, with the time in it perhaps, is nothing to be told of."""
        if any(read.message.role != "system" for read in reads):
            self._tell("FE061", f"{_counted(len(reads))} of the history rewritten in place, an edit", reads)

    def _tell_replaced(self, known: list[Shown], reads: tuple[Read, ...], location: Location) -> None:
        at = reads[0].message.location if reads else location
        what = f"{_counted(len(known))} of the history left out, {len(reads)} in their place: a compaction"
        if not known:
            what = f"{_counted(len(reads))} put into the history"
        self._problems.append(fields.warning("FE062", what, at))

    def _continued(
        self, exchange: Exchange, identities: list[str], found: _Found, shown: list[Shown]
    ) -> tuple[Node | None, list[Shown]]:
        """The rest of the history, after what is known; and its last message."""
        node = _end_of(found, shown)
        added: list[Shown] = []
        for read, identity in zip(exchange.history[found.length :], identities[found.length :], strict=True):
            siblings = found.talk.first if node is None else node.after
            known = siblings.get(identity)
            if known is None:
                if siblings:
                    self._tell("FE063", "the conversation goes on from here in another way, a branch", [read])
                self._problems.extend(read.problems)
                known = found.talk.add(read.message, node)
            node = known
            self._know(found.talk, read.message, node)
            added.append(Shown(node, identity))
        return node, added

    # what it was answered

    def _answer(
        self, exchange: Exchange, talk: Talk, node: Node | None, shown: list[Shown], identities: tuple[str, ...]
    ) -> None:
        prompt = Prompt(shown=tuple(keys(shown)), tokens=exchange.tokens, cached=exchange.cached)
        if not exchange.answers and exchange.conversation is None:
            self._unanswered[identities] = talk
            talk.unanswered.append(identities)
        for answer in reversed(exchange.answers):
            end = node
            for position, read in enumerate(answer):
                self._problems.extend(read.problems)
                end = talk.add(read.message, end, prompt=prompt if position == 0 else None)
                self._know(talk, read.message, end)
            if end is not None and exchange.id is not None:
                self._ids[exchange.id] = talk, end
                talk.ids.append(exchange.id)

    def _know(self, talk: Talk, message: Message, node: Node) -> None:
        if message.role == "assistant" or any(isinstance(part, Opaque) for part in message.parts):
            self._answers.setdefault(node.identity, {})[node] = talk

    def _close(self, talk: Talk) -> Conversation:
        del self._open[talk]
        for node in talk.nodes:
            known = self._answers.get(node.identity, {})
            known.pop(node, None)
            if not known:
                self._answers.pop(node.identity, None)
        for own in talk.ids:
            self._ids.pop(own, None)
        for identities in talk.unanswered:
            self._unanswered.pop(identities, None)
        others = [one for one in self._named.pop(talk.label, ()) if one is not talk]
        if others:
            self._named[talk.label] = others
        return talk.conversation()

    def _tell(self, code: str, message: str, reads: Iterable[Read]) -> None:
        location = next((read.message.location for read in reads), Location())
        self._problems.append(fields.warning(code, message, location))


def _from_start(talk: Talk, identities: list[str]) -> _Found:
    """As much of a history as a conversation has from its beginning; if that is nothing, its end."""
    node: Node | None = None
    length = 0
    siblings = talk.first
    while length < len(identities) and identities[length] in siblings:
        node = siblings[identities[length]]
        siblings = node.after
        length += 1
    return _Found(talk, node or talk.tip, length)


def _as_it_was(expected: list[Shown], given: list[str]) -> bool:
    return len(expected) == len(given) and all(one.identity == own for one, own in zip(expected, given, strict=True))


def _are_rewritten(talk: Talk, expected: list[Shown], reads: tuple[Read, ...]) -> bool:
    """Whether messages stand for others one by one, each of the same speaker."""
    roles = [talk.messages[one.node.number].role for one in expected]
    return bool(reads) and roles == [read.message.role for read in reads]


def _end_of(found: _Found, shown: list[Shown]) -> Node | None:
    """The message after which a request goes on: what it put in the place of others comes after the last of them."""
    if found.node is None:
        return None
    later = [one.node for one in shown if one.node.number > found.node.number]
    return max(later, key=_number, default=found.node)


def _add_instead(talk: Talk, message: Message, before: Node | None, *, is_summary: bool) -> Node:
    """What takes the place of a history was made from all of it, and no person said it."""
    own = identity_of(message)
    if is_summary:
        message = attrs.evolve(message, role="system", parts=(Opaque("compaction", words_of(message), sees_all=True),))
    return talk.add(message, before, identity=own)


def _counted(number: int) -> str:
    return "1 message" if number == 1 else f"{number} messages"


def _number(node: Node) -> int:
    return node.number
