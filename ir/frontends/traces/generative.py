"""What spans of the GenAI conventions tell: calls of models and tools, and what was done to a memory."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC
from typing import Any

import attrs

from ...diagnostics import Problem
from .. import fields
from ..exchanges.records import Exchange, Read
from ..messages import ToolCall, ToolResult
from ..messages.chat import message_of
from ..reader import Record
from .memories import OPERATIONS, memory_message
from .older import asked_and_answered
from .parts import chats, content_of
from .spans import Span
from .timeline import Event, ToolRun


def event_of(span: Span) -> Event | None:
    """What a span tells; None where it is of another kind, or its content was not captured."""
    operation = span.text("gen_ai.operation.name") or span.name.split(" ")[0]
    if operation == "execute_tool" or "gen_ai.tool.call.result" in span.attributes:
        return _tool_run(span)
    if operation in OPERATIONS:
        return memory_message(span, operation)
    return _exchange(span)


def _exchange(span: Span) -> Exchange | None:
    asked = [*_rules(span), *chats(span.structure("gen_ai.input.messages"))]
    answered = chats(span.structure("gen_ai.output.messages"))
    if not asked and not answered:
        asked, answered = asked_and_answered(span)
    if not asked:
        return None
    calls: set[str] = set()
    history = tuple(_read(value, span, calls) for value in asked)
    answers = tuple((_said(_read(value, span, calls), span),) for value in answered)
    return Exchange(
        history=history,
        answers=answers,
        location=span.location,
        tokens=_number(
            span,
            "gen_ai.usage.input_tokens",
            "gen_ai.usage.prompt_tokens",
            "gen_ai.token.input",
        ),
        cached=_number(
            span,
            "gen_ai.usage.cache_read.input_tokens",
            "gen_ai.usage.cache_read_input_tokens",
        ),
        id=span.text("gen_ai.response.id"),
    )


def _number(span: Span, *names: str) -> int | None:
    return fields.number(span.attributes, *names)


def _read(value: dict[str, Any], span: Span, calls: set[str]) -> Read:
    problems: list[Problem] = []
    message = message_of(Record(value, span.location), calls, UTC, problems)
    assert message is not None  # only messages with roles are given here
    return Read(message, tuple(problems))


def _said(read: Read, span: Span) -> Read:
    """An answer with its time and the agent that gave it."""
    agent = span.text("gen_ai.agent.name") or read.message.name
    return attrs.evolve(read, message=attrs.evolve(read.message, time=span.end, name=agent))


def _rules(span: Span) -> Iterator[dict[str, Any]]:
    parts = span.structure("gen_ai.system_instructions")
    if parts:
        yield {"role": "system", "content": content_of(parts)}


def _tool_run(span: Span) -> ToolRun:
    tool = span.text("gen_ai.tool.name") or span.name.removeprefix("execute_tool ") or "tool"
    own = span.text("gen_ai.tool.call.id")
    given = span.structure("gen_ai.tool.call.arguments")
    told = span.structure("gen_ai.tool.call.result")
    return ToolRun(
        call=ToolCall(
            tool,
            given if isinstance(given, dict) or given is None else {"input": given},
            own,
            "attributes",
        ),
        result=ToolResult("" if told is None else told, own, tool, span.failed, "attributes"),
        location=span.location,
    )
