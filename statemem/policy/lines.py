"""Where the keys of a TOML file stand, so that a mistake is shown with its line."""

from __future__ import annotations

import re

#: A key with its place: names of tables and keys, numbers of the elements of arrays of tables.
Path = tuple[str | int, ...]

_HEADER = re.compile(r"\s*(\[\[?)\s*([^\[\]]+?)\s*\]\]?\s*(#.*)?$")
_KEY = re.compile(r"""\s*("[^"]*"|'[^']*'|[\w-]+)\s*[=.]""")


class Lines:
    """The lines of tables and keys."""

    def __init__(self, text: str) -> None:
        self._found: dict[Path, int] = {}
        self._counts: dict[Path, int] = {}
        self._table: Path = ()
        for number, line in enumerate(text.splitlines(), 1):
            header, key = _HEADER.match(line), _KEY.match(line)
            if header:
                self._enter(header[2], is_array=header[1] == "[[", number=number)
            elif key:
                self._found.setdefault((*self._table, key[1].strip("\"'")), number)

    def of(self, path: Path) -> int | None:
        """The line of a key, or of the nearest table around it."""
        while path and path not in self._found:
            path = path[:-1]
        return self._found.get(path)

    def _enter(self, name: str, *, is_array: bool, number: int) -> None:
        path: Path = ()
        names = [part.strip().strip("\"'") for part in name.split(".")]
        for part in names[:-1]:
            path = self._latest((*path, part))
            self._found.setdefault(path, number)
        path = (*path, names[-1])
        if is_array:
            self._counts[path] = self._counts.get(path, -1) + 1
            path = (*path, self._counts[path])
        self._found.setdefault(path, number)
        self._table = path

    def _latest(self, path: Path) -> Path:
        return (*path, self._counts[path]) if path in self._counts else path
