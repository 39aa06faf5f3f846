"""What is demanded of the text form: any text ends in programs that can be written again, or in a located error."""

from collections.abc import Callable, Iterable
from typing import TypeVar

from benchmarks.fuzz.findings import Outcome, Unmet, demand, judged
from benchmarks.fuzz.limits import limited
from statemem.ir.diagnostics import InputError, Problem
from statemem.ir.text import Document, dumps, read
from statemem.ir.text.errors import CODES as TEXT_CODES
from statemem.ir.verifier import CODES as VERIFIER_CODES
from statemem.ir.verifier import check_text

T = TypeVar("T")

#: Seconds of processor time in which any input must be read, and in which it must be verified, and so on.
SECONDS = 2.0
_CODES = {**VERIFIER_CODES, **TEXT_CODES}
_ENTRANCES = ("statemem.ir.text.parser", "statemem.ir.verifier")


def outcome(text: str) -> Outcome:
    """What becomes of a text."""
    return judged(lambda: _judged(text), SECONDS, _ENTRANCES)


def warm_up() -> None:
    """Build the parser, whose time is no input's."""
    read("")


def _judged(text: str) -> tuple[str, ...]:
    """The codes for which a text is refused; none where it is read."""
    try:
        document = _soon(lambda: read(text))
    except InputError as error:
        _demand_located(error.problems, text)
        checked = _soon(lambda: check_text(text))
        demand(list(error.problems) == checked, "is refused by `check_text` as by `read`", str(error))
        return tuple(problem.code for problem in error.problems)
    _demand_kept(document)
    _demand_located(_soon(lambda: check_text(text)), text)
    return ()


def _soon(work: Callable[[], T]) -> T:
    with limited(SECONDS):
        return work()


def _demand_located(problems: Iterable[Problem], text: str) -> None:
    lines = text.split("\n")
    for problem in problems:
        line, column = problem.location.line or 0, problem.location.column or 0
        within = 1 <= line <= len(lines) and 1 <= column <= len(lines[line - 1]) + 1
        demand(within, "has its problems within its lines", str(problem))
        demand(problem.code in _CODES, "has its problems by codes that are listed", str(problem))


def _demand_kept(document: Document) -> None:
    """Written and read again it is the same, and written once more the same text."""
    written = _soon(lambda: dumps(document.programs, document.facts))
    try:
        again = _soon(lambda: read(written))
    except InputError as error:
        raise Unmet("can be read as it is written", str(error)) from None
    pairs = zip(again.programs, document.programs, strict=False)
    same = len(again.programs) == len(document.programs) and all(one.same_as(other) for one, other in pairs)
    demand(same, "is the same programs when written and read again", written)
    demand(again.facts == document.facts, "has the same facts when written and read again", written)
    demand(dumps(again.programs, again.facts) == written, "is written the same again", written)
