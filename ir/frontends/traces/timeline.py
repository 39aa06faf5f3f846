"""What the runs or spans of one conversation tell, in the order of time, as messages.

Calls of a model repeat the history and are joined as requests are. A tool's answer is told by the next call of the
model; only where none follows is the run of the tool itself the place where it stands. What an agent did to its memory
stands between.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import attrs

from ...diagnostics import Location, Problem
from ...values import dumps
from ..exchanges.joining import Joining
from ..exchanges.records import Exchange
from ..messages import Conversation, Message, ToolCall, ToolResult


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
    known = Calls(_said(told))
    late: list[Message] = []
    for event in told:
        if isinstance(event, Exchange):
            yield from joining.add(attrs.evolve(event, conversation=event.conversation or label))
        elif isinstance(event, Message):
            joining.say(label, event)
        elif exchanges:
            late.extend(known.told_by(event))
        else:
            _say_all(joining, label, known.told_by(event))
    _say_all(joining, label, late)
    yield from joining.rest()


def _say_all(joining: Joining, label: str, messages: Iterable[Message]) -> None:
    for message in messages:
        joining.say(label, message)


class Calls:
    """The calls and results that messages tell of, by which a run of a tool finds its own."""

    def __init__(self, messages: Iterable[Message]) -> None:
        self._asked: dict[str, None] = {}
        self._alike: dict[str, dict[str | None, None]] = {}
        self._answered: set[str | None] = set()
        self._contents: set[str] = set()
        for message in messages:
            for part in message.parts:
                if isinstance(part, ToolCall):
                    self._alike.setdefault(_form(part), {})[part.id] = None
                    self._asked.setdefault(part.id or "")
                elif isinstance(part, ToolResult):
                    self._answered.add(part.call)
                    self._contents.add(_content(part))

    def told_by(self, run: ToolRun) -> list[Message]:
        """What a run tells that no message does: its answer, and the call where no model is known to have made it.

        A run that names its call by no id is of one with the same tool and arguments, the first that is unanswered.
        """
        own = run.call.id
        if own is None and _content(run.result) in self._contents and _form(run.call) in self._alike:
            return []
        if own is None:
            waiting = (one for one in self._alike.get(_form(run.call), ()) if one not in self._answered)
            own = next(waiting, None)
        if own is not None and own in self._answered:
            return []
        self._answered.add(own)
        result = attrs.evolve(run.result, call=own)
        return list(attrs.evolve(run, result=result).messages(is_asked=own is not None and own in self._asked))


def _form(call: ToolCall) -> str:
    """What two calls that ask for the same have in common."""
    return f"{call.tool} {dumps(call.arguments)}"


def _content(result: ToolResult) -> str:
    return " ".join(str(result.content if isinstance(result.content, str) else dumps(result.content)).split())


def _said(events: Iterable[Event]) -> Iterator[Message]:
    """All messages, those of histories and answers too."""
    for event in events:
        if isinstance(event, Message):
            yield event
        elif isinstance(event, Exchange):
            yield from (read.message for read in event.history)
            yield from (read.message for answer in event.answers for read in answer)
