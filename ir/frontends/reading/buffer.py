"""A text that comes in pieces: values and lines are taken from it, and what lies behind them is forgotten.

Until `forget_behind` is called all of it is kept, so that reading can start again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from .json_text import MAX_DEPTH, JSONError, decode_at
from .refusals import EXCERPT

_BLANKS = re.compile(r"[ \t\n\r]*")
#: Longer than the longest word or escape of JSON, so that an error further from the end is none of its being cut.
_WORD = 16
#: What is left over where a number is cut: `1` is one, and the `.` or `e+` behind it is part of it if a digit follows.
_NUMBER = 2
_NO_END = "Unterminated string"


class Buffer:
    """The part of a text that is held, and where reading stands in it."""

    def __init__(self, pieces: Iterator[str]) -> None:
        self._pieces = pieces
        self._held = ""
        self._at = 0
        self._line = 1
        self._column = 1
        self._keeps = True
        self._ended = False

    def forget_behind(self) -> None:
        """Hold from now on only what has not been read."""
        self._keeps = False

    def rewind(self) -> None:
        """Go back to the beginning, which must not be forgotten yet."""
        assert self._keeps
        self._at = 0

    # taking

    def sign(self) -> str:
        """The next sign that is not blank, where reading then stands; empty at the end."""
        ahead = self._after_blanks(0)
        self._at += ahead
        return self._held[self._at : self._at + 1]

    def step(self) -> None:
        """Go behind the next sign."""
        self._at += 1

    def value(self, levels: int = MAX_DEPTH) -> Any:
        """The JSON value that begins here; reading then stands behind it. Raises `JSONError` where there is none."""
        while True:
            try:
                value, end = decode_at(self._held, self._at, levels)
            except JSONError as error:
                if not (self._may_be_cut(error) and self._more()):
                    raise
                continue
            if end + _NUMBER < len(self._held) or not self._more():
                self._at = end
                return value

    def numbered_lines(self) -> Iterator[tuple[int, str]]:
        """The lines from here to the end, with their numbers."""
        number = self._place(self._at)[0]
        while (line := self._line_here()) is not None:
            yield number, line
            number += 1

    def _line_here(self) -> str | None:
        length = self._length_of_line()
        if length is None:
            line = self._held[self._at :]
            self._at = len(self._held)
            return line or None
        line = self._held[self._at : self._at + length]
        self._at += length + 1
        return line

    # looking

    def first_line(self, longest: int | None) -> str | None:
        """The line that begins here, which is not read yet; None where it is longer and goes on."""
        length = self._length_of_line(longest)
        if length is None and not self._ended:
            return None
        return self._held[self._at :] if length is None else self._held[self._at : self._at + length]

    def goes_on_behind(self, line: str) -> bool:
        """Whether something stands behind this line, which begins here."""
        ahead = self._after_blanks(len(line))
        return self._at + ahead < len(self._held)

    # errors

    def error(self, message: str) -> JSONError:
        """An error of JSON where reading stands."""
        return JSONError(message, self._held, self._at)

    def where(self, error: JSONError) -> tuple[int, int, str, bool]:
        """The line and column of an error, that line as far as it may be shown, and whether the text ends there."""
        ahead = error.pos - self._at
        while len(self._held) <= self._at + ahead + EXCERPT and self._more():
            pass
        position = self._at + ahead
        line, column = self._place(position)
        start = self._held.rfind("\n", 0, position) + 1
        shown = self._held[start : position + EXCERPT + 1].partition("\n")[0]
        return line, column, shown.rstrip("\r"), not self._held[position:].strip()

    # inside

    def _place(self, position: int) -> tuple[int, int]:
        newlines = self._held.count("\n", 0, position)
        if not newlines:
            return self._line, self._column + position
        return self._line + newlines, position - self._held.rfind("\n", 0, position)

    def _may_be_cut(self, error: JSONError) -> bool:
        """Whether more text could mend an error. A string without an end has no end of line in it either."""
        return error.pos > len(self._held) - _WORD or error.msg.startswith(_NO_END)

    def _after_blanks(self, ahead: int) -> int:
        """How far ahead the next sign is that is not blank, from a place so far ahead."""
        while True:
            blanks = _BLANKS.match(self._held, self._at + ahead)
            ahead = blanks.end() - self._at if blanks is not None else ahead
            if self._at + ahead < len(self._held) or not self._more():
                return ahead

    def _length_of_line(self, longest: int | None = None) -> int | None:
        """How far ahead the line ends; None where the text ends first, or where that is too far."""
        ahead = 0
        while (end := self._held.find("\n", self._at + ahead)) < 0:
            ahead = len(self._held) - self._at
            if (longest is not None and ahead > longest) or not self._more():
                return None
        return end - self._at

    def _more(self) -> bool:
        """Hold as much again as is ahead, so that coming back to a long value stays linear; false at the end."""
        found = self._next(max(1, len(self._held) - self._at))
        if not found:
            return False
        if not self._keeps:
            self._forget()
        self._held += found
        return True

    def _next(self, length: int) -> str:
        found: list[str] = []
        while length > 0 and not self._ended:
            piece = next(self._pieces, None)
            self._ended = piece is None
            found.append(piece or "")
            length -= len(found[-1])
        return "".join(found)

    def _forget(self) -> None:
        """Leave out what has been read, but for the beginning of a line that an error may still show."""
        start = max(self._held.rfind("\n", 0, self._at) + 1, self._at - 2 * EXCERPT)
        self._line, self._column = self._place(start)
        self._held = self._held[start:]
        self._at -= start
