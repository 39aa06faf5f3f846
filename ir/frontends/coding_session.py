"""`coding_session`: sessions of a coding agent, a line a part of a message, each naming the line before it.

The lines make a tree. One message is spread over several lines that share its id; side sessions of other agents, lines
that tell of progress, and boundaries where the history was compacted stand among them. No vendor specifies the format,
so types of lines that are not known are counted and passed over.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import attrs

from ..diagnostics import Location, Problem
from ..program import Program
from . import fields
from .conversations.programs import programs
from .messages import Conversation, Message, Opaque, Part, Role, Text, ToolCall, ToolResult
from .messages.content import parts_of
from .messages.injected import spoken
from .reader import Document, Record

_SPOKEN = frozenset(("user", "assistant", "system"))
#: Lines that say nothing of the conversation itself, though others may name them as the line before.
_ASIDE = frozenset(("progress", "summary", "file-history-snapshot", "queue-operation", "result", "stream_event"))
_SESSION = ("sessionId", "session_id")
_LINES = "loglines"


class CodingSession:
    """The frontend of coding sessions."""

    name = "coding_session"
    title = "sessions of a coding agent (Claude Code JSONL), with side sessions and compaction"
    example = (
        '{"type": "user", "uuid": "u1", "parentUuid": null, "sessionId": "s1", '
        '"message": {"role": "user", "content": "Fix the test"}}'
    )

    def recognises(self, document: Document) -> bool:
        """Whether a record is a line of a session, or holds such lines."""
        return any(_is_line(value) or _holds_lines(value) for value, _ in document.head)

    def lower(self, document: Document, problems: list[Problem]) -> Iterator[Program]:
        """One program a session, and one for each side session."""
        reading = _Reading(document, problems)
        yield from programs(reading.conversations(), document, problems)


def _is_line(value: Any) -> bool:
    if not isinstance(value, dict) or not isinstance(value.get("type"), str):
        return False
    known = value["type"] in _SPOKEN or value["type"] in _ASIDE
    placed = any(field in value for field in ("uuid", "parentUuid", "leafUuid", "messageId", *_SESSION))
    return known and placed and "role" not in value


def _holds_lines(value: Any) -> bool:
    lines = value.get(_LINES) if isinstance(value, dict) else None
    return isinstance(lines, list) and any(isinstance(line, dict) and "message" in line for line in lines)


@attrs.define
class _Group:
    """The lines of one message, or all results of the calls of one message."""

    key: str
    session: str
    side: str | None
    line: dict[str, Any]
    location: Location
    parts: list[Part] = attrs.field(factory=list)
    answered: set[str | None] = attrs.field(factory=set)


class _Reading:
    """The lines of a document, put together to messages."""

    def __init__(self, document: Document, problems: list[Problem]) -> None:
        self._document = document
        self._problems = problems
        self._before: dict[str, str | None] = {}
        self._group_of: dict[str, _Group] = {}
        self._groups: dict[str, _Group] = {}
        self._callers: dict[str, str] = {}
        self._results: dict[str, list[_Group]] = {}
        self._roots: dict[str, _Group] = {}
        self._said: dict[str, Any] = {}
        self._unknown: dict[str, list[Location]] = {}
        for number, record in enumerate(_lines(document), 1):
            self._read(number, record)
        self._tell_unknown()

    def conversations(self) -> Iterator[Conversation]:
        """The main session first, each side session after it."""
        found: dict[tuple[str, str | None], list[_Group]] = {}
        for group in self._groups.values():
            root = self._root(group)
            found.setdefault((root.session, group.side), []).append(group)
        for (session, side), groups in sorted(found.items(), key=lambda item: item[0][1] is not None):
            label = session if side is None else f"{session}-{side}"
            yield Conversation(label=label, user=session, messages=list(self._messages(groups)), is_tree=True)

    def _read(self, number: int, record: Record) -> None:
        line, location = record
        if not isinstance(line, dict):
            self._warn("FE050", "this is no line of a session; it is left out", location)
            return
        own = fields.text(line, "uuid") or f"line {number}"
        if own in self._before:
            self._read_again(own, line, location)
            return
        before = fields.text(line, "parentUuid", "logicalParentUuid")
        self._before[own], self._said[own] = before, line.get("message")
        kind = fields.text(line, "type") or "without a type"
        if kind in _SPOKEN:
            self._speak(own, line, location)
        elif kind not in _ASIDE:
            self._unknown.setdefault(kind, []).append(location)

    def _read_again(self, own: str, line: dict[str, Any], location: Location) -> None:
        """A session that was taken up again repeats what it goes on from; another line of that name is told."""
        if line.get("message") != self._said.get(own):
            self._warn("FE052", f"another line is called {own!r} too; this one is left out", location)

    def _speak(self, own: str, line: dict[str, Any], location: Location) -> None:
        parts = list(_parts(line))
        group = self._group(own, line, parts, location)
        if group.parts:
            parts = [attrs.evolve(part, location=location) for part in parts]
        group.parts.extend(parts)
        self._group_of[own] = group
        for part in parts:
            if isinstance(part, ToolCall) and part.id is not None:
                self._callers[part.id] = group.key

    def _group(self, own: str, line: dict[str, Any], parts: list[Part], location: Location) -> _Group:
        """The message of a line: one that is spread over several, all results of a message's calls, or its own."""
        message = line.get("message")
        if line.get("type") == "assistant" and isinstance(message, dict):
            key = fields.text(message, "id") or own
            return self._groups.get(key) or self._begin(key, own, line, location)
        results = [part for part in parts if isinstance(part, ToolResult)]
        caller = self._callers.get(results[0].call or "") if results else None
        if caller is None:
            return self._begin(own, own, line, location)
        return self._answers(caller, {one.call for one in results}, own, line, location)

    def _answers(
        self, caller: str, calls: set[str | None], own: str, line: dict[str, Any], location: Location
    ) -> _Group:
        """The results of a message's calls; where a call is answered once more, a message beside those before."""
        begun = self._results.setdefault(caller, [])
        open_ones = [group for group in begun if not group.answered & calls]
        before = self._speaker(self._before[own])
        group = next((one for one in open_ones if one is before), None) or next(iter(open_ones), None)
        if group is None:
            number = f" {len(begun) + 1}" if begun else ""
            group = self._begin(f"results{number} of {caller}", own, line, location)
            begun.append(group)
        group.answered |= calls
        return group

    def _begin(self, key: str, own: str, line: dict[str, Any], location: Location) -> _Group:
        session = fields.text(line, *_SESSION) or self._document.stem
        group = self._groups[key] = _Group(key, session, self._side(own, line), line, location)
        if own not in (key, self._before[own]):
            self._before[key] = self._before[own]
        return group

    def _side(self, own: str, line: dict[str, Any]) -> str | None:
        """The name of the side session a line belongs to: its agent, the call it came from, or its first line."""
        named = fields.text(line, "agentId", "parent_tool_use_id")
        if named is not None or line.get("isSidechain") is not True:
            return named
        before = self._before[own]
        parent = self._speaker(before)
        return parent.side if parent is not None and parent.side is not None else f"side-{own}"

    def _speaker(self, uuid: str | None) -> _Group | None:
        """The message at a line or, where that is an aside, at the nearest one before it."""
        end = self._end(uuid)
        return None if end is None else self._group_of.get(end)

    def _end(self, uuid: str | None) -> str | None:
        """The line to which asides lead back: one that speaks, one that is not in the log, or none."""
        passed: dict[str, None] = {}
        while uuid is not None and uuid in self._before and uuid not in self._group_of:
            if uuid in passed:
                return None
            passed[uuid] = None
            uuid = self._before[uuid]
        self._before.update(dict.fromkeys(passed, uuid))  # the same asides are not gone through again
        return uuid

    def _root(self, group: _Group) -> _Group:
        """The first message of the tree a message stands in."""
        way = {group.key: group}
        while group.key not in self._roots:
            before = self._speaker(self._before.get(group.key))
            if before is None or before.key in way:
                self._roots[group.key] = group
                break
            group = way[before.key] = before
        root = self._roots[group.key]
        self._roots.update(dict.fromkeys(way, root))
        return root

    def _messages(self, groups: list[_Group]) -> Iterator[Message]:
        """The messages of a conversation; where none follows another that is there, they are a list and no tree."""
        found = [self._inside(group) for group in groups]
        is_list = not any(found)
        for group, before in zip(groups, found, strict=True):
            follows = self._missing(group) if before is None else before.key
            yield self._message(group, follows, continues=is_list or not _begins(group))

    def _inside(self, group: _Group) -> _Group | None:
        """The message before one in its conversation."""
        before = self._speaker(self._before.get(group.key))
        return before if before is not None and before.side == group.side and before is not group else None

    def _missing(self, group: _Group) -> str | None:
        """The line that a message names as its parent and that is not in the log; a compaction may leave it out."""
        end = self._end(self._before.get(group.key))
        is_named = fields.text(group.line, "parentUuid") is not None
        return end if is_named and end not in self._before else None

    def _message(self, group: _Group, follows: str | None, *, continues: bool) -> Message:
        role = _role(group)
        parts = tuple(_spoken(part) for part in group.parts) if role == "user" else tuple(group.parts)
        return Message(
            role=role if any(map(_tells, parts)) or not parts else "system",
            parts=parts,
            location=group.location,
            id=fields.text(group.line, "uuid"),
            time=fields.time(group.line, "timestamp", zone=self._document.zone),
            key=group.key,
            follows=follows,
            continues=continues,
        )

    def _tell_unknown(self) -> None:
        for kind, places in self._unknown.items():
            what = "1 line" if len(places) == 1 else f"{len(places)} lines"
            self._warn("FE051", f"{what} of type {kind!r}, which is not known; passed over", places[0])

    def _warn(self, code: str, message: str, location: Location) -> None:
        self._problems.append(fields.warning(code, message, location))


def _lines(document: Document) -> Iterator[Record]:
    for record in document.records:
        value, location = record
        if not _holds_lines(value):
            yield record
            continue
        for position, line in enumerate(value[_LINES]):
            yield Record(line, location.below(f"{_LINES}/{position}"))


def _role(group: _Group) -> Role:
    """Who speaks. What is put in by the program no person said, nor what an agent tells another in a side session."""
    kind = group.line.get("type")
    if kind == "assistant":
        return "assistant"
    injected = group.line.get("isMeta") is True or group.line.get("isCompactSummary") is True
    return "system" if kind == "system" or injected or group.side is not None else "user"


def _begins(group: _Group) -> bool:
    """Whether a message that follows none goes back to the beginning: a person's words whose line says so."""
    line = group.line
    goes_back = "parentUuid" in line and fields.text(line, "parentUuid", "logicalParentUuid") is None
    speaks = line.get("type") == "user" and line.get("isCompactSummary") is not True
    return goes_back and speaks and not any(isinstance(part, ToolResult) for part in group.parts)


def _spoken(part: Part) -> Part:
    return attrs.evolve(part, text=spoken(part.text)) if isinstance(part, Text) else part


def _tells(part: Part) -> bool:
    return not isinstance(part, Text) or bool(part.text.strip())


def _parts(line: dict[str, Any]) -> Iterator[Part]:
    """The parts of a line; the summary that takes the place of a history was made from all of it."""
    message = line.get("message")
    content = message.get("content") if isinstance(message, dict) else line.get("content")
    at = "message/content" if isinstance(message, dict) else "content"
    if line.get("isCompactSummary") is True:
        yield Opaque("compaction", content, at, sees_all=True)
    else:
        yield from filter(_tells, parts_of(content, at))
