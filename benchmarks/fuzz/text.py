"""What is demanded of the text form: any text ends in programs that can be written again, or in a located error."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import PurePath
from traceback import walk_tb
from types import FrameType
from typing import TypeVar

from benchmarks.fuzz.limits import Overdue, limited
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


@dataclass(frozen=True)
class Finding:
    """A demand that an input does not meet, where in the code that showed, and how."""

    demand: str
    where: str
    how: str
    late: bool = False

    @property
    def kind(self) -> tuple[str, str]:
        """What findings have in common that are most probably one."""
        return self.demand, self.where


@dataclass(frozen=True)
class Outcome:
    """What became of an input: it was read, or refused for these codes, or did what none may."""

    refused: tuple[str, ...] = ()
    finding: Finding | None = None


class Unmet(Exception):
    """A demand that is not met, and how."""

    def __init__(self, demand: str, how: str) -> None:
        super().__init__(demand, how)
        self.demand, self.how = demand, how


def outcome(text: str) -> Outcome:
    """What becomes of a text."""
    try:
        return Outcome(refused=_judged(text))
    except Unmet as unmet:
        return Outcome(finding=Finding(unmet.demand, "", unmet.how))
    except Overdue as overdue:
        return Outcome(finding=Finding(f"ends within {SECONDS:g} s", _outermost(overdue), "it went on", late=True))
    except Exception as error:
        return Outcome(finding=Finding("raises nothing but InputError", _innermost(error), repr(error)))


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
        _demand(list(error.problems) == checked, "is refused by `check_text` as by `read`", str(error))
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
        _demand(within, "has its problems within its lines", str(problem))
        _demand(problem.code in _CODES, "has its problems by codes that are listed", str(problem))


def _demand_kept(document: Document) -> None:
    """Written and read again it is the same, and written once more the same text."""
    written = _soon(lambda: dumps(document.programs, document.facts))
    try:
        again = _soon(lambda: read(written))
    except InputError as error:
        raise Unmet("can be read as it is written", str(error)) from None
    pairs = zip(again.programs, document.programs, strict=False)
    same = len(again.programs) == len(document.programs) and all(one.same_as(other) for one, other in pairs)
    _demand(same, "is the same programs when written and read again", written)
    _demand(again.facts == document.facts, "has the same facts when written and read again", written)
    _demand(dumps(again.programs, again.facts) == written, "is written the same again", written)


def _demand(met: bool, demand: str, how: str) -> None:
    if not met:
        raise Unmet(demand, how)


def _innermost(error: BaseException) -> str:
    """The innermost function of the product that an exception went through."""
    frames = _of_product(error)
    return _named(frames[-1]) if frames else ""


def _outermost(error: BaseException) -> str:
    """The step of reading or verifying that an exception went through, whatever it was just at."""
    frames = _of_product(error)
    steps = (frame for frame in frames if frame.f_globals["__name__"] not in _ENTRANCES)
    return _named(next(steps, frames[-1])) if frames else ""


def _of_product(error: BaseException) -> list[FrameType]:
    frames = (frame for frame, _ in walk_tb(error.__traceback__))
    return [frame for frame in frames if str(frame.f_globals.get("__name__", "")).startswith("statemem.")]


def _named(frame: FrameType) -> str:
    return f"{PurePath(frame.f_code.co_filename).name}:{frame.f_code.co_qualname}"
