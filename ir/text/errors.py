"""What is wrong with a text: codes, and problems located in its lines."""

from __future__ import annotations

import re

import attrs
from lark import Token

from ..diagnostics import Location, Problem, Severity

#: Every code of the text form with what it means.
CODES = {
    "TX001": "a character that stands nowhere in a text of the IR",
    "TX002": "a word or sign that does not belong at this place",
    "TX003": "the text ends in the middle of a program",
    "TX004": "a string that is not a JSON string",
    "TX005": "a number too large to be kept",
    "TX006": "an origin field that does not exist or has a value of the wrong kind",
    "TX007": "brackets nested too deep",
    "TX008": "an expected fact that cannot be read",
    "TX009": "a scope, a task or an entry described twice",
    "TX010": "a cell or a reference that cannot be read, or lacks its scope",
    "TX011": "a field written twice in one object",
    "TX012": "a text that holds no program",
    "TX013": "a program that stands at a block it does not have",
}


class TextError(Exception):
    """A text that is well formed but means nothing; `needle` is the part of the line to point at, behind `after`."""

    def __init__(
        self, code: str, message: str, token: Token, *, hint: str | None = None, needle: str = "", after: str = ""
    ) -> None:
        super().__init__(message)
        self.code, self.message, self.hint, self.needle, self.after = code, message, hint, needle, after
        self.line, self.column = token.line or 1, token.column or 1


#: How much of a line is shown behind the place of a problem, and up to which column it is shown at all.
_SHOWN_BEHIND, _LAST_SHOWN = 200, 2_000


@attrs.frozen
class Source:
    """A text by lines, and the file it came from."""

    lines: list[str]
    file: str | None = None

    @classmethod
    def of(cls, text: str, file: str | None) -> Source:
        """The lines as the parser counts them."""
        return cls([line.rstrip("\r") for line in text.split("\n")], file)

    def problem(
        self,
        code: str,
        message: str,
        line: int,
        column: int = 0,
        *,
        severity: Severity = "error",
        hint: str | None = None,
        needle: str = "",
        after: str = "",
    ) -> Problem:
        """A problem at a column, at the first `needle` from there or from `after` on, or where the statement begins."""
        source = self.lines[line - 1]
        start = column or len(source) - len(source.lstrip()) + 1
        found = _find(needle, source, _find(after, source, start), start)
        where = Location(file=self.file, line=line, column=found)
        shown = source[: found + _SHOWN_BEHIND] if found <= _LAST_SHOWN else None
        return Problem(code=code, message=message, severity=severity, location=where, hint=hint, source=shown)

    def behind(self, error: TextError) -> Problem:
        """The problem behind an error."""
        return self.problem(
            error.code,
            error.message,
            error.line,
            error.column,
            hint=error.hint,
            needle=error.needle,
            after=error.after,
        )


def _find(needle: str, line: str, column: int, otherwise: int | None = None) -> int:
    """The column of a needle that is no part of a longer word, rather of none of a longer cell."""
    within_cell = None
    start = line.find(needle, column - 1) if needle else -1
    while start >= 0:
        before = line[start - 1 : start] if _IN_WORD.match(needle) else ""
        if _ends_there(line, start + len(needle)) and not _IN_CELL.match(before):
            return start + 1
        if _ends_there(line, start + len(needle)) and not _IN_WORD.match(before) and within_cell is None:
            within_cell = start + 1
        start = line.find(needle, start + 1)
    return within_cell or (column if otherwise is None else otherwise)


def _ends_there(line: str, end: int) -> bool:
    return not (_IN_WORD.match(line[end - 1 : end]) and _IN_WORD.match(line[end : end + 1]))


_IN_WORD, _IN_CELL = re.compile(r"[\w-]"), re.compile(r"[\w./-]")
