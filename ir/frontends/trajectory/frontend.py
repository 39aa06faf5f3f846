"""The frontend of published trajectories: each record is given to the reader of the project it comes from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...diagnostics import Problem
from ...program import Program
from .. import fields
from ..conversations.programs import programs
from ..messages import Conversation
from ..reader import Document
from . import message_trees, mini_agent, openhands, search_trees, swe_agent

#: What tells the records of a project, and what reads one.
_READERS = (
    (swe_agent.is_run, swe_agent.conversation),
    (mini_agent.is_run, mini_agent.conversation),
    (openhands.is_run, openhands.conversation),
    (search_trees.is_search, search_trees.conversation),
    (message_trees.is_tree, message_trees.conversation),
)


class Trajectory:
    """The frontend of trajectories."""

    name = "trajectory"
    title = "runs of agents as projects publish them (SWE-agent, OpenHands, trees of ToolBench and Open-Assistant)"
    example = (
        '{"trajectory": [{"thought": "Let me look.", "action": "cat setup.py", "observation": "import setuptools"}], '
        '"info": {}}'
    )

    def recognises(self, document: Document) -> bool:
        """Whether a record is a run, a search or a tree of one of the projects."""
        return any(_reader(value) is not None or mini_agent.is_result(value) for value, _ in document.head)

    def lower(self, document: Document, problems: list[Problem]) -> Iterator[Program]:
        """One program a run."""
        yield from programs(_conversations(document, problems), document, problems)


def _conversations(document: Document, problems: list[Problem]) -> Iterator[Conversation]:
    if any(mini_agent.is_result(value) for value, _ in document.head):
        messages = mini_agent.messages_of(document.records, document, problems)
        yield Conversation(label=document.stem, messages=messages)
        return
    for number, record in enumerate(document.records, 1):
        found = _reader(record.value)
        if found is None:
            message = "this record is no trajectory that is known; it is left out"
            problems.append(fields.warning("FE080", message, record.location))
            continue
        label = document.stem if document.layout == "value" else f"{document.stem}-{number}"
        yield found(record, label, document, problems)


def _reader(value: Any) -> Any:
    if not isinstance(value, dict):
        return None
    return next((read for is_one, read in _READERS if is_one(value)), None)
