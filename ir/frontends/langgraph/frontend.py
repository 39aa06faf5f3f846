"""The frontend of checkpoint databases: what each state has that the one before it had not.

New messages are linked like those of any log; a channel of another kind is the cell `state.CHANNEL`. A checkpoint from
which several go on is a branch. What was written and is in no checkpoint yet may still be lost, so it is a `maybe`.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from functools import partial
from typing import Any

import attrs

from ...cells import Cell, name
from ...diagnostics import Location, Problem
from ...instructions import Delete, Instruction, Set
from ...program import Program
from ...values import Value
from .. import fields
from ..conversations.programs import programs
from ..linking.entities import Scopes
from ..messages import Conversation, Message, Part, Removal, Stated
from ..messages.langchain import is_langchain_message, langchain_message
from ..reader import Document, Record
from ..reading.database import opened
from .checkpoints import Checkpoint, checkpoints, children, is_inner, pending, threads
from .serialized import identity, plain

_TABLES = frozenset(("checkpoints", "writes"))


class LangGraph:
    """The frontend of checkpoint databases."""

    name = "langgraph"
    title = "checkpoints of LangGraph (SQLite), opened for reading only"
    example = '{"tables": {"checkpoints": ["thread_id", "checkpoint_ns", "checkpoint_id"], "writes": ["channel"]}}'

    def recognises(self, document: Document) -> bool:
        """Whether this is a database with the tables of a checkpointer."""
        return document.layout == "database" and any(set(value["tables"]) >= _TABLES for value, _ in document.head)

    def lower(self, document: Document, problems: list[Problem]) -> Iterator[Program]:
        """One program a thread, and one for each graph inside its graph."""
        if self.recognises(document) and document.name is not None:
            with opened(document.name) as database:
                yield from programs(_conversations(database, document, problems), document, problems)


def _conversations(database: sqlite3.Connection, document: Document, problems: list[Problem]) -> Iterator[Conversation]:
    for thread, space in threads(database):
        label = f"{thread}/{space}" if space else thread
        messages = list(_Thread(database, thread, space, document, problems).messages())
        yield Conversation(label=label, user=thread, messages=messages, is_tree=True)


@attrs.frozen
class _Reached:
    """A checkpoint that was read: its values, what its nodes had seen, and the keys of the messages up to it."""

    values: dict[str, Any]
    seen: dict[str, Any]
    keys: dict[str, str]
    last: str | None


_START = _Reached({}, {}, {}, None)


class _Thread:
    """The messages of one thread; of the states before only those are kept from which others go on."""

    def __init__(
        self, database: sqlite3.Connection, thread: str, space: str, document: Document, problems: list[Problem]
    ) -> None:
        self._own = database, thread, space
        self._document = document
        self._problems = problems
        self._left = children(database, thread, space)
        self._reached: dict[str, _Reached] = {}
        self._calls: set[str] = set()

    def messages(self) -> Iterator[Message]:
        """What each checkpoint adds, and what is pending at its end."""
        missing: set[str] = set()
        held: set[str] = set()
        for checkpoint in checkpoints(*self._own, self._document.name or "", self._problems):
            held.update(checkpoint.values)
            missing.update(checkpoint.written)
            before = self._before(checkpoint)
            added = list(_chained(self._added(checkpoint, before), before.last))
            yield from added
            keys = {**before.keys, **{one.id: one.key for one in added if one.id is not None and one.key is not None}}
            last = added[-1].key if added else before.last
            reached = _Reached(checkpoint.values, checkpoint.seen, keys, last)
            if self._left.get(checkpoint.id):
                self._reached[checkpoint.id] = reached
            else:
                yield from _chained(self._pending(checkpoint), last)
        for channel in sorted(missing - held):
            location = Location(file=self._document.name, pointer=f"/checkpoints/{self._own[1]}")
            message = f"the channel {channel!r} is kept as changes, or not at all; it is not read"
            self._problems.append(fields.warning("FE107", message, location))

    def _before(self, checkpoint: Checkpoint) -> _Reached:
        parent = checkpoint.parent
        if parent is None or parent not in self._reached:
            return _START
        self._left[parent] -= 1
        return self._reached[parent] if self._left[parent] else self._reached.pop(parent)

    def _added(self, checkpoint: Checkpoint, before: _Reached) -> Iterator[Message]:
        states: list[Part] = []
        for channel, value in checkpoint.values.items():
            known = before.values.get(channel)
            if _is_messages(value) or (value == [] and _is_messages(known)):
                yield from self._said(checkpoint, channel, before)
            elif channel not in before.values or identity(value) != identity(known):
                states.append(Stated(partial(_set, channel, plain(value), False)))
        for channel, known in before.values.items():
            if channel not in checkpoint.values and _is_messages(known):
                yield from self._said(checkpoint, channel, before)
            elif channel not in checkpoint.values:
                states.append(Stated(partial(_deleted, channel)))
        if states:
            yield self._message(checkpoint, "state", tuple(states), before)

    def _said(self, checkpoint: Checkpoint, channel: str, before: _Reached) -> Iterator[Message]:
        """The messages that a channel has and had not; before them goes what it had and has no more, or otherwise."""
        known, values = _listed(before.values.get(channel)), _listed(checkpoint.values.get(channel))
        had, has = {identity(one) for one in known}, {identity(one) for one in values}
        gone = (fields.text(one, "id") for one in known if isinstance(one, dict) and identity(one) not in has)
        keys = tuple(before.keys[one] for one in gone if one is not None and one in before.keys)
        if keys:
            yield self._message(checkpoint, f"{channel}/removed", (Removal(keys),), before)
        for position, value in enumerate(values):
            if identity(value) in had:
                continue
            at = checkpoint.location.below(f"{channel}/{position}")
            message = langchain_message(Record(plain(value), at), self._calls, [], self._document.zone, self._problems)
            if message is not None:
                time = message.time or fields.time({"ts": checkpoint.time}, "ts", zone=self._document.zone)
                yield attrs.evolve(message, key=f"{checkpoint.id}/{channel}/{position}", time=time)

    def _message(self, checkpoint: Checkpoint, what: str, parts: tuple[Part, ...], before: _Reached) -> Message:
        """What a node, a person or the input did to a state."""
        by_hand = checkpoint.source in ("input", "update")
        return Message(
            role="user" if by_hand else "assistant",
            name="" if by_hand else _node(checkpoint, before),
            parts=parts,
            location=checkpoint.location,
            time=fields.time({"ts": checkpoint.time}, "ts", zone=self._document.zone),
            key=f"{checkpoint.id}/{what}",
        )

    def _pending(self, checkpoint: Checkpoint) -> Iterator[Message]:
        written = pending(*self._own, checkpoint, self._problems)
        states = tuple(
            Stated(partial(_set, channel, plain(value), True))
            for channel, value in written.items()
            if not _is_messages(value) and not is_langchain_message(value)
        )
        if len(states) < len(written):
            message = "messages that are in no checkpoint yet are left out"
            self._problems.append(fields.warning("FE106", message, checkpoint.location))
        if states:
            yield self._message(checkpoint, "pending", states, _START)


def _chained(messages: Iterator[Message], last: str | None) -> Iterator[Message]:
    for message in messages:
        yield attrs.evolve(message, follows=last)
        last = message.key


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _is_messages(value: Any) -> bool:
    return isinstance(value, list) and any(map(is_langchain_message, value))


def _node(checkpoint: Checkpoint, before: _Reached) -> str:
    """The node that ran, if there was one alone."""
    ran = [node for node, seen in checkpoint.seen.items() if seen != before.seen.get(node) and not is_inner(node)]
    return str(ran[0]) if len(ran) == 1 else ""


def _place(scopes: Scopes, channel: str) -> Cell:
    return Cell(scopes.session, (name("state"), name(channel)))


def _set(channel: str, value: Value, maybe: bool, scopes: Scopes) -> Instruction:
    return Set(target=_place(scopes, channel), value=value, maybe=maybe)


def _deleted(channel: str, scopes: Scopes) -> Instruction:
    return Delete(target=_place(scopes, channel))
