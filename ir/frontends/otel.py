"""`otel`: traces of instrumented agents, spans of the GenAI conventions of OpenTelemetry."""

from __future__ import annotations

from collections.abc import Iterator

from ..diagnostics import Location, Problem
from ..program import Program
from . import fields
from .conversations.programs import programs
from .messages import Conversation
from .reader import Document
from .traces.generative import event_of
from .traces.spans import Span, holds_spans, spans_of
from .traces.timeline import Event, joined


class OTel:
    """The frontend of GenAI spans."""

    name = "otel"
    title = "spans of the GenAI conventions (OpenTelemetry, OTLP JSON), with memory spans"
    example = (
        '{"resourceSpans": [{"scopeSpans": [{"spans": [{"traceId": "t", "spanId": "s", "name": "chat m", '
        '"attributes": [{"key": "gen_ai.input.messages", "value": {"stringValue": '
        '"[{\\"role\\": \\"user\\", \\"parts\\": [{\\"type\\": \\"text\\", \\"content\\": \\"Hi\\"}]}]"}}]}]}]}]}'
    )

    def recognises(self, document: Document) -> bool:
        """Whether a record holds spans."""
        return any(holds_spans(value) for value, _ in document.head)

    def lower(self, document: Document, problems: list[Problem]) -> Iterator[Program]:
        """One program a conversation, or a trace that names none."""
        yield from programs(_conversations(document, problems), document, problems)


def _conversations(document: Document, problems: list[Problem]) -> Iterator[Conversation]:
    """The conversations of all spans; those that tell nothing of one are counted."""
    names: dict[str, str] = {}
    found: dict[str, list[tuple[Span, Event]]] = {}
    silent: list[Location] = []
    for span in spans_of(document, problems):
        named = span.text("gen_ai.conversation.id", "session.id", "thread.id")
        if named is not None:
            names.setdefault(span.trace, named)
        event = event_of(span)
        if event is None:
            silent.append(span.location)
        else:
            found.setdefault(span.trace or document.stem, []).append((span, event))
    if silent:
        what = "1 span tells" if len(silent) == 1 else f"{len(silent)} spans tell"
        message = f"{what} of no message, tool or memory that came about; passed over"
        problems.append(fields.warning("FE096", message, silent[0], "is the capture of content switched on?"))
    yield from _joined(found, names, problems)


def _joined(
    found: dict[str, list[tuple[Span, Event]]],
    names: dict[str, str],
    problems: list[Problem],
) -> Iterator[Conversation]:
    grouped: dict[str, list[tuple[Span, Event]]] = {}
    for trace, events in found.items():
        grouped.setdefault(names.get(trace, trace), []).extend(events)
    for label, events in grouped.items():
        events.sort(key=lambda pair: pair[0].start)
        yield from joined(label, (event for _, event in events), problems)
