"""`observed`: which cells the log itself shows to be used later."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from statemem.ir import Cell

from .framework import At, register
from .liveness import Liveness


@register
class Observed(Liveness):
    """Liveness by observation alone: what the log uses later, whatever a horizon expects."""

    def on_end(self, expected: Iterable[Cell], state: Any, at: At) -> None:
        """Expectations are no observation."""
