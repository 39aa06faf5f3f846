"""Rule 10, slips: whether an edit that quotes what a file held before does so by mistake.

That is told only where the edit fails because the text is missing, and where nothing may have brought it back since.
"""

from __future__ import annotations

import copy
from collections import deque
from typing import Any, NamedTuple

from . import texts
from .operations import Edit, Operation, Restore
from .texts import Outcome
from .views import Replaced

#: How an agent is told that a file is no longer what it was shown, and what a program writes in a person's name.
_CHANGED_BY_OTHERS = "was modified, either by the user or by a linter"
_REMINDER = "<system-reminder>"
#: So many results of other tools are kept, to see whether one showed a text again.
_MOST_PRINTED = 64


class Slip(NamedTuple):
    """An edit that quotes what a view held before."""

    edit: Edit
    old: Replaced


class Doubts:
    """What may have changed files unseen. Calls, results and messages are counted; `now` is the count.

    `_changed` is when anything may last have happened to any file, `_moved` when relative paths began to mean files of
    another folder.
    """

    def __init__(self) -> None:
        self.now = self._changed = self._moved = 0
        self._printed: deque[tuple[int, Any]] = deque(maxlen=_MOST_PRINTED)

    def copy(self) -> Doubts:
        """The same doubts, for a path of their own."""
        other = copy.copy(self)
        other._printed = self._printed.copy()
        return other

    def happened(self, operations: tuple[Operation, ...]) -> None:
        """Take in a call, or its result: what it does may be done at either time."""
        self.now += 1
        for operation in operations:
            if isinstance(operation, Restore):
                self._changed = self.now if operation.changes else self._changed
                self._moved = self.now if operation.moves else self._moved

    def heard(self, text: str) -> None:
        """Take in what a person wrote, who may have changed any file in between; what a program adds is no person's."""
        if text.lstrip().startswith(_REMINDER):
            self.noticed(text)
        elif text.strip():
            self._doubt()

    def noticed(self, text: str) -> None:
        """Take in what a log says of files besides: that somebody else has changed some."""
        if _CHANGED_BY_OTHERS in text:
            self._doubt()

    def printed(self, content: Any) -> None:
        """Take in what another tool showed, which may be a text of any file."""
        self._printed.append((self.now, content))

    def is_proven(self, slip: Slip, answer: texts.Answer, *, failed: bool) -> bool:
        """Whether an edit quotes a text that is surely gone: it was not found, and nothing may have brought it back."""
        quoted, old = texts.unified(slip.edit.old), slip.old
        if texts.outcome(answer.text, failed=failed or answer.failed) is not Outcome.FAILED:
            return False
        if not texts.says_missing(answer.text, quoted) or old.at <= self._changed:
            return False
        is_elsewhere = old.since <= self._moved and not slip.edit.path.startswith("/")
        return not is_elsewhere and not self._was_printed(quoted, old.at)

    def _was_printed(self, text: str, since: int) -> bool:
        return any(at > since and text in texts.answer(content).text for at, content in self._printed)

    def _doubt(self) -> None:
        self.now += 1
        self._changed = self.now
