"""Reading as a stream: the same records and errors however the text comes, and memory that does not grow with it."""

import gzip
import io
import json
import os
import sqlite3
import tracemalloc

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from statemem.ir.diagnostics import InputError, Location
from statemem.ir.frontends import lower
from statemem.ir.frontends.reader import Document, Record, parse, read, read_text
from statemem.ir.frontends.reading import records as reading
from statemem.ir.frontends.reading.database import opened
from statemem.ir.frontends.reading.json_text import MAX_DEPTH, JSONError, decode
from statemem.ir.frontends.reading.records import Reading
from statemem.ir.frontends.reading.source import watched

LEAVES = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=9)
)
JSON = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4),
    max_leaves=9,
)


def read_in_pieces(text, size, *, strict=False):
    """The layout, the records and the warnings of a text that comes in pieces of one size."""
    pieces = (text[start : start + size] for start in range(0, len(text), size))
    problems = []
    found = Reading(pieces, "log", problems, strict, lambda: bool(text.partition("\n")[2].strip()))
    return found.layout, [value for value, _ in found.records], problems


def refused(text, size):
    with pytest.raises(InputError) as caught:
        read_in_pieces(text, size)
    return caught.value.problems[0]


def until_error(records):
    """The records before an error, and the problem it is."""
    found = []
    try:
        for record in records:
            found.append(record)  # noqa: PERF402
    except InputError as error:
        return found, error.problems[0]
    raise AssertionError("there is no error")


SIZES = st.sampled_from([1, 2, 3, 7, 64, 10_000])


@given(st.lists(JSON, min_size=1, max_size=9), SIZES, st.sampled_from([None, 1]))
def test_an_array_gives_its_elements_however_it_comes(values, size, indent):
    assert ("array", values, []) == read_in_pieces(json.dumps(values, indent=indent), size)


@given(st.dictionaries(st.text(max_size=3), JSON, max_size=4), SIZES, st.sampled_from([None, 1]))
def test_an_object_is_one_record(value, size, indent):
    assert ("value", [value], []) == read_in_pieces(json.dumps(value, indent=indent), size)


RECORD = st.lists(JSON, min_size=1, max_size=9) | st.dictionaries(st.text(max_size=3), JSON, min_size=1, max_size=4)


@given(RECORD, st.lists(JSON, min_size=1, max_size=8), SIZES, st.sampled_from(["\n", "\r\n", " \n\n"]))
def test_lines_are_a_record_each_however_they_come(first, others, size, between):
    text = between.join(map(json.dumps, [first, *others]))
    assert ("lines", [first, *others], []) == read_in_pieces(text, size)


@given(st.lists(JSON, max_size=9), SIZES, st.data())
@settings(max_examples=300)
def test_a_damaged_array_is_refused_where_json_says(values, size, data):
    whole = json.dumps([*values, {"a": [1, 2.5, "text"]}])
    at = data.draw(st.integers(1, len(whole) - 1))
    text = data.draw(
        st.sampled_from([whole[:at], whole[:at] + whole[at + 1 :], whole[:at] + ',"]}x'[at % 5] + whole[at:]])
    )
    try:
        expected = decode(text)
    except JSONError as error:
        problem = refused(text, size)
        assert (error.lineno, error.colno) == (problem.location.line, problem.location.column)
    else:
        if isinstance(expected, list) and expected:
            assert expected == read_in_pieces(text, size)[1]


def test_an_error_far_down_comes_after_the_records_before_it(tmp_path):
    path = tmp_path / "log.json"
    path.write_text("[" + ",\n".join(f'{{"a": {n}}}' for n in range(50)) + ",\n{'a': 1}]")
    found, problem = until_error(read(path, []).records)
    assert [(n, n + 1) for n in range(50)] == [(value["a"], location.record) for value, location in found]
    assert ("FE007", 51, 2) == (problem.code, problem.location.line, problem.location.column)
    assert "{'a': 1}]" == problem.source


def test_what_the_head_shows_is_not_read_again():
    document = parse("\n".join(f'{{"a": {n}}}' for n in range(9)), "log", [])
    assert [0, 1, 2, 3, 4] == [record.value["a"] for record in document.head]
    assert list(range(9)) == [record.value["a"] for record in document.records]
    with pytest.raises(RuntimeError, match="once"):
        iter(document.records)


def test_a_document_may_be_made_of_records_at_hand():
    records = tuple(Record(n, Location(record=n)) for n in range(7))
    document = attrs.evolve(Document("a.b.json", records, "array"), layout="lines")
    assert (records[:5], records, "a") == (document.head, tuple(document.records), document.stem)


# lines of arrays, one array on one line


def test_lines_of_arrays_are_told_from_one_array_however_long_the_first_is(tmp_path, monkeypatch):
    monkeypatch.setattr(reading, "_LONGEST_LINE", 10)
    line = json.dumps([{"a": n} for n in range(20)])
    for name, content, layout, count in (
        ("one", f"{line}\n \n", "array", 20),
        ("two", f"{line}\n{line}\n", "lines", 2),
    ):
        path = tmp_path / name
        path.write_bytes(gzip.compress(content.encode()))
        document = read(path, [])
        assert (layout, count) == (document.layout, len(list(document.records)))


def test_from_standard_input_a_long_array_with_a_line_behind_it_is_an_error(monkeypatch):
    monkeypatch.setattr(reading, "_LONGEST_LINE", 10)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b'[{"a": 1}, {"a": 2}, {"a": 3}, 4, 5, 6]\n[1]\n')))
    monkeypatch.setattr("statemem.ir.frontends.reading.source._PIECE", 16)
    document = read("-", [])
    with pytest.raises(InputError, match=r"-:2:1: error FE007: the file is not JSON: extra data"):
        list(document.records)


# packed


def test_files_packed_with_zstd_are_read_like_others(tmp_path):
    zstd = pytest.importorskip("backports.zstd", reason="backports.zstd is not installed (extra `formats`)")
    content = b'{"a": 1}\n{"a": 2}\n'
    path = tmp_path / "log.jsonl.zst"
    path.write_bytes(zstd.compress(content))
    assert [1, 2] == [record.value["a"] for record in read(path, []).records]
    assert content.decode() == read_text(str(path))
    path.write_bytes(zstd.compress(content * 999)[:-3])
    with pytest.raises(InputError, match="FE004: the zstd file is cut short or damaged"):
        list(read(path, []).records)


def test_a_missing_package_is_named_with_what_installs_it(tmp_path, monkeypatch):
    for name in ("backports", "backports.zstd", "compression", "compression.zstd"):
        monkeypatch.setitem(__import__("sys").modules, name, None)
    path = tmp_path / "log.zst"
    path.write_bytes(b"\x28\xb5\x2f\xfd rest")
    with pytest.raises(InputError) as caught:
        read(path, [])
    (problem,) = caught.value.problems
    assert ("FE001", True) == (problem.code, "statemem[formats]" in str(problem))


def test_a_packed_file_that_is_cut_short_gives_what_stands_before_the_cut(tmp_path):
    path = tmp_path / "log.jsonl.gz"
    lines = b"".join(b'{"a": "%s"}\n' % os.urandom(20).hex().encode() for _ in range(20_000))
    path.write_bytes(gzip.compress(lines)[:-400])
    found, problem = until_error(read(path, []).records)
    assert ("FE004", True) == (problem.code, "the gzip file is cut short" in str(problem))
    assert 15_000 < len(found) < 20_000


def test_text_that_is_not_utf_8_is_told_by_its_line_and_byte(tmp_path):
    path = tmp_path / "log.jsonl"
    line = b'{"a": "\xc3\xa9"}\n'
    before = b"\xef\xbb\xbf" + line * 50_000
    path.write_bytes(before + b'{"a": "\xe9"}\n')
    document = read(path, [])
    with pytest.raises(InputError) as caught:
        list(document.records)
    (problem,) = caught.value.problems
    assert ("FE005", 50_001) == (problem.code, problem.location.line)
    assert f"(byte {len(before) + 8})" in problem.message


# databases


@pytest.fixture(name="database")
def _database(tmp_path):
    path = tmp_path / "a b#%?.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE events(id, data)")
        connection.execute("CREATE TABLE 'a b'(x)")
        connection.execute("INSERT INTO events VALUES (1, '{}')")
    connection.close()
    return path


def test_a_database_is_one_record_of_its_tables(database):
    document = read(database, [])
    assert "database" == document.layout
    assert [{"tables": {"a b": ["x"], "events": ["id", "data"]}}] == [record.value for record in document.records]
    with opened(str(database)) as connection:
        assert [(1, "{}")] == connection.execute("SELECT * FROM events").fetchall()


@pytest.mark.parametrize("mode", ["wal", "delete"])
def test_reading_a_database_creates_and_changes_nothing(database, mode):
    with sqlite3.connect(database) as connection:
        connection.execute(f"PRAGMA journal_mode={mode}")
    connection.close()
    before = database.read_bytes()
    with opened(str(database)) as connection:
        assert 1 == connection.execute("SELECT count(*) FROM events").fetchone()[0]
    with pytest.raises(InputError, match="FE009"), opened(str(database)) as connection:
        connection.execute("INSERT INTO events VALUES (2, '')")
    assert ([database], before) == (list(database.parent.iterdir()), database.read_bytes())


def test_a_database_in_use_is_read_with_its_latest_changes(database):
    writer = sqlite3.connect(database)
    writer.execute("PRAGMA journal_mode=wal")
    writer.execute("INSERT INTO events VALUES (2, '')")
    writer.commit()
    with opened(str(database)) as connection:
        assert 2 == connection.execute("SELECT count(*) FROM events").fetchone()[0]
    copy = database.with_name("copy.db")
    for end in ("", "-wal"):
        copy.with_name(f"copy.db{end}").write_bytes(database.with_name(f"{database.name}{end}").read_bytes())
    writer.close()
    with pytest.raises(InputError, match=r"changes in copy\.db-wal are not in it yet"):
        read(copy, [])


def test_a_table_of_a_missing_part_of_sqlite_has_no_columns(database):
    with sqlite3.connect(database) as connection:
        connection.execute("PRAGMA writable_schema=ON")
        table = "CREATE VIRTUAL TABLE vectors USING nowhere(x)"
        connection.execute("INSERT INTO sqlite_master VALUES ('table', 'vectors', 'vectors', 0, ?)", (table,))
    connection.close()
    assert {"a b": ["x"], "events": ["id", "data"], "vectors": []} == read(database, []).head[0].value["tables"]


def test_a_damaged_database_and_one_on_standard_input_are_refused(database, monkeypatch):
    content = database.read_bytes()
    database.write_bytes(content[:100] + b"\xff" * 2000)
    with pytest.raises(InputError, match="FE009: the database cannot be read"):
        read(database, [])
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content)))
    with pytest.raises(InputError, match="FE009: this is a SQLite database"):
        read("-", [])


# values in Python


def test_an_empty_list_holds_no_record():
    with pytest.raises(InputError, match="FE003"):
        list(lower([], []))


def test_values_in_python_are_refused_where_they_are_too_deep():
    value = {}
    for _ in range(MAX_DEPTH + 1):
        value = {"a": value}
    with pytest.raises(InputError, match="<input>, record 2: error FE008"):
        list(read([{}, value], []).records)


# memory


@pytest.mark.parametrize("layout", ["lines", "array", "packed"])
def test_memory_does_not_grow_with_the_file(tmp_path, layout):
    peaks = [peak_of_reading(tmp_path / str(count), layout, count) for count in (20_000, 80_000)]
    assert peaks[1] < 1.5 * peaks[0], peaks


def peak_of_reading(path, layout, count):
    lines = (json.dumps({"id": n, "text": "x" * 100}) for n in range(count))
    text = f"[{', '.join(lines)}]" if layout == "array" else "\n".join(lines)
    path.write_bytes(gzip.compress(text.encode()) if layout == "packed" else text.encode())
    del text
    tracemalloc.start()
    assert count == sum(1 for _ in read(path, []).records)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def test_a_watcher_sees_how_much_was_read(tmp_path):
    path = tmp_path / "log.jsonl"
    path.write_text('{"a": 1}\n' * 100_000)
    seen = []
    with watched(lambda *told: seen.append(told)):
        list(read(path, []).records)
    assert (str(path), 900_000, 900_000) == seen[-1]
    assert sorted(seen) == seen
