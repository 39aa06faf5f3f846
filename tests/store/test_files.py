"""Files that are no store, damaged stores, and what was tampered with: one clear refusal each, nothing touched."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from tempfile import gettempdir

import attrs
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from statemem.ir import Program, build
from statemem.ir.diagnostics import InputError
from statemem.store import Event, Store
from statemem.store.events import GENESIS, Draft, chained


def colors(*values: str) -> Program:
    builder = build("session:1/", name="shop")
    for value in values:
        builder.block("user").set("color", value)
    return builder.program


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A store of three events a turn and no more than one connection."""
    found = tmp_path / "s.db"
    with Store.open(found, create=True) as store:
        store.apply(colors("black", "white", "red"), now=1)
    return found


def code_of(path: Path, *, create: bool = False) -> str:
    """The code of the refusal; the message has a hint and the path."""
    with pytest.raises(InputError) as refused:
        Store.open(path, create=create)
    (problem,) = refused.value.problems
    assert problem.hint
    assert problem.location.file == str(path)
    return problem.code


@pytest.mark.parametrize("create", [False, True])
def test_what_is_no_store(tmp_path: Path, create: bool) -> None:
    text, database = tmp_path / "notes.txt", tmp_path / "other.db"
    text.write_text("some notes that someone wants to keep")
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("CREATE TABLE music (title)")
    before = database.read_bytes()
    assert code_of(tmp_path, create=create) == "ST001"
    assert code_of(text, create=create) == "ST003"
    assert code_of(database, create=create) == "ST004"
    assert code_of(tmp_path / "no" / "such.db", create=create) == "ST002"
    assert text.read_text() == "some notes that someone wants to keep"
    assert database.read_bytes() == before
    assert sorted(one.name for one in tmp_path.iterdir()) == ["notes.txt", "other.db"]


def test_a_device_is_no_store() -> None:
    assert code_of(Path(os.devnull), create=True) == "ST001"


def test_a_missing_store_is_only_made_when_asked(tmp_path: Path) -> None:
    assert code_of(tmp_path / "s.db") == "ST002"
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "empty.db").touch()
    assert code_of(tmp_path / "empty.db") == "ST004"
    with Store.open(tmp_path / "empty.db", create=True) as store:
        assert store.events() == []


def test_a_database_with_a_table_of_the_same_name_is_not_ours(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "x.db")) as connection:
        connection.execute("CREATE TABLE meta (name)")
    assert code_of(tmp_path / "x.db", create=True) == "ST004"


@pytest.mark.parametrize(("version", "code"), [("2", "ST005"), ("99", "ST005"), ("new", "ST004")])
def test_a_later_layout_is_refused(path: Path, version: str, code: str) -> None:
    change(path, "UPDATE meta SET value = ? WHERE key = 'schema'", version)
    assert code_of(path) == code


def test_a_store_that_was_cut_short_or_overwritten_is_refused(path: Path) -> None:
    whole = path.read_bytes()
    for damaged in (whole[: len(whole) // 2], whole[:4096] + b"\xa5" * (len(whole) - 4096), whole[:100]):
        path.write_bytes(damaged)
        with pytest.raises(InputError, match=r"ST00[46]"):
            read_all(path)


def read_all(path: Path) -> None:
    with Store.open(path) as store:
        store.events()
        store.verify()
        store.apply(colors("black", "white", "red", "blue"), now=1)


def test_a_place_where_nothing_may_be_written(tmp_path: Path) -> None:
    """In a process without privileges, since tests may run with all of them."""
    script = (
        "import os, sys\n"
        "from statemem.store import Event, Store\n"
        "from statemem.ir.diagnostics import InputError\n"
        "os.getuid() == 0 and os.setuid(65534)\n"
        "try: Store.open(sys.argv[1], create=True)\n"
        "except InputError as error: print(error.problems[0].code)\n"
    )
    for parent in (
        one for one in tmp_path.parents if one.is_relative_to(f"{gettempdir()}/") and one != Path(gettempdir())
    ):
        parent.chmod(0o755)
    tmp_path.chmod(0o555)
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path / "s.db")], capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr) == ("ST007\n", "")
    assert list(tmp_path.iterdir()) == []


def test_a_store_someone_else_is_writing_is_said_to_be_busy(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("statemem.store.database._PATIENCE", 0.05)
    with closing(sqlite3.connect(path)) as other, Store.open(path) as store:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(InputError, match="ST008"):
            store.apply(colors("black", "white", "red", "blue"), now=1)
        assert len(store.state()) == 1


# backups


def test_the_first_change_of_a_session_is_preceded_by_a_copy(path: Path, tmp_path: Path) -> None:
    before = dump(path)
    copy = tmp_path / "s.db.bak"
    with Store.open(path) as store:
        assert store.apply(colors("black", "white", "red"), now=1).backup is None
        assert not copy.exists()
        assert store.apply(colors("black", "white", "red", "blue"), now=1).backup == copy
        assert store.apply(colors("black", "white", "red", "blue", "pink"), now=1).backup is None
    assert dump(copy) == before
    assert sorted(one.name for one in tmp_path.iterdir()) == ["s.db", "s.db.bak"]


def test_a_new_store_has_nothing_to_copy(tmp_path: Path) -> None:
    with Store.open(tmp_path / "s.db", create=True) as store:
        assert store.apply(colors("black"), now=1).backup is None
        store.backup(tmp_path / "copy.db")
    assert dump(tmp_path / "copy.db") == dump(tmp_path / "s.db")


def test_without_a_copy_nothing_is_changed(path: Path, tmp_path: Path) -> None:
    (tmp_path / "s.db.bak").mkdir()
    before = dump(path)
    with Store.open(path) as store, pytest.raises((InputError, OSError)):
        store.apply(colors("black", "white", "red", "blue"), now=1)
    assert dump(path) == before


# tampering


def change(path: Path, statement: str, *values: object) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(statement, values)
        connection.commit()


def dump(path: Path) -> list[str]:
    with Store.open(path) as store:
        return list(store.dump())


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("UPDATE events SET payload = replace(payload, 'white', 'green') WHERE sequence = 5", "event 5"),
        ("UPDATE events SET reason = 'so' WHERE sequence = 2", "event 2"),
        ("UPDATE events SET step = 9 WHERE sequence = 4", "event 4"),
        ("UPDATE events SET step = '2' WHERE sequence = 4", None),
        ("DELETE FROM events WHERE sequence = 3", "event 3 is missing"),
        ("DELETE FROM events WHERE sequence = 1", "event 1 is missing"),
        ("DELETE FROM events WHERE sequence >= 6", "cut off: it ends at event 5"),
        ("DELETE FROM events", "cut off: it ends at event 0"),
        ("DELETE FROM meta WHERE key = 'head'", "the last event, 7"),
        ("UPDATE meta SET value = 'x y' WHERE key = 'head'", "cannot be read"),
        ("UPDATE events SET hash = 'x' WHERE sequence = 7", "event 7"),
        ("UPDATE cells SET value = '\"blue\"'", "ST032"),
        ("DELETE FROM entries WHERE entry = 'e1'", "ST032"),
        ("UPDATE events SET payload = '{' WHERE sequence = 5", "event 5"),
    ],
)
def test_tampering_is_found(path: Path, statement: str, told: str | None) -> None:
    change(path, statement)
    with Store.open(path) as store:
        if told is None:
            store.verify()
            return
        with pytest.raises(InputError, match=r"ST03[02]") as refused:
            store.verify()
        assert told in str(refused.value)


EVENT_FIELDS = [field.name for field in attrs.fields(Event) if field.name != "sequence"]


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_no_field_of_any_event_can_be_changed_unseen(path: Path, data: st.DataObject) -> None:
    column = data.draw(st.sampled_from(EVENT_FIELDS))
    sequence = data.draw(st.integers(1, 7))
    with closing(sqlite3.connect(path)) as connection:
        before = connection.execute(f"SELECT {column} FROM events WHERE sequence = ?", (sequence,)).fetchone()[0]
    other = data.draw(st.sampled_from(["", "x", "0", f"{before}x", 77]).filter(lambda value: str(value) != str(before)))
    change(path, f"UPDATE events SET {column} = ? WHERE sequence = ?", other, sequence)
    with Store.open(path) as store, pytest.raises(InputError, match="ST030"):
        store.verify()
    change(path, f"UPDATE events SET {column} = ? WHERE sequence = ?", before, sequence)
    with Store.open(path) as store:
        store.verify()


def test_the_hash_of_an_event_is_the_same_in_every_release_of_this_schema() -> None:
    draft = Draft(id="a", position=0, kind="block", record={"x": 1}, step=3)
    assert "f75f7dda6ea3025e89cdf06923c5e1517337d1c38293a005bc458ddf120423bb" == chained(draft, "shop", 1, GENESIS).hash


def test_an_event_that_cannot_be_read_is_no_traceback(path: Path) -> None:
    change(path, "UPDATE events SET payload = '{\"op\": 3}' WHERE sequence = 5")
    with Store.open(path) as store, pytest.raises(InputError, match="ST031: event 5"):
        store.program("shop")


def test_tables_that_were_lost_are_made_again(path: Path) -> None:
    before = dump(path)
    for table in ("cells", "entries", "scopes"):
        change(path, f"DELETE FROM {table}")
    with Store.open(path) as store:
        store.rebuild()
        store.verify()
    assert dump(path) == before
