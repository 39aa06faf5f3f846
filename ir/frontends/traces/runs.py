"""Runs of LangSmith: a tree of chains, calls of models and tools, in the order of their `dotted_order`."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import tzinfo
from typing import Any

import attrs

from ...diagnostics import Location, Problem
from .. import fields
from ..exchanges.records import Exchange, Read
from ..messages import Conversation, Message, Text, ToolCall, ToolResult
from ..messages.chat import is_message
from ..messages.langchain import is_langchain_message, langchain_message
from ..reader import Document, Record
from ..reading.literals import decoded_arguments
from .timeline import Event, ToolRun, joined

_MODELS = frozenset(("llm", "chat_model"))
_THREADS = ("thread_id", "session_id", "conversation_id")


def is_run(value: Any) -> bool:
    """Whether a record is a run."""
    return isinstance(value, dict) and isinstance(value.get("run_type"), str) and ("inputs" in value or "id" in value)


def conversations(document: Document, problems: list[Problem]) -> Iterator[Conversation]:
    """A conversation for each thread, or each trace that belongs to none."""
    threads: dict[str, list[Record]] = {}
    names: dict[str, str] = {}
    for record in _runs(document, problems):
        trace = fields.text(record.value, "trace_id") or fields.text(record.value, "id") or document.stem
        thread = _thread(record.value)
        if thread is not None:
            names[trace] = thread
        threads.setdefault(trace, []).append(record)
    grouped: dict[str, list[Record]] = {}
    for trace, records in threads.items():
        grouped.setdefault(names.get(trace, trace), []).extend(records)
    for label, records in grouped.items():
        records.sort(key=lambda record: _order(record.value))
        yield from joined(label, _events(records, document.zone), problems)


def _runs(document: Document, problems: list[Problem]) -> Iterator[Record]:
    """All runs, those inside others too."""
    for record in document.records:
        if not is_run(record.value):
            problems.append(fields.warning("FE090", "this record is no run; it is left out", record.location))
            continue
        work = [record]
        while work:
            one = work.pop()
            yield one
            inner = enumerate(fields.items(one.value, "child_runs"))
            work.extend(
                Record(
                    child,
                    one.location.below(f"child_runs/{number}"),
                )
                for number, child in inner
                if is_run(child)
            )


def _thread(run: dict[str, Any]) -> str | None:
    extra = run.get("extra")
    metadata = extra.get("metadata") if isinstance(extra, dict) else None
    return fields.text(metadata, *_THREADS) if isinstance(metadata, dict) else None


def _order(run: dict[str, Any]) -> str:
    return fields.text(run, "dotted_order", "start_time") or ""


def _events(records: list[Record], zone: tzinfo) -> Iterator[Event]:
    said: set[str] = set()
    for run, location in records:
        if run["run_type"] in _MODELS:
            exchange = _exchange(run, location, zone)
            yield from [exchange] if exchange is not None else _without_history(run, location, zone, said)
        elif run["run_type"] == "tool":
            yield _tool_run(run, location)


def _exchange(run: dict[str, Any], location: Location, zone: tzinfo) -> Exchange | None:
    """A call of a model; None where its messages were not recorded."""
    calls: set[str] = set()
    history = tuple(_read(value, location.below(at), calls, zone) for value, at in _asked(run.get("inputs")))
    if not history:
        return None
    time = fields.time(run, "end_time", "start_time", zone=zone)
    found = (_read(value, location.below(at), calls, zone) for value, at in _answered(run.get("outputs")))
    answers = tuple((_dated(read, time),) for read in found)
    usage = _usage(run.get("outputs"))
    return Exchange(
        history=history,
        answers=answers,
        location=location,
        tokens=fields.number(run, "prompt_tokens") or fields.number(usage, "input_tokens"),
        cached=_cached(usage),
        id=fields.text(run, "id"),
    )


def _without_history(run: dict[str, Any], location: Location, zone: tzinfo, said: set[str]) -> Iterator[Message]:
    """The answers of a model whose prompt was recorded as one text; the first of these is what a person asked."""
    inputs = run.get("inputs")
    prompts = fields.items(inputs, "prompts") if isinstance(inputs, dict) else []
    for number, prompt in enumerate(one for one in prompts if isinstance(one, str)):
        if not said:
            yield Message(role="user", parts=(Text(prompt, f"inputs/prompts/{number}"),), location=location)
        said.add(prompt)
    for value, at in _answered(run.get("outputs")):
        read = _read(value, location.below(at), set(), zone)
        yield _dated(read, fields.time(run, "end_time", zone=zone)).message


def _read(value: Any, location: Location, calls: set[str], zone: tzinfo) -> Read:
    problems: list[Problem] = []
    message = langchain_message(Record(value, location), calls, [], zone, problems)
    assert message is not None  # `_asked` and `_answered` give messages only
    return Read(message, tuple(problems))


def _dated(read: Read, time: Any) -> Read:
    return attrs.evolve(read, message=attrs.evolve(read.message, time=read.message.time or time))


def _asked(inputs: Any) -> Iterator[tuple[Any, str]]:
    """The messages a model was given: a list, or a list of one batch."""
    messages = inputs.get("messages") if isinstance(inputs, dict) else None
    if isinstance(messages, list) and len(messages) == 1 and isinstance(messages[0], list):
        found, at = messages[0], "inputs/messages/0"
    else:
        found, at = messages if isinstance(messages, list) else [], "inputs/messages"
    yield from ((one, f"{at}/{number}") for number, one in enumerate(found) if _is_message(one))


def _answered(outputs: Any) -> Iterator[tuple[Any, str]]:
    """The messages a model answered, the alternatives of one call after it."""
    if not isinstance(outputs, dict):
        return
    for row, batch in enumerate(fields.items(outputs, "generations")):
        rows = batch if isinstance(batch, list) else [batch]
        for number, generation in enumerate(rows):
            message = generation.get("message") if isinstance(generation, dict) else None
            if _is_message(message):
                yield message, f"outputs/generations/{row}/{number}/message"
    for number, choice in enumerate(fields.items(outputs, "choices")):
        message = choice.get("message") if isinstance(choice, dict) else None
        if isinstance(message, dict):
            yield {"role": "assistant", **message}, f"outputs/choices/{number}/message"
    for field in ("output", "message"):
        if _is_message(outputs.get(field)):
            yield outputs[field], f"outputs/{field}"


def _is_message(value: Any) -> bool:
    return is_langchain_message(value) or is_message(value)


def _usage(outputs: Any) -> dict[str, Any]:
    for value, _ in _answered(outputs):
        inner = value.get("kwargs") or value.get("data") or value
        usage = inner.get("usage_metadata") if isinstance(inner, dict) else None
        if isinstance(usage, dict):
            return usage
    return {}


def _cached(usage: dict[str, Any]) -> int | None:
    details = usage.get("input_token_details")
    return fields.number(details, "cache_read") if isinstance(details, dict) else None


def _tool_run(run: dict[str, Any], location: Location) -> ToolRun:
    inputs, outputs = run.get("inputs"), run.get("outputs")
    tool = fields.text(run, "name") or "tool"
    told = outputs.get("output", outputs) if isinstance(outputs, dict) else outputs
    answer = _opened(told)
    own = fields.text(answer, "tool_call_id") or _call_id(run)
    content = answer.get("content") if "tool_call_id" in answer else told
    failed = run.get("error") is not None or answer.get("status") == "error"
    return ToolRun(
        call=ToolCall(tool, _arguments(inputs), own, "inputs"),
        result=ToolResult(
            content if content is not None else run.get("error") or "",
            own,
            tool,
            failed,
            "outputs",
        ),
        location=location,
    )


def _opened(told: Any) -> dict[str, Any]:
    if not isinstance(told, dict):
        return {}
    inner = told.get("kwargs") or told.get("data") or told
    return inner if isinstance(inner, dict) else {}


def _call_id(run: dict[str, Any]) -> str | None:
    extra = run.get("extra")
    places = (
        run,
        run.get("inputs"),
        extra,
        extra.get("metadata") if isinstance(extra, dict) else None,
    )
    found = (fields.text(place, "tool_call_id") for place in places if isinstance(place, dict))
    return next((one for one in found if one is not None), None)


def _arguments(inputs: Any) -> Any:
    given = inputs.get("input", inputs) if isinstance(inputs, dict) else inputs
    if isinstance(given, str):
        found = decoded_arguments(given)
        return found if isinstance(found, dict) else {"input": given}
    return given
