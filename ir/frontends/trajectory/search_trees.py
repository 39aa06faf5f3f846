"""ToolBench: a tree of thoughts, actions and their inputs, whose siblings are ways tried one after another."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...diagnostics import Location, Problem
from .. import fields
from ..messages import Conversation, Message, Part, Text, ToolCall, ToolResult
from ..reader import Document, Record
from ..reading.literals import decoded_arguments


def is_search(value: dict[str, Any]) -> bool:
    """Whether a record is a search: a tree of nodes that have types."""
    root = _root(value)
    return root is not None and "node_type" in root


def _root(value: dict[str, Any]) -> dict[str, Any] | None:
    tree = value.get("tree")
    root = tree.get("tree") if isinstance(tree, dict) else None
    return root if isinstance(root, dict) else None


def conversation(record: Record, label: str, document: Document, problems: list[Problem]) -> Conversation:
    """The conversation of a search: its question, and every way that was tried."""
    value, location = record
    answer = value.get("answer_generation")
    query = fields.text(answer, "query") if isinstance(answer, dict) else None
    messages = list(_messages(_root(value) or {}, query, location.below("tree/tree")))
    return Conversation(label=label, messages=messages, is_tree=True)


def _messages(root: dict[str, Any], query: str | None, location: Location) -> Iterator[Message]:
    """The nodes in the order in which they were tried; an action is a message of its own before that of its input."""
    question = Text(query or fields.text(root, "description") or "", "description")
    yield Message(role="user", parts=(question,), location=location, key="/tree/tree")
    work = _children(root, location, "/tree/tree", "")
    while work:
        node, at, before, tool = work.pop()
        key = at.pointer or ""
        yield Message(role="assistant", parts=tuple(_parts(node, tool)), location=at, key=key, follows=before)
        name = fields.text(node, "description") if node.get("node_type") == "Action" else ""
        work.extend(_children(node, at, key, name or ""))


_Waiting = tuple[dict[str, Any], Location, str, str]


def _children(node: dict[str, Any], location: Location, key: str, tool: str) -> list[_Waiting]:
    """What follows a node, the first last."""
    found = [
        (child, location.below(f"children/{number}"), key, tool)
        for number, child in enumerate(fields.items(node, "children"))
        if isinstance(child, dict)
    ]
    return found[::-1]


def _parts(node: dict[str, Any], tool: str) -> Iterator[Part]:
    words = fields.text(node, "description") or ""
    if node.get("node_type") == "Thought":
        yield Text(words, "description")
    elif node.get("node_type") == "Action Input":
        arguments = decoded_arguments(words)
        given = arguments if isinstance(arguments, dict) else {"input": words}
        yield ToolCall(tool or "action", given, pointer="description")
        if node.get("observation") not in (None, ""):
            failed = fields.number(node, "observation_code") not in (None, 0, 3)  # 3: an answer was given
            yield ToolResult(node["observation"], tool=tool or None, failed=failed, pointer="observation")
