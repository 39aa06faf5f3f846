"""A conversation that is being joined from requests: its messages as a tree, and what the next request will repeat."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import attrs

from ..messages import Conversation, Message, Prompt, ToolCall
from .identity import chained, identity_of, is_rule

#: Messages that say nothing others repeat stand among those that follow a message under a number, behind this sign.
_UNSAID = "#"


@attrs.define(eq=False)
class Node:
    """A message of a conversation.

    `way` is a digest of the messages up to this one. `view` is what a request that goes on from here repeats, this one
    last, where the request that brought it had rewritten or left out something; `seen` is the digest of that.
    `aside` is the last of what happened right after it and no request repeats.
    """

    number: int
    talk: Talk
    identity: str
    before: Node | None
    way: str
    after: dict[str, Node] = attrs.field(factory=dict)
    view: list[Shown] | None = None
    seen: str | None = None
    aside: Node | None = None


@attrs.frozen(eq=False)
class Shown:
    """A message as a request repeats it: rewritten, it has another identity than when it was new."""

    node: Node
    identity: str

    @property
    def message(self) -> Message:
        """The message as it was when it was new."""
        return self.node.talk.messages[self.node.number]


@attrs.define(eq=False)
class Talk:
    """One conversation; `tip` is the message it stands at."""

    label: str
    begun: int
    user: str | None = None
    is_named: bool = False
    messages: list[Message] = attrs.field(factory=list)
    nodes: list[Node] = attrs.field(factory=list)
    first: dict[str, Node] = attrs.field(factory=dict)
    tip: Node | None = None
    ids: list[str] = attrs.field(factory=list)
    told: set[str] = attrs.field(factory=set)
    unanswered: list[tuple[str, ...]] = attrs.field(factory=list)

    def add(
        self,
        message: Message,
        before: Node | None,
        *,
        identity: str | None = None,
        prompt: Prompt | None = None,
        view: list[Shown] | None = None,
    ) -> Node:
        """Add a message after another, or as the first.

        `identity` is that under which it will be repeated, `view` what is repeated before it, if that is not the way.
        """
        own = identity_of(message) if identity is None else identity
        node = Node(len(self.nodes), self, own, before, self._way(message, own, "" if before is None else before.way))
        siblings = self.first if before is None else before.after
        siblings[own or f"{_UNSAID}{node.number}"] = node
        self.nodes.append(node)
        self._say(message, node, before, prompt)
        self._see(node, message, view)
        self.tip = node
        return node

    def _see(self, node: Node, message: Message, view: list[Shown] | None) -> None:
        """What will be repeated up to a message, where that is not the way to it."""
        if view is not None:
            node.view = [*view, Shown(node, node.identity)]
            node.seen = digest(node.view)
        elif node.before is not None and node.before.seen is not None:
            node.seen = self._way(message, node.identity, node.before.seen)

    def add_aside(self, message: Message) -> None:
        """Add what happened where the conversation stands, which no request will repeat."""
        node = Node(len(self.nodes), self, identity_of(message), self.tip, "" if self.tip is None else self.tip.way)
        self.nodes.append(node)
        self._say(message, node, self.tip, None)
        if self.tip is None:
            self.tip = node
        else:
            self.tip.aside = node

    def _say(self, message: Message, node: Node, before: Node | None, prompt: Prompt | None) -> None:
        last = None if before is None else before.aside or before
        follows = None if last is None else str(last.number)
        self.messages.append(attrs.evolve(message, key=str(node.number), follows=follows, prompt=prompt))

    @staticmethod
    def _way(message: Message, identity: str, before: str) -> str:
        return before if not identity or is_rule(message) else chained(before, identity)

    # what is known of it

    def calls(self) -> Iterator[ToolCall]:
        """The calls that its messages make."""
        return (part for one in self.messages for part in one.parts if isinstance(part, ToolCall))

    def way_to(self, message: Message) -> list[Message]:
        """The messages that lead to one, the first of the conversation first."""
        way: list[Message] = []
        while message.follows is not None:
            message = self.messages[int(message.follows)]
            way.append(message)
        return way[::-1]

    def conversation(self) -> Conversation:
        """The conversation so far."""
        last = None if self.tip is None else self.tip.aside or self.tip
        current = None if last is None else str(last.number)
        return Conversation(label=self.label, user=self.user, messages=self.messages, is_tree=True, current=current)


def next_said(siblings: dict[str, Node], identity: str) -> Node | None:
    """Of what follows a message the one that says something, be it behind one that says nothing others repeat."""
    work = [siblings]
    while work:
        found = work[-1].get(identity)
        if found is not None:
            return found
        work.extend(one.after for key, one in work.pop().items() if key.startswith(_UNSAID))
    return None


def same_unsaid(siblings: dict[str, Node], message: Message) -> Node | None:
    """Of what follows a message the one that says nothing either, and that in the same way."""
    silent = (one for key, one in siblings.items() if key.startswith(_UNSAID))
    return next((one for one in silent if one.talk.messages[one.number].parts == message.parts), None)


def way_of(node: Node) -> list[Shown]:
    """All messages up to one that say something, as they were when they were new."""
    way: list[Shown] = []
    at: Node | None = node
    while at is not None:
        if at.identity:
            way.append(Shown(at, at.identity))
        at = at.before
    return way[::-1]


def view_of(node: Node) -> list[Shown]:
    """What a request that goes on from a message repeats, that message last."""
    rest: list[Shown] = []
    at: Node | None = node
    while at is not None and at.view is None:
        if at.identity:
            rest.append(Shown(at, at.identity))
        at = at.before
    return [*(at.view or () if at is not None else ()), *rest[::-1]]


def digest(shown: Iterable[Shown]) -> str:
    """The digest of messages as they are repeated; rules make no difference."""
    way = ""
    for one in shown:
        if not is_rule(one.message):
            way = chained(way, one.identity)
    return way


def keys(shown: Iterable[Shown]) -> Iterator[str]:
    """The keys of messages that a request repeats as they were."""
    return (str(one.node.number) for one in shown if one.identity == one.node.identity)
