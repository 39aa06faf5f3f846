"""Finding the messages of open conversations: by the way to them, by what they say, by ids and names."""

from __future__ import annotations

from itertools import islice
from typing import TypeVar

from .talks import Node, Talk

#: Of answers that say the same, so many of the latest are compared with a history that was changed.
_MOST_COMPARED = 8
V = TypeVar("V")


class Index:
    """The answers of open conversations. `own`, where it is given, are the only conversations that are meant."""

    def __init__(self) -> None:
        self.ids: dict[str, Node] = {}
        self.named: dict[str, list[Talk]] = {}
        self._ways: dict[str, dict[Node, bool]] = {}
        self._said: dict[str, dict[Node, None]] = {}
        self._unanswered: dict[tuple[str, ...], Talk] = {}

    def know(self, node: Node) -> None:
        """Make an answer findable."""
        self._ways.setdefault(node.way, {})[node] = False
        if node.seen is not None:
            self._ways.setdefault(node.seen, {}).setdefault(node, True)
        if node.identity:
            self._said.setdefault(node.identity, {})[node] = None

    def name(self, own: str, node: Node) -> None:
        """Make the answer of an id findable by it."""
        self.ids[own] = node
        node.talk.ids.append(own)

    def wait(self, talk: Talk, identities: tuple[str, ...]) -> None:
        """Remember a request that was not answered: it may be sent again."""
        self._unanswered[identities] = talk
        talk.unanswered.append(identities)

    def unanswered(self, identities: tuple[str, ...]) -> list[Talk]:
        """The conversation of a request that was not answered."""
        talk = self._unanswered.get(identities)
        return [] if talk is None else [talk]

    def served(self, identities: tuple[str, ...]) -> None:
        """A request was answered: one that is sent later and begins alike is another."""
        self._unanswered.pop(identities, None)

    def at_way(self, way: str, own: list[Talk] | None) -> tuple[Node | None, bool]:
        """The answer at the end of a way, and whether that is how it was repeated and not how it was.

        Of several the latest from which nothing has gone on; two conversations may begin alike.
        """
        known = reversed(self._ways.get(way, {}).items())
        found = islice(((node, is_view) for node, is_view in known if _is_of(node, own)), _MOST_COMPARED)
        return min(found, key=lambda pair: _rank(pair[0], own), default=(None, False))

    def answers(self, identity: str, own: list[Talk] | None) -> list[Node]:
        """The latest answers that say the same."""
        found = (node for node in reversed(self._said.get(identity, {})) if _is_of(node, own))
        return list(islice(found, _MOST_COMPARED))

    def forget(self, talk: Talk) -> None:
        """Take a conversation out."""
        for node in talk.nodes:
            _drop(self._ways, node.way, node)
            _drop(self._ways, node.seen or "", node)
            _drop(self._said, node.identity, node)
        for own in talk.ids:
            self.ids.pop(own, None)
        for identities in talk.unanswered:
            self._unanswered.pop(identities, None)
        others = [one for one in self.named.pop(talk.label, ()) if one is not talk]
        if others:
            self.named[talk.label] = others


def _rank(node: Node, own: list[Talk] | None) -> tuple[bool, bool]:
    """A request that names no conversation is rather of one that has no name, and goes on where nothing has yet."""
    return own is None and node.talk.is_named, bool(node.after)


def _is_of(node: Node, own: list[Talk] | None) -> bool:
    return own is None or node.talk in own


def _drop(table: dict[str, dict[Node, V]], key: str, node: Node) -> None:
    known = table.get(key, {})
    known.pop(node, None)
    if not known:
        table.pop(key, None)
