"""The check of expected facts: programs of the text form with what passes must find written behind their statements."""

from __future__ import annotations

from pathlib import Path

from statemem.ir.text import Fact, read
from statemem.ir.text.parser import Document

from ..framework import Horizon, Pass
from ..framework.expectations import unmet
from .reports import instance


def check_file(source: Path | str, *known: type[Pass] | Pass, horizon: Horizon | None = None) -> None:
    """The facts that stand behind `;; after PASS =`, `+=` and `-=` in a `.smir` file, or in its text, hold.

    Passes are found by name among those `known`, else among the registered ones. Raises an AssertionError that lists
    all that are missing and all that are not expected, with their places; so does a file that expects nothing.

    >>> check_file('''program "tea"
    ... task main in session:1/ {
    ...   block t1 user {
    ...     topic = set "tea"
    ...     open expect topic  ;; after liveness = topic
    ...   }
    ... }''')
    """
    text = source.read_text(encoding="utf-8") if isinstance(source, Path) else source
    document = read(text, file=str(source) if isinstance(source, Path) else None)
    wrong = [
        told
        for number, program in enumerate(document.programs)
        for told in unmet(program, _of(document, number), horizon, known=map(instance, known))
    ]
    if not document.facts:
        wrong = ["no facts are expected: write them behind statements, as in `;; after liveness = topic`"]
    if wrong:
        raise AssertionError("\n".join(wrong))


def _of(document: Document, number: int) -> list[Fact]:
    """The facts that are expected of one program of a text."""
    return [fact for fact in document.facts if fact.program == number]
