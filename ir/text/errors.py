"""What is wrong with a text, in words: a code, the place, what was expected and how to mend it."""

from __future__ import annotations

import difflib
import re

import attrs
from lark import Lark, Token, UnexpectedCharacters, UnexpectedInput

from ..cells import STATEMENT_WORDS
from ..diagnostics import Location, Problem, Severity

#: Every code of the text form with what it means.
CODES = {
    "TX001": "a character that stands nowhere in a text of the IR",
    "TX002": "a word or sign that does not belong at this place",
    "TX003": "the text ends in the middle of a program",
    "TX004": "a string that is not a JSON string",
    "TX005": "a number too large to be kept",
    "TX006": "an origin field that does not exist or has a value of the wrong kind",
    "TX007": "brackets nested too deep",
    "TX008": "an expected fact that cannot be read",
    "TX009": "a task described twice, and differently",
    "TX010": "a cell or a reference that cannot be read, or lacks its scope",
    "TX011": "a field written twice in one object",
}


class TextError(Exception):
    """A text that is well formed but means nothing; `needle` is the part of the line to point at."""

    def __init__(self, code: str, message: str, token: Token, *, hint: str | None = None, needle: str = "") -> None:
        super().__init__(message)
        self.code, self.message, self.hint, self.needle = code, message, hint, needle
        self.line, self.column = token.line or 1, token.column or 1


@attrs.frozen
class Source:
    """A text by lines, and the file it came from."""

    lines: list[str]
    file: str | None = None

    @classmethod
    def of(cls, text: str, file: str | None) -> Source:
        """The lines as the parser counts them."""
        return cls([line.rstrip("\r") for line in text.split("\n")], file)

    def problem(
        self,
        code: str,
        message: str,
        line: int,
        column: int = 0,
        *,
        severity: Severity = "error",
        hint: str | None = None,
        needle: str = "",
    ) -> Problem:
        """A problem at a column, at the first `needle` from there on, or at the beginning of the statement."""
        source = self.lines[line - 1]
        start = column or len(source) - len(source.lstrip()) + 1
        where = Location(file=self.file, line=line, column=_find(needle, source, start))
        return Problem(code=code, message=message, severity=severity, location=where, hint=hint, source=source)

    def behind(self, error: TextError) -> Problem:
        """The problem behind an error."""
        return self.problem(error.code, error.message, error.line, error.column, hint=error.hint, needle=error.needle)


def _find(needle: str, line: str, column: int) -> int:
    """The column of a needle that is no part of a longer word."""
    found = re.compile(rf"(?<![\w-]){re.escape(needle)}(?!(?<=[\w-])[\w-])").search(line, column - 1)
    return found.start() + 1 if needle and found else column


#: What people call the terminals that have no spelling of their own.
_SPOKEN = {
    "CELL": "a cell",
    "INTEGER": "a whole number",
    "NAME": "a name",
    "NL": "the end of the line",
    "NUMBER": "a number",
    "REFERENCE": "a reference such as @it",
    "SCOPE": "a scope such as user:7/",
    "SHAPE": "workflow",
    "TEXT": "a string in double quotes",
    "$END": "the end of the text",
    "FACT": "",
    "BLANK": "",
}

_LEADING = {"CELL", "REFERENCE", "MAYBE", "DELETE", "USE", "SAME", "EFFECT", "ENTER", "LEAVE"}
_ENDING = {"GOTO", "BRANCH", "FORK", "END", "OPEN"}

#: What the terminals are together; each replaces its members where all of them are expected.
_GROUPS: tuple[tuple[set[str], str], ...] = (
    (_LEADING | _ENDING, 'a statement such as `topic = set "plan"`, `use topic` or `goto t2`'),
    ({"TEXT", "NUMBER", "UNKNOWN", "NULL", "TRUE", "FALSE", "LSQB", "LBRACE"}, "a JSON value"),
    ({"NAME", "TEXT"}, "a name"),
    ({"CELL", "REFERENCE"}, "a cell"),
)

_WORD = re.compile(r'[\w-]+|"(?:\\.|[^"\\])*"?|.')


def syntax_problem(error: UnexpectedInput, source: Source, grammar: Lark) -> Problem:
    """The problem behind an error of the parser."""
    token = getattr(error, "token", None)
    if isinstance(token, Token) and token.type == "$END":
        return _at_the_end(error, source, grammar)
    expected = error.allowed if isinstance(error, UnexpectedCharacters) else getattr(error, "expected", ())
    line, column = error.line, error.column
    start, word = _word_at(source.lines[line - 1], column)
    misread = _misread(source.lines[line - 1], start, word, set(expected or ()))
    if misread is not None:
        return source.problem(*misread, line, start)
    code = "TX001" if isinstance(error, UnexpectedCharacters) else "TX002"
    found = f"'{word}' does not belong here" if word else "the line ends too early"
    # A word that merely begins with one of the language was cut in two: what could follow that one is no help.
    message = found if start < column else f"{found}: expected {_spoken(set(expected or ()), grammar)}"
    return source.problem(code, message, line, start, hint=_hint(source.lines[line - 1], word, grammar))


def _at_the_end(error: UnexpectedInput, source: Source, grammar: Lark) -> Problem:
    line = max((number for number, text in enumerate(source.lines, 1) if text.strip()), default=1)
    expected = _spoken(set(getattr(error, "expected", ())), grammar)
    column = len(source.lines[line - 1]) + 1
    return source.problem("TX003", f"the text ends in the middle of a program: expected {expected}", line, column)


def _word_at(line: str, column: int) -> tuple[int, str]:
    """The word or sign at a column, from its beginning."""
    before = re.search(r"[\w-]*\Z", line[: column - 1])
    extends = before is not None and re.match(r"[\w-]", line[column - 1 :])
    start = before.start() if before and extends else column - 1
    match = _WORD.match(line, start)
    return start + 1, match[0] if match and match[0] != "#" else ""


def _misread(line: str, column: int, word: str, expected: set[str]) -> tuple[str, str] | None:
    """Strings and cells that break off: code and message."""
    touching = column > 1 and not line[column - 2].isspace()
    if word.startswith('"') and (len(word) == 1 or not word.endswith('"')):
        return "TX004", "a string is not closed on its line"
    if word == "[" and touching and "LSQB" not in expected:
        return "TX010", "a key in brackets is a plain name, a string in double quotes, or *"
    if word == "." and touching:
        return "TX010", "after a dot a cell goes on with a name, or with a string in double quotes"
    if word in (":", "/") and touching and "COLON" not in expected:
        return "TX010", "a scope is a kind, a colon, a key and a slash, such as user:7/ before phone"
    return None


def _spoken(expected: set[str], grammar: Lark) -> str:
    """What was expected, as a list for people."""
    phrases = []
    for members, phrase in _GROUPS:
        if members <= expected:
            phrases.append(phrase)
            expected = expected - members
    phrases += sorted(filter(None, (_spelled(name, grammar) for name in expected)))
    return phrases[0] if len(phrases) == 1 else f"{', '.join(phrases[:-1])} or {phrases[-1]}"


def _spelled(terminal: str, grammar: Lark) -> str:
    if terminal in _SPOKEN:
        return _SPOKEN[terminal]
    text = str(grammar.get_terminal(terminal).pattern.value)
    return text if text.isalpha() else f"'{text}'"


def _hint(line: str, word: str, grammar: Lark) -> str | None:
    """A word of the language that was nearly written: where reading stopped, else at the start of the line."""
    first = re.match(r"[\w-]+", line.strip())
    if first and first[0] in STATEMENT_WORDS and word in ("=", ".", "["):
        return f'a cell that is called like a statement is written in double quotes: "{first[0]}"'
    words = [term.pattern.value for term in grammar.terminals if term.pattern.value.isalpha()]
    for candidate in (word, first[0] if first else ""):
        near = difflib.get_close_matches(candidate, words, n=1, cutoff=0.7)
        if near and candidate not in words:
            return f"did you mean '{near[0]}'?"
    return None
