"""Events: what the log keeps of every operation and every action, how an event is named, and how the chain holds.

An event's id is the digest of its conversation, its position there and what it says; where in a file that stood takes
no part in it. Its hash covers the hash before it and everything it holds, so that no event can be changed or left out.
"""

from __future__ import annotations

import enum
import hashlib
import json
from collections.abc import Callable
from typing import Any

import attrs

from statemem.ir import UNKNOWN
from statemem.ir.values import Value

from .problems import refusal

Record = dict[str, Any]

#: The hash before the first event.
GENESIS = "0" * 64
_PLACES = ("record", "pointer")
_UNKNOWN = {"?": None}


class Kind(enum.StrEnum):
    """What an event tells: what becomes known before a block, a block, its operations and its end, or an action.

    `STANDING` says at which end of a branched log the agent stands, where that is not the last block.
    """

    PREAMBLE = "preamble"
    BLOCK = "block"
    OPERATION = "operation"
    TERMINATOR = "terminator"
    STANDING = "standing"
    PLAN = "plan"


#: The kinds that make up the log itself; they alone count as positions.
LOGGED = (Kind.BLOCK, Kind.OPERATION)


@attrs.frozen(kw_only=True)
class EventFields:
    """What an event has with or without a place in the chain.

    `position` counts the blocks and operations of the conversation from 0; what is no part of the log itself stands at
    the position it was made at. `step` and `event` are the log's own, `time` is when the log says it was observed, or
    else written down. `before` and `after` are what was in force at `cell` around an operation, or the tiers around an
    action.
    """

    id: str
    position: int
    kind: str
    actor: str | None = None
    step: int | None = None
    time: str | None = None
    event: str | None = None
    cell: str | None = None
    before: str | None = None
    after: str | None = None
    reason: str | None = None


@attrs.frozen(kw_only=True)
class Event(EventFields):
    """One event of the log: `sequence` is its place among all, `payload` the JSON text of what it says."""

    sequence: int
    conversation: str
    payload: str
    previous: str
    hash: str

    @property
    def record(self) -> Any:
        """What the event says."""
        return load(self.payload)


@attrs.frozen(kw_only=True)
class Draft(EventFields):
    """An event that has no place in the chain yet; `instruction` is the one it tells of."""

    record: Any
    instruction: int | None = None


def canonical(value: Value) -> str:
    """The one JSON text of a value: sorted keys, no blanks, every script readable, `{"?": null}` for unknown.

    >>> canonical({"b": [1, 2.0], "a": "白"})
    '{"a":"白","b":[1,2.0]}'
    """
    return _text(value, _sorted)


def as_written(value: Value) -> str:
    """The JSON text of a value with its keys in the order given, which is the order of an object's entries."""
    return _text(value, _unsorted)


def _text(value: Value, encode: Callable[[Value], str]) -> str:
    try:
        text = encode(value)
        text.encode()
    except (ValueError, TypeError) as error:
        message = f"the log holds a value that is no JSON: {error}"
        raise refusal("ST015", message, hint="give numbers that are finite and text that is Unicode") from None
    return text


def _stand_in(value: object) -> Any:
    if value is UNKNOWN:
        return _UNKNOWN
    raise TypeError(f"{value!r} is a {type(value).__name__}")


def _encoder(*, sort_keys: bool) -> Callable[[Value], str]:
    return json.JSONEncoder(
        ensure_ascii=False, allow_nan=False, sort_keys=sort_keys, separators=(",", ":"), default=_stand_in
    ).encode


_sorted, _unsorted = _encoder(sort_keys=True), _encoder(sort_keys=False)


def load(text: str) -> Value:
    """The value of such a text."""
    return json.loads(text, object_hook=_restored)


def _restored(value: Record) -> Value:
    return UNKNOWN if value == _UNKNOWN else value


def event_id(conversation: str, position: int, kind: str, record: Any) -> str:
    """The digest of what an event says and where in its conversation, whatever file it was read from."""
    return _digest(canonical([conversation, position, kind, _said(record)]))


def _said(record: Any) -> Any:
    origin = record.get("with") if isinstance(record, dict) else None
    if not origin:
        return record
    return {**record, "with": {name: value for name, value in origin.items() if name not in _PLACES}}


def chained(draft: Draft, conversation: str, sequence: int, previous: str) -> Event:
    """The event of a draft at the end of the chain."""
    fields = attrs.asdict(draft, recurse=False)
    del fields["instruction"]
    fields["payload"] = as_written(fields.pop("record"))
    event = Event(sequence=sequence, conversation=conversation, previous=previous, hash="", **fields)
    return attrs.evolve(event, hash=hash_of(event))


# By name: the order in which a class declares its fields must not decide the hashes of files that exist.
_CONTENT = tuple(sorted(field.name for field in attrs.fields(Event) if field.name != "hash"))


def hash_of(event: Event) -> str:
    """The hash an event must have: over all it holds, the hash before it included."""
    return _digest(json.dumps([getattr(event, name) for name in _CONTENT], default=repr))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
