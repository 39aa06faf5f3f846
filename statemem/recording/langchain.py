"""Recording LangChain agents: a callback that sees every call of a model and every run of a tool."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import attrs

from statemem.ir.diagnostics import Location, UsageError
from statemem.ir.frontends.exchanges.records import Exchange, Read
from statemem.ir.frontends.messages import ToolCall, ToolResult
from statemem.ir.frontends.messages.langchain import langchain_message
from statemem.ir.frontends.reader import Record
from statemem.ir.frontends.traces.timeline import ToolRun

from .recorder import Recorder

try:
    from langchain_core.callbacks import BaseCallbackHandler
    from langchain_core.messages import BaseMessage, message_to_dict
    from langchain_core.outputs import LLMResult
except ImportError:  # pragma: no cover
    raise UsageError("recording LangChain needs langchain-core: pip install 'statemem[recording]'") from None

_THREADS = ("thread_id", "session_id", "conversation_id")


class RecordingHandler(BaseCallbackHandler):
    """Give it with `config={"callbacks": [RecordingHandler(recorder)]}`; a `thread_id` names the conversation."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._asked: dict[UUID, tuple[tuple[Read, ...], str | None]] = {}
        self._called: dict[UUID, tuple[ToolCall, str | None]] = {}

    def on_chat_model_start(
        self,
        serialized: dict[str, Any],
        messages: list[list[BaseMessage]],
        *,
        run_id: UUID,
        metadata: dict[str, Any] | None = None,
        **more: Any,
    ) -> None:
        """What a model is shown."""
        self._asked[run_id] = tuple(map(_read, messages[0] if messages else ())), _thread(metadata)

    def on_llm_end(self, response: LLMResult, *, run_id: UUID, **more: Any) -> None:
        """What it answered; the alternatives, where it was asked for several, are branches."""
        history, thread = self._asked.pop(run_id, ((), None))
        found = [getattr(one, "message", None) for one in (response.generations or [[]])[0]]
        answers = [message for message in found if isinstance(message, BaseMessage)]
        if not history or not answers:
            return
        usage = getattr(answers[0], "usage_metadata", None) or {}
        self._recorder.exchange(
            Exchange(
                history=history,
                answers=tuple((_now(_read(message)),) for message in answers),
                location=Location(),
                tokens=usage.get("input_tokens"),
                cached=(usage.get("input_token_details") or {}).get("cache_read"),
                conversation=thread,
            )
        )

    def on_llm_error(self, error: BaseException, *, run_id: UUID, **more: Any) -> None:
        """A call that failed told nothing."""
        self._asked.pop(run_id, None)

    def on_tool_start(
        self,
        serialized: dict[str, Any],
        input_str: str,
        *,
        run_id: UUID,
        metadata: dict[str, Any] | None = None,
        inputs: dict[str, Any] | None = None,
        **more: Any,
    ) -> None:
        """What a tool is given."""
        own = more.get("tool_call_id") or (metadata or {}).get("tool_call_id")
        given = inputs if inputs is not None else {"input": input_str}
        self._called[run_id] = ToolCall((serialized or {}).get("name", "tool"), given, own), _thread(metadata)

    def on_tool_end(self, output: Any, *, run_id: UUID, **more: Any) -> None:
        """What it answered."""
        call, thread = self._called.pop(run_id, (ToolCall("tool", {}), None))
        content = getattr(output, "content", output)
        own = getattr(output, "tool_call_id", None) or call.id
        failed = getattr(output, "status", None) == "error"
        result = ToolResult(content if isinstance(content, (str, list, dict)) else str(content), own, call.tool, failed)
        self._recorder.tool(ToolRun(call=attrs.evolve(call, id=own), result=result, location=Location()), thread)

    def on_tool_error(self, error: BaseException, *, run_id: UUID, **more: Any) -> None:
        """A tool that failed told nothing."""
        self._called.pop(run_id, None)


def _read(message: BaseMessage) -> Read:
    found = langchain_message(Record(message_to_dict(message), Location()), set(), [], UTC, [])
    assert found is not None  # the package writes messages only
    return Read(found)


def _now(read: Read) -> Read:
    return attrs.evolve(read, message=attrs.evolve(read.message, time=datetime.now(UTC)))


def _thread(metadata: dict[str, Any] | None) -> str | None:
    found = (metadata or {}).get
    return next((str(found(name)) for name in _THREADS if found(name) is not None), None)
