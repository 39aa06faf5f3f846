"""What a request repeats, beside what it should have repeated: rewritten, left out, put in, or another conversation."""

from __future__ import annotations

import enum
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import groupby, takewhile

import attrs

from ..messages import ToolCall
from .histories import Turn
from .identity import is_rule, is_telling, says_the_same, words_of
from .talks import Shown

#: So many messages in a row are not repeated by chance.
_FEWEST_IN_A_ROW = 4
#: A summary has so many characters at least.
_SHORTEST_SUMMARY = 30


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
    head = _shared(expected, given)
    tail = _shared(expected[head:][::-1], given[head:][::-1])
    known, told = expected[head : len(expected) - tail], given[head : len(given) - tail]
    pairs = _by_place(known, told) if len(known) == len(told) else _matched(known, told)
    whole = [
        Change(expected[:head], given[:head], True),
        *pairs,
        Change(expected[len(expected) - tail :], given[len(given) - tail :], True),
    ]
    return [one for one in whole if one.known or one.given]


def _shared(expected: Sequence[Shown], given: Sequence[Turn]) -> int:
    """How many messages agree from the beginning on."""
    return len(list(takewhile(_agree, zip(expected, given, strict=False))))


def _by_place(known: Sequence[Shown], given: Sequence[Turn]) -> list[Change]:
    """As many messages as there were: each stands for the one in its place."""
    found: list[Change] = []
    for is_equal, pairs in groupby(zip(known, given, strict=True), key=_agree):
        run = list(pairs)
        found.append(Change([one for one, _ in run], [turn for _, turn in run], is_equal))
    return found


def _agree(pair: tuple[Shown, Turn]) -> bool:
    return pair[0].identity == pair[1].identity


def _matched(known: Sequence[Shown], given: Sequence[Turn]) -> list[Change]:
    matcher = SequenceMatcher(None, [one.identity for one in known], [turn.identity for turn in given], autojunk=False)
    return [
        Change(known[first:last], given[start:stop], kind == "equal")
        for kind, first, last, start, stop in matcher.get_opcodes()
    ]


class Trust(enum.Enum):
    """How far the last answer tells the conversation: it is named, it alone has that answer, or several have it."""

    NAMED = "named"
    ALONE = "alone"
    COMMON = "common"


def agreement(expected: Sequence[Shown], given: Sequence[Turn], trust: Trust) -> float:
    """How much of what is given was expected, from 0 for another conversation to 1; rules do not count."""
    said = [turn for turn in given if not turn.is_rule]
    if not said:
        return 0.0
    if _is_window(expected, said, trust):
        return 1.0
    found = changes(expected, given)
    equal = [[turn for turn in one.given if not turn.is_rule] for one in found if one.is_equal]
    shared = sum(map(len, equal))
    if 2 * shared < len(said) or (trust is not Trust.NAMED and any(map(_is_foreign, found))):
        return 0.0
    return shared / len(said) if trust is Trust.NAMED or any(_is_enough(run, trust) for run in equal) else 0.0


def _is_enough(run: Sequence[Turn], trust: Trust) -> bool:
    """Whether a run of messages is hardly repeated by another conversation."""
    is_own = trust is Trust.ALONE and any(turn.role == "assistant" and is_telling(turn.read.message) for turn in run)
    return is_own or len(run) >= _FEWEST_IN_A_ROW


def _is_window(expected: Sequence[Shown], said: Sequence[Turn], trust: Trust) -> bool:
    """Whether a history is the end of what is known, long enough to be of this very conversation."""
    known = [one.identity for one in expected if not is_rule(one.message)]
    is_end = known[-len(said) :] == [turn.identity for turn in said]
    return is_end and (trust is Trust.NAMED or _is_enough(said, trust)) and len(known) > len(said)


def _is_foreign(change: Change) -> bool:
    """Whether a change shows another conversation.

    That is so where something else was said in the place of a message, where a call was made that is not known, and
    where few words stand for what was left out, which are no summary of it.
    """
    if change.is_equal:
        return False
    if any(isinstance(part, ToolCall) for turn in change.given for part in turn.read.message.parts):
        return True
    if len(change.known) == len(change.given):
        return any(_differ(one, turn) for one, turn in zip(change.known, change.given, strict=True))
    words = sum(len(words_of(turn.read.message)) for turn in change.given)
    return bool(change.known) and bool(change.given) and words < _SHORTEST_SUMMARY


def _differ(one: Shown, turn: Turn) -> bool:
    both_speak = one.message.role == turn.role and turn.role in ("user", "assistant")
    return both_speak and not says_the_same(one.message, turn.read.message)


def known_again(turns: Sequence[Turn], way: Sequence[Shown]) -> Iterator[Shown | None]:
    """For each message put into a history, that of the way which it repeats, if one does."""
    known = {one.identity: one for one in way}
    return (known.get(turn.identity) for turn in turns)
