"""How commands meet the shell: errors, exit codes, pipes, encodings, colours.

Exit codes: 0 done, 1 found what `--check` asked for or a pass that breaks a law, 2 bad input or a call that cannot be
carried out, 130 interrupted.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable
from typing import Any

import click

from statemem.ir.diagnostics import Problem, StatememError
from statemem.masking import mask_text
from statemem.report.layout import plain

FOUND, BAD_INPUT, INTERRUPTED = 1, 2, 130
_WIDE = 120


class Group(click.Group):
    """A group of commands whose errors are one message and an exit code, never a traceback."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; every error that a user can cause ends here."""
        try:
            return super().invoke(ctx)
        except StatememError as error:
            say(str(error))
            ctx.exit(BAD_INPUT)
        except BrokenPipeError:
            _close_pipe()
            ctx.exit(0)
        except KeyboardInterrupt:
            ctx.exit(INTERRUPTED)
        except OSError as error:
            say(f"{error.filename or 'input or output'}: {error.strerror or error}")
            ctx.exit(BAD_INPUT)


def _close_pipe() -> None:
    """The reader has gone: nothing may be written at exit either."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def show(text: str) -> None:
    """Print a result, in what signs the output can carry."""
    if sys.stdout is not None:
        encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
        sys.stdout.write(plain(text, encoding) + "\n")


def say(text: str, *, as_it_is: bool = False) -> None:
    """Print a note for people on standard error, with what is sensitive in it masked unless they asked for it."""
    if sys.stderr is not None:
        encoding = getattr(sys.stderr, "encoding", None) or "utf-8"
        sys.stderr.write(plain(text if as_it_is else mask_text(text), encoding) + "\n")


def warn(problems: Iterable[Problem], most: int = 10) -> None:
    """Print warnings, the first ones in full and the rest counted."""
    found = list(problems)
    for problem in found[:most]:
        say(str(problem))
    if len(found) > most:
        say(f"… and {len(found) - most} more warnings")


def width() -> int:
    """How wide a line may be: the terminal's width, or a fixed one in a pipe."""
    return shutil.get_terminal_size((_WIDE, 24)).columns if _is_terminal() else _WIDE


def _is_terminal() -> bool:
    return sys.stdout is not None and sys.stdout.isatty()


def styled(text: str, **style: Any) -> str:
    """A text with colour where a person looks at a terminal and has not set NO_COLOR."""
    return click.style(text, **style) if _is_terminal() and not os.environ.get("NO_COLOR") else text
