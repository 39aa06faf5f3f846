"""The logs a command is given: each conversation in turn, and what to do about those that cannot be read."""

from __future__ import annotations

import os.path
from collections.abc import Callable, Iterable, Iterator
from glob import glob, has_magic
from typing import Generic, TypeVar

from statemem.ir import Program
from statemem.ir.diagnostics import InputError, Location, Problem, StatememError, UsageError, suggestion
from statemem.ir.frontends.reading.source import watched
from statemem.report import Report

from .progress import ReadingBar
from .shell import say

T = TypeVar("T", Program, Report)


class Sources(Generic[T]):
    """What several logs hold, one conversation after the other.

    A log that cannot be read is told of and makes `failed` true; the others are still read. `only` picks one
    conversation; a name that none has is an error. Patterns such as `logs/**/*.jsonl` stand for the files that match
    them; `logs` are those files. No conversation is held once the next is asked for.
    """

    def __init__(self, logs: tuple[str, ...], read: Callable[[str], Iterator[T]], only: str | None = None) -> None:
        self.logs = tuple(expanded(logs))
        self._read: Callable[[str], Iterator[T]] = read
        self._only = only
        self._bar = ReadingBar()
        self.failed = False

    def __iter__(self) -> Iterator[T]:
        names: list[str] = []
        with self._bar:
            for log in self.logs:
                try:
                    yield from self._of(log, names)
                except StatememError as error:
                    self.failed = True
                    say(str(error))
        if not self.failed:
            self._check_only(names)

    def strictly(self) -> Iterator[T]:
        """The conversations; a log that cannot be read ends them with its error."""
        names: list[str] = []
        with self._bar:
            for log in self.logs:
                yield from self._of(log, names)
        self._check_only(names)

    def _check_only(self, names: list[str]) -> None:
        if self._only is not None and self._only not in names:
            raise UsageError(f"no conversation is called {self._only!r}{suggestion(self._only, names)}")

    def _of(self, log: str, names: list[str]) -> Iterator[T]:
        if _is_pattern(log):
            raise _unmatched(log)
        conversations = self._read(log)
        while found := self._next(conversations):
            if self._only is None:
                yield found.pop()
                continue
            names.append(found[0].name)
            if self._only == found[0].name:
                yield found.pop()

    def _next(self, conversations: Iterator[T]) -> list[T]:
        """The next conversation, alone in a list so that who takes it out is the only one to hold it."""
        with watched(self._bar):
            return [one for one in (next(conversations, None),) if one is not None]


def expanded(logs: Iterable[str]) -> Iterator[str]:
    """The files that are meant, those of a pattern sorted by name; a pattern that none matches stays as it is."""
    for log in logs:
        if _is_pattern(log):
            yield from sorted(path for path in glob(log, recursive=True) if os.path.isfile(path)) or [log]
        else:
            yield log


def _is_pattern(log: str) -> bool:
    """Whether this is no file but a pattern for some."""
    return has_magic(log) and not os.path.exists(log)


def _unmatched(pattern: str) -> InputError:
    return InputError(
        Problem(
            code="FE001",
            message="no file matches this pattern",
            location=Location(file=pattern),
            hint="* and ? stand for parts of one name, ** for folders within folders",
        )
    )
