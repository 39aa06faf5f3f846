"""A limit of processor time on a piece of work, so that work without an end is found instead of waited for."""

import gc
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

#: How soon the signal is given again where nobody could hear it.
_AGAIN = 0.1


class Overdue(BaseException):
    """The time is over; no `except Exception` on the way holds it up."""


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """End the work within with `Overdue` after so many seconds of processor time, where the system can measure it.

    Time of other processes does not count, so that a busy machine makes no difference.
    """
    if not hasattr(signal, "setitimer"):
        yield
        return
    before = signal.signal(signal.SIGVTALRM, _ring)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds, _AGAIN)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _ring(_: int, frame: FrameType | None) -> None:
    """Raise, unless the signal came within a callback of the collector, which would swallow that."""
    if frame is None or not any(frame.f_code is getattr(one, "__code__", None) for one in gc.callbacks):
        raise Overdue
