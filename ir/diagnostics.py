"""Problems: what happened, where, and what to do, with a stable code.

StatememError                 every error a user can cause
├── InputError                a log or program that cannot be read; holds the problems found
└── UsageError                a call that cannot be carried out: an unknown pass, format, cell or policy key
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Literal

import attrs

Severity = Literal["error", "warning"]


@attrs.frozen(kw_only=True)
class Location:
    """A place in a file. Lines, columns and records count from 1; `pointer` is a JSON pointer into the record."""

    file: str | None = None
    line: int | None = None
    column: int | None = None
    record: int | None = None
    pointer: str | None = None

    def below(self, pointer: str) -> Location:
        """A place inside: its pointer goes on; an empty one is this place.

        >>> Location(record=2, pointer="/messages").below("3/content").pointer
        '/messages/3/content'
        """
        return attrs.evolve(self, pointer=f"{self.pointer or ''}/{pointer}") if pointer else self

    def __str__(self) -> str:
        parts = [self.file or "<input>"]
        if self.line is not None:
            parts.append(str(self.line))
        if self.column is not None:
            parts.append(str(self.column))
        text = ":".join(parts)
        if self.record is not None:
            text += f", record {self.record}"
        return f"{text}, at {self.pointer}" if self.pointer else text


@attrs.frozen(kw_only=True)
class Problem:
    """One finding about an input. `source` is the line it stands in, under which a caret is drawn."""

    code: str
    message: str
    severity: Severity = "error"
    location: Location = Location()
    hint: str | None = None
    source: str | None = None

    def __str__(self) -> str:
        """The problem as people read it.

        >>> print(Problem(code="IR001", message="no block 't9'", hint="name a block of this program",
        ...               location=Location(file="a.smir", line=3, column=10), source="    goto t9"))
        a.smir:3:10: error IR001: no block 't9'
            goto t9
                 ^
          hint: name a block of this program
        """
        lines = [f"{self.location}: {self.severity} {self.code}: {self.message}"]
        if self.source is not None:
            lines.append(self.source)
            if self.location.column is not None:
                lines.append(_caret(self.source, self.location.column))
        if self.hint:
            lines.append(f"  hint: {self.hint}")
        return "\n".join(lines)


def _caret(source: str, column: int) -> str:
    """A caret under a column; tabs and wide characters keep their width."""
    before = source[: column - 1]
    return "".join("\t" if char == "\t" else "  " if ord(char) >= 0x2E80 else " " for char in before) + "^"


class StatememError(Exception):
    """An error a user can cause and mend; its text is the whole message."""


class InputError(StatememError):
    """An input that cannot be read."""

    def __init__(self, *problems: Problem) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems = problems


class UsageError(StatememError):
    """A call that cannot be carried out as it stands."""


def near(word: str, known: Iterable[str]) -> str | None:
    """The hint at what may have been meant, `did you mean 'x'?`, for a near miss."""
    found = difflib.get_close_matches(word, list(known), 1)
    return f"did you mean {found[0]!r}?" if found else None


def suggestion(word: str, known: Iterable[str]) -> str:
    """The same as the end of a sentence, `, did you mean 'x'?`, else nothing."""
    hint = near(word, known)
    return f", {hint}" if hint else ""
