"""The tables of a store, and the version of their layout.

`events` is the truth. `cells`, `entries` and `scopes` follow from it and can be rebuilt at any time. All text is
compared byte by byte. Everything is stored in clear in this version: whoever reads the file reads the values.
Encryption of what is declared sensitive is still to come.
"""

from __future__ import annotations

from sqlalchemy import (
    Column,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
)

#: The version of the layout; a store of a later one is refused.
VERSION = 1

metadata = MetaData()

meta = Table(
    "meta",
    metadata,
    Column("key", Text, primary_key=True),
    Column("value", Text, nullable=False),
)

conversations = Table(
    "conversations",
    metadata,
    Column("number", Integer, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
)

events = Table(
    "events",
    metadata,
    Column("sequence", Integer, primary_key=True, autoincrement=False),
    Column("id", Text, nullable=False, unique=True),
    Column("conversation", Text, ForeignKey("conversations.name"), nullable=False),
    Column("position", Integer, nullable=False),
    Column("kind", Text, nullable=False),
    Column("actor", Text),
    Column("step", Integer),
    Column("time", Text),
    Column("event", Text),
    Column("cell", Text),
    Column("before", Text),
    Column("after", Text),
    Column("reason", Text),
    Column("payload", Text, nullable=False),
    Column("previous", Text, nullable=False),
    Column("hash", Text, nullable=False),
    Index("events_of_conversation", "conversation", "sequence"),
)

scopes = Table(
    "scopes",
    metadata,
    Column("conversation", Text, ForeignKey("conversations.name"), nullable=False),
    Column("scope", Text, nullable=False),
    PrimaryKeyConstraint("conversation", "scope"),
)

cells = Table(
    "cells",
    metadata,
    Column("scope", Text, nullable=False),
    Column("path", Text, nullable=False),
    Column("value", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("step", Integer, nullable=False),
    Column("time", Text),
    Column("conversation", Text, ForeignKey("conversations.name"), nullable=False),
    Column("event", Text, ForeignKey("events.id"), nullable=False),
    Column("entries", Text, nullable=False),
    PrimaryKeyConstraint("scope", "path"),
)

entries = Table(
    "entries",
    metadata,
    Column("conversation", Text, ForeignKey("conversations.name"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("entry", Text, nullable=False),
    Column("cell", Text, nullable=False),
    Column("value", Text, nullable=False),
    Column("event", Text, ForeignKey("events.id"), nullable=False),
    Column("tier", Text, nullable=False),
    Column("mark", Text),
    Column("successor", Text),
    PrimaryKeyConstraint("conversation", "number"),
)
