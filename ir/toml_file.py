"""TOML files that people write for us: their tables, and mistakes in them with the line."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar, Self

from . import toml_lines
from .diagnostics import InputError, Location, Problem, suggestion

_LINE = re.compile(r"line (\d+)")


class Table:
    """A table of a file, with where it stands; a kind of file says what it is called and where it is described."""

    code: ClassVar[str]
    file_is: ClassVar[str]
    described: ClassVar[str]

    def __init__(self, file: str, lines: toml_lines.Lines, path: toml_lines.Path, values: Mapping[str, Any]) -> None:
        self._file = file
        self._lines = lines
        self._path = path
        self._values = values

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """The table of a whole file. Raises `InputError` with the line where it is no TOML."""
        name = str(path)
        try:
            text = Path(path).read_text(encoding="utf-8-sig")
            return cls(name, toml_lines.Lines(text), (), tomllib.loads(text))
        except OSError as error:
            raise cls._refusal(
                name, f"{cls.file_is} cannot be read: {error.strerror}", None, "check the path"
            ) from None
        except (ValueError, RecursionError) as error:  # no UTF-8, no TOML, thousands of digits, nested too deeply
            reason = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
            line = _LINE.search(reason) if isinstance(error, tomllib.TOMLDecodeError) else None
            number = int(line[1]) if line else None
            raise cls._refusal(name, f"{cls.file_is} is not TOML: {reason}", number, cls.described) from None

    @property
    def name(self) -> str:
        """The last of the keys that lead to the table."""
        return str(self._path[-1])

    def only(self, *known: str) -> None:
        """Refuse keys other than these."""
        for key in self._values:
            if key not in known:
                near = suggestion(key, known)
                raise self.wrong(key, f"unknown key {key!r}{near}; known are {', '.join(known)}")

    def has(self, key: str) -> bool:
        """Whether a key is given."""
        return key in self._values

    def table(self, key: str) -> Self:
        """The table of a key; an empty one where it is not given."""
        value = self._values.get(key, {})
        if not isinstance(value, dict):
            raise self.wrong(key, f"{key} is a table, not {value!r}")
        return self.below((key,), value)

    def below(self, steps: toml_lines.Path, values: Mapping[str, Any]) -> Self:
        """A table that stands in this one."""
        return type(self)(self._file, self._lines, (*self._path, *steps), values)

    def wrong(self, key: str, message: str) -> InputError:
        """A mistake at a key."""
        return self._refusal(self._file, message, self._lines.of((*self._path, key)), self.described)

    @classmethod
    def _refusal(cls, file: str, message: str, line: int | None, hint: str) -> InputError:
        return InputError(Problem(code=cls.code, message=message, location=Location(file=file, line=line), hint=hint))
