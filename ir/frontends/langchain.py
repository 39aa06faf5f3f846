"""`langchain`: messages as LangChain writes them, and runs as LangSmith records them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ..diagnostics import Problem
from ..program import Program
from .conversations.chat_logs import is_part
from .conversations.programs import programs
from .messages import Conversation, Message
from .messages.holders import conversations_in, holds
from .messages.langchain import is_langchain_message, langchain_message
from .reader import Document, Record
from .traces.runs import conversations, is_run


class LangChain:
    """The frontend of LangChain messages and LangSmith runs."""

    name = "langchain"
    title = "messages of LangChain (dumpd, message_to_dict) and runs of LangSmith"
    example = '{"type": "human", "data": {"content": "Where is order W15?", "type": "human"}}'

    def recognises(self, document: Document) -> bool:
        """Whether a record is a run, or a message, or holds messages."""
        return any(
            is_run(value) or is_langchain_message(value) or holds(value, is_langchain_message)
            for value, _ in document.head
        )

    def lower(self, document: Document, problems: list[Problem]) -> Iterator[Program]:
        """One program a conversation: a list of messages, or a thread or trace of runs."""
        if any(is_run(value) for value, _ in document.head):
            yield from programs(conversations(document, problems), document, problems)
            return
        found = (
            Conversation(label=held.label, user=held.user, messages=_messages(held.messages, document, problems))
            for held in conversations_in(document, _is_any, problems)
        )
        yield from programs(found, document, problems)


def _is_any(value: Any) -> bool:
    return is_langchain_message(value) or is_part(value)


def _messages(records: Iterable[Record], document: Document, problems: list[Problem]) -> Iterator[Message]:
    calls: set[str] = set()
    keys: list[str] = []
    for record in records:
        message = langchain_message(record, calls, keys, document.zone, problems)
        if message is not None:
            yield message
