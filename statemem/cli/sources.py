"""The logs a command is given: each conversation in turn, and what to do about those that cannot be read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

from statemem.ir import Program
from statemem.ir.diagnostics import StatememError, UsageError, suggestion
from statemem.report import Report

from .shell import say

T = TypeVar("T", Program, Report)


class Sources(Generic[T]):
    """What several logs hold, one conversation after the other.

    A log that cannot be read is told of and makes `failed` true; the others are still read. `only` picks one
    conversation; a name that none has is an error.
    """

    def __init__(self, logs: tuple[str, ...], read: Callable[[str], Iterator[T]], only: str | None = None) -> None:
        self._logs = logs
        self._read: Callable[[str], Iterator[T]] = read
        self._only = only
        self.failed = False

    def __iter__(self) -> Iterator[T]:
        names: list[str] = []
        for log in self._logs:
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
        for log in self._logs:
            yield from self._of(log, names)
        self._check_only(names)

    def _check_only(self, names: list[str]) -> None:
        if self._only is not None and self._only not in names:
            raise UsageError(f"no conversation is called {self._only!r}{suggestion(self._only, names)}")

    def _of(self, log: str, names: list[str]) -> Iterator[T]:
        for found in self._read(log):
            names.append(found.name)
            if self._only in (None, found.name):
                yield found
