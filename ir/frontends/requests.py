"""`requests`: records of a gateway or proxy, one a call of a model, each of which repeats the history before it."""

from __future__ import annotations

from collections.abc import Iterator

from ..diagnostics import Problem
from ..program import Program
from . import fields
from .conversations.programs import programs
from .exchanges.joining import Joining
from .exchanges.records import is_exchange, read_exchange
from .messages import Conversation
from .reader import Document


class Requests:
    """The frontend of gateway and proxy records."""

    name = "requests"
    title = "records of a gateway or proxy, one a call of a model, each with the whole history"
    example = (
        '{"request": {"model": "m", "messages": [{"role": "user", "content": "Hi"}]}, '
        '"response": {"choices": [{"message": {"role": "assistant", "content": "Hello"}}]}}'
    )

    def recognises(self, document: Document) -> bool:
        """Whether a record holds a request and what it was answered."""
        return any(is_exchange(value) for value, _ in document.head)

    def lower(self, document: Document, problems: list[Problem]) -> Iterator[Program]:
        """One program a conversation, with what stood in each prompt."""
        yield from programs(_conversations(document, problems), document, problems)


def _conversations(document: Document, problems: list[Problem]) -> Iterator[Conversation]:
    joining = Joining(document.stem, problems)
    for record in document.records:
        exchange = read_exchange(record, document.zone)
        if exchange is None:
            message = "this record holds no request with messages; it is left out"
            problems.append(fields.warning("FE060", message, record.location))
            continue
        yield from joining.add(exchange)
    yield from joining.rest()
