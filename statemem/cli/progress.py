"""How much of a long log has been read, shown on standard error where a person looks at it."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

from statemem.report.layout import plain

if TYPE_CHECKING:
    from rich.progress import Progress

#: Logs that are read in so many seconds need no bar, and a bar is drawn again after so many.
_PATIENCE, _AGAIN = 1.0, 0.1


class ReadingBar:
    """A bar for the bytes of the log at hand. On anything but a terminal it shows nothing.

    It is called with what has been read. What is written meanwhile stands above it.
    """

    def __init__(self) -> None:
        self._due = time.monotonic() + _PATIENCE
        self._seen = sys.stderr is not None and sys.stderr.isatty()
        self._bar: Progress | None = None

    def __call__(self, name: str, count: int, size: int | None) -> None:
        """Show how many bytes of a source have been read."""
        if not self._seen or time.monotonic() < self._due:
            return
        self._due = time.monotonic() + _AGAIN
        bar = self._shown()
        bar.update(bar.task_ids[0], description=plain(name, "utf-8"), completed=count, total=size, refresh=True)

    def __enter__(self) -> ReadingBar:
        return self

    def __exit__(self, *_: object) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None

    def _shown(self) -> Progress:
        if self._bar is None:
            self._bar = _made()
            self._bar.start()
        return self._bar


def _made() -> Progress:
    from rich.console import Console  # takes long to import, and is needed for long logs only
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    same = sys.stdout is not None and sys.stdout.isatty()  # then what goes there has to pass the bar, and else must not
    console = Console(stderr=True)
    bar = Progress(*columns, console=console, transient=True, auto_refresh=False, redirect_stdout=same)
    bar.add_task("", total=None)
    return bar
