"""Where the keys of a TOML file stand, so that a mistake is shown with its line."""

from __future__ import annotations

import json
import re

#: A key with its place: names of tables and keys, numbers of the elements of arrays of tables.
Path = tuple[str | int, ...]

_NAME = r"""(?:"(?:[^"\\]|\\.)*"|'[^']*'|[\w-]+)"""
_NAMES = rf"{_NAME}(?:\s*\.\s*{_NAME})*"
_HEADER = re.compile(rf"\s*(\[\[?)\s*({_NAMES})\s*\]\]?\s*(?:#.*)?$")
_KEY = re.compile(rf"\s*({_NAMES})\s*=")
_EACH = re.compile(_NAME)
#: What begins and ends a text of several lines, in which nothing is a key.
_QUOTES = ('"""', "'''")


class Lines:
    r"""The lines of tables and keys.

    >>> lines = Lines('[tools."crm.*"]\nwrites = true\n\n[[rule]]\ncode = "A1"\n\n[[rule]]\nwho.name = "x"\n')
    >>> [lines.of(path) for path in (("tools", "crm.*", "writes"), ("rule", 0), ("rule", 1, "who", "name", "y"))]
    [2, 4, 8]
    """

    def __init__(self, text: str) -> None:
        self._found: dict[Path, int] = {}
        self._counts: dict[Path, int] = {}
        self._table: Path = ()
        self._quote = ""
        for number, line in enumerate(text.split("\n"), 1):
            if not self._is_text(line):
                self._read(line, number)

    def of(self, path: Path) -> int | None:
        """The line of a key, or of the nearest table around it."""
        while path and path not in self._found:
            path = path[:-1]
        return self._found.get(path)

    def _is_text(self, line: str) -> bool:
        """Whether a line goes on with a text of several lines; one that begins such a text does not."""
        inside = self._quote
        opening = [inside] if inside else [quote for quote in _QUOTES if quote in line]
        if opening and line.count(opening[0]) % 2:
            self._quote = "" if inside else opening[0]
        return bool(inside)

    def _read(self, line: str, number: int) -> None:
        header, key = _HEADER.match(line), _KEY.match(line)
        if header:
            self._enter(_names(header[2]), is_array=header[1] == "[[", number=number)
        elif key:
            self._enter_all(self._table, _names(key[1]), number)

    def _enter(self, names: list[str], *, is_array: bool, number: int) -> None:
        path = (*self._enter_all((), names[:-1], number), names[-1])
        if is_array:
            self._counts[path] = self._counts.get(path, -1) + 1
            path = (*path, self._counts[path])
        self._found.setdefault(path, number)
        self._table = path

    def _enter_all(self, path: Path, names: list[str], number: int) -> Path:
        """Keys one below the other; of an array of tables the latest."""
        for name in names:
            path = (*path, name)
            path = (*path, self._counts[path]) if path in self._counts else path
            self._found.setdefault(path, number)
        return path


def _names(text: str) -> list[str]:
    return [_plain(match[0]) for match in _EACH.finditer(text)]


def _plain(name: str) -> str:
    """A name without its quotes."""
    if not name.startswith('"'):
        return name.strip("'")
    try:
        return str(json.loads(name))
    except ValueError:
        return name.strip('"')
