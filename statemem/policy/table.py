"""Tables of a policy file: values of the kind that is asked for, and mistakes with their place."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from statemem.ir import PathError, toml_file

T = TypeVar("T")


class Table(toml_file.Table):
    """A table of a policy file, with where it stands."""

    code = "PO001"
    file_is = "the policy"
    described = "the page on the policy file in the docs shows every key"

    def tables(self, key: str) -> list[Table]:
        """The tables of an array of them."""
        value = self._values.get(key, [])
        if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
            raise self.wrong(key, f"{key} are tables, each written [[{key}]] or as an inline table")
        return [self.below((key, number), one) for number, one in enumerate(value)]

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
