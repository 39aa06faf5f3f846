"""The file of a store: opened or made, read and written in transactions, copied before it changes.

Writers take the lock when they begin, so that what they read is what they add to. A process that dies leaves the store
as it was before its transaction.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, insert, inspect, select
from sqlalchemy.exc import DBAPIError

from statemem.ir.diagnostics import Location

from . import schema
from .problems import from_database, refusal

_MAGIC = b"SQLite format 3\0"
_PATIENCE = 60.0


class Database:
    """An open store file."""

    def __init__(self, path: Path, engine: Engine) -> None:
        self.path = path
        self._engine = engine

    @classmethod
    def open(cls, path: Path, *, create: bool) -> Database:
        """Open a store, or make an empty one. A file that is no store is refused and left as it is."""
        _check_file(path, create)
        database = cls(path, _engine(path))
        try:
            database._prepare(create)
        except BaseException:
            database.close()
            raise
        return database

    def close(self) -> None:
        """Let go of the file."""
        self._engine.dispose()

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A transaction that sees one state of the store and changes nothing."""
        with self._transaction(immediate=False) as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction that no other writer overlaps; an error in it leaves everything as it was."""
        with self._transaction(immediate=True) as connection:
            yield connection

    def backup(self, target: Path) -> Path:
        """Copy the store as it was last committed; the copy appears as a whole or not at all."""
        part = target.with_name(f"{target.name}.{os.getpid()}.part")
        try:
            with closing(sqlite3.connect(self.path)) as source, closing(sqlite3.connect(part)) as copy:
                source.backup(copy)
            os.replace(part, target)
        except sqlite3.Error as error:
            raise from_database(error, str(target)) from None
        finally:
            part.unlink(missing_ok=True)
        return target

    @contextmanager
    def _transaction(self, *, immediate: bool) -> Iterator[Connection]:
        with self._translated(), self._engine.connect() as connection:
            chosen = connection.execution_options(immediate=immediate)
            with chosen.begin():
                yield chosen

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except DBAPIError as error:
            raise from_database(error.orig, str(self.path)) from None

    def _prepare(self, create: bool) -> None:
        with self.reading() as connection:
            tables = inspect(connection).get_table_names()
            if tables:
                self._check_version(connection, tables)
        if not tables and not create:
            raise self._foreign("the database is empty")
        self._use_wal()
        if not tables:
            self._create()

    def _check_version(self, connection: Connection, tables: list[str]) -> None:
        if not set(schema.metadata.tables) <= set(tables) and "meta" not in tables:
            raise self._foreign(f"its tables are {', '.join(sorted(tables)[:5])}")
        found = connection.scalar(select(schema.meta.c.value).where(schema.meta.c.key == "schema"))
        if not isinstance(found, str) or not found.isdecimal():
            raise self._foreign("it states no version of its layout")
        if int(found) > schema.VERSION:
            message = f"the store has layout {found}, this statemem reads {schema.VERSION}"
            hint = "use the version of statemem that wrote it, or a later one"
            raise refusal("ST005", message, location=Location(file=str(self.path)), hint=hint)

    def _foreign(self, what: str) -> Exception:
        message = f"this is a SQLite database, but no store of statemem: {what}"
        hint = "name a store, or a new file to make one"
        return refusal("ST004", message, location=Location(file=str(self.path)), hint=hint)

    def _use_wal(self) -> None:
        """Readers go on while one writes. SQLite does not wait for others when it changes the mode, so we do."""
        deadline = time.monotonic() + _PATIENCE
        while True:
            try:
                with closing(self._engine.raw_connection()) as connection:
                    connection.cursor().execute("PRAGMA journal_mode=WAL")
                return
            except sqlite3.Error as error:
                if "BUSY" not in error.sqlite_errorname or time.monotonic() > deadline:
                    raise from_database(error, str(self.path)) from None
            time.sleep(0.01)

    def _create(self) -> None:
        """All tables in one transaction, unless another process was faster."""
        with self.writing() as connection:
            if inspect(connection).get_table_names():
                return
            schema.metadata.create_all(connection)
            now = datetime.now(UTC).isoformat(timespec="seconds")
            stated = {"schema": str(schema.VERSION), "created": now}
            connection.execute(insert(schema.meta), [{"key": key, "value": value} for key, value in stated.items()])


def _check_file(path: Path, create: bool) -> None:
    location = Location(file=str(path))
    if path.is_dir():
        raise refusal("ST001", "this is a directory, not a store", location=location, hint="name a file in it")
    if not path.exists():
        _check_new(path, create, location)
        return
    if not path.is_file():
        raise refusal("ST001", "this is no regular file", location=location, hint="name a file on a disk")
    try:
        with path.open("rb") as file:
            start = file.read(len(_MAGIC))
    except OSError as error:
        raise refusal("ST007", f"the store cannot be read: {error.strerror}", location=location) from None
    if start and start != _MAGIC:
        hint = "name a store, or a new file to make one; the file was not touched"
        raise refusal("ST003", "this is no SQLite database", location=location, hint=hint)


def _check_new(path: Path, create: bool, location: Location) -> None:
    if not create:
        hint = "check the path; `statemem store apply LOG --store FILE` makes a store"
        raise refusal("ST002", "there is no such store", location=location, hint=hint)
    if not path.parent.is_dir():
        raise refusal("ST002", "the folder of the store does not exist", location=location, hint="make it first")


def _engine(path: Path) -> Engine:
    url = URL.create("sqlite", database=str(path.absolute()))
    engine = create_engine(url, connect_args={"timeout": _PATIENCE})
    event.listen(engine, "connect", _connected)
    event.listen(engine, "begin", _begun)
    return engine


def _connected(connection: Any, _record: Any) -> None:
    """Transactions are begun by us alone: the driver's own would begin after the first read."""
    connection.isolation_level = None
    connection.execute("PRAGMA foreign_keys=ON")


def _begun(connection: Connection) -> None:
    immediate = connection.get_execution_options().get("immediate")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if immediate else "BEGIN")
