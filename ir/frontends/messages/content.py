"""Content of messages: a text, or blocks of text, calls, results and attachments, as the vendors write them.

Blocks of OpenAI, Anthropic and LangChain messages have one shape, an object with a `type`, so one reader serves all.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .. import fields
from .model import Opaque, Part, Text, ToolCall, ToolResult

_WORDS = frozenset(("text", "input_text", "output_text", "summary_text", "refusal", "text-plain"))
_CALLS = frozenset(("tool_use", "server_tool_use", "mcp_tool_use", "tool_call", "server_tool_call"))
_ATTACHED = frozenset(
    """
    audio document file image image_url input_audio input_file input_image json reasoning resource resource_link
    search_result text_editor_code_execution_result thinking tool_reference video web_search_result
    """.split()  # noqa: SIM905  a list of words reads better without its quotes
)
#: Made by a model from what it was shown, in a form that only the vendor reads.
_SEALED = frozenset(("redacted_thinking", "encrypted_reasoning", "compaction"))
#: What an object among the blocks of a result may be; a list of other objects is data.
_BLOCKS = _WORDS | _CALLS | _ATTACHED | _SEALED


def parts_of(content: Any, pointer: str = "content") -> Iterator[Part]:
    """The parts of a content: one text where it is one, else what each of its blocks is.

    >>> [type(part).__name__ for part in parts_of([{"type": "text", "text": "Hi"}, {"type": "image", "source": {}}])]
    ['Text', 'Opaque']
    """
    if isinstance(content, str):
        yield Text(content, pointer)
        return
    blocks = content if isinstance(content, list) else [content] if isinstance(content, dict) else []
    for position, block in enumerate(blocks):
        at = f"{pointer}/{position}" if isinstance(content, list) else pointer
        yield from _block(block, at)


def are_blocks(content: list[Any]) -> bool:
    """Whether a list is the blocks of a content, and not data that a tool answered with."""
    objects = [one for one in content if not isinstance(one, str)]
    return bool(objects) and all(isinstance(one, dict) and fields.text(one, "type") in _BLOCKS for one in objects)


def _block(block: Any, pointer: str) -> Iterator[Part]:
    if isinstance(block, str):
        yield Text(block, pointer)
        return
    if not isinstance(block, dict):
        return
    kind = fields.text(block, "type") or "part"
    words = fields.text(block, "text", "refusal") if kind in _WORDS or "type" not in block else None
    if words is not None:
        yield Text(words, pointer)
    elif kind in _CALLS:
        yield from _call(block, pointer)
    elif kind.endswith("tool_result") or kind == "function_call_output":
        yield from result_of(block, block.get("content"), pointer)
    elif kind not in _WORDS:
        yield from _opaque(kind, block, pointer)


def _opaque(kind: str, block: dict[str, Any], pointer: str) -> Iterator[Part]:
    if kind == "compaction" and block.get("content") is None and not block.get("encrypted_content"):
        return  # it failed and changed nothing
    sealed = kind in _SEALED or (kind == "reasoning" and bool(block.get("encrypted_content")))
    value = block.get("thinking") if kind == "thinking" else block
    yield Opaque(kind, value or block, pointer, sees_all=sealed)


def _call(block: dict[str, Any], pointer: str) -> Iterator[Part]:
    tool = fields.text(block, "name")
    if tool is None:
        yield Opaque("a call without a name", block, pointer)
        return
    inside = next((field for field in ("input", "args", "arguments") if field in block), "input")
    yield ToolCall(tool, block.get(inside), fields.text(block, "id"), f"{pointer}/{inside}")


def result_of(
    block: dict[str, Any], content: Any, pointer: str, *, tool: str | None = None, inner: str = "content"
) -> Iterator[Part]:
    """The result that a block or message holds, with what in it is no text."""
    at = f"{pointer}/{inner}" if pointer else inner
    call = fields.text(block, "tool_use_id", "tool_call_id", "call_id")
    failed = any(block.get(field) is True for field in ("is_error", "error")) or block.get("status") == "error"
    value, others = told(content, at)
    yield ToolResult(value, call, tool or fields.text(block, "name"), failed, at, attached=tuple(others))


def told(content: Any, pointer: str = "content") -> tuple[Any, list[Opaque]]:
    """What a result tells: data as it is, the texts of its blocks as one; and its parts that are no text.

    >>> told([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}])[0]
    'a\\nb'
    >>> told([{"order_id": "W15", "type": "order"}])[0]
    [{'order_id': 'W15', 'type': 'order'}]
    """
    if not isinstance(content, list) or not are_blocks(content):
        return ("" if content is None else content), []
    parts = list(parts_of(content, pointer))
    texts = [part.text for part in parts if isinstance(part, Text)]
    return "\n".join(texts), [part for part in parts if isinstance(part, Opaque)]
