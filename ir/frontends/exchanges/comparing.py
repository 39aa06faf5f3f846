"""What a request repeats, beside what it should have repeated: rewritten, left out, put in, or another conversation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

import attrs

from .histories import Turn
from .identity import is_rule, is_telling, says_the_same
from .talks import Shown

#: So many messages in a row are not repeated by chance.
_FEWEST_IN_A_ROW = 4


@attrs.frozen(eq=False)
class Change:
    """A run of messages as they were known, and of those that stand for them; equal runs are as they were."""

    known: Sequence[Shown]
    given: Sequence[Turn]
    is_equal: bool

    @property
    def is_edit(self) -> bool:
        """Whether each message stands for one of the same speaker, a person's for one that says much the same."""
        if len(self.known) != len(self.given) or not self.known:
            return False
        pairs = list(zip(self.known, self.given, strict=True))
        if any(one.message.role != turn.role for one, turn in pairs):
            return False
        return all(turn.role != "user" or says_the_same(one.message, turn.read.message) for one, turn in pairs)

    @property
    def is_of_rules(self) -> bool:
        """Whether only rules for the model changed."""
        return self.is_edit and all(turn.is_rule for turn in self.given)


def changes(expected: Sequence[Shown], given: Sequence[Turn]) -> list[Change]:
    """What became of the messages that were expected, in the order given."""
    known = [one.identity for one in expected]
    matcher = SequenceMatcher(None, known, [turn.identity for turn in given], autojunk=False)
    return [
        Change(expected[first:last], given[start:stop], kind == "equal")
        for kind, first, last, start, stop in matcher.get_opcodes()
    ]


def agreement(expected: Sequence[Shown], given: Sequence[Turn], *, is_named: bool) -> float:
    """How much of what is given was expected, from 0 for another conversation to 1; rules do not count."""
    said = [turn for turn in given if not turn.is_rule]
    if not said:
        return 0.0
    if _is_window(expected, said, is_named=is_named):
        return 1.0
    found = changes(expected, given)
    shared = sum(len([turn for turn in one.given if not turn.is_rule]) for one in found if one.is_equal)
    is_other = not is_named and any(_asks_otherwise(one) for one in found)
    if is_other or 2 * shared < len(said) or not is_telling(given[-1].read.message):
        return 0.0
    return shared / len(said)


def _is_window(expected: Sequence[Shown], said: Sequence[Turn], *, is_named: bool) -> bool:
    """Whether a history is the end of what is known, long enough to be of this very conversation."""
    known = [one.identity for one in expected if not is_rule(one.message)]
    is_end = known[-len(said) :] == [turn.identity for turn in said]
    is_enough = is_named or len(said) >= _FEWEST_IN_A_ROW or is_telling(said[-1].read.message)
    return is_end and is_enough and len(known) > len(said)


def _asks_otherwise(change: Change) -> bool:
    """Whether a person asked something else at the same place: that is another conversation."""
    if change.is_equal or len(change.known) != len(change.given):
        return False
    return any(_differ(one, turn) for one, turn in zip(change.known, change.given, strict=True))


def _differ(one: Shown, turn: Turn) -> bool:
    both_ask = one.message.role == turn.role == "user"
    return both_ask and not says_the_same(one.message, turn.read.message)


def known_again(turns: Sequence[Turn], way: Sequence[Shown]) -> Iterator[Shown | None]:
    """For each message put into a history, that of the way which it repeats, if one does."""
    known = {one.identity: one for one in way}
    return (known.get(turn.identity) for turn in turns)
