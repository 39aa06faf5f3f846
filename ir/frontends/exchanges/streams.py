"""Answers that came in chunks, put together to what they would have been in one piece."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .. import fields
from ..reading.json_text import JSONError, decode


def assembled(response: Any) -> Any:
    """The response of a list of chunks, or of a text of server-sent events; anything else is itself.

    >>> chunks = [{"choices": [{"delta": {"content": text}}]} for text in ("Hel", "lo")]
    >>> assembled(chunks)["choices"][0]["message"]["content"]
    'Hello'
    """
    chunks = list(_events(response)) if isinstance(response, str) else response
    if not isinstance(chunks, list) or not chunks:
        return response
    chunks = [chunk for chunk in chunks if isinstance(chunk, dict)]
    if any("choices" in chunk for chunk in chunks):
        return _of_choices(chunks)
    kinds = {fields.text(chunk, "type") for chunk in chunks}
    if "message_start" in kinds or "content_block_start" in kinds:
        return _of_blocks(chunks)
    if any(kind is not None and kind.startswith("response.") for kind in kinds):
        return _of_items(chunks)
    return response


def _events(text: str) -> Iterator[Any]:
    for line in text.splitlines():
        if line.startswith("data:"):
            try:
                yield decode(line[5:].strip())
            except JSONError:
                continue  # `[DONE]`, or an event that was cut


def _of_choices(chunks: list[dict[str, Any]]) -> dict[str, Any]:
    messages: dict[int, dict[str, Any]] = {}
    whole: dict[str, Any] = {}
    for chunk in chunks:
        whole.update({field: chunk[field] for field in ("id", "usage") if chunk.get(field) is not None})
        for choice in fields.items(chunk, "choices"):
            if isinstance(choice, dict):
                index = fields.number(choice, "index") or 0
                text = {"content": choice["text"]} if isinstance(choice.get("text"), str) else None
                _add_delta(messages.setdefault(index, {"role": "assistant"}), choice.get("delta", text))
    for message in messages.values():
        if "tool_calls" in message:
            message["tool_calls"] = list(message["tool_calls"].values())
        if "function_call_parts" in message:
            message["function_call"] = message.pop("function_call_parts")["function"]
    return {**whole, "choices": [{"message": messages[index]} for index in sorted(messages)]}


def _add_delta(message: dict[str, Any], delta: Any) -> None:
    if not isinstance(delta, dict):
        return
    for field in ("content", "refusal"):
        if isinstance(delta.get(field), str):
            message[field] = message.get(field, "") + delta[field]
    if isinstance(delta.get("function_call"), dict):
        _add_call(message.setdefault("function_call_parts", {"function": {}}), {"function": delta["function_call"]})
    for position, part in enumerate(fields.items(delta, "tool_calls")):
        if isinstance(part, dict):
            number = fields.number(part, "index")
            calls = message.setdefault("tool_calls", {})
            _add_call(_call_at(calls, position if number is None else number, part), part)


def _call_at(calls: dict[Any, dict[str, Any]], index: int, part: dict[str, Any]) -> dict[str, Any]:
    """The call that a part belongs to: that of its index, or a new one where another id comes under the same index."""
    own = fields.text(part, "id")
    at: Any = index
    if own is not None and calls.get(index, {}).get("id", own) != own:
        at = (index, own)
    elif own is None and index in calls:
        at = next(key for key in reversed(calls) if key == index or (isinstance(key, tuple) and key[0] == index))
    return calls.setdefault(at, {"function": {}})


def _add_call(call: dict[str, Any], part: dict[str, Any]) -> None:
    if part.get("id"):
        call["id"] = part["id"]
    function = part.get("function")
    for field in ("name", "arguments"):
        if isinstance(function, dict) and isinstance(function.get(field), str):
            before = call["function"].get(field, "")
            again = field == "name" and function[field] == before  # some say the name with every part
            call["function"][field] = before if again else before + function[field]


def _of_blocks(chunks: list[dict[str, Any]]) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant"}
    blocks: dict[int, dict[str, Any]] = {}
    for chunk in chunks:
        index = fields.number(chunk, "index") or 0
        started = chunk.get("message") if chunk.get("type") == "message_start" else None
        if isinstance(started, dict):
            message.update({field: started[field] for field in ("id", "usage") if field in started})
        elif chunk.get("type") == "content_block_start" and isinstance(chunk.get("content_block"), dict):
            blocks[index] = dict(chunk["content_block"])
        elif chunk.get("type") == "content_block_delta" and isinstance(chunk.get("delta"), dict):
            _add_to_block(blocks.setdefault(index, {"type": "text"}), chunk["delta"])
    return {**message, "content": [_finished(blocks[index]) for index in sorted(blocks)]}


def _add_to_block(block: dict[str, Any], delta: dict[str, Any]) -> None:
    for field in ("text", "thinking", "signature"):
        if isinstance(delta.get(field), str):
            before = block.get(field)
            block[field] = (before if isinstance(before, str) else "") + delta[field]
    if isinstance(delta.get("partial_json"), str):
        block["written"] = block.get("written", "") + delta["partial_json"]


def _finished(block: dict[str, Any]) -> dict[str, Any]:
    written = block.pop("written", None)
    if written is None:
        return block
    try:
        return {**block, "input": decode(written)}
    except JSONError:
        return {**block, "input": {"arguments": written}}


def _of_items(chunks: list[dict[str, Any]]) -> dict[str, Any]:
    """The response of the last event that holds a whole one, else the items that were done."""
    whole = [chunk["response"] for chunk in chunks if isinstance(chunk.get("response"), dict)]
    if whole and isinstance(whole[-1].get("output"), list) and whole[-1]["output"]:
        return dict(whole[-1])
    done = [chunk["item"] for chunk in chunks if chunk.get("type") == "response.output_item.done"]
    return {**(whole[-1] if whole else {}), "output": [item for item in done if isinstance(item, dict)]}
