"""One call of a model: the history it was given, what it answered, and what that cost."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, tzinfo
from typing import Any

import attrs

from ...diagnostics import Location, Problem
from .. import fields
from ..messages import Message
from ..messages.chat import is_message, message_of
from ..messages.responses import is_item, item_of
from ..reader import Record
from ..reading.json_text import JSONError, decode
from .streams import assembled

_REQUESTS = ("request", "request_body", "kwargs", "input")
_RESPONSES = ("response", "response_body", "output", "completion")
_HISTORIES = ("messages", "input", "prompt")
_CONVERSATIONS = ("conversation_id", "thread_id", "session_id", "sessionId")
#: The field with which a request names a conversation whose history the service keeps.
_KEPT = "conversation"
_FIRST_BAD_STATUS = 400
_TIMES = ("time", "timestamp", "created_at", "start_time", "created")


@attrs.frozen
class Read:
    """A message and what there was to say of it."""

    message: Message
    problems: tuple[Problem, ...] = ()


@attrs.frozen(kw_only=True)
class Exchange:
    """A request and its answers, the alternatives to the first after it.

    With `is_kept` the service keeps the history of the conversation, and the request holds only what is new.
    """

    history: tuple[Read, ...]
    answers: tuple[tuple[Read, ...], ...]
    location: Location
    tokens: int | None = None
    cached: int | None = None
    conversation: str | None = None
    is_kept: bool = False
    user: str | None = None
    id: str | None = None
    previous: str | None = None


def is_exchange(value: Any) -> bool:
    """Whether a record holds a history of messages and, beside it, an answer."""
    if not isinstance(value, dict):
        return False
    request = _request(value)
    return bool(_history(request)) and any(field in value for field in (*_RESPONSES, "choices"))


def read_exchange(record: Record, zone: tzinfo) -> Exchange | None:
    """The call of a record; None where it holds no history."""
    value, location = record
    if not isinstance(value, dict):
        return None
    request = _request(value)
    field = _history(request)
    if field is None:
        return None
    time = fields.time(value, *_TIMES, zone=zone) or fields.time(request, *_TIMES, zone=zone)
    response, at = _response(value, request, location)
    answers = tuple(tuple(_dated(one, at, time, zone)) for one in _answers(response))
    if isinstance(request[field], str) and not answers:
        return None  # a text that nobody answered: it was embedded or moderated
    usage = _usage(response, value)
    kept = _kept(request)
    return Exchange(
        history=tuple(_messages(request, field, _base(request, value, location), zone)),
        answers=() if _has_failed(value, response) else answers,
        location=location,
        tokens=_total(usage),
        cached=_cached(usage),
        conversation=kept or _named(value, request, _CONVERSATIONS),
        is_kept=kept is not None,
        user=_named(value, request, ("user_id", "user")),
        id=_response_id(value, response),
        previous=fields.text(request, "previous_response_id"),
    )


def _kept(request: dict[str, Any]) -> str | None:
    """The name of the conversation that a service keeps."""
    named = request.get(_KEPT)
    return fields.text(named, "id") if isinstance(named, dict) else fields.text(request, _KEPT)


def _response_id(value: dict[str, Any], response: Any) -> str | None:
    found = fields.text(response, "id") if isinstance(response, dict) else None
    return found or (fields.text(value, "id") if isinstance(value.get("output"), list) else None)


def _has_failed(value: dict[str, Any], response: Any) -> bool:
    """Whether a call failed: its answer is an error page, or a status says so."""
    places = [place for place in (value, value.get("response"), response) if isinstance(place, dict)]
    codes = [fields.number(place, "status_code", "statusCode", "status") for place in places]
    is_page = isinstance(response, str) and response.lstrip()[:1] == "<"
    return is_page or any(code is not None and code >= _FIRST_BAD_STATUS for code in codes)


def _base(request: dict[str, Any], value: dict[str, Any], location: Location) -> Location:
    return location.below("" if request is value else _name_of(request, value))


def _request(value: dict[str, Any]) -> dict[str, Any]:
    """The request of a record; where there is none, the record is flat and is the request itself."""
    for field in _REQUESTS:
        inner = value.get(field)
        body = inner.get("body", inner) if isinstance(inner, dict) else None
        if isinstance(body, dict) and _history(body) is not None:
            return body
    return value


def _name_of(request: dict[str, Any], value: dict[str, Any]) -> str:
    for field in _REQUESTS:
        if value.get(field) is request:
            return field
        if isinstance(value.get(field), dict) and value[field].get("body") is request:
            return f"{field}/body"
    return ""


def _history(request: dict[str, Any]) -> str | None:
    for field in _HISTORIES:
        history = request.get(field)
        if isinstance(history, list) and any(is_message(item) or is_item(item) for item in history):
            return field
    is_words = isinstance(request.get("input"), str) and "model" in request
    return "input" if is_words else None


def _messages(request: dict[str, Any], field: str, location: Location, zone: tzinfo) -> Iterator[Read]:
    """The history, before it what the request says of itself in a field of its own."""
    for rule in ("system", "instructions"):
        if request.get(rule):
            yield _read({"role": "system", "content": request[rule]}, location.below(rule), set(), zone)
    history = request[field]
    if isinstance(history, str):
        yield _read({"role": "user", "content": history}, location.below(field), set(), zone)
        return
    calls: set[str] = set()
    for position, item in enumerate(history):
        yield _read(item, location.below(f"{field}/{position}"), calls, zone)


def _read(value: Any, location: Location, calls: set[str], zone: tzinfo) -> Read:
    problems: list[Problem] = []
    read = item_of if is_item(value) else message_of
    message = read(Record(value, location), calls, zone, problems)
    if message is None:  # it holds its place, so that positions in the history stay comparable
        message = Message(role="system", parts=(), location=location)
    return Read(message, tuple(problems))


def _response(value: dict[str, Any], request: dict[str, Any], location: Location) -> tuple[Any, Location]:
    """The response of a record as one value, its chunks put together, and where it stands."""
    for field in _RESPONSES:
        if field in value and value[field] is not request:
            response = value[field]
            inner = response.get("body", response) if isinstance(response, dict) else response
            return assembled(_parsed(inner)), location.below(field)
    return value, location


def _parsed(response: Any) -> Any:
    if not isinstance(response, str) or response[:1] not in ("{", "["):
        return response
    try:
        return decode(response)
    except JSONError:
        return response


def _answers(response: Any) -> Iterator[list[tuple[Any, str]]]:
    """Each alternative as the messages or items it consists of, and where they stand."""
    if isinstance(response, str):
        yield [({"role": "assistant", "content": response}, "")]
    elif isinstance(response, list):
        yield [(item, str(number)) for number, item in enumerate(response) if is_message(item) or is_item(item)]
    elif not isinstance(response, dict):
        return
    elif isinstance(response.get("choices"), list):
        for number, choice in enumerate(response["choices"]):
            message = choice.get("message") if isinstance(choice, dict) else None
            if isinstance(message, dict):
                yield [({"role": "assistant", **message}, f"choices/{number}/message")]
    elif isinstance(response.get("output"), list):
        yield [(item, f"output/{number}") for number, item in enumerate(response["output"])]
    elif is_message(response):
        yield [(response, "")]
    elif isinstance(response.get("content"), (list, str)):
        yield [({"role": "assistant", "content": response["content"]}, "")]


def _dated(answer: list[tuple[Any, str]], location: Location, time: datetime | None, zone: tzinfo) -> Iterator[Read]:
    for value, pointer in answer:
        read = _read(value, location.below(pointer), set(), zone)
        yield attrs.evolve(read, message=attrs.evolve(read.message, time=read.message.time or time))


def _usage(response: Any, value: dict[str, Any]) -> dict[str, Any]:
    found = response.get("usage") if isinstance(response, dict) else None
    usage = found if isinstance(found, dict) else value.get("usage")
    return usage if isinstance(usage, dict) else {}


def _total(usage: dict[str, Any]) -> int | None:
    """The tokens of a prompt; where a vendor counts those that came from a cache apart, with them."""
    own = fields.number(usage, "prompt_tokens", "input_tokens")
    apart = [fields.number(usage, field) for field in ("cache_read_input_tokens", "cache_creation_input_tokens")]
    return own if own is None else own + sum(part for part in apart if part is not None)


def _cached(usage: dict[str, Any]) -> int | None:
    for field in ("prompt_tokens_details", "input_tokens_details"):
        details = usage.get(field)
        if isinstance(details, dict) and fields.number(details, "cached_tokens") is not None:
            return fields.number(details, "cached_tokens")
    return fields.number(usage, "cache_read_input_tokens", "cached_tokens")


def _named(value: dict[str, Any], request: dict[str, Any], names: tuple[str, ...]) -> str | None:
    """What a record, its request or their metadata are called."""
    places = (value, request, value.get("metadata"), request.get("metadata"))
    found = (fields.text(place, *names) for place in places if isinstance(place, dict))
    return next((one for one in found if one is not None), None)
