"""From a name to pieces of text: files plain or packed, and standard input, decoded as they are read.

Nothing is held but the piece at hand. A file that turns out to be cut short, damaged or no text is refused where that
shows, which may be after pieces of it have been handed on.
"""

from __future__ import annotations

import codecs
import gzip
import io
import os.path
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from ...diagnostics import InputError, Location
from .refusals import refusal

DATABASE_MAGIC = b"SQLite format 3\0"
_GZIP_MAGIC = b"\x1f\x8b"
_ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
_PIECE = 1 << 18

#: Is told how much of a source has been read: its name, the bytes so far, and how many there are where that is known.
Watcher = Callable[[str, int, "int | None"], None]
_watcher: ContextVar[Watcher | None] = ContextVar("watcher", default=None)


@contextmanager
def watched(watcher: Watcher) -> Iterator[None]:
    """Tell `watcher` of all that is read within."""
    token = _watcher.set(watcher)
    try:
        yield
    finally:
        _watcher.reset(token)


def pieces(name: str) -> Iterator[str]:
    """The text of a file or of standard input, piece by piece. Raises `InputError` where it cannot be read."""
    return _decoded(_bytes(name), name)


def goes_on_after_a_line(name: str) -> bool:
    """Whether more than blanks stand behind the first line of a file; false where it can be read only once."""
    if not is_file(name):
        return False
    ended = False
    for piece in _bytes(name):
        _, newline, after = (b"", b"\n", piece) if ended else piece.partition(b"\n")
        ended = bool(newline)
        if after.strip():
            return True
    return False


def is_file(name: str) -> bool:
    """Whether this can be read again and again."""
    return name != "-" and os.path.isfile(name)


def is_database(name: str) -> bool:
    """Whether a file is a SQLite database."""
    if not is_file(name):
        return False
    with _opened(name) as file:
        return file.start == DATABASE_MAGIC


class _Input(io.RawIOBase):
    """Bytes of a file that is not closed with it. Its first ones are known, and a watcher sees how many were read."""

    def __init__(self, file: BinaryIO, name: str, size: int | None) -> None:
        self._read = getattr(file, "read1", file.read)
        self._name, self._size = name, size
        self._count = 0
        self.start = self._first(len(DATABASE_MAGIC))
        self._ahead = self.start

    def _first(self, count: int) -> bytes:
        found = b""
        while len(found) < count and (more := self._read(count - len(found))):
            found += more
        return found

    def readable(self) -> bool:
        """It is for reading only."""
        return True

    def readinto(self, target: Any) -> int:
        """Fill a part of a buffer: what was read ahead first."""
        found = self._ahead or self._read(len(target))
        self._ahead = b""
        target[: len(found)] = found
        self._count += len(found)
        if (watcher := _watcher.get()) is not None:
            watcher(self._name, self._count, self._size)
        return len(found)


def _bytes(name: str) -> Iterator[bytes]:
    with _opened(name) as source:
        if source.start == DATABASE_MAGIC:
            message = "this is a SQLite database, which is read as a log from a file only"
            raise refusal("FE009", message, Location(file=name), "give the database by the name of its file")
        content = _unpacked(source, name)
        with content.file:
            while piece := _piece(content, name):
                yield piece


class _Content(NamedTuple):
    """What a source holds, how it is packed, if it is, and what is raised where that is damaged."""

    file: Any
    packed: str | None = None
    damage: tuple[type[Exception], ...] = (OSError,)


def _unpacked(source: _Input, name: str) -> _Content:
    plain = io.BufferedReader(source, _PIECE)
    if source.start.startswith(_GZIP_MAGIC):
        return _Content(gzip.GzipFile(fileobj=plain), "gzip", (OSError, EOFError, zlib.error))
    if source.start.startswith(_ZSTD_MAGIC):
        zstd = _zstd(name)
        return _Content(zstd.ZstdFile(plain), "zstd", (OSError, EOFError, zstd.ZstdError))
    return _Content(plain)


def _piece(content: _Content, name: str) -> bytes:
    try:
        found: bytes = content.file.read(_PIECE)
    except content.damage as error:
        if content.packed is None:
            raise _unopened(error, name) from None
        message = f"the {content.packed} file is cut short or damaged ({error})"
        raise refusal("FE004", message, Location(file=name), "fetch it again") from None
    return found


def _zstd(name: str) -> Any:
    try:
        if sys.version_info >= (3, 14):
            from compression import zstd
        else:
            from backports import zstd
    except ImportError:
        message = "the file is packed with zstd, and the package that unpacks it is not installed"
        hint = "pip install 'statemem[formats]', or unpack it with zstd -d"
        raise refusal("FE001", message, Location(file=name), hint) from None
    return zstd


@contextmanager
def _opened(name: str) -> Iterator[_Input]:
    if name == "-":
        yield _Input(_standard_input(), name, None)
        return
    with _file(name) as file:
        try:
            source = _Input(file, name, Path(name).stat().st_size if is_file(name) else None)
        except OSError as error:
            raise _unopened(error, name) from None
        yield source


def _file(name: str) -> BinaryIO:
    try:
        return Path(name).open("rb")
    except FileNotFoundError:
        raise refusal("FE001", "there is no such file", Location(file=name), "check the path") from None
    except (OSError, ValueError) as error:
        raise _unopened(error, name) from None


def _standard_input() -> BinaryIO:
    if sys.stdin is None:
        raise refusal("FE001", "there is no standard input", Location(file="-"), "give a file")
    return sys.stdin.buffer


def _unopened(error: Exception, name: str) -> InputError:
    if isinstance(error, OSError) and os.path.isdir(name):
        hint = f"name the log files in it, for example '{Path(name) / '*.jsonl'}'"
        return refusal("FE002", "this is a directory, not a log", Location(file=name), hint)
    reason = getattr(error, "strerror", None) or str(error)
    return refusal("FE001", f"the file cannot be read: {reason}", Location(file=name), "check the path")


def _decoded(pieces: Iterator[bytes], name: str) -> Iterator[str]:
    decoder = codecs.getincrementaldecoder("utf-8-sig")()
    count = lines = 0
    now = b""
    try:
        for piece in pieces:
            now = piece
            yield decoder.decode(piece)
            count += len(piece)
            lines += piece.count(b"\n")
        now = b""
        yield decoder.decode(b"", final=True)
    except UnicodeDecodeError as error:
        before = count + len(now) - len(error.object) + error.start
        line = lines + error.object.count(b"\n", 0, error.start) + 1
        message = f"the file is not UTF-8 text (byte {before + 1})"
        raise refusal("FE005", message, Location(file=name, line=line), "convert it to UTF-8") from None
