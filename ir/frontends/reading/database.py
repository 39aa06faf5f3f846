"""SQLite databases: they are looked at, never written, and nothing is created beside them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ...diagnostics import InputError, Location
from .refusals import refusal

#: Where a database says in its first bytes that changes lie in a file beside it, and that value.
_VERSIONS, _WITH_LOG = slice(18, 20), b"\x02\x02"


@contextmanager
def opened(name: str) -> Iterator[sqlite3.Connection]:
    """A connection that only reads. Raises `InputError` where there is no sound database, within the block as well."""
    address = f"{Path(name).absolute().as_uri()}?{_how(name)}"
    try:
        connection = sqlite3.connect(address, uri=True)
    except sqlite3.Error as error:
        raise _refused(name, str(error)) from None
    try:
        yield connection
    except (sqlite3.Error, UnicodeDecodeError) as error:  # in a damaged database even the reason may be no text
        raise _refused(name, str(error)) from None
    finally:
        connection.close()


def tables(name: str) -> dict[str, list[str]]:
    """The names of all tables and views, each with those of its columns."""
    with opened(name) as connection:
        kinds = "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') ORDER BY name"
        names = [str(row[0]) for row in connection.execute(kinds)]
        return {table: _columns(connection, table) for table in names}


def _columns(connection: sqlite3.Connection, table: str) -> list[str]:
    """The columns of a table; none of one that needs a part of SQLite that is not here, such as an index of vectors."""
    try:
        return [str(row[0]) for row in connection.execute("SELECT name FROM pragma_table_info(?)", (table,))]
    except sqlite3.OperationalError:
        return []


def _how(name: str) -> str:
    """How to open it so that nothing is created.

    To read a database that logs its changes SQLite creates two files beside it, unless it is told that nobody is
    writing, which is so where they are not there.
    """
    with Path(name).open("rb") as file:
        logs = file.read(_VERSIONS.stop)[_VERSIONS] == _WITH_LOG
    changes, index = Path(f"{name}-wal"), Path(f"{name}-shm")
    if not logs or (changes.exists() and index.exists()):
        return "mode=ro"
    if changes.exists() and changes.stat().st_size:
        raise _refused(name, f"changes in {changes.name} are not in it yet", "open and close it with sqlite3 first")
    return "mode=ro&immutable=1"


def _refused(name: str, reason: str, hint: str = "fetch or copy it again") -> InputError:
    return refusal("FE009", f"the database cannot be read: {reason}", Location(file=name), hint)
