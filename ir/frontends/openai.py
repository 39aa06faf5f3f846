"""`openai`: chat messages with tool calls, alone or in records that hold them, of every generation met so far.

A conversation is a list of messages, or an object with `messages` or `traj`; a file holds one, several, or an object
with `simulations`. Arguments may be a JSON text or an object, calls may lack ids, results may name their call by
`tool_call_id` or `id`.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import tzinfo
from typing import Any

import attrs

from ..blocks import Block
from ..cells import Cell, Scope, key, name
from ..diagnostics import Location, Problem
from ..instructions import Instruction, Set
from ..origin import Actor, Origin
from ..program import Program
from . import fields
from .chat import arguments_at, body_of, content_of, decoded_arguments
from .linking import Linker
from .linking.entities import Scopes
from .opaque import digest
from .reader import Document, Record

ROLES = frozenset(("system", "developer", "user", "assistant", "tool", "function"))
_MESSAGES = ("messages", "traj")


class OpenAI:
    """The frontend of chat messages."""

    name = "openai"
    title = "chat messages with tool calls (OpenAI chat format, τ-bench trajectories)"
    example = '{"messages": [{"role": "user", "content": "Where is order W15?"}]}'

    def recognises(self, document: Document) -> bool:
        """Whether the first records are messages or hold some."""
        return any(_is_message(value) or _holds_messages(value) for value, _ in document.records[:5])

    def lower(self, document: Document, problems: list[Problem]) -> Iterator[Program]:
        """One program a conversation."""
        taken: dict[str, int] = {}
        for conversation in _conversations(document, problems):
            label = conversation.label
            taken[label] = taken.get(label, 0) + 1
            if taken[label] > 1:
                label = f"{label}-{taken[label]}"
            program = _Lowering(label, conversation, document.zone, problems).program
            if program.blocks:
                yield program


@attrs.frozen
class _Conversation:
    label: str
    user: str | None
    messages: list[Record]
    location: Location


def _is_message(value: Any) -> bool:
    role = value.get("role") if isinstance(value, dict) else None
    return isinstance(role, str) and role in ROLES


def _messages_field(value: Any) -> str | None:
    if not isinstance(value, dict):
        return None
    return next((field for field in _MESSAGES if _is_conversation(value.get(field))), None)


def _is_conversation(value: Any) -> bool:
    return isinstance(value, list) and any(_is_message(item) for item in value)


def _holds_messages(value: Any) -> bool:
    if isinstance(value, dict) and isinstance(value.get("simulations"), list):
        return any(_messages_field(item) for item in value["simulations"])
    return _messages_field(value) is not None or _is_conversation(value)


def _conversations(document: Document, problems: list[Problem]) -> Iterator[_Conversation]:
    """The conversations of a document: all records as one where they are messages, else one a record."""
    if any(_is_message(value) for value, _ in document.records[:5]):
        location = Location(file=document.name)
        yield _Conversation(document.stem, None, _placed(document), location)
        return
    for number, record in enumerate(_records(document), 1):
        found = _conversation(record, document.stem, number)
        if found is None:
            message = "no list of messages is in this record; it is left out"
            problems.append(fields.warning("FE040", message, record.location))
        else:
            yield found


def _records(document: Document) -> Iterator[Record]:
    for record in document.records:
        value, location = record
        if isinstance(value, dict) and isinstance(value.get("simulations"), list):
            for position, item in enumerate(value["simulations"]):
                yield Record(item, attrs.evolve(location, pointer=f"/simulations/{position}"))
        else:
            yield record


def _conversation(record: Record, stem: str, number: int) -> _Conversation | None:
    value, location = record
    if _is_conversation(value):
        return _Conversation(f"{stem}-{number}", None, _inside(value, location), location)
    field = _messages_field(value)
    if field is None:
        return None
    inside = attrs.evolve(location, pointer=f"{location.pointer or ''}/{field}")
    user = fields.text(value, "user_id", "user")
    return _Conversation(_label(value, stem, number), user, _inside(value[field], inside), location)


def _placed(document: Document) -> list[Record]:
    """Messages that are records of their own: by line where each has one, else by their place in the array."""
    if document.layout == "lines":
        return list(document.records)
    return _inside([value for value, _ in document.records], Location(file=document.name))


def _inside(messages: list[Any], location: Location) -> list[Record]:
    """The messages of a list, each with its JSON pointer."""
    pointer = location.pointer or ""
    return [Record(one, attrs.evolve(location, pointer=f"{pointer}/{n}")) for n, one in enumerate(messages)]


def _label(value: dict[str, Any], stem: str, number: int) -> str:
    """The conversation's own name; a mere number is told apart by the file it stands in."""
    own = fields.text(value, "conversation_id", "thread_id", "session_id")
    if own is None:
        task, trial = fields.text(value, "task_id", "id"), fields.text(value, "trial")
        own = f"{task}-{trial}" if task and trial else task
    if own is None:
        return f"{stem}-{number}"
    return f"{stem}-{own}" if own.replace("-", "").isdecimal() else own


class _Lowering:
    """One conversation, message by message."""

    def __init__(self, label: str, conversation: _Conversation, zone: tzinfo, problems: list[Problem]) -> None:
        user, session = Scope("user", conversation.user or label), Scope("session", label)
        self.program = Program(label, session)
        self.program.add_scope(user)
        self.program.add_scope(session, user)
        self._session = session
        self._zone = zone
        self._problems = problems
        self._linker = Linker(self.program, Scopes(user, session), problems)
        self._tools: dict[str, str] = {}
        self._waiting: list[str] = []
        for number, (message, location) in enumerate(conversation.messages, 1):
            self._add(number, message, location)

    def _add(self, number: int, message: Any, location: Location) -> None:
        if not _is_message(message):
            what = f"a message of role {message.get('role')!r}" if isinstance(message, dict) else "this is no message"
            self._warn("FE041", f"{what} cannot be read; it is left out", location)
            return
        origin = Origin(
            event=fields.text(message, "id", "tool_call_id") or f"m{number}",
            file=location.file,
            line=location.line,
            record=location.record,
            pointer=location.pointer,
            recorded=fields.time(message, "timestamp", "created_at", zone=self._zone),
        )
        call = self._answered(message) if message["role"] in ("tool", "function") else ""
        instructions = tuple(self._instructions(number, message, call, origin))
        actor = self._actor(message, call)
        shared = attrs.evolve(origin, pointer=None)
        self._linker.commit(Block(f"m{number}", actor, number, None, instructions, origin=shared))

    def _actor(self, message: dict[str, Any], call: str) -> Actor:
        role = message["role"]
        if role in ("tool", "function"):
            return Actor("tool", fields.text(message, "name") or self._tools.get(call, ""))
        if role in ("system", "developer"):
            return Actor("system")
        return Actor(role, fields.text(message, "name") or "")

    def _instructions(self, number: int, message: dict[str, Any], call: str, origin: Origin) -> Iterator[Instruction]:
        role = message["role"]
        texts, attachments = content_of(message.get("content"))
        for kind, value in attachments:
            yield self._attachment(kind, value, origin)
        if role == "user":
            yield from self._linker.user_text("\n".join(texts), _at(origin, "content"))
        elif role == "assistant":
            texts.append(fields.text(message, "refusal") or "")
            yield from self._linker.reply("\n".join(texts), _at(origin, "content"))
            yield from self._calls(number, message, origin)
        elif role in ("tool", "function"):
            tool = fields.text(message, "name") or self._tools.get(call, "tool")
            content = message.get("content") if isinstance(message.get("content"), dict) else "\n".join(texts)
            failed = message.get("error") is True or message.get("is_error") is True
            yield from self._linker.result(call, tool, content, _at(origin, "content"), failed=failed)

    def _calls(self, number: int, message: dict[str, Any], origin: Origin) -> Iterator[Instruction]:
        self._waiting = []
        calls = message.get("tool_calls") or []
        if isinstance(message.get("function_call"), dict):
            calls = [*calls, {"function": message["function_call"]}]
        if not isinstance(calls, list):
            self._warn("FE042", "tool_calls is not a list; it is left out", _place(origin, "tool_calls"))
            return
        group = f"m{number}" if len(calls) > 1 else None
        for position, call in enumerate(calls):
            at = attrs.evolve(_at(origin, f"tool_calls/{position}"), group=group)
            yield from self._call(f"{number}.{position + 1}", call, at)

    def _call(self, fallback: str, call: Any, origin: Origin) -> Iterator[Instruction]:
        body = body_of(call)
        tool = fields.text(body, "name")
        if tool is None:
            self._warn("FE043", "a tool call without a name; it is left out", _place(origin))
            return
        call_id = fields.text(call, "id", "call_id") or fallback
        self._tools[call_id] = tool
        self._waiting.append(call_id)
        origin = attrs.evolve(_at(origin, arguments_at(call)), event=call_id)
        yield from self._linker.call(tool, self._arguments(body, origin), call_id, origin)

    def _arguments(self, body: dict[str, Any], origin: Origin) -> Any:
        """Arguments as an object; what is no JSON is kept as it stands."""
        raw = body.get("arguments", body.get("input"))
        if not isinstance(raw, str):
            return raw
        found = decoded_arguments(raw) if raw.strip() else {}
        if found is None:
            if "input" not in body:
                self._warn("FE044", "the arguments are not JSON; they are kept as text", _place(origin))
            return {"arguments": raw}
        return found

    def _answered(self, message: dict[str, Any]) -> str:
        """The call a result answers: the one it names, else the next that waits."""
        named = fields.text(message, "tool_call_id")
        if named is None and fields.text(message, "id") in self._tools:
            named = fields.text(message, "id")
        if named is not None:
            if named in self._waiting:
                self._waiting.remove(named)
            return named
        tool = fields.text(message, "name")
        waiting = [call for call in self._waiting if tool in (None, self._tools[call])]
        if not waiting:
            return ""
        self._waiting.remove(waiting[0])
        return waiting[0]

    def _attachment(self, kind: str, value: Any, origin: Origin) -> Instruction:
        """What is not text is one opaque entry."""
        text = digest(kind, value)
        mark = text.split("sha256 ")[1][:12]
        cell = Cell(self._session, (name("attachment"), key(mark)))
        return Set(target=cell, value=text, origin=attrs.evolve(_at(origin, "content"), rule="opaque"))

    def _warn(self, code: str, message: str, location: Location) -> None:
        self._problems.append(fields.warning(code, message, location))


def _at(origin: Origin, pointer: str) -> Origin:
    return attrs.evolve(origin, pointer=f"{origin.pointer or ''}/{pointer}")


def _place(origin: Origin, pointer: str = "") -> Location:
    at = f"{origin.pointer or ''}/{pointer}" if pointer else origin.pointer
    return Location(file=origin.file, line=origin.line, record=origin.record, pointer=at)
