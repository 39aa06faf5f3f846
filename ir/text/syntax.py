"""Errors of the parser in words: what stands there, what was expected, how to mend it."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from copy import copy
from typing import NamedTuple

from lark import Lark, Token, UnexpectedCharacters, UnexpectedInput, UnexpectedToken
from lark.parsers.lalr_parser_state import ParseConf, ParserState

from ..cells import STATEMENT_WORDS
from ..diagnostics import Problem
from .errors import Source

#: What people call the terminals that have no spelling of their own; those that help nobody are left out.
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
    "FACT": "",
}

_LEADING = {"CELL", "REFERENCE", "DELETE", "USE", "SAME", "EFFECT", "ENTER", "LEAVE"}
_ENDING = {"GOTO", "BRANCH", "FORK", "END", "OPEN"}

#: What terminals are together; each phrase replaces its members where all of them are expected.
_GROUPS: tuple[tuple[set[str], str], ...] = (
    (_LEADING | _ENDING | {"MAYBE"}, 'a statement such as `topic = set "plan"`, `use topic` or `goto t2`'),
    (_LEADING, 'an instruction such as `topic = set "plan"`'),
    ({"TEXT", "NUMBER", "UNKNOWN", "NULL", "TRUE", "FALSE", "LSQB", "LBRACE"}, "a JSON value"),
    ({"NAME", "TEXT"}, "a name"),
    ({"CELL", "REFERENCE"}, "a cell"),
)

_WORD = re.compile(r'[\w-]+|"(?:\\.|[^"\\])*"?|.')
_WHERE_A_CELL_ENDS = re.compile(r'(?:(?<![\w-])[^\W\d][\w-]*|["\]:])\Z')
#: How much of what stands there is repeated.
_LONGEST = 40


class _Stop(NamedTuple):
    """Where reading stopped: the line up to there, the whole word that stands there, and what might have."""

    before: str
    word: str
    expected: set[str]
    cut: bool


def syntax_problem(error: UnexpectedInput, source: Source, grammar: Lark) -> Problem:
    """The problem behind an error of the parser."""
    expected = _acceptable(error)
    if isinstance(error, UnexpectedToken) and error.token.type == "$END":
        return _early_end(source, _spoken(expected, grammar))
    stop = _stop(source.lines[error.line - 1], error.column, expected)
    column = len(stop.before) + 1
    broken = _broken(stop)
    if broken is not None:
        return source.problem(*broken, error.line, column)
    code = "TX001" if isinstance(error, UnexpectedCharacters) else "TX002"
    return source.problem(code, _message(stop, grammar), error.line, column, hint=_hint(stop, grammar))


def _acceptable(error: UnexpectedInput) -> set[str]:
    """The terminals with which reading could have gone on.

    The parser's own list holds whatever would let it close a rule, though nothing might accept it afterwards.
    """
    state: ParserState[object] = error.state
    dry = copy(state.parse_conf)
    dry.callbacks = {}
    return {name for name in state.parse_conf.states[state.position] if name.isupper() and _goes_on(state, dry, name)}


def _goes_on(state: ParserState[object], dry: ParseConf[object], terminal: str) -> bool:
    if terminal == "$END":
        return False
    trial = state.copy(deepcopy_values=False)
    trial.parse_conf = dry
    try:
        trial.feed_token(Token(terminal, ""))
    except UnexpectedToken:
        return False
    return True


def _early_end(source: Source, expected: str) -> Problem:
    line = max((number for number, text in enumerate(source.lines, 1) if text.strip()), default=1)
    message = f"the text ends in the middle of a program: expected {expected}"
    return source.problem("TX003", message, line, len(source.lines[line - 1]) + 1)


def _stop(line: str, column: int, expected: set[str]) -> _Stop:
    """A word that merely begins with one of the language has been cut in two; it is put together again."""
    start = column - 1
    if re.match(r"[\w-]", line[start:]):
        start = len(re.sub(r"[\w-]*\Z", "", line[:start]))
    match = _WORD.match(line, start)
    word = match[0] if match and match[0] != "#" else ""
    if not line[:start].strip():
        expected = expected - {"NL"}  # an empty line can stand anywhere
    return _Stop(line[:start], word, expected, start < column - 1)


def _broken(stop: _Stop) -> tuple[str, str] | None:
    """Code and message for a string or a cell that breaks off."""
    if stop.word.startswith('"') and (len(stop.word) == 1 or not stop.word.endswith('"')):
        return "TX004", "a string is not closed on its line"
    if not _WHERE_A_CELL_ENDS.search(stop.before) or "COLON" in stop.expected:
        return None
    if stop.word == "[":
        return "TX010", "a key in brackets is a plain name, a string in double quotes, or *"
    if stop.word == ".":
        return "TX010", "after a dot a cell goes on with a name, or with a string in double quotes"
    if stop.word in (":", "/"):
        return "TX010", "a scope is a kind, a colon, a key and a slash, such as the user:7/ of user:7/phone"
    return None


def _message(stop: _Stop, grammar: Lark) -> str:
    found = f"{_shortened(stop.word)} does not belong here" if stop.word else "the line ends too early"
    # What could follow the half of a word is no help to who wrote the whole.
    return found if stop.cut else f"{found}: expected {_spoken(stop.expected, grammar)}"


def _shortened(word: str) -> str:
    return repr(word if len(word) <= _LONGEST else f"{word[:_LONGEST]}…")


def _spoken(expected: Iterable[str], grammar: Lark) -> str:
    """What was expected, as a list for people."""
    rest = set(expected)
    phrases = []
    for members, phrase in _GROUPS:
        if members <= rest:
            phrases.append(phrase)
            rest -= members
    phrases += sorted(filter(None, (_spelled(name, grammar) for name in rest)))
    return " or ".join(filter(None, [", ".join(phrases[:-1]), *phrases[-1:]]))


def _spelled(terminal: str, grammar: Lark) -> str:
    if terminal in _SPOKEN:
        return _SPOKEN[terminal]
    text = str(grammar.get_terminal(terminal).pattern.value)
    return text if text.isalpha() else repr(text)


def _hint(stop: _Stop, grammar: Lark) -> str | None:
    leading = re.match(r"\s*([\w-]+)\s", stop.before)
    first = leading[1] if leading and "=" not in stop.before else ""
    if first in STATEMENT_WORDS and stop.word == "=":
        return f'a cell that is called like a statement is written in double quotes: "{first}"'
    if stop.word == "}" and stop.expected >= _ENDING:
        return "a block ends by saying where control goes: goto, branch, fork, end or open"
    if stop.word == "'":
        return "strings are written in double quotes"
    words = {term.pattern.value for term in grammar.terminals if term.pattern.value.isalpha()}
    expected = words if stop.cut else {_spelled(name, grammar) for name in stop.expected} & words
    return _near(stop.word, expected) or (None if first in words else _near(first, words & STATEMENT_WORDS))


def _near(word: str, words: set[str]) -> str | None:
    """A word of the language that was nearly written."""
    near = difflib.get_close_matches(word[:_LONGEST], sorted(words), n=1, cutoff=0.7)
    return f"did you mean {near[0]!r}?" if near else None
