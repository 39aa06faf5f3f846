"""Reading and lengthening the event log inside a transaction."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import attrs
from sqlalchemy import ColumnElement, Connection, Select, delete, insert, select

from . import schema
from .events import GENESIS, LOGGED, Draft, Event, Kind, chained
from .preamble import Item, Known

_EVENTS = schema.events.c
_HEAD = "head"


def events(connection: Connection, *conditions: ColumnElement[bool]) -> Iterator[Event]:
    """The events that meet all conditions, oldest first."""
    query: Select[tuple[object, ...]] = select(schema.events).where(*conditions).order_by(_EVENTS.sequence)
    for row in connection.execute(query):
        yield Event(**row._mapping)


def conversation_names(connection: Connection) -> list[str]:
    """The conversations in the order in which they were first applied."""
    query = select(schema.conversations.c.name).order_by(schema.conversations.c.number)
    return list(connection.scalars(query))


def head(connection: Connection) -> tuple[int, str]:
    """The number and the hash of the last event, as the store remembers them apart from the log."""
    stated = connection.scalar(select(schema.meta.c.value).where(schema.meta.c.key == _HEAD))
    sequence, _, digest = (stated or f"0 {GENESIS}").partition(" ")
    return int(sequence), digest


def extend(connection: Connection, conversation: str, drafts: Sequence[Draft]) -> list[Event]:
    """Add events at the end of the chain."""
    if conversation not in conversation_names(connection):
        connection.execute(insert(schema.conversations), {"name": conversation})
    sequence, previous = head(connection)
    added: list[Event] = []
    for draft in drafts:
        sequence += 1
        added.append(chained(draft, conversation, sequence, previous))
        previous = added[-1].hash
    connection.execute(insert(schema.events), [attrs.asdict(event, recurse=False) for event in added])
    connection.execute(delete(schema.meta).where(schema.meta.c.key == _HEAD))
    connection.execute(insert(schema.meta), {"key": _HEAD, "value": f"{sequence} {previous}"})
    return added


@attrs.frozen
class Stored:
    """What is known of a conversation before something is added to it.

    `log` holds the ids of its blocks and operations by position, `heads` the names of its blocks, `ends` the end that
    was last stated for a block, `standing` the block it stands at if not the last, `revisions` how often either was
    stated, `plans` the actions.
    """

    log: list[str] = attrs.field(factory=list)
    heads: list[str] = attrs.field(factory=list)
    known: Known = attrs.field(factory=Known)
    ends: dict[int, Any] = attrs.field(factory=dict)
    standing: str | None = None
    revisions: int = 0
    plans: list[Event] = attrs.field(factory=list)


def stored(connection: Connection, conversation: str) -> Stored:
    """What the store knows of a conversation."""
    of_it = _EVENTS.conversation == conversation
    query = select(_EVENTS.id).where(of_it, _EVENTS.kind.in_(LOGGED)).order_by(_EVENTS.sequence)
    heads = list(events(connection, of_it, _EVENTS.kind == Kind.BLOCK))
    others = list(events(connection, of_it, _EVENTS.kind.not_in(LOGGED)))
    ends = [event.record for event in others if event.kind == Kind.TERMINATOR]
    standings = [event for event in others if event.kind == Kind.STANDING]
    return Stored(
        log=list(connection.scalars(query)),
        heads=[event.record["block"] for event in heads],
        known=_known(event for event in others if event.kind == Kind.PREAMBLE),
        ends={end["block"]: end["terminator"] for end in ends},
        standing=standings[-1].record["block"] if standings and standings[-1].sequence > heads[-1].sequence else None,
        revisions=len(ends) + len(standings),
        plans=[event for event in others if event.kind == Kind.PLAN],
    )


def _known(preambles: Iterable[Event]) -> Known:
    known = Known()
    for event in preambles:
        for item in event.record:
            known.add(Item(*item))
    return known
