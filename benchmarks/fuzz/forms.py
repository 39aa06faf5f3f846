"""What can be fed: how an input is made of a seed and a number, what becomes of it, and how it is made smaller."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from benchmarks.fuzz import frontends, text
from benchmarks.fuzz.findings import Outcome
from benchmarks.fuzz.frontend_inputs import log as log_input
from benchmarks.fuzz.inputs import text as text_input
from benchmarks.fuzz.shrinking import TRIALS, shrunk
from benchmarks.fuzz.shrinking_logs import shrunk_log

T = TypeVar("T", str, bytes)

#: A log is read in all formats at each trial.
_TRIALS_OF_LOGS = 600


@dataclass(frozen=True)
class Form(Generic[T]):
    """One kind of inputs. Its inputs are as long as so many of a `unit`, and are made smaller by so many `trials`."""

    name: str
    input: Callable[[int, int], T]
    outcome: Callable[[T], Outcome]
    shrunk: Callable[[T, Callable[[T], bool], int], T]
    trials: int
    unit: str
    warm_up: Callable[[], None]


FORMS: Mapping[str, Form[Any]] = {
    "text": Form("text", text_input, text.outcome, shrunk, TRIALS, "characters", text.warm_up),
    "frontends": Form("frontends", log_input, frontends.outcome, shrunk_log, _TRIALS_OF_LOGS, "bytes", text.warm_up),
}
