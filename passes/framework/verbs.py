"""What methods are given while they are asked for effects: a state that is only written, a point that is watched."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from .analysis import At

#: What a method may look at without being asked each time: its effect is kept for every value.
KEPT = frozenset({"actor", "outrankable"})
#: What a method may look at, asked each time.
_VARYING = frozenset(
    {"block", "block_number", "closes", "entry", "instruction", "node", "number", "step", "was", "write"}
)


class NotPacked(Exception):
    """The effects of an analysis cannot be told beforehand; says why."""


class Verbs:
    """A state that can only be written: takes down what a method gens and kills."""

    def __init__(self, *, dominant: bool) -> None:
        self.effect: dict[Any, bool] = {}
        self._dominant = dominant

    def gen(self, member: Any) -> None:
        """Takes down a member put in."""
        self.effect[member] = True

    def kill(self, member: Any) -> None:
        """Takes down a member taken out."""
        self.effect[member] = False

    @contextmanager
    def maybe(self) -> Iterator[None]:
        """Of what may not happen, that is left which wins at a join."""
        before = dict(self.effect)
        yield
        happened, self.effect = self.effect, before
        for member, holds in happened.items():
            if holds is self._dominant:
                self.effect[member] = holds

    def __getattr__(self, name: str) -> Any:
        raise NotPacked(f"a method reads its state: .{name}")

    def __contains__(self, member: Any) -> bool:
        raise NotPacked("a method reads its state: in")

    def __iter__(self) -> Iterator[Any]:
        raise NotPacked("a method reads its state: iteration")

    def __len__(self) -> int:
        raise NotPacked("a method reads its state: len")


class Glance:
    """A point of an event that takes down what is looked at."""

    def __init__(self, at: At, *, unranked: bool) -> None:
        self._at = at
        self._unranked = unranked
        self.looked: dict[str, Any] = {}

    def __getattr__(self, name: str) -> Any:
        if name == "outrankable" and self._unranked:
            return False
        if name not in KEPT and name not in _VARYING:
            raise NotPacked(f"a method looks at .{name}")
        value = self.looked[name] = getattr(self._at, name)
        return value
