"""The four ways in which a dialogue is written down."""

from __future__ import annotations

from collections.abc import Callable

from ..dialogue import Dialogue
from . import chat, ops, smir, steps

#: By form: how a dialogue is written.
WRITERS: dict[str, Callable[[Dialogue], str]] = {
    "smir": smir.text,
    "ops": ops.text,
    "steps": steps.text,
    "chat": chat.text,
}
#: What the files are called.
SUFFIXES = {"smir": ".smir", "ops": ".jsonl", "steps": ".jsonl", "chat": ".json"}
