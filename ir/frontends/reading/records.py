"""Records from text: one JSON value, whose elements come one by one if it is an array, or a record a line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any, NamedTuple

from ...diagnostics import InputError, Location, Problem
from .buffer import Buffer
from .json_text import MAX_DEPTH, JSONError, TooDeep, decode
from .refusals import NotJSON, bad_line, broken, empty, left_out, refusal, too_deep

#: By so many records a format is recognised.
HEAD = 5
#: An array on one line, longer than this, is taken for the whole file unless another line follows it.
_LONGEST_LINE = 1 << 20
#: Among so many lines one must be a record for a text that is no JSON to be taken for lines of it.
_LINES = 20


class Record(NamedTuple):
    """One JSON value and where it stands."""

    value: Any
    location: Location


class Records:
    """The records of a document in their order, which can be gone through once.

    `head` are the first of them, and stay at hand.
    """

    def __init__(self, records: Iterable[Record]) -> None:
        self._rest: Iterator[Record] | None = iter(records)
        self.head = tuple(islice(self._rest, HEAD))

    def __iter__(self) -> Iterator[Record]:
        if self._rest is None:
            raise RuntimeError("the records of a document can be gone through once only")
        rest, self._rest = self._rest, None
        return self._all(rest)

    def _all(self, rest: Iterator[Record]) -> Iterator[Record]:
        yield from self.head
        yield from rest


class Reading:
    """A text as the records it holds, and how they are laid out: `value`, `array` or `lines`.

    `goes_on` says whether something stands behind the first line, however long that is.
    """

    def __init__(
        self, pieces: Iterator[str], name: str, problems: list[Problem], strict: bool, goes_on: Callable[[], bool]
    ) -> None:
        self._text = Buffer(pieces)
        self._name = name
        self._problems = problems
        self._strict = strict
        self._goes_on = goes_on
        self.layout = "value"
        self.records = self._opened()
        self._text.forget_behind()
        if not self.records.head:
            raise empty(name, "the file holds no record")

    def _opened(self) -> Records:
        sign = self._text.sign()
        if not sign:
            raise empty(self._name, "the file is empty")
        if self._begins_with_a_record(sign):
            return self._as_lines()
        self.layout = "array" if sign == "[" else "value"
        try:
            return Records(self._elements() if sign == "[" else self._alone())
        except NotJSON:
            if not self._holds_a_record_a_line():
                raise
            return self._as_lines()

    def _begins_with_a_record(self, sign: str) -> bool:
        """Whether the first line is a record of its own and another line follows."""
        line = self._text.first_line(_LONGEST_LINE if sign == "[" else None)
        if line is None:
            line = self._text.first_line(None) if self._goes_on() else None
        return line is not None and self._text.goes_on_behind(line) and _is_record(line)

    def _holds_a_record_a_line(self) -> bool:
        self._text.rewind()
        lines = [line for _, line in islice(self._text.numbered_lines(), _LINES) if line.strip()]
        return len(lines) > 1 and any(map(_is_record, lines))

    # one value

    def _elements(self) -> Iterator[Record]:
        try:
            yield from self._array()
            self._check_end()
        except JSONError as error:
            raise self._broken(error) from None

    def _array(self) -> Iterator[Record]:
        text, number = self._text, 0
        text.step()
        end = text.sign() == "]"
        while not end:
            number += 1
            yield Record(text.value(MAX_DEPTH - 1), Location(file=self._name, record=number))
            end = text.sign() == "]"
            if not end:
                self._step_behind_comma()
        text.step()

    def _step_behind_comma(self) -> None:
        if self._text.sign() != ",":
            raise self._text.error("Expecting ',' delimiter")
        self._text.step()
        self._text.sign()

    def _alone(self) -> Iterator[Record]:
        try:
            value = self._text.value()
            self._check_end()
        except JSONError as error:
            raise self._broken(error) from None
        if not isinstance(value, dict):
            hint = "a log is an object, an array of records, or a record a line"
            raise refusal("FE006", "the file holds a single value, not a log", Location(file=self._name, line=1), hint)
        yield Record(value, Location(file=self._name, record=1))

    def _check_end(self) -> None:
        if self._text.sign():
            raise self._text.error("Extra data")

    def _broken(self, error: JSONError) -> InputError:
        if isinstance(error, TooDeep):
            return NotJSON(too_deep(Location(file=self._name)))
        line, column, shown, cut = self._text.where(error)
        return broken(Location(file=self._name, line=line, column=column), error, shown, cut=cut)

    # lines

    def _as_lines(self) -> Records:
        self._text.rewind()
        self._text.forget_behind()
        self.layout = "lines"
        return Records(self._lines())

    def _lines(self) -> Iterator[Record]:
        """The good lines. Bad ones are warnings, but errors where they are all there is, or `strict`."""
        bad: list[Problem] = []
        found = False
        for location, line in self._numbered():
            records = _records_of(line, location, bad)
            found = found or bool(records)
            if found and not self._strict:
                self._problems.extend(map(left_out, bad))
                bad.clear()
            if not bad:
                yield from records
        if bad:
            raise InputError(*bad)

    def _numbered(self) -> Iterator[tuple[Location, str]]:
        record = 0
        for number, line in self._text.numbered_lines():
            if line.strip():
                record += 1
                yield Location(file=self._name, line=number, record=record), line


def _records_of(line: str, location: Location, bad: list[Problem]) -> tuple[Record, ...]:
    """The record of a line, or none, and what is bad about it is added."""
    try:
        return (Record(decode(line), location),)
    except TooDeep:
        bad.append(too_deep(location))
    except JSONError as error:
        bad.append(bad_line(location, line, error))
    return ()


def _is_record(line: str) -> bool:
    try:
        value = decode(line)
    except JSONError:
        return False
    return isinstance(value, (dict, list)) and bool(value)
