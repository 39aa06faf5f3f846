"""A dialogue as an `ops` log: a record a turn, for all that operations can say.

Arms of a fork become turns one after the other, and what tasks require is not said.
"""

from __future__ import annotations

import json
from typing import Any

from statemem.ir import Instruction
from statemem.ir.records import to_record

from ..dialogue import SESSION, Dialogue, Turn


def text(dialogue: Dialogue) -> str:
    """The log as JSON Lines."""
    return "".join(f"{json.dumps(record(turn), ensure_ascii=False)}\n" for turn in dialogue.turns)


def record(turn: Turn) -> dict[str, Any]:
    """One turn; what happened in a task names it."""
    head = {"turn": turn.number, "actor": turn.actor, "scope": str(SESSION)}
    task = {} if turn.task is None else {"task": turn.task}
    return head | task | {"ops": [_op(one) for one in turn.instructions]}


def _op(instruction: Instruction) -> dict[str, Any]:
    return to_record(instruction)
