"""What is found of an input: it is read, refused, or does what none may."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePath
from traceback import walk_tb
from types import FrameType

from benchmarks.fuzz.limits import Overdue


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
    """A demand that is not met, how, and what tells it from others."""

    def __init__(self, demand: str, how: str, where: str = "") -> None:
        super().__init__(demand, how, where)
        self.demand, self.how, self.where = demand, how, where


def demand(met: bool, what: str, how: str, where: str = "") -> None:
    """Raise `Unmet` where a demand is not met."""
    if not met:
        raise Unmet(what, how, where)


def judged(judge: Callable[[], tuple[str, ...]], seconds: float, entrances: tuple[str, ...]) -> Outcome:
    """What a judge finds, which gives the codes an input is refused for and raises where it does what none may.

    What takes too long is told by the outermost function that is not in the modules named as `entrances`.
    """
    try:
        return Outcome(refused=judge())
    except Unmet as unmet:
        return Outcome(finding=Finding(unmet.demand, unmet.where, unmet.how))
    except Overdue as overdue:
        late = f"ends within {seconds:g} s"
        return Outcome(finding=Finding(late, _outermost(overdue, entrances), "it went on", late=True))
    except Exception as error:
        return Outcome(finding=Finding("raises nothing but InputError", _innermost(error), repr(error)))


def _innermost(error: BaseException) -> str:
    """The innermost function of the product that an exception went through."""
    frames = _of_product(error)
    return _named(frames[-1]) if frames else ""


def _outermost(error: BaseException, entrances: tuple[str, ...]) -> str:
    """The step of the work that an exception went through, whatever it was just at."""
    frames = _of_product(error)
    steps = (frame for frame in frames if frame.f_globals["__name__"] not in entrances)
    return _named(next(steps, frames[-1])) if frames else ""


def _of_product(error: BaseException) -> list[FrameType]:
    frames = (frame for frame, _ in walk_tb(error.__traceback__))
    return [frame for frame in frames if str(frame.f_globals.get("__name__", "")).startswith("statemem.")]


def _named(frame: FrameType) -> str:
    return f"{PurePath(frame.f_code.co_filename).name}:{frame.f_code.co_qualname}"
