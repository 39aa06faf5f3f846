"""What is demanded of the frontends: any bytes end in sound programs, or in problems that say where they are.

Every input is read by its content and as each of the formats.
"""

import re
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

from benchmarks.fuzz.findings import Outcome, Unmet, demand, judged
from benchmarks.fuzz.limits import limited
from statemem.ir import Program, frontends
from statemem.ir.diagnostics import InputError, Problem
from statemem.ir.frontends import reader
from statemem.ir.text import dumps, read
from statemem.ir.verifier import verify

T = TypeVar("T")

#: Seconds of processor time in which any input must be lowered, and in which it must be verified, and so on.
SECONDS = 5.0
_ENTRANCES = ("statemem.ir.frontends.base",)
#: What a log of a format may itself state wrongly, of which people are warned: entries and tasks that are not there.
_STATED = {"ops": frozenset(("IR006", "IR007", "IR008"))}
_CODE = re.compile(r"FE[0-9]{3}")


def outcome(content: bytes) -> Outcome:
    """What becomes of the bytes of a log: the codes are those for which it is refused when read by its content."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "log.json"
        path.write_bytes(content)
        refused: Outcome | None = None
        for name in (None, *frontends.frontends()):
            found = judged(lambda name=name: _judged(path, name), SECONDS, _ENTRANCES)  # type: ignore[misc]
            if found.finding is not None:
                return found
            refused = refused or found
    return refused or Outcome()


def _judged(path: Path, name: str | None) -> tuple[str, ...]:
    problems: list[Problem] = []
    try:
        programs = _soon(lambda: list(frontends.lower(str(path), problems, format=name)))
    except InputError as error:
        _demand_located(error.problems, path)
        return tuple(problem.code for problem in error.problems)
    demand(bool(programs), "is refused where nothing of it can be read", "no program", name or "")
    _demand_located(problems, path)
    severe = [str(problem) for problem in problems if problem.severity != "warning"]
    demand(not severe, "is not read where there are errors", "\n".join(severe))
    chosen = name or frontends.choose(reader.read(str(path), [])).name
    for program in programs:
        _demand_sound(program, chosen)
    return ()


def _soon(work: Callable[[], T]) -> T:
    with limited(SECONDS):
        return work()


def _demand_located(problems: Iterable[Problem], path: Path) -> None:
    for problem in problems:
        demand(problem.location.file == str(path), "has its problems in its file", str(problem))
        demand(_CODE.fullmatch(problem.code) is not None, "has its problems by codes of frontends", str(problem))


def _demand_sound(program: Program, name: str) -> None:
    """The verifier finds no error, and written and read again it is the same."""
    errors = _soon(lambda: [one for one in verify(program) if one.severity == "error"])
    codes = " ".join(sorted({one.code for one in errors} - _STATED.get(name, frozenset())))
    demand(not codes, "has no error for the verifier", "\n".join(map(str, errors)), f"{name} {codes}")
    written = _soon(lambda: dumps([program], []))
    try:
        (again,) = _soon(lambda: read(written)).programs
    except InputError as error:
        raise Unmet("can be read as it is written", str(error), name) from None
    demand(again.same_as(program), "is the same program when written and read again", written, name)
    demand(dumps([again], []) == written, "is written the same again", written, name)
