"""A dialogue as a `steps` log: entries with their versions and what they rest on, and which step accessed which.

Withdrawals, tasks, references, second names and effects are not said.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from statemem.ir import Cell, Declaration, Derive, Set, Use
from statemem.ir.instructions import Assignment

from ..dialogue import SESSION, Dialogue, Turn

_Record = dict[str, Any]


def text(dialogue: Dialogue) -> str:
    """The log as JSON Lines."""
    found = (one for turn in dialogue.turns for one in _Steps(dialogue).records(turn))
    return "".join(f"{json.dumps(one, ensure_ascii=False)}\n" for one in found)


class _Steps:
    def __init__(self, dialogue: Dialogue) -> None:
        self._entries = dialogue.entries
        self._pinned = [one.pattern for one in dialogue.declarations if isinstance(one, Declaration) and one.pinned]

    def records(self, turn: Turn) -> Iterator[_Record]:
        """What a turn wrote, then what it accessed; a turn that does neither is a step all the same."""
        yield from (self._entry(one, turn) for one in turn.instructions if isinstance(one, (Set, Derive)))
        read = [place.was for one in turn.instructions if isinstance(one, Use) for place in one.operands]
        yield {"step_id": turn.number, "accessed_memory_ids": [one for one in read if one is not None]}

    def _entry(self, made: Assignment, turn: Turn) -> _Record:
        entry = self._entries[str(made.id)]
        record: _Record = {"entry_id": entry.id, "content": made.value, "created_step": turn.number}
        if entry.cell.scope != SESSION:
            record["semantic_fact"] = fact(entry.cell)
        if entry.premises:
            record["refs"] = list(entry.premises)
        if made.origin.trust is not None:
            record["trust"] = made.origin.trust
        if made.origin.version is not None:
            record["version"] = made.origin.version
        if any(one.covers(entry.cell) for one in self._pinned):
            record["pinned"] = True
        return record


def fact(cell: Cell) -> str:
    """A cell as the key of a fact: `order W1004 status`; one of a task with its name."""
    owner = [cell.scope.key] if cell.scope.kind == "task" else []
    return " ".join([*owner, *(part.text for part in cell.path)])
