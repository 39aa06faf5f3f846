"""What the runs or spans of one conversation tell, in the order of time, as messages.

Calls of a model repeat the history and are joined as requests are. A tool's answer is told by the next call of the
model; only where none follows is the run of the tool itself the place where it stands. What an agent did to its memory
stands between.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import attrs

from ...diagnostics import Location, Problem
from ..messages import Conversation, Message, Part, ToolCall, ToolResult
from ..requests.joining import Joining
from ..requests.records import Exchange


@attrs.frozen(kw_only=True)
class ToolRun:
    """One run of a tool: the call it carries out, if that is known, and what came of it."""

    call: ToolCall
    result: ToolResult
    location: Location

    def messages(self, *, is_asked: bool) -> Iterator[Message]:
        """The answer, after the call if no model is on record as having made it."""
        if not is_asked:
            yield Message(role="assistant", parts=(self.call,), location=self.location)
        yield Message(role="tool", parts=(self.result,), location=self.location)


Event = Exchange | ToolRun | Message


def joined(label: str, events: Iterable[Event], problems: list[Problem]) -> Iterator[Conversation]:
    """The conversation of events in the order of time; what is said beside the calls of a model stands as it comes."""
    joining = Joining(label, problems)
    told = list(events)
    exchanges = [event for event in told if isinstance(event, Exchange)]
    answered = {own for one in exchanges for own in _ids((read.message for read in one.history), ToolResult)}
    asked = {own for message in _said(told) for own in _ids([message], ToolCall)}
    late: list[Message] = []
    for event in told:
        if isinstance(event, Exchange):
            yield from joining.add(attrs.evolve(event, conversation=label))
        elif isinstance(event, Message):
            joining.say(label, event)
        elif event.call.id is None or event.call.id not in answered:
            messages = list(event.messages(is_asked=event.call.id in asked))
            late.extend(messages if exchanges else ())
            for message in messages if not exchanges else ():
                joining.say(label, message)
    for message in late:
        joining.say(label, message)
    yield from joining.rest()


def _said(events: Iterable[Event]) -> Iterator[Message]:
    """All messages, those of histories and answers too."""
    for event in events:
        if isinstance(event, Message):
            yield event
        elif isinstance(event, Exchange):
            yield from (read.message for read in event.history)
            yield from (read.message for answer in event.answers for read in answer)


def _ids(messages: Iterable[Message], kind: type[ToolCall] | type[ToolResult]) -> Iterator[str]:
    for message in messages:
        for part in message.parts:
            own = _id(part) if isinstance(part, kind) else None
            if own is not None:
                yield own


def _id(part: Part) -> str | None:
    if isinstance(part, ToolCall):
        return part.id
    return part.call if isinstance(part, ToolResult) else None
