"""Hooks: what happens between passes, outside of them. A manager calls them around every pass that it makes.

A needed pass is made inside the one that needs it, so calls are nested. What a solution replays later, when it is
looked at, belongs to no pass any more.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import zip_longest
from typing import Any, NamedTuple, Protocol

from statemem.ir import Program
from statemem.ir.text import dumps
from statemem.ir.verifier import verify

from ..rendering import render
from .analysis import Pass
from .errors import PassError


class Hook(Protocol):
    """Something to do before and after passes."""

    def before(self, one: Pass, program: Program) -> None:
        """A pass is about to be made."""
        ...

    def after(self, one: Pass, result: Any, program: Program) -> None:
        """A pass was made; not called where it raised."""
        ...


class Time(NamedTuple):
    """What making one pass took in seconds of the processor: by itself, and with the passes it needed."""

    one: Pass
    own: float
    whole: float


class Timing:
    """Takes the time of every pass.

    >>> from statemem.ir import build
    >>> from statemem.passes import Liveness, Manager
    >>> timing = Timing()
    >>> _ = Manager(build().set("color", "black").open(), hooks=[timing]).result(Liveness)
    >>> [(row.one, row.own == row.whole) for row in timing.rows]
    [(Liveness(), True)]
    """

    def __init__(self, clock: Callable[[], float] = time.process_time) -> None:
        #: The passes in the order in which they were done.
        self.rows: list[Time] = []
        self._clock = clock
        self._running: list[_Running] = []

    def before(self, one: Pass, program: Program) -> None:
        """Start the clock."""
        self._running.append(_Running(one, self._clock()))

    def after(self, one: Pass, result: Any, program: Program) -> None:
        """Stop it; those that raised since are dropped."""
        whole = self._clock()
        running = self._running.pop()
        while running.one != one:
            running = self._running.pop()
        whole -= running.begin
        self.rows.append(Time(one, whole - running.within, whole))
        if self._running:
            self._running[-1].within += whole


class _Running:
    """A pass being made: when it began, and what the passes it needed took."""

    def __init__(self, one: Pass, begin: float) -> None:
        self.one = one
        self.begin = begin
        self.within = 0.0


class Printing:
    """Calls a function with what each pass found, as text."""

    def __init__(
        self, write: Callable[[str], object], shown: Callable[[Pass, Any, Program], str] | None = None
    ) -> None:
        self._write = write
        self._shown = shown or render

    def before(self, one: Pass, program: Program) -> None:
        """Nothing yet."""

    def after(self, one: Pass, result: Any, program: Program) -> None:
        """Show it."""
        self._write(self._shown(one, result, program))


class Verify:
    """Raises `PassError` for a pass that changes the program, and tells what the verifier finds in it since."""

    def __init__(self) -> None:
        self._before: list[_Snapshot] = []

    def before(self, one: Pass, program: Program) -> None:
        """Take down what the program says."""
        self._before.append(_Snapshot(one, program))

    def after(self, one: Pass, result: Any, program: Program) -> None:
        """Compare; the snapshots of those that raised since are dropped."""
        before = self._before.pop()
        while before.one != one:
            before = self._before.pop()
        found = _told(before, program)
        if found:
            message = f"pass {one.name!r} changed the program, which it may only read: {found[0]}"
            raise PassError("\n".join([message, *found[1:]]))


def _told(before: _Snapshot, program: Program) -> list[str]:
    """What has changed, and the errors that the verifier finds since; nothing where all is as it was."""
    try:
        changed = before.changed(program)
        return [changed, *(error for error in _errors(program) if error not in before.errors)] if changed else []
    except Exception as error:  # parts of a program that do not fit each other can fail anywhere
        return [f"it cannot be read any more ({type(error).__name__}: {error})"]


class _Snapshot:
    """What a program said before a pass."""

    def __init__(self, one: Pass, program: Program) -> None:
        self.one = one
        self.errors = _errors(program)
        self._version = program.version
        self._text = dumps(program)
        self._instructions = list(program.instructions)

    def changed(self, program: Program) -> str:
        """Where it says something else now; empty where it does not. No value is told."""
        place = "before its first block"
        for was, now in zip_longest(self._text.splitlines(), dumps(program).splitlines()):
            if was != now:
                return f"it says something else {place}"
            place = f"in {was.strip(' {')}" if was.startswith("  block ") else place
        is_same = self._version == program.version and self._instructions == program.instructions
        return "" if is_same else "its version or the list of its instructions is not what it was"


def _errors(program: Program) -> list[str]:
    """What the verifier holds against a program."""
    return [str(problem) for problem in verify(program) if problem.severity == "error"]
