"""Generations of entries: for how long what was said is expected to matter."""

from __future__ import annotations

import enum

from statemem.ir import Cell, Program
from statemem.ir.entries import Entry


class Generation(enum.Enum):
    """Intermediate results; what was said and found in a session or task; lasting facts about the user or project."""

    TURN = "turn"
    SESSION = "session"
    PROFILE = "profile"


PROFILE = Generation.PROFILE

#: The kinds of scopes whose own facts last; those of the entities in them are what was found in a session.
LASTING = frozenset(["user", "org", "project", "agent"])


def generation(program: Program, entry: Entry, cell: Cell | None = None) -> Generation:
    """The generation of an entry: the one its metadata state, else that of the cell where it stands.

    `cell` is needed of an entry that was written through a reference.

    >>> from statemem.ir import build
    >>> builder = build(parent="user:7/").set("topic", "lamp").set("user:7/phone", "1").set("user:7/o[A].x", 1)
    >>> program = builder.set("lamp", "red", id="e4").describe("e4", generation="profile").program
    >>> [generation(program, entry).value for entry in program.entries]
    ['session', 'profile', 'session', 'profile']
    """
    for one in program.names_of(entry.instruction, entry.leaf):
        stated = program.metadata.get(one, {}).get("generation")
        if stated in _BY_NAME:
            return _BY_NAME[str(stated)]
    stands = cell or entry.cell
    if not isinstance(stands, Cell):
        return Generation.SESSION
    if stands.scope.kind == "turn":
        return Generation.TURN
    is_own = stands.scope.kind in LASTING and all(part.kind == "name" for part in stands.path)
    return Generation.PROFILE if is_own else Generation.SESSION


_BY_NAME = {one.value: one for one in Generation}
