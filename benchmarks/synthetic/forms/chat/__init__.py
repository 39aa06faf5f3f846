"""A dialogue as chat messages: calls with their results, and sentences in the language of the dialogue.

Nothing in them names an entry. A fact of a tool is a row of a list it was asked for, a conclusion is what a tool made
of its arguments; what people say is prose.
"""

from __future__ import annotations

import json

from ...dialogue import Dialogue, Entry, Turn
from .calls import Message
from .history import History
from .telling import Telling

#: The dialogue that was asked for last, whose turns are mostly asked for one by one.
_last: list[tuple[Dialogue, History]] = []


def text(dialogue: Dialogue) -> str:
    """All messages as one JSON array, each on a line of its own."""
    found = (one for turn in dialogue.turns for one in messages(turn, dialogue))
    lines = ",\n".join(json.dumps(one, ensure_ascii=False) for one in found)
    return f"[\n{lines}\n]\n"


def messages(turn: Turn, dialogue: Dialogue) -> list[Message]:
    """The messages of one turn."""
    return list(Telling(turn, dialogue.name, dialogue.words, _history(dialogue)).messages())


def turns_of_messages(dialogue: Dialogue) -> list[int]:
    """The number of the turn to which each message belongs."""
    return [turn.number for turn in dialogue.turns for _ in messages(turn, dialogue)]


def surface(entry: Entry) -> str:
    """How an entry comes into the chat."""
    kind = entry.actor.partition(":")[0]
    if kind == "user":
        return "concluded by a person" if entry.premises else "said by a person"
    if kind == "system":
        return "said by the system"
    if entry.premises:
        return "concluded by a tool"
    if kind == "assistant":
        return "said by the assistant"
    return "result of a tool" if len(entry.cell.path) > 1 else "result of a tool that names no entity"


def _history(dialogue: Dialogue) -> History:
    if not _last or _last[0][0] is not dialogue:
        _last[:] = [(dialogue, History(dialogue))]
    return _last[0][1]
