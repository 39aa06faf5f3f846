"""Stories of which statemem is not expected to find all, each with the reason why. They are counted all the same."""

from __future__ import annotations

from .running import Outcome
from .tallies import Tally, summed
from .wrongs import Wrong

ARGUED = {
    "reworded": "only one who reads the two notes can tell that they say the same; no form states their meaning",
}
#: The forms that state operations, in which statemem is to find all, and nothing that is not there.
STRUCTURED = ("statemem/smir", "statemem/ops", "statemem/steps")


def short(outcome: Outcome, *, argued: bool) -> dict[tuple[str, str, str], Tally]:
    """By story, system and kind of question what the structured forms of statemem did not answer as they had to."""
    found = summed(
        (one.counts for one in outcome.readings if one.system in STRUCTURED),
        lambda place: (place.story, place.system, place.kind),
    )
    short = {key: tally for key, tally in found.items() if tally.missed or tally.wrong}
    return {key: tally for key, tally in short.items() if _is_excused(*key, tally) is argued}


def _is_excused(story: str, _: str, kind: str, tally: Tally) -> bool:
    """Whether what was missed of a story may be; nothing excuses what is told wrongly."""
    return story in ARGUED and kind == "Merge" and not tally.wrong


def is_argued(wrong: Wrong) -> bool:
    """Whether all that was not answered as it had to be is of such stories; nothing is that was told wrongly."""
    kinds = {story.rpartition(" ")[0] for story in wrong.stories}
    return not wrong.wrong and bool(kinds) and kinds <= set(ARGUED)
