"""From a source to records: files plain or gzipped, standard input, JSON or JSON Lines, or Python values.

A file that is one JSON value must parse. In JSON Lines a bad line is located, counted and skipped; with `strict`
it is an error. No readable record at all is an error.
"""

from __future__ import annotations

import gzip
import sys
import zlib
from collections.abc import Iterator
from datetime import UTC, tzinfo
from pathlib import Path
from typing import Any, NamedTuple

import attrs

from ..diagnostics import InputError, Location, Problem
from .json_text import MAX_DEPTH, JSONError, TooDeep, decode, mended

_GZIP_MAGIC = b"\x1f\x8b"


class Record(NamedTuple):
    """One JSON value and where it stands."""

    value: Any
    location: Location


@attrs.frozen
class Document:
    """A source as read: its records, and whether they were one JSON value, lines, or handed over in Python.

    `zone` is that of times which name none.
    """

    name: str | None
    records: tuple[Record, ...]
    layout: str
    zone: tzinfo = UTC

    @property
    def head(self) -> tuple[Record, ...]:
        """The first records, by which a format is recognised."""
        return self.records[:5]

    @property
    def stem(self) -> str:
        """The file's name up to its first dot, for naming conversations that have no name."""
        return Path(self.name).name.split(".")[0] if self.name and self.name != "-" else "log"


def read(source: Any, problems: list[Problem], *, strict: bool = False) -> Document:
    """Read a path, `-`, or a list or object of records; problems that do not stop the reading are added to `problems`.

    Raises `InputError` where nothing can be read: missing, a directory, empty, cut short, not text, nested too deeply.
    """
    if isinstance(source, (str, Path)):
        name = str(source)
        return parse(read_text(name), name, problems, strict=strict)
    values = [mended(value) for value in (source if isinstance(source, (list, tuple)) else [source])]
    layout = "array" if isinstance(source, (list, tuple)) else "value"
    return Document(None, tuple(Record(value, Location(record=n)) for n, value in enumerate(values, 1)), layout)


def read_text(name: str) -> str:
    """The text of a file or of standard input, unpacked where it is gzipped. Raises `InputError` as `read` does."""
    return _text(_bytes(name), name)


def parse(text: str, name: str, problems: list[Problem], *, strict: bool = False) -> Document:
    """The records of a text: one JSON value, or JSON Lines."""
    if not text.strip():
        raise _refusal("FE003", "the file is empty", Location(file=name), "give a log with at least one record")
    try:
        value = decode(text)
    except TooDeep:
        raise _too_deep(Location(file=name)) from None
    except JSONError as error:
        if not _looks_like_lines(text):
            raise _broken(text, name, error) from None
        return _lines(text, name, problems, strict)
    if not isinstance(value, (list, dict)):
        hint = "a log is an object, an array of records, or a record a line"
        raise _refusal("FE006", "the file holds a single value, not a log", Location(file=name, line=1), hint)
    values = value if isinstance(value, list) else [value]
    records = tuple(Record(item, Location(file=name, record=n)) for n, item in enumerate(values, 1))
    if not records:
        raise _refusal("FE003", "the file holds no record", Location(file=name), "give a log with at least one record")
    return Document(name, records, "array" if isinstance(value, list) else "value")


def _bytes(name: str) -> bytes:
    try:
        raw = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except FileNotFoundError:
        raise _refusal("FE001", "there is no such file", Location(file=name), "check the path") from None
    except IsADirectoryError:
        hint = "name the log files in it, for example with a shell pattern"
        raise _refusal("FE002", "this is a directory, not a log", Location(file=name), hint) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise _refusal("FE001", f"the file cannot be read: {reason}", Location(file=name), "check the path") from None
    return _unpacked(raw, name) if raw.startswith(_GZIP_MAGIC) else raw


def _unpacked(raw: bytes, name: str) -> bytes:
    try:
        return gzip.decompress(raw)
    except (OSError, EOFError, zlib.error) as error:
        message = f"the gzip file is cut short or damaged ({error})"
        raise _refusal("FE004", message, Location(file=name), "fetch it again") from None


def _text(raw: bytes, name: str) -> str:
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        message = f"the file is not UTF-8 text (byte {error.start + 1})"
        raise _refusal("FE005", message, Location(file=name, line=line), "convert it to UTF-8") from None


def _looks_like_lines(text: str) -> bool:
    """Whether some line other than the whole text is a record of its own."""
    lines = [line for line in text.splitlines() if line.strip()]
    return len(lines) > 1 and any(_is_record(line) for line in lines[:20])


def _is_record(line: str) -> bool:
    try:
        return isinstance(decode(line), (dict, list))
    except JSONError:
        return False


def _lines(text: str, name: str, problems: list[Problem], strict: bool) -> Document:
    records: list[Record] = []
    bad: list[Problem] = []
    for location, line in _numbered(text, name):
        try:
            records.append(Record(decode(line), location))
        except TooDeep:
            bad.append(_too_deep(location).problems[0])
        except JSONError as error:
            bad.append(_bad_line(location, line, error))
    if bad and (strict or not records):
        raise InputError(*bad)
    problems.extend(_left_out(problem) for problem in bad)
    return Document(name, tuple(records), "lines")


def _numbered(text: str, name: str) -> Iterator[tuple[Location, str]]:
    record = 0
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            record += 1
            yield Location(file=name, line=number, record=record), line


def _bad_line(location: Location, line: str, error: JSONError) -> Problem:
    return Problem(
        code="FE007",
        message=f"this line is not JSON: {_reason(error)}",
        location=attrs.evolve(location, column=error.pos + 1),
        hint="a record must stand on one line; --strict makes this an error",
        source=_excerpt(line) if error.pos < _EXCERPT else None,
    )


def _left_out(problem: Problem) -> Problem:
    return attrs.evolve(problem, severity="warning", message=f"{problem.message}; it is left out")


def _broken(text: str, name: str, error: JSONError) -> InputError:
    lines = text.splitlines()
    line = lines[error.lineno - 1] if error.lineno <= len(lines) else ""
    cut = not text[error.pos :].strip()
    problem = Problem(
        code="FE004" if cut else "FE007",
        message="the JSON is cut short" if cut else f"the file is not JSON: {_reason(error)}",
        location=Location(file=name, line=error.lineno, column=error.colno),
        hint="fetch or export it again" if cut else "a log is one JSON value, or one JSON object a line",
        source=_excerpt(line) if line.strip() and error.colno <= _EXCERPT else None,
    )
    return InputError(problem)


_EXCERPT = 100


def _excerpt(line: str) -> str:
    """The beginning of a line, with signs that a terminal would act on made visible."""
    shown = "".join(char if char.isprintable() or char == "\t" else "�" for char in line[:_EXCERPT])
    return shown if len(line) <= _EXCERPT else shown + "…"


def _reason(error: JSONError) -> str:
    return error.msg[:1].lower() + error.msg[1:]


def _too_deep(location: Location) -> InputError:
    message = f"a value is nested more than {MAX_DEPTH} levels deep"
    return _refusal("FE008", message, location, "no log needs that; flatten the value")


def _refusal(code: str, message: str, location: Location, hint: str) -> InputError:
    return InputError(Problem(code=code, message=message, location=location, hint=hint))
