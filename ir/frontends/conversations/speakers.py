"""Messages taken apart by who speaks: vendors put what tools answered into a person's message, or into a model's."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import attrs

from ..messages import Message, Part, ToolResult


def pieces(messages: Iterable[Message]) -> Iterator[Message]:
    """The messages, each answer of a tool as one of its own; the last piece keeps the key of the whole."""
    for message in messages:
        if message.role == "tool" or not any(isinstance(part, ToolResult) for part in message.parts):
            yield message
        else:
            yield from _apart(message, _runs(message.parts))


def _runs(parts: tuple[Part, ...]) -> list[list[Part]]:
    """The parts in runs: an answer alone, and all between two answers."""
    runs: list[list[Part]] = []
    for part in parts:
        if isinstance(part, ToolResult) or not runs or isinstance(runs[-1][0], ToolResult):
            runs.append([part])
        else:
            runs[-1].append(part)
    return runs


def _apart(message: Message, runs: list[list[Part]]) -> Iterator[Message]:
    before = message.follows
    for number, run in enumerate(runs, 1):
        is_last = number == len(runs)
        own = message.key if is_last or message.key is None else f"{message.key}#{number}"
        is_answer = isinstance(run[0], ToolResult)
        yield attrs.evolve(
            message,
            role="tool" if is_answer else message.role,
            name="" if is_answer else message.name,
            parts=tuple(run),
            location=run[0].location or message.location,
            key=own,
            whole=message.key,
            follows=before,
            continues=message.continues or number > 1,
            prompt=message.prompt if number == 1 else None,
        )
        before = own
