"""The frontend class: which records it takes, one program a sender."""

from __future__ import annotations

from collections.abc import Iterator

from ...diagnostics import Problem
from ...program import Program
from ..reader import Document
from .lowering import Lowering
from .reading import Counts, conversations, is_tracker
from .store import is_store


class Tracker:
    """The frontend of dialogue trackers."""

    name = "tracker"
    title = "events of a dialogue tracker (Rasa tracker dumps, event lines, rows of the SQL store)"
    example = '{"sender_id": "ann", "events": [{"event": "slot", "name": "color", "value": "white", "timestamp": 1.5}]}'

    def recognises(self, document: Document) -> bool:
        """Whether these are tracker dumps, tracker events or rows that hold them, or a database of such rows."""
        return is_store(document) or any(is_tracker(value) for value, _ in document.head)

    def lower(self, document: Document, problems: list[Problem]) -> Iterator[Program]:
        """One program a dump; of loose events one a sender, in the order of their first events."""
        taken: dict[str, int] = {}
        unknown = Counts()
        for conversation in conversations(document, problems):
            taken[conversation.sender] = number = taken.get(conversation.sender, 0) + 1
            label = conversation.sender if number == 1 else f"{conversation.sender}-{number}"
            program = Lowering(label, conversation, document.zone, problems, unknown).program()
            if program.blocks:
                yield program
        problems.extend(unknown.warnings())
