"""Errors of the parser in words: what stands there, what was expected, how to mend it."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable
from copy import copy
from typing import NamedTuple

from lark import Lark, Token, UnexpectedCharacters, UnexpectedInput, UnexpectedToken
from lark.parsers.lalr_parser_state import ParseConf, ParserState

from ..cells import STATEMENT_WORDS, quoted
from ..diagnostics import Problem
from .errors import Source

_LINE_END = "the end of the line"

#: What people call the terminals that have no spelling of their own; those that help nobody are left out.
_SPOKEN = {
    "CELL": "a cell",
    "INTEGER": "a whole number",
    "NAME": "a name",
    "NL": _LINE_END,
    "NUMBER": "a number",
    "REFERENCE": "a reference such as @it",
    "SCOPE": "a scope such as user:7/",
    "SHAPE": "'workflow'",
    "TEXT": "a string in double quotes",
    "FACT": "",
}

_OPERATIONS = ("set", "derive", "append", "add", "default")
_OPERATING = {word.upper() for word in _OPERATIONS}
_LEADING = {"CELL", "REFERENCE", "DELETE", "USE", "SAME", "EFFECT", "ENTER", "LEAVE"}
_ENDING = {"GOTO", "BRANCH", "FORK", "CALL", "SUSPEND", "RETURN", "END", "OPEN"}
_JSON = {"TEXT", "NUMBER", "UNKNOWN", "NULL", "TRUE", "FALSE", "LSQB", "LBRACE"}

#: What terminals are together; the phrases replace the members where all of them are expected.
_GROUPS: tuple[tuple[set[str], tuple[str, ...]], ...] = (
    (_LEADING | _ENDING | {"MAYBE"}, ('a statement such as `topic = set "plan"`, `use topic` or `goto t2`',)),
    (_LEADING, ('an instruction such as `topic = set "plan"`',)),
    (_OPERATING | {"CALL"}, (*_OPERATIONS, "call")),
    (_OPERATING, _OPERATIONS),
    (_JSON, ("a JSON value",)),
    ({"NAME", "TEXT"}, ("a name",)),
    ({"CELL", "REFERENCE", "LPAR"}, ("a cell", "()")),
    ({"CELL", "REFERENCE"}, ("a cell",)),
    ({"CELL", "LPAR"}, ("a cell", "()")),
)

#: Words that begin a line or say what is done stand for it; all others are repeated in quotes, as signs are.
_TELLING = STATEMENT_WORDS | {"entry", *_OPERATIONS}
_DECLARING = ("scope", "cell", "entry")

_WORD = re.compile(r'@?[\w-]+|"(?:\\.|[^"\\])*"?|.')
_STRING = re.compile(r'"(?:\\.|[^"\\])*"')
_PLAIN = re.compile(r"[^\W\d][\w-]*")
_VALUE = re.compile(r'["\[{?]|-?\d|(?:null|true|false)\Z')
_UNCERTAIN_END = re.compile(rf"\s*maybe\s(?:.*=)?\s*(?:{'|'.join(_ENDING)})\b", re.IGNORECASE)
_FOREIGN = re.compile(r"""[^\w\s"'#@=,:.()\[\]{}?*<>/-]""")
_WHERE_A_NAME_ENDS = re.compile(r"(?<![\w-])[^\W\d][\w-]*\Z")
_WHERE_A_CELL_ENDS = re.compile(r'(?:(?<![\w-])[^\W\d][\w-]*|["\]:])\Z')
#: How much of what stands there is repeated.
_LONGEST = 40


class _Stop(NamedTuple):
    """Where reading stopped: the line up to there, the whole word that stands there, and what might have."""

    before: str
    word: str
    expected: set[str]

    @property
    def is_name(self) -> bool:
        """Whether the word is a name, and short enough to be repeated."""
        return len(self.word) <= _LONGEST and _PLAIN.fullmatch(self.word) is not None

    @property
    def first(self) -> str:
        """The first word of a line that has come no further than to its second, no `=` between them."""
        leading = re.match(r"\s*([\w-]+)\s", self.before)
        return leading[1] if leading and "=" not in self.before else ""


def syntax_problem(error: UnexpectedInput, source: Source, grammar: Lark) -> Problem:
    """The problem behind an error of the parser."""
    if isinstance(error, UnexpectedToken) and error.token.type == "$END":
        return _early_end(source, _spoken(_acceptable(error.state), grammar))
    stop = _stop(error, source.lines[error.line - 1])
    column = len(stop.before) + 1
    broken = _broken(stop)
    if broken is not None:
        return source.problem(*broken, error.line, column)
    is_word = stop.word[:1].isalnum()
    code = "TX001" if isinstance(error, UnexpectedCharacters) and not is_word else "TX002"
    return source.problem(code, _message(stop, grammar), error.line, column, hint=_hint(stop, grammar))


def _early_end(source: Source, expected: str) -> Problem:
    line = max((number for number, text in enumerate(source.lines, 1) if text.strip()), default=1)
    message = f"the text ends in the middle of a program: expected {expected}"
    return source.problem("TX003", message, line, len(source.lines[line - 1]) + 1)


# where reading stopped


def _stop(error: UnexpectedInput, line: str) -> _Stop:
    """A word that merely begins with one of the language has been cut in two; it is put together again."""
    start = error.column - 1
    while start and re.match(r"[\w-]{2}", line[start - 1 : start + 1]):
        start -= 1
    match = _WORD.match(line, start)
    word = match[0] if match and match[0] != "#" else ""
    is_cut = start < error.column - 1
    expected = _acceptable(_without_last(error.state) if is_cut else error.state)
    if not line[:start].strip():
        expected -= {"NL"}  # an empty line can stand anywhere
    return _Stop(line[:start], word, expected)


def _acceptable(state: ParserState[object]) -> set[str]:
    """The terminals with which reading could have gone on.

    The parser's own list holds whatever would let it close a rule, though nothing might accept it afterwards.
    """
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


def _without_last(state: ParserState[object]) -> ParserState[object]:
    """The state before the token that was read last."""
    before = state.copy(deepcopy_values=False)
    del before.state_stack[-1], before.value_stack[-1]
    return before


def _broken(stop: _Stop) -> tuple[str, str] | None:
    """Code and message for a string or a cell that breaks off."""
    if stop.word.startswith('"') and not _STRING.fullmatch(stop.word):
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


# what is said of it


def _message(stop: _Stop, grammar: Lark) -> str:
    found = f"{_shortened(stop.word)} does not belong here" if stop.word else "the line ends too early"
    return f"{found}: expected {_spoken(stop.expected, grammar)}"


def _shortened(word: str) -> str:
    return repr(word if len(word) <= _LONGEST else f"{word[:_LONGEST]}…")


def _spoken(expected: Iterable[str], grammar: Lark) -> str:
    """What was expected, as a list for people."""
    rest = set(expected)
    phrases: list[str] = []
    for members, together in _GROUPS:
        if members <= rest:
            phrases.extend(together)
            rest -= members
    others = sorted(filter(None, (_spelled(name, grammar) for name in rest)), key=lambda one: (one == _LINE_END, one))
    phrases += others
    return " or ".join(filter(None, [", ".join(phrases[:-1]), *phrases[-1:]]))


def _spelled(terminal: str, grammar: Lark) -> str:
    if terminal in _SPOKEN:
        return _SPOKEN[terminal]
    text = str(grammar.get_terminal(terminal).pattern.value)
    return text if text in _TELLING else repr(text)


# how to mend it


def _hint(stop: _Stop, grammar: Lark) -> str | None:
    words = {str(term.pattern.value) for term in grammar.terminals if term.pattern.value.isalpha()}
    possible = {str(grammar.get_terminal(name).pattern.value) for name in stop.expected} & words
    leading = set() if stop.first in words else words & STATEMENT_WORDS
    near = _near(stop.word, possible) or _near(stop.first, leading)
    return near or next(filter(None, (hint(stop) for hint in _HINTS)), None)


def _near(word: str, words: set[str]) -> str | None:
    """A word of the language that was nearly written."""
    near = difflib.get_close_matches(word[:_LONGEST], sorted(words), n=1, cutoff=0.7)
    return f"did you mean {near[0]!r}?" if near else None


def _of_texts(stop: _Stop) -> str | None:
    """For what is no program, comments of another language, and signs between statements."""
    if stop.expected == {"PROGRAM"}:
        return 'a text begins with: program "NAME"'
    if stop.word == ";":
        return "a statement takes one line, and no sign ends it"
    return "a comment begins with #" if stop.word == "/" else None


def _of_declarations(stop: _Stop) -> str | None:
    """For what is declared behind the first task."""
    leads = stop.word in _DECLARING and not stop.before.strip()
    in_block = stop.first in _DECLARING and stop.expected == {"EQUAL"}
    if leads or in_block or (stop.word == "requires" and stop.first == "task"):
        return "what is declared stands before the first task"
    return None


def _of_blocks(stop: _Stop) -> str | None:
    """For blocks that lack an actor or an end, or whose end is uncertain or not their last statement."""
    if stop.word == "{" and stop.first == "block":
        return "a block says who acts, such as: block t1 user {"
    if _UNCERTAIN_END.match(stop.before + stop.word):
        return "`maybe` stands before instructions, not before what says where control goes"
    if stop.word == "}" and stop.expected >= _ENDING:
        words = "goto, branch, fork, call, suspend, return, end or open"
        return f"a block ends by saying where control goes: {words}"
    if stop.expected == {"RBRACE"} and stop.word not in ("block", "task", "program"):
        return "a block ends with the statement that says where control goes"
    return None


def _of_cells(stop: _Stop) -> str | None:
    """For cells called like a statement, behind the word for what is done, or with signs in their names."""
    if stop.first in STATEMENT_WORDS and stop.word == "=":
        return f"a cell that is called like a statement is written in double quotes: {quoted(stop.first)}"
    if stop.first in _OPERATIONS and stop.expected == {"EQUAL"} and stop.is_name:
        return f"the cell comes first: {stop.word} = {stop.first} …"
    if _WHERE_A_NAME_ENDS.search(stop.before) and _FOREIGN.match(stop.word):
        return "a name with other signs than letters, digits, _ and - is written in double quotes"
    return "a blank stands before ->" if stop.before.endswith("-") and stop.word == ">" else None


def _of_values(stop: _Stop) -> str | None:
    """For values that are no JSON, or that nothing is done with."""
    if stop.word == "'":
        return "strings are written in double quotes"
    if "TEXT" in stop.expected and "NAME" not in stop.expected and stop.is_name:
        return f"a string is written in double quotes: {quoted(stop.word)}"
    if stop.expected >= _OPERATING and _VALUE.match(stop.word):
        return 'a value is given with set, such as: topic = set "plan"'
    return None


_HINTS: tuple[Callable[[_Stop], str | None], ...] = (
    _of_texts,
    _of_declarations,
    _of_blocks,
    _of_cells,
    _of_values,
)
