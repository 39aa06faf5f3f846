"""Messages that name the one they follow, put in an order in which each comes after that one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import attrs

from ...diagnostics import Problem
from .. import fields
from ..messages import Message


@attrs.define
class Node:
    """A message in its tree, and the positions of what it follows and of what follows it."""

    message: Message
    before: int | None = None
    after: list[int] = attrs.field(factory=list)


def arranged(messages: Sequence[Message], problems: list[Problem]) -> list[Node]:
    """The tree of a conversation in the order of the log, but for messages that stand before the one they follow.

    A message that follows none begins a way of its own, unless it continues what comes before it in the log. One that
    follows a message that is not in the log is put after the one before it; so is one of a circle, which is broken
    there. Both are said.
    """
    links = _Links(messages, problems)
    position: dict[int, int] = {}
    nodes: list[Node] = []
    for number in links.order():
        before = links.before(number)
        node = Node(messages[number], None if before is None else position.get(before, len(nodes) - 1))
        position[number] = len(nodes)
        if node.before is not None and node.before >= 0:
            nodes[node.before].after.append(len(nodes))
        else:
            node.before = None
        nodes.append(node)
    return nodes


def standing(nodes: list[Node], current: str | None) -> int | None:
    """Where a log stands. From a message with others after it it goes on in a way of its own, which is added empty."""
    at = next(
        (number for number, node in enumerate(nodes) if current is not None and node.message.key == current), None
    )
    if at is None or not nodes[at].after:
        return at
    nodes[at].after.append(len(nodes))
    nodes.append(Node(Message(role="system", parts=(), location=nodes[at].message.location), at))
    return len(nodes) - 1


class _Links:
    """Which message follows which, by number."""

    def __init__(self, messages: Sequence[Message], problems: list[Problem]) -> None:
        self._messages = messages
        self._problems = problems
        self._numbers: dict[str, int] = {}
        for number, message in enumerate(messages):
            if message.key is not None:
                self._numbers.setdefault(message.key, number)
        self._cut: set[int] = set()

    def before(self, number: int) -> int | None:
        """The message that one follows, if any; the one before it in the log where it names none that is there."""
        message = self._messages[number]
        known = None if message.follows is None else self._numbers.get(message.follows)
        if known is not None and number not in self._cut:
            return known
        continues = message.continues or message.follows is not None
        return number - 1 if number and continues else None

    def order(self) -> Iterable[int]:
        """The numbers, each after that of the message it follows."""
        done: set[int] = set()
        for number, message in enumerate(self._messages):
            if message.follows is not None and message.follows not in self._numbers:
                self._warn(number, f"it follows {message.follows!r}, which is not in the log")
            for one in reversed(self._open_way(number, done)):
                done.add(one)
                yield one

    def _open_way(self, number: int, done: set[int]) -> list[int]:
        """The messages not yet told that lead to one, itself first; a circle is cut where it closes."""
        way: dict[int, None] = {}
        at: int | None = number
        while at is not None and at not in done:
            if at in way:
                self._cut.add(list(way)[-1])
                self._warn(at, "it follows itself in a circle")
                break
            way[at] = None
            at = self.before(at)
        return list(way)

    def _warn(self, number: int, what: str) -> None:
        became = "is put after the message before it in the log" if number else "begins the log"
        location = self._messages[number].location
        self._problems.append(fields.warning("FE046", f"{what}; it {became}", location))
