"""A dialogue in the text form of the IR, which can say all of it."""

from __future__ import annotations

from statemem.ir.text import dumps

from ..dialogue import Dialogue
from .program import program_of


def text(dialogue: Dialogue) -> str:
    """The program of a dialogue as text."""
    return dumps(program_of(dialogue))
