"""`effects`: which actions on the world were done already, by their idempotency keys."""

from __future__ import annotations

import enum
import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from statemem.ir import Effect, Instruction
from statemem.ir.values import UNKNOWN, Value, canonical

from .framework import Analysis, At, Boxed, MapOf, register


class EffectKey(NamedTuple):
    """An action with its key, as `canonical` has it: equal for keys of equal value."""

    action: str
    identity: Any

    def __str__(self) -> str:
        return f"{self.action} key {json.dumps(_value(self.identity), ensure_ascii=False)}"


class Done(enum.Enum):
    """On which paths to a point something was done; `NOWHERE` is a point that no path comes to."""

    NOWHERE = "nowhere"
    NO = "on no path"
    ALL = "on all paths"
    SOME = "on some path"


class DoneLattice:
    """Whether one effect was done: on no path and on all of them joined are on some.

            SOME
           /    \\
         NO     ALL
           \\    /
          NOWHERE
    """

    bottom: Done = Done.NOWHERE

    def join(self, left: Done, right: Done) -> Done:
        """The one, if they agree."""
        if left is right or right is Done.NOWHERE:
            return left
        return right if left is Done.NOWHERE else Done.SOME

    def leq(self, left: Done, right: Done) -> bool:
        """Equal, or at one of the ends."""
        return left is right or left is Done.NOWHERE or right is Done.SOME

    def open(self, fact: Done) -> Boxed[Done]:
        """A box."""
        return Boxed(fact, self.join)


def _not_done(_: EffectKey) -> Done:
    return Done.NO


@register
class Effects(Analysis):
    """Actions on the world that were done before, on some path or on all of them, by their keys.

    What was done on all paths is there as an available expression is (Aho, Lam, Sethi, Ullman, Compilers, 2006, section
    9.2.6), and nothing undoes it; both questions are answered by one small lattice. At the join of a fork, all of whose
    arms were executed, done is what any arm did. An effect without a key, or with `?` in it, is not known again and so
    not among them.
    """

    facts = MapOf(DoneLattice(), _not_done)

    def on_effect(self, action: str, state: Any, at: At) -> None:
        """Done."""
        key = key_of(at.instruction)
        if key is not None:
            state[key] = Done.ALL

    def on_join(self, before: Done, arms: Sequence[Done], at: At) -> Done:
        """Done on all paths where one arm surely did it, on some where one arm may have."""
        if Done.ALL in arms:
            return Done.ALL
        return Done.SOME if Done.SOME in arms else Done.NO

    def show(self, fact: Any) -> list[str]:
        """`refund key "r-15": on all paths`; those that were done on none are left out."""
        return sorted(f"{key}: {done.value}" for key, done in (fact or {}).items() if is_done(done))


def is_done(done: Done) -> bool:
    """Whether something was done on some path, be it on all of them."""
    return done in (Done.SOME, Done.ALL)


def done_on_some(fact: Any) -> frozenset[EffectKey]:
    """The effects done on some path to a point, those done on all of them included, given what the pass found there."""
    return frozenset(key for key, done in (fact or {}).items() if is_done(done))


def done_on_all(fact: Any) -> frozenset[EffectKey]:
    """The effects done on every path to a point, given what the pass found there."""
    return frozenset(key for key, done in (fact or {}).items() if done is Done.ALL)


def key_of(instruction: Instruction | None) -> EffectKey | None:
    """What an effect is known again by; None for one without a key or with an unknown one, and for anything else.

    >>> key_of(Effect(action="pay", key=7.0)) == key_of(Effect(action="pay", key=7)), key_of(Effect(action="pay"))
    (True, None)
    """
    if not isinstance(instruction, Effect) or instruction.key is None or _is_unknown(instruction.key):
        return None
    return EffectKey(instruction.action, canonical(instruction.key))


def _is_unknown(value: Value) -> bool:
    """Whether nobody knows a value, or a part of it."""
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return value is UNKNOWN or any(map(_is_unknown, parts))


def _value(identity: Any) -> Value:
    """A value that a canonical form stands for."""
    kind, value = identity
    if kind == "object":
        return {name: _value(item) for name, item in value}
    if kind == "list":
        return [_value(item) for item in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value
