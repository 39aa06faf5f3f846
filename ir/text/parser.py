"""Reading the text form: text to programs, or one located problem."""

from __future__ import annotations

import functools
import re
import threading
from importlib import resources
from typing import cast

import attrs
from lark import Lark, UnexpectedInput

from ..diagnostics import InputError, Problem
from ..program import Program
from ..rules.finding import Finding
from .errors import Source, TextError
from .facts import Fact
from .lines import Lines
from .reader import Reader
from .syntax import syntax_problem

#: How deep arrays and objects may lie in each other.
MAX_DEPTH = 100

_BRACKETS = re.compile(r'"(?:\\.|[^"\\])*+"?|#.*|;;.*|[\[{]|[\]}]')
#: The parser's callbacks hold the state of one text, so that one is read at a time.
_LOCK = threading.Lock()


@attrs.frozen
class Document:
    """The programs of a text, the facts expected of them, and the line of each of their parts."""

    programs: list[Program]
    facts: list[Fact]
    lines: list[Lines]
    source: Source

    def problem(self, program: int, finding: Finding) -> Problem:
        """What the verifier finds in a program, at its place in the text."""
        line = self.lines[program].of(finding.spot, self.programs[program])
        return self.source.problem(
            finding.code,
            finding.message,
            line,
            severity=finding.severity,
            hint=finding.hint,
            needle=finding.needle,
            after=finding.after,
        )


def parse(text: str, *, file: str | None = None) -> list[Program]:
    """The programs of a text; InputError with its place where it cannot be read.

    >>> [program] = parse('program "tea"' + chr(10) + '''
    ... task main in session:1/ {
    ...   block t1 user {
    ...     topic = set "tea"
    ...     open
    ...   }
    ... }''')
    >>> program.entries[0].id, str(program.entries[0].cell)
    ('e1', 'session:1/topic')
    """
    return read(text, file=file).programs


def read(text: str, *, file: str | None = None) -> Document:
    """As `parse`, with the expected facts and the lines in which things stand."""
    text = text.removeprefix("\ufeff")
    source = Source.of(text, file)
    _check_characters(text, source)
    _check_depth(source)
    with _LOCK:
        return _read(text, source)


def _read(text: str, source: Source) -> Document:
    grammar, reader = _parser()
    reader.begin()
    try:
        programs = cast(list[Program], grammar.parse(text + "\n"))
    except UnexpectedInput as error:
        raise InputError(syntax_problem(error, source, grammar)) from None
    except TextError as error:
        raise InputError(source.behind(error)) from None
    finally:
        facts, lines = reader.all_facts, reader.all_lines
        reader.begin()
    return Document(programs, facts, lines, source)


@functools.cache
def _parser() -> tuple[Lark, Reader]:  # pyright: ignore[reportGeneralTypeIssues]  lark types v_args as a function
    reader = Reader()
    grammar = resources.files(__name__.rpartition(".")[0]).joinpath("grammar.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", maybe_placeholders=True, transformer=reader), reader


def _check_characters(text: str, source: Source) -> None:
    """Halves of surrogate pairs, which no file can hold, would only fail when the program is written."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        before = text[: error.start]
        line, column = before.count("\n") + 1, error.start - before.rfind("\n")
        raise InputError(source.problem("TX001", "half a character stands here", line, column)) from None


def _check_depth(source: Source) -> None:
    """Nesting is bounded before anything that recurses over values can meet it."""
    for number, line in enumerate(source.lines, 1):
        if line.count("[") + line.count("{") > MAX_DEPTH:
            column = _too_deep(line)
            if column is not None:
                raise InputError(_depth_problem(source, number, column))


def _depth_problem(source: Source, line: int, column: int) -> Problem:
    message = f"brackets are nested more than {MAX_DEPTH} deep"
    return source.problem("TX007", message, line, column, hint="keep such a value as a string")


def _too_deep(line: str) -> int | None:
    depth = 0
    for match in _BRACKETS.finditer(line):
        depth += (match[0] in "[{") - (match[0] in "]}")
        if depth > MAX_DEPTH:
            return match.start() + 1
    return None
