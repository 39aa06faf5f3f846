"""Tables of a policy file: values of the kind that is asked for, and mistakes with their place."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from statemem.ir import PathError
from statemem.ir.diagnostics import InputError, Location, Problem, suggestion

from . import lines

T = TypeVar("T")


def refusal(name: str, message: str, line: int | None, hint: str) -> InputError:
    """The error that a policy file cannot be read as such."""
    return InputError(Problem(code="PO001", message=message, location=Location(file=name, line=line), hint=hint))


class Table:
    """A table of a policy file, with where it stands."""

    def __init__(self, file: str, known_lines: lines.Lines, path: lines.Path, values: Mapping[str, Any]) -> None:
        self._file = file
        self._lines = known_lines
        self._path = path
        self._values = values

    def only(self, *known: str) -> None:
        """Refuse keys other than these."""
        for key in self._values:
            if key not in known:
                near = suggestion(key, known)
                raise self.wrong(key, f"unknown key {key!r}{near}; known are {', '.join(known)}")

    def has(self, key: str) -> bool:
        """Whether a key is given."""
        return key in self._values

    def table(self, key: str) -> Table:
        """The table of a key; an empty one where it is not given."""
        value = self._values.get(key, {})
        if not isinstance(value, dict):
            raise self.wrong(key, f"{key} is a table, not {value!r}")
        return Table(self._file, self._lines, (*self._path, key), value)

    def tables(self, key: str) -> list[Table]:
        """The tables of an array of them."""
        value = self._values.get(key, [])
        if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
            raise self.wrong(key, f"{key} are tables, each written [[{key}]] or as an inline table")
        paths = ((*self._path, key, number) for number in range(len(value)))
        return [Table(self._file, self._lines, path, one) for path, one in zip(paths, value, strict=True)]

    def text(self, key: str, default: str | None = None) -> str:
        """A text."""
        value = self._values.get(key, default)
        if not isinstance(value, str):
            raise self.wrong(key, f"{key} is a text, not {value!r}" if key in self._values else f"{key} is missing")
        return value

    def texts(self, key: str, default: tuple[str, ...] | None = None) -> tuple[str, ...]:
        """One text or a list of them."""
        value = self._values.get(key, list(default) if default is not None else None)
        found = [value] if isinstance(value, str) else value
        if not isinstance(found, list) or not all(isinstance(one, str) for one in found) or not found:
            raise self.wrong(key, f"{key} is a list of texts, not {value!r}" if self.has(key) else f"{key} is missing")
        return tuple(found)

    def number(self, key: str, default: int, least: int) -> int:
        """A whole number of at least `least`."""
        value = self._values.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int) or value < least:
            raise self.wrong(key, f"{key} is a whole number of at least {least}, not {value!r}")
        return value

    def flag(self, key: str, *, default: bool) -> bool:
        """True or false."""
        value = self._values.get(key, default)
        if not isinstance(value, bool):
            raise self.wrong(key, f"{key} is true or false, not {value!r}")
        return value

    def parsed(self, key: str, text: str, parse: Callable[[str], T]) -> T:
        """What a text says, as something else reads it."""
        try:
            return parse(text)
        except (PathError, ValueError) as error:
            raise self.wrong(key, str(error)) from None

    def wrong(self, key: str, message: str) -> InputError:
        """A mistake at a key."""
        hint = "the page on the policy file in the docs shows every key"
        return refusal(self._file, message, self._lines.of((*self._path, key)), hint)
