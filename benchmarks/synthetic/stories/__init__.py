"""The stories that dialogues are made of: one file a family of plants, each with what can express it."""

from __future__ import annotations

from . import aliases, cascades, conflicts, digressions, effects, meetings, references, stale_uses, trust, updates  # noqa: F401
from .registry import STORIES, Tale

__all__ = ["STORIES", "Tale"]
