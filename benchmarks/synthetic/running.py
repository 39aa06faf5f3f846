"""Running systems over dialogues, on several processors; the outcome is the same whatever their number."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context

import attrs

from statemem.ir.diagnostics import StatememError, UsageError

from . import suites
from .causes import SYSTEMS as READS_CHAT
from .dialogue import Dialogue
from .scoring import Result, judge
from .suites import Size
from .systems.newcomers import is_newcomer, told, where
from .systems.registry import entrant, why_not
from .tallies import Counts, counted
from .wrongs import Wrong, wrongs

Progress = Callable[[], None]


@attrs.frozen
class Task:
    """Some systems that read one dialogue of a suite, each of them named as it was asked for."""

    suite: str
    dialogue: str
    systems: tuple[str, ...]


@attrs.frozen
class Reading:
    """What came of one system that read one dialogue."""

    suite: str
    dialogue: str
    system: str
    turns: int
    counts: Counts
    wrongs: tuple[Wrong, ...]


@attrs.frozen
class Outcome:
    """All readings, in the order of the suites; the systems that were asked for, and why some of them are absent."""

    suites: tuple[str, ...]
    systems: tuple[str, ...]
    readings: tuple[Reading, ...]
    absent: dict[str, str]


def run(
    names: Sequence[str], systems: Sequence[str], size: Size, *, seed: int, jobs: int, progress: Progress | None = None
) -> Outcome:
    """Let systems read the dialogues of suites. Raises `UsageError` for a system that there is not, or that fails."""
    titles = _titles(systems)
    absent = {titles[one]: reason for one in titles if (reason := why_not(one)) is not None}
    present = [one for one in titles if titles[one] not in absent]
    tasks = list(planned(list(dict.fromkeys(names)), present, size, seed))
    found = [_read(one, progress) for one in tasks] if jobs == 1 else _spread(tasks, jobs, progress)
    readings = tuple(one for each in found for one in each)
    return Outcome(tuple(dict.fromkeys(names)), tuple(titles.values()), readings, absent)


def _titles(systems: Sequence[str]) -> dict[str, str]:
    """What the systems that were asked for are called in tables. Raises `UsageError` where two are called the same."""
    found: dict[str, str] = {}
    for one in dict.fromkeys(systems):
        name = entrant(one).name
        if name in found.values():
            raise UsageError(f"{one}: another system is called {name!r} too; give the class a `name` of its own")
        found[one] = name
    return found


def planned(names: Sequence[str], systems: Sequence[str], size: Size, seed: int) -> Iterator[Task]:
    """What is to be done: a task a dialogue; of long ones a task a system, for each takes its time.

    A chat of statemem is read twice, the second time for the causes of what was missed, so its long one is shorter.
    """
    for suite in names:
        for dialogue in suites.names(suite, size, seed):
            if suite != suites.LONG:
                yield Task(suite, dialogue, tuple(systems))
                continue
            yield from (
                Task(suite, suites.shorter(dialogue) if one in READS_CHAT else dialogue, (one,)) for one in systems
            )


def _spread(tasks: Sequence[Task], jobs: int, progress: Progress | None) -> list[list[Reading]]:
    """The tasks over several processes, the long ones first; what comes back is in the order of the tasks."""
    found: dict[Task, list[Reading]] = {}
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        waiting = {pool.submit(_read, one): one for one in sorted(tasks, key=lambda one: one.suite != suites.LONG)}
        try:
            for done in as_completed(waiting):
                found[waiting[done]] = _done(done, progress)
        except BrokenProcessPool:
            raise UsageError("a process that read a dialogue was ended from outside; for want of memory?") from None
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return [found[one] for one in tasks]


def _done(done: Future[list[Reading]], progress: Progress | None) -> list[Reading]:
    found = done.result()
    if progress is not None:
        progress()
    return found


def _read(task: Task, progress: Progress | None = None) -> list[Reading]:
    dialogue = suites.dialogue(task.dialogue)
    found = [_reading(task, one, judged(one, dialogue)) for one in task.systems]
    if progress is not None:
        progress()
    return found


def _reading(task: Task, system: str, result: Result) -> Reading:
    level = suites.recipe_of(task.dialogue).level
    return Reading(
        suite=task.suite,
        dialogue=task.dialogue,
        system=result.system,
        turns=len(result.dialogue.turns),
        counts=counted(task.suite, level, result),
        wrongs=tuple(wrongs(result, system)),
    )


def judged(system: str, dialogue: Dialogue) -> Result:
    """What a system makes of a dialogue. Raises `UsageError` that says where it failed."""
    own = entrant(system)
    try:
        return judge(own, dialogue)
    except StatememError as error:
        raise UsageError(f"{own.name} on {dialogue.name}: {error}") from None
    except (Exception, SystemExit) as error:
        if not is_newcomer(system):
            raise
        raise UsageError(f"{where(error)}: {own.name} failed on {dialogue.name}: {told(error)}") from error
