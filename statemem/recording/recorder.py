"""The recorder: calls of a model, as they happen, become turns of `ops` logs, a file a conversation.

What stood in each prompt is known exactly and is recorded as exposure; arguments and results are linked as in any log,
each with its rule. A file can be analysed while it grows.
"""

from __future__ import annotations

import contextlib
import logging
import threading
from collections.abc import Iterator
from contextvars import ContextVar
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import quote

import attrs

from statemem.ir import Block, Scope
from statemem.ir.diagnostics import Location, Problem
from statemem.ir.frontends.conversations.lowering import Lowering
from statemem.ir.frontends.conversations.speakers import pieces
from statemem.ir.frontends.domain import UNKNOWN, Domain
from statemem.ir.frontends.exchanges.joining import Joining
from statemem.ir.frontends.exchanges.records import Exchange, read_exchange
from statemem.ir.frontends.exchanges.talks import Talk
from statemem.ir.frontends.messages import Message, ToolCall
from statemem.ir.frontends.opaque import mark
from statemem.ir.frontends.reader import Record
from statemem.ir.frontends.reading.json_text import mended
from statemem.ir.frontends.traces.timeline import Calls, ToolRun
from statemem.ir.records import to_record
from statemem.ir.values import dumps

#: File systems take names of 255 bytes.
_LONGEST_NAME = 200
_log = logging.getLogger("statemem.recording")
_named: ContextVar[str | None] = ContextVar("statemem_conversation", default=None)


class Recorder:
    """Writes what an agent does to files of a directory, a conversation each; safe to use from several threads.

    A conversation is known by the history that its requests repeat, or by the name it is given. A mistake in recording
    is logged and never reaches the agent. `domain` says what is known of its tools, `user` whose conversations these
    are. Raises OSError where the directory cannot be made.

    >>> import tempfile
    >>> with Recorder(tempfile.mkdtemp()) as recorder:
    ...     recorder.call(
    ...         {"messages": [{"role": "user", "content": "Where is W15-77?"}]},
    ...         {"choices": [{"message": {"role": "assistant", "content": "On its way."}}]},
    ...     )
    ...     [path.name for path in recorder.files]
    ['agent-1.jsonl']
    """

    def __init__(
        self,
        directory: str | Path,
        *,
        name: str = "agent",
        user: str | None = None,
        domain: str | Path | Domain = UNKNOWN,
    ) -> None:
        self.directory = Path(directory)
        self.directory.mkdir(parents=True, exist_ok=True)
        self._user = user
        self._domain = domain if isinstance(domain, Domain) else Domain.load(domain)
        self._lock = threading.RLock()
        self._problems: list[Problem] = []
        self._joining = Joining(name, self._problems)
        self._files: dict[Talk, list[_File]] = {}
        self._runs: dict[Talk, list[ToolRun]] = {}
        self._callers: dict[str, Talk] = {}
        #: The files written so far.
        self.files: list[Path] = []

    @contextlib.contextmanager
    def conversation(self, name: str) -> Iterator[None]:
        """Calls inside, in this thread or task, are of the conversation of this name."""
        token = _named.set(name)
        try:
            yield
        finally:
            _named.reset(token)

    def call(self, request: dict[str, Any], response: Any, *, time: datetime | None = None) -> None:
        """Record one call of a model: the body of its request, and the response or the chunks it came in."""
        with self._lock, _never_failing():
            moment = (time or datetime.now(UTC)).isoformat()
            record = Record({"request": request, "response": response, "time": moment}, Location())
            exchange = read_exchange(record, UTC)
            if exchange is not None:
                self.exchange(exchange)

    def exchange(self, exchange: Exchange) -> None:
        """Record a call of a model whose messages were read already."""
        with self._lock, _never_failing():
            named = attrs.evolve(exchange, conversation=exchange.conversation or _named.get())
            self._write(self._joining.join(named))
            for talk in self._joining.rested():
                self._finish(talk)

    def tool(self, run: ToolRun, conversation: str | None = None) -> None:
        """Record what a tool answered; it is written when no call of a model has told it by the end."""
        with self._lock, _never_failing():
            name = conversation or _named.get()
            talk = self._callers.get(run.call.id or "")
            if talk is None and (name is not None or len(self._joining) == 1):
                talk = self._joining.named(name)
            if talk is None:  # of several conversations nobody knows whose it is
                _log.warning("no call of %s is on record; what it answered is left out", run.call.tool)
            else:
                self._runs.setdefault(talk, []).append(run)

    def close(self) -> None:
        """Write what is still to be told."""
        with self._lock:
            for talk in list(self._runs):
                with _never_failing():
                    self._finish(talk)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _finish(self, talk: Talk) -> None:
        """Write what only the runs of tools tell of a conversation, which is not held any longer."""
        known = Calls(talk.messages)
        for run in self._runs.pop(talk, ()):
            for message in known.told_by(run):
                talk.add_aside(message)
        self._write(talk)
        self._files.pop(talk, None)
        for call in talk.calls():
            self._callers.pop(call.id or "", None)

    def _write(self, talk: Talk) -> None:
        """Write the messages that were added to a conversation; another branch of it goes to a file of its own."""
        files = self._files.setdefault(talk, [])
        for message in talk.messages[sum(file.count for file in files) :]:
            file = next((one for one in files if one.last == message.follows), None)
            if file is None:
                file = self._open(talk, message)
                files.append(file)
            file.add(message)
            self._callers.update({call.id: talk for call in message.parts if isinstance(call, ToolCall) and call.id})
        for problem in self._problems:
            _log.warning("%s", problem)
        self._problems.clear()

    def _open(self, talk: Talk, message: Message) -> _File:
        """A file for a conversation, which begins with the way to a message, if that is not the first."""
        way = talk.way_to(message)
        path, number = _free(self.directory, talk.label)
        label = mended(talk.label) if number == 1 else f"{mended(talk.label)}-{number}"
        file = _File(path, Lowering(label, self._user or talk.user, self._problems, self._domain))
        self.files.append(path)
        for one in way:
            file.add(one)
        file.count = 0  # these are counted where they were written first
        return file


class _File:
    """The log of one conversation, or of one branch of it; `last` is the key of the message written last."""

    def __init__(self, path: Path, lowering: Lowering) -> None:
        self.path = path
        self.last: str | None = None
        self.count = 0
        self._lowering = lowering
        path.touch(exist_ok=False)

    def add(self, message: Message) -> None:
        """Write a message as it is linked, a line for each who speaks in it."""
        turns = [dumps(self._turn(self._lowering.add(piece))) + "\n" for piece in pieces([message])]
        with self.path.open("a", encoding="utf-8") as file:  # an agent leads more conversations than files may be open
            file.writelines(turns)
        self.last = message.key
        self.count += 1

    def _turn(self, block: Block) -> dict[str, Any]:
        moment = block.origin.recorded
        time = {} if moment is None else {"time": moment.isoformat()}
        scope = {"scope": str(Scope("session", self._lowering.program.name)).removesuffix("/")}
        ops = [to_record(item) for item in block.instructions]
        return {"turn": block.step, **time, "actor": str(block.actor), **scope, "ops": ops}


@contextlib.contextmanager
def _never_failing() -> Iterator[None]:
    """An agent goes on, whatever becomes of its record."""
    try:
        yield
    except Exception:
        _log.exception("a call could not be recorded")


def _free(directory: Path, label: str) -> tuple[Path, int]:
    """A file for a label which does not exist yet, and how many have been called alike."""
    stem = quote(mended(label), safe=" -_.@+") or "agent"
    if len(stem) > _LONGEST_NAME:
        stem = f"{stem[:_LONGEST_NAME]}-{mark(mended(label))}"
    number = 1
    while (directory / _numbered(stem, number)).exists():
        number += 1
    return directory / _numbered(stem, number), number


def _numbered(stem: str, number: int) -> str:
    return f"{stem}.jsonl" if number == 1 else f"{stem}-{number}.jsonl"
