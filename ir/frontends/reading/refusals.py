"""What cannot be read, as problems: each says what it is, where it stands and what to do."""

from __future__ import annotations

import attrs

from ...diagnostics import InputError, Location, Problem
from .json_text import MAX_DEPTH, JSONError

#: Of a line this much is shown, and of an error behind it nothing.
EXCERPT = 100


class NotJSON(InputError):
    """A text that is not one JSON value; it may still be lines of them."""


def refusal(code: str, message: str, location: Location, hint: str) -> InputError:
    """An error of one problem."""
    return InputError(Problem(code=code, message=message, location=location, hint=hint))


def empty(name: str | None, message: str) -> InputError:
    """A source without a record."""
    return refusal("FE003", message, Location(file=name), "give a log with at least one record")


def too_deep(location: Location) -> Problem:
    """A value that is nested too deeply."""
    message = f"a value is nested more than {MAX_DEPTH} levels deep"
    return Problem(code="FE008", message=message, location=location, hint="no log needs that; flatten the value")


def bad_line(location: Location, line: str, error: JSONError) -> Problem:
    """A line of JSON Lines that is none."""
    return Problem(
        code="FE007",
        message=f"this line is not JSON: {reason(error)}",
        location=attrs.evolve(location, column=error.pos + 1),
        hint="a record must stand on one line; --strict makes this an error",
        source=excerpt(line) if error.pos < EXCERPT else None,
    )


def left_out(problem: Problem) -> Problem:
    """The same as a warning, where reading goes on without the line."""
    return attrs.evolve(problem, severity="warning", message=f"{problem.message}; it is left out")


def broken(location: Location, error: JSONError, line: str, *, cut: bool) -> NotJSON:
    """A text that should be one JSON value and is not; `line` is the one in which that shows."""
    shown = line.strip() and location.column is not None and location.column <= EXCERPT
    problem = Problem(
        code="FE004" if cut else "FE007",
        message="the JSON is cut short" if cut else f"the file is not JSON: {reason(error)}",
        location=location,
        hint="fetch or export it again" if cut else "a log is one JSON value, or one JSON object a line",
        source=excerpt(line) if shown else None,
    )
    return NotJSON(problem)


def excerpt(line: str) -> str:
    """The beginning of a line, with signs that a terminal would act on made visible."""
    shown = "".join(char if char.isprintable() or char == "\t" else "�" for char in line[:EXCERPT])
    return shown if len(line) <= EXCERPT else shown + "…"


def reason(error: JSONError) -> str:
    """What is wrong, as the end of a sentence."""
    return error.msg[:1].lower() + error.msg[1:]
