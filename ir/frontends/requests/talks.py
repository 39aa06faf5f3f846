"""A conversation that is being joined from requests: its messages as a tree, and what the next request will repeat."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from ..messages import Conversation, Message, Prompt, ToolCall, ToolResult
from .identity import identity_of


@attrs.define(eq=False)
class Node:
    """A message of a conversation.

    `view` is what a request that goes on from here repeats, where that is not simply the way here: the messages up to
    this one, each with the identity under which it is repeated. `aside` is the last of what happened right after it
    and no request repeats.
    """

    number: int
    identity: str
    before: Node | None
    after: dict[str, Node] = attrs.field(factory=dict)
    view: list[Shown] | None = None
    aside: Node | None = None


@attrs.frozen(eq=False)
class Shown:
    """A message as a request repeats it: rewritten, it has another identity than when it was new."""

    node: Node
    identity: str


@attrs.define(eq=False)
class Talk:
    """One conversation; `tip` is the message it stands at."""

    label: str
    begun: int
    user: str | None = None
    messages: list[Message] = attrs.field(factory=list)
    nodes: list[Node] = attrs.field(factory=list)
    first: dict[str, Node] = attrs.field(factory=dict)
    tip: Node | None = None
    ids: list[str] = attrs.field(factory=list)
    unanswered: list[tuple[str, ...]] = attrs.field(factory=list)

    def add(
        self, message: Message, before: Node | None, *, identity: str | None = None, prompt: Prompt | None = None
    ) -> Node:
        """Add a message after another, or as the first; `identity` is that under which it will be repeated."""
        node = Node(len(self.nodes), identity or identity_of(message), before)
        siblings = self.first if before is None else before.after
        siblings[node.identity] = node
        self.nodes.append(node)
        self._say(message, node, before, prompt)
        self.tip = node
        return node

    def add_aside(self, message: Message) -> None:
        """Add what happened where the conversation stands, which no request will repeat."""
        node = Node(len(self.nodes), identity_of(message), self.tip)
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

    def has_result(self, call: str | None) -> bool:
        """Whether a message answers a call; one that has no id is answered by none."""
        return call is not None and any(
            isinstance(part, ToolResult) and part.call == call for one in self.messages for part in one.parts
        )

    def has_call(self, call: str | None) -> bool:
        """Whether a message makes a call."""
        return call is not None and any(
            isinstance(part, ToolCall) and part.id == call for one in self.messages for part in one.parts
        )

    def way_to(self, message: Message) -> list[Message]:
        """The messages that lead to one, the first of the conversation first."""
        way: list[Message] = []
        while message.follows is not None:
            message = self.messages[int(message.follows)]
            way.append(message)
        return way[::-1]

    def repeated(self, node: Node) -> list[Shown]:
        """What a request that goes on from a message repeats, that message last."""
        way: list[Shown] = []
        at: Node | None = node
        while at is not None and at.view is None:
            way.append(Shown(at, at.identity))
            at = at.before
        way.reverse()
        return [*(at.view or ()), *way] if at is not None else way

    def conversation(self) -> Conversation:
        """The conversation so far."""
        last = None if self.tip is None else self.tip.aside or self.tip
        current = None if last is None else str(last.number)
        return Conversation(label=self.label, user=self.user, messages=self.messages, is_tree=True, current=current)


def keys(shown: list[Shown]) -> Iterator[str]:
    """The keys of messages that a request repeats as they were."""
    return (str(one.node.number) for one in shown if one.identity == one.node.identity)
