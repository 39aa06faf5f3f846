"""Spans of OpenTelemetry, from OTLP JSON or as a library prints them: names, times, attributes as plain values."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import attrs

from ...diagnostics import Location, Problem
from .. import fields
from ..reader import Document
from ..reading.json_text import JSONError, decode

#: The event in which some instruments put the messages that others put into attributes.
_DETAILS = "gen_ai.client.inference.operation.details"


@attrs.frozen(kw_only=True)
class Span:
    """One span; `events` are those inside it, by name and attributes. `start` orders the spans of a trace."""

    name: str
    trace: str
    start: int
    end: datetime | None
    attributes: dict[str, Any]
    events: tuple[tuple[str, dict[str, Any]], ...]
    failed: bool
    location: Location

    def text(self, *names: str) -> str | None:
        """The first of the attributes that holds a text."""
        return fields.text(self.attributes, *names)

    def structure(self, name: str) -> Any:
        """An attribute that is written as data or as JSON text."""
        value = self.attributes.get(name)
        if not isinstance(value, str):
            return value
        try:
            return decode(value)
        except JSONError:
            return value


def holds_spans(value: Any) -> bool:
    """Whether a record holds spans, or is one."""
    return isinstance(value, dict) and (isinstance(value.get("resourceSpans"), list) or _is_span(value))


def _is_span(value: Any) -> bool:
    if not isinstance(value, dict) or "name" not in value or "attributes" not in value:
        return False
    context = value.get("context")
    return "spanId" in value or "span_id" in value or (isinstance(context, dict) and "span_id" in context)


def spans_of(document: Document, problems: list[Problem]) -> Iterator[Span]:
    """The spans of a document, in the order in which they are written down."""
    for record in document.records:
        value, location = record
        if not holds_spans(value):
            message = "this record holds no spans; it is left out"
            problems.append(fields.warning("FE095", message, location))
        elif _is_span(value):
            yield _span(value, location)
        else:
            yield from _of_resources(value, location)


def _of_resources(value: dict[str, Any], location: Location) -> Iterator[Span]:
    for row, resource in enumerate(value["resourceSpans"]):
        scopes = resource if isinstance(resource, dict) else {}
        field = "scopeSpans" if "scopeSpans" in scopes else "instrumentationLibrarySpans"
        for column, scope in enumerate(fields.items(scopes, field)):
            for number, span in enumerate(fields.items(scope, "spans") if isinstance(scope, dict) else []):
                if isinstance(span, dict):
                    at = f"/resourceSpans/{row}/{field}/{column}/spans/{number}"
                    yield _span(span, attrs.evolve(location, pointer=at))


def _span(value: dict[str, Any], location: Location) -> Span:
    context = value.get("context")
    inner = context if isinstance(context, dict) else {}
    status = value.get("status")
    code = status.get("code", status.get("status_code")) if isinstance(status, dict) else None
    events = tuple(_events(value))
    details = next((told for name, told in events if name == _DETAILS), {})
    return Span(
        name=fields.text(value, "name") or "",
        trace=fields.text(value, "traceId", "trace_id") or fields.text(inner, "trace_id") or "",
        start=_nanoseconds(value, "startTimeUnixNano", "start_time_unix_nano", "start_time") or 0,
        end=_moment(_nanoseconds(value, "endTimeUnixNano", "end_time_unix_nano", "end_time")),
        attributes={**details, **_attributes(value.get("attributes"))},
        events=events,
        failed=code in (2, "2", "ERROR", "STATUS_CODE_ERROR"),
        location=location,
    )


def _events(value: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for event in fields.items(value, "events"):
        if isinstance(event, dict):
            body = event.get("body")
            own = body if isinstance(body, dict) else {}
            yield (
                fields.text(event, "name") or "",
                {**own, **_attributes(event.get("attributes"))},
            )


def _nanoseconds(value: dict[str, Any], *names: str) -> int | None:
    for name in names:
        number = fields.text(value, name)
        if number is not None and number.isdecimal():
            return int(number)
        time = fields.time(value, name)
        if time is not None:
            return int(time.timestamp() * 1_000_000) * 1_000
    return None


def _moment(nanoseconds: int | None) -> datetime | None:
    try:
        return None if nanoseconds is None else datetime.fromtimestamp(nanoseconds / 1e9, UTC)
    except (ValueError, OverflowError, OSError):
        return None


def _attributes(value: Any) -> dict[str, Any]:
    """Attributes as plain values: OTLP writes a list of keys and values that tell their type."""
    if isinstance(value, dict):
        return value
    pairs = (pair for pair in value if isinstance(pair, dict)) if isinstance(value, list) else ()
    return {str(pair.get("key")): _plain(pair.get("value")) for pair in pairs}


def _plain(value: Any) -> Any:
    if not isinstance(value, dict) or len(value) != 1:
        return value
    ((kind, inner),) = value.items()
    if kind == "arrayValue" and isinstance(inner, dict):
        return [_plain(one) for one in fields.items(inner, "values")]
    if kind == "kvlistValue" and isinstance(inner, dict):
        return _attributes(inner.get("values"))
    if kind == "intValue" and isinstance(inner, str):
        return fields.number(value, "intValue")
    return inner if kind.endswith("Value") else value
