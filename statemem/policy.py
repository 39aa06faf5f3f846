"""Policy: thresholds as data, read from `statemem.toml` and checked with the place of every mistake."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import attrs

from statemem.ir import Cell
from statemem.ir.diagnostics import InputError, Location, Problem, suggestion
from statemem.ir.values import Value


@attrs.frozen(kw_only=True)
class Generation:
    """How a generation of entries ages, in steps since an entry was made or last used.

    An entry is cold when more than `cold_after` steps have passed, and archived when more than `archive_factor` times
    as many have; without a factor it is never archived by age.
    """

    cold_after: int = 5
    archive_factor: int | None = 2

    def is_cold(self, age: int) -> bool:
        """Whether an entry of this age has left the context."""
        return age > self.cold_after

    def is_archived(self, age: int) -> bool:
        """Whether an entry of this age has left the search store too."""
        return self.archive_factor is not None and age > self.cold_after * self.archive_factor


def _defaults() -> dict[str, Generation]:
    return {
        "turn": Generation(cold_after=0, archive_factor=None),
        "session": Generation(cold_after=5, archive_factor=2),
        "profile": Generation(cold_after=50, archive_factor=4),
    }


@attrs.frozen
class Policy:
    """What the planner does with the facts the passes prove.

    >>> Policy.of(cold_after=3).generations["session"]
    Generation(cold_after=3, archive_factor=2)
    """

    generations: dict[str, Generation] = attrs.field(factory=_defaults)

    @classmethod
    def of(cls, *, cold_after: int = 5, archive_factor: int = 2) -> Policy:
        """The default policy with another threshold for the session generation."""
        return cls({**_defaults(), "session": Generation(cold_after=cold_after, archive_factor=archive_factor)})

    def generation(self, cell: Cell, metadata: dict[str, Value]) -> tuple[str, Generation]:
        """The generation of an entry: the one its log states, `turn` for the cells of a turn, else `session`."""
        stated = metadata.get("generation")
        if isinstance(stated, str) and stated in self.generations:
            return stated, self.generations[stated]
        name = "turn" if cell.scope.kind == "turn" else "session"
        return name, self.generations[name]


def load(path: str | Path) -> Policy:
    """The policy of a file. Raises `InputError` with file and line for anything that is not as described."""
    name = str(path)
    try:
        text = Path(path).read_text(encoding="utf-8")
        table = tomllib.loads(text)
    except OSError as error:
        raise _refusal(name, f"the policy cannot be read: {error.strerror}", None, "check the path") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise _refusal(
            name,
            f"the policy is not TOML: {error}",
            _line_of(error),
            "the page on actions and policy in the docs has an example",
        ) from None
    return _Reading(name, text).policy(table)


def _line_of(error: Exception) -> int | None:
    found = re.search(r"line (\d+)", str(error))
    return int(found[1]) if found else None


def _refusal(name: str, message: str, line: int | None, hint: str) -> InputError:
    return InputError(Problem(code="PO001", message=message, location=Location(file=name, line=line), hint=hint))


class _Reading:
    """Checks a policy table, key by key."""

    def __init__(self, name: str, text: str) -> None:
        self._name = name
        self._lines = text.splitlines()

    def policy(self, table: dict[str, Any]) -> Policy:
        self._check_keys(table, ["generations"])
        generations = self._table(table, "generations")
        known = _defaults()
        self._check_keys(generations, list(known))
        return Policy({name: self._generation(generations, name, base) for name, base in known.items()})

    def _generation(self, table: dict[str, Any], name: str, base: Generation) -> Generation:
        given = self._table(table, name)
        self._check_keys(given, ["cold_after", "archive_factor"])
        for field, value in given.items():
            least = 0 if field == "cold_after" else 1
            if isinstance(value, bool) or not isinstance(value, int) or value < least:
                raise self._wrong(field, f"{field} is a whole number of at least {least}, not {value!r}")
        return attrs.evolve(base, **given)

    def _table(self, table: dict[str, Any], name: str) -> dict[str, Any]:
        value = table.get(name, {})
        if not isinstance(value, dict):
            raise self._wrong(name, f"{name} is a table, not {value!r}")
        return value

    def _check_keys(self, table: dict[str, Any], known: list[str]) -> None:
        for key in table:
            if key not in known:
                raise self._wrong(key, f"unknown key {key!r}{suggestion(key, known)}; known are {', '.join(known)}")

    def _wrong(self, key: str, message: str) -> InputError:
        pattern = re.compile(rf"\b{re.escape(key)}\b")
        line = next((n for n, text in enumerate(self._lines, 1) if pattern.search(text)), None)
        return _refusal(self._name, message, line, "the page on actions and policy in the docs shows every key")
