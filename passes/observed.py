"""`observed`: which facts the log itself shows to be used later."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from statemem.ir import Cell

from .awaited import Awaited
from .framework import At, register


@register
class Observed(Awaited):
    """Facts that the log uses later before another value takes their place, whatever a horizon expects."""

    def on_end(self, expected: Iterable[Cell], state: Any, at: At) -> None:
        """Expectations are no observation."""
