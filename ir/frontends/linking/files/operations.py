"""What a call does to files, whichever tool it is of."""

from __future__ import annotations

import attrs


@attrs.frozen
class Operation:
    """Something done to the file at a path; an empty path is the file that was opened last."""

    path: str


@attrs.frozen
class Read(Operation):
    """The file is shown: all of it, or lines from `first`, where it is known, on.

    `numbers` says whether the lines come with their numbers, None where some tools of that name number them; `opens`
    that later calls may mean this file.
    """

    first: int | None = None
    is_whole: bool = True
    numbers: bool | None = None
    opens: bool = False


@attrs.frozen
class Edit(Operation):
    """A text is replaced by another; `field` is the argument that quotes it."""

    old: str
    new: str
    everywhere: bool = False
    field: str = "old_string"


@attrs.frozen
class Lines(Operation):
    """The lines from `first` to before `end` are replaced by a text; none are where the two are one."""

    first: int
    end: int
    new: str


@attrs.frozen
class Write(Operation):
    """The file holds this text from now on, whatever it held; `opens` as for a read."""

    text: str
    opens: bool = False


@attrs.frozen
class Fragment(Operation):
    """A text now stands somewhere in the file."""

    text: str


@attrs.frozen
class Undo(Operation):
    """The last edit of the file is taken back."""


@attrs.frozen
class Delete(Operation):
    """The file is gone."""


@attrs.frozen
class Rename(Operation):
    """The file is called otherwise from now on."""

    to: str


@attrs.frozen
class Restore(Operation):
    """A command that may bring back what any file held before, or change it: what was replaced proves nothing more.

    With `moves` relative paths may mean files of another folder from here on; `changes` is false where that is all.
    """

    changes: bool = True
    moves: bool = False
