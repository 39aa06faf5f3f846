"""Patches in the form of OpenAI's `apply_patch`: files between `*** Begin Patch` and `*** End Patch`."""

from __future__ import annotations

import re
from collections.abc import Iterator

import attrs

from .operations import Delete, Edit, Operation, Rename, Write

BEGIN = "*** Begin Patch"
_FILE = re.compile(r"\*\*\* (Update|Add|Delete) File: (.+)")
_MOVE = re.compile(r"\*\*\* Move to: (.+)")
_END_OF_FILE = "*** End of File"


def patched(text: str, field: str) -> list[Operation]:
    """What a patch does, file by file; `field` is the argument it stands in.

    >>> patched('''*** Begin Patch
    ... *** Update File: a.py
    ... @@ def tea():
    ...      cup()
    ... -    pour(1)
    ... +    pour(2)
    ... *** End Patch''', "patch")
    [Edit(path='a.py', old='    cup()\\n    pour(1)', new='    cup()\\n    pour(2)', everywhere=False, field='patch')]
    """
    found = [operation for kind, path, lines in _sections(text) for operation in _of_file(kind, path, lines)]
    return [attrs.evolve(one, field=field) if isinstance(one, Edit) else one for one in found]


def _sections(text: str) -> Iterator[tuple[str, str, list[str]]]:
    """The files of a patch: what is done, the path, the lines that say how."""
    current: tuple[str, str, list[str]] | None = None
    body = text.partition(BEGIN)[2].partition("*** End Patch")[0]
    for line in body.splitlines():
        head = _FILE.match(line)
        if head:
            if current is not None:
                yield current
            current = (head[1], head[2].strip(), [])
        elif current is not None:
            current[2].append(line)
    if current is not None:
        yield current


def _of_file(kind: str, path: str, lines: list[str]) -> Iterator[Operation]:
    if kind == "Delete":
        yield Delete(path)
    elif kind == "Add":
        yield Write(path, "".join(f"{line[1:]}\n" for line in lines if line.startswith("+")))
    else:
        move = _MOVE.match(lines[0]) if lines else None
        yield from (edit for hunk in _hunks(lines[1:] if move else lines) if (edit := _edit(path, hunk)))
        if move:
            yield Rename(path, move[1].strip())


def _hunks(lines: list[str]) -> Iterator[list[str]]:
    hunk: list[str] = []
    for line in lines:
        if line.startswith("@@"):
            yield hunk
            hunk = []
        elif line != _END_OF_FILE:
            hunk.append(line)
    yield hunk


def _edit(path: str, hunk: list[str]) -> Edit | None:
    """The edit of a hunk; none where it only adds, for then nothing says where."""
    old = [line[1:] for line in hunk if not line.startswith("+")]
    new = [line[1:] for line in hunk if not line.startswith("-")]
    if old == new or not any(line.strip() for line in old):
        return None
    return Edit(path, "\n".join(old), "\n".join(new))
