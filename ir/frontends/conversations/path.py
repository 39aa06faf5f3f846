"""A path of messages: what is known where it has led."""

from __future__ import annotations

import attrs

from ..linking import Linker
from ..linking.layers import Layered
from ..messages import Message, Text, ToolCall, ToolResult
from .told import Told


@attrs.define(eq=False)
class Path:
    """What is known where a path of messages has led: its linker, what its messages told, the calls that wait."""

    linker: Linker
    told: Told
    tools: Layered[str, str] = attrs.field(factory=lambda: Layered(str))
    waiting: list[str] = attrs.field(factory=list)
    _goes_on: bool = False  # whether calls that are made now are made together with those that wait

    def copy(self) -> Path:
        """A path that goes on from here on its own."""
        return Path(self.linker.copy(), self.told.copy(), self.tools.copy(), list(self.waiting), self._goes_on)

    def enter(self, message: Message) -> None:
        """Take note of a message before its parts: calls that nobody answered until others were made wait no more.

        Calls may stand in several messages before the first answer comes.
        """
        if any(isinstance(part, ToolCall) for part in message.parts):
            if not self._goes_on:
                self.waiting.clear()
            self._goes_on = True
        elif _is_spoken(message):
            self._goes_on = False

    def called(self, own: str, tool: str) -> None:
        """A call is made."""
        self.tools[own] = tool
        self.waiting.append(own)

    def answered(self, result: ToolResult) -> str:
        """The call a result answers: the one it names, else the next that waits."""
        if result.call is not None:
            if result.call in self.waiting:
                self.waiting.remove(result.call)
            return result.call
        found = next((call for call in self.waiting if result.tool in (None, self.tools.get(call))), "")
        if found:
            self.waiting.remove(found)
        return found


def _is_spoken(message: Message) -> bool:
    """Whether a tool answers, or a person or model says something."""
    speaks = message.role in ("user", "assistant")
    return any(isinstance(part, ToolResult) or (speaks and isinstance(part, Text)) for part in message.parts)
