"""The frontend class: which family a dialogue is of, one program a dialogue."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

import attrs

from ...diagnostics import Problem
from ...program import Program
from .. import fields
from ..reader import Document, Record
from .crosswoz import CrossWOZ
from .ledger import Ledger, below
from .multiwoz import MultiWOZ
from .sgd import SGD
from .star import STAR

FAMILIES = (SGD, MultiWOZ, CrossWOZ, STAR)
_NAMES = ("dialogue_id", "DialogueID", "dialog_id", "id")
_FIRST = 3


class DialogueState:
    """The frontend of annotated dialogues."""

    name = "dialogue_state"
    title = "annotated dialogues (SGD, MultiWOZ, CrossWOZ, STAR)"
    example = (
        '{"dialogue_id": "1", "turns": [{"speaker": "USER", "utterance": "A table for 4.", "frames": [{"service":'
        ' "Tables", "state": {"active_intent": "Book", "slot_values": {"seats": ["4"]}}}]}]}'
    )

    def recognises(self, document: Document) -> bool:
        """Whether the first records are dialogues of a known family, or objects that hold some by id."""
        return any(_family(value) is not None or _holds_dialogues(value) for value, _ in document.head)

    def lower(self, document: Document, problems: list[Problem]) -> Iterator[Program]:
        """One program a dialogue."""
        taken: dict[str, int] = {}
        for own, (value, location) in _dialogues(document.records):
            family = _family(value)
            if family is None:
                message = "this is no dialogue of a known family; it is left out"
                problems.append(fields.warning("FE130", message, location))
                continue
            label = _label(own or fields.text(value, *_NAMES), document.stem, location.record or 1)
            taken[label] = number = taken.get(label, 0) + 1
            ledger = Ledger(label if number == 1 else f"{label}-{number}", location, document.zone, problems)
            family(ledger).lower(value)
            if ledger.program.blocks:
                yield ledger.program


def _family(value: Any) -> type[SGD | MultiWOZ | CrossWOZ | STAR] | None:
    if not isinstance(value, dict):
        return None
    return next((family for family in FAMILIES if family.takes(value)), None)


def _holds_dialogues(value: Any) -> bool:
    return isinstance(value, dict) and any(_family(one) is not None for one in islice(value.values(), _FIRST))


def _dialogues(records: Iterable[Record]) -> Iterator[tuple[str | None, Record]]:
    """The dialogues of a document, each with the id under which an object holds it."""
    for record in records:
        value, location = record
        if _family(value) is not None or not _holds_dialogues(value):
            yield None, record
            continue
        for own, dialogue in value.items():
            pointer = below(location.pointer or "", own)
            yield own or None, Record(dialogue, attrs.evolve(location, pointer=pointer))


def _label(own: str | None, stem: str, number: int) -> str:
    """The dialogue's own name; a mere number is told apart by the file it stands in."""
    if own is None:
        return f"{stem}-{number}"
    return f"{stem}-{own}" if own.replace("-", "").isdecimal() else own
