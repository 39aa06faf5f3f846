"""`chat_export`: conversations exported from a chat application, trees of messages with edits and regenerated answers.

Two exports are known: a `mapping` of nodes with parents, of which `current_node` is the one shown (ChatGPT), and a list
of `chat_messages` that may name the one before them (Claude). No vendor specifies them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..diagnostics import Problem
from ..program import Program
from . import fields
from .conversations.programs import programs
from .messages import Conversation, Message, Opaque, Part, Role, Text, ToolCall, ToolResult
from .messages.chat import ROLES
from .messages.content import parts_of
from .reader import Document, Record
from .reading.literals import decoded_arguments

_THOUGHTS = frozenset(("thoughts", "reasoning_recap"))
_HANDED_OVER = ("attachments", "files")
#: What the first messages of a list follow.
_ROOT = "00000000-0000-4000-8000-000000000000"


class ChatExport:
    """The frontend of exported chats."""

    name = "chat_export"
    title = "conversations exported from a chat application (ChatGPT, Claude), with their branches"
    example = (
        '{"title": "Lamps", "current_node": "b", "mapping": {"b": {"id": "b", "parent": null, "message": '
        '{"author": {"role": "user"}, "content": {"content_type": "text", "parts": ["Hi"]}}}}}'
    )

    def recognises(self, document: Document) -> bool:
        """Whether a record is an exported conversation."""
        return any(_nodes(value) is not None or _listed(value) is not None for value, _ in document.head)

    def lower(self, document: Document, problems: list[Problem]) -> Iterator[Program]:
        """One program a conversation."""
        yield from programs(_conversations(document, problems), document, problems)


def _nodes(value: Any) -> dict[str, Any] | None:
    mapping = value.get("mapping") if isinstance(value, dict) else None
    if not isinstance(mapping, dict) or not all(isinstance(node, dict) for node in mapping.values()):
        return None
    return mapping if any("message" in node for node in mapping.values()) else None


def _listed(value: Any) -> list[Any] | None:
    messages = value.get("chat_messages") if isinstance(value, dict) else None
    return messages if isinstance(messages, list) else None


def _conversations(document: Document, problems: list[Problem]) -> Iterator[Conversation]:
    for number, record in enumerate(document.records, 1):
        value, location = record
        nodes, listed = _nodes(value), _listed(value)
        if nodes is None and listed is None:
            message = "this record is no exported conversation; it is left out"
            problems.append(fields.warning("FE070", message, location))
            continue
        label = fields.text(value, "conversation_id", "id", "uuid") or f"{document.stem}-{number}"
        found = _of_mapping(nodes, record, document) if nodes is not None else _of_list(listed or [], record, document)
        current = fields.text(value, "current_node", "current_leaf_message_uuid")
        current = current if nodes is None else _nearest(nodes, current, {})
        yield Conversation(label=label, messages=list(found), is_tree=True, current=current)


def _of_mapping(nodes: dict[str, Any], record: Record, document: Document) -> Iterator[Message]:
    """The messages of a mapping; nodes without one only tell what follows what."""
    found: dict[str, str | None] = {}
    for key, node in nodes.items():
        message = node.get("message")
        if not isinstance(message, dict):
            continue
        author = message.get("author")
        author = author if isinstance(author, dict) else {}
        role = ROLES.get(str(author.get("role")), "system")
        at = record.location.below(f"mapping/{key}/message")
        yield Message(
            role=role,
            parts=tuple(_parts(message, role, fields.text(author, "name"))),
            location=at,
            id=fields.text(message, "id"),
            time=fields.time(message, "create_time", zone=document.zone),
            key=key,
            follows=_nearest(nodes, fields.text(node, "parent"), found),
        )


def _nearest(nodes: dict[str, Any], key: str | None, found: dict[str, str | None]) -> str | None:
    """A node, or the nearest above that has a message; one that is not there is named, so that it is told.

    `found` is what was found before, so that no way up is gone twice.
    """
    passed: dict[str, None] = {}
    while key in nodes and key not in passed and not isinstance(nodes[key].get("message"), dict):
        if key in found:
            key = found[key]
            break
        passed[key] = None
        key = fields.text(nodes[key], "parent")
    end = None if key in passed else key
    found.update(dict.fromkeys(passed, end))
    return end


def _parts(message: dict[str, Any], role: Role, name: str | None) -> Iterator[Part]:
    content = message.get("content")
    content = content if isinstance(content, dict) else {"parts": [content]}
    kind = fields.text(content, "content_type") or "text"
    words, others = _words(content)
    recipient = fields.text(message, "recipient") or "all"
    if kind in _THOUGHTS:
        yield Opaque("thinking", content)
    elif role == "tool":
        yield from others
        yield ToolResult(words, tool=name)
    elif role == "assistant" and recipient != "all":
        arguments = decoded_arguments(words)
        yield ToolCall(recipient, arguments if isinstance(arguments, dict) else {"input": words}, pointer="content")
    else:
        yield from others
        if words:
            yield Text(words)


def _words(content: dict[str, Any]) -> tuple[str, list[Part]]:
    """The words of a content and what in it is none: images, files, what a person set up."""
    texts: list[str] = []
    others: list[Part] = []
    for position, part in enumerate(fields.items(content, "parts")):
        text = part if isinstance(part, str) else fields.text(part, "text") if isinstance(part, dict) else None
        if text is not None:
            texts.append(text)
        elif isinstance(part, dict):
            others.append(
                Opaque(fields.text(part, "content_type", "type") or "part", part, f"content/parts/{position}")
            )
    own = fields.text(content, "text", "result")
    if own is not None:
        texts.append(own)
    if not texts and not others and "parts" not in content:
        others.append(Opaque(fields.text(content, "content_type") or "content", content))
    return "\n".join(texts), others


def _of_list(listed: list[Any], record: Record, document: Document) -> Iterator[Message]:
    """The messages of a list. The first of them, and those beside it, may follow a root that is not exported."""
    known = {fields.text(one, "uuid") for one in listed if isinstance(one, dict)}
    first = fields.text(listed[0], "parent_message_uuid") if listed and isinstance(listed[0], dict) else None
    roots = {_ROOT, first} - known
    for position, value in enumerate(listed):
        one = value if isinstance(value, dict) else {"text": value}
        before = fields.text(one, "parent_message_uuid")
        yield Message(
            role=ROLES.get(str(one.get("sender")), "system"),
            parts=tuple(_listed_parts(one)),
            location=record.location.below(f"chat_messages/{position}"),
            id=fields.text(one, "uuid"),
            time=fields.time(one, "created_at", zone=document.zone),
            key=fields.text(one, "uuid"),
            follows=None if before in roots else before,
            continues=before is None,
        )


def _listed_parts(message: dict[str, Any]) -> Iterator[Part]:
    """What was handed over with a message stands before its words."""
    for field in _HANDED_OVER:
        for position, file in enumerate(fields.items(message, field)):
            yield Opaque("attachment" if field == "attachments" else "file", file, f"{field}/{position}")
    field = "content" if message.get("content") else "text"
    yield from parts_of(message.get(field), field)
