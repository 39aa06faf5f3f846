"""Points in time of a store, as people name them: a step, or an event by number or id."""

from __future__ import annotations

import re

import attrs

from statemem.ir.diagnostics import UsageError

from .events import Event, Kind

_STEP = re.compile(r"(?:step\s+)?(-?\d+)\Z")
_NUMBER = re.compile(r"(?:event\s+|#)(\d+)\Z")
_ID = re.compile(r"[0-9a-f]{6,64}\Z")

#: A step, `step 5`, `event 17`, or the first characters of an event's id (six at least).
At = int | str


@attrs.frozen
class Moment:
    """The end of a step of every conversation, or the moment after an event of the store."""

    step: int | None = None
    event: int | None = None

    def select(self, events: list[Event]) -> list[Event]:
        """Those events of one conversation that had happened."""
        if self.event is not None:
            return [event for event in events if event.sequence <= self.event]
        later = (event.sequence for event in events if self._is_later(event))
        end = next(later, None)
        return [event for event in events if end is None or event.sequence < end]

    def _is_later(self, event: Event) -> bool:
        return event.kind == Kind.BLOCK and event.step is not None and self.step is not None and event.step > self.step


def moment(at: At, events: list[Event]) -> Moment:
    """The moment a text or number names; `events` are those of the store.

    >>> moment("step 5", []), moment(5, [])
    (Moment(step=5, event=None), Moment(step=5, event=None))
    """
    text = str(at).strip()
    if step := _STEP.match(text):
        return Moment(step=int(step[1]))
    found = _named(text, events)
    if len(found) > 1:
        raise UsageError(f"{text!r} begins the ids of {len(found)} events; write more of it")
    if not found:
        raise UsageError(f"there is no moment {text!r}; name a step ('step 5'), or an event ('event 17', or its id)")
    return Moment(event=found[0])


def _named(text: str, events: list[Event]) -> list[int]:
    if number := _NUMBER.match(text):
        return [event.sequence for event in events if event.sequence == int(number[1])]
    return [event.sequence for event in events if event.id.startswith(text)] if _ID.match(text) else []
