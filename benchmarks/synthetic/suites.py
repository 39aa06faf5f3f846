"""What is run: the suites with their stories, how large their dialogues are, and dialogues by their names.

The name of a dialogue, such as `cascade-hard-support-zh-1`, tells all that is needed to generate it again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import product

import attrs

from statemem.ir.diagnostics import UsageError, suggestion

from .dialogue import Dialogue
from .generator import Recipe, generate
from .levels import LEVELS
from .words import DOMAINS, LANGUAGES

#: How many stories of each kind a dialogue of a suite tells.
SUITES: Mapping[str, Mapping[str, int]] = {
    "basic": {
        "update": 2,
        "many_updates": 2,
        "confirmation": 1,
        "respelling": 1,
        "late_version": 1,
        "late_news": 1,
        "reworded": 1,
    },
    "cascade": {
        "cascade": 2,
        "withdrawal": 1,
        "confirmed_root": 1,
        "other_support": 1,
        "last_support": 1,
        "redone": 1,
        "one_of_two": 1,
        "diamond": 1,
        "there_and_back": 1,
        "overruled": 1,
        "confirmed_conclusion": 1,
        "out_of_step": 1,
    },
    "stale": {
        "stale_use": 2,
        "timely_use": 1,
        "stale_conclusion": 2,
        "returned_use": 1,
        "restated_use": 1,
        "others_value": 1,
        "repeated_effect": 1,
        "repeated_without_key": 1,
        "other_effect": 1,
    },
    "digression": {"digression": 2, "leak": 1, "requirement": 1, "result_of_a_task": 1, "abandoned": 1, "update": 1},
    "alias": {
        "second_name": 1,
        "names_disagree": 1,
        "names_agree_again": 1,
        "lookalikes": 1,
        "lookalikes_named": 1,
        "mention": 1,
        "ambiguous": 1,
        "cleared_up": 1,
        "unclear_write": 1,
    },
    "trust": {
        "tainted_effect": 1,
        "quoted_only": 1,
        "vouched_for": 1,
        "tainted_pin": 1,
        "guarded_change": 1,
        "agreed_change": 1,
        "own_change": 1,
    },
    "conflict": {
        "same_version": 1,
        "settled_version": 1,
        "race": 1,
        "branches": 1,
        "weaker_source": 1,
        "stronger_source": 1,
    },
    "meeting": {
        "late_ground": 1,
        "disputed_ground": 1,
        "ground_by_another_name": 1,
        "ground_lost_in_a_digression": 1,
        "stale_effect": 1,
        "use_of_the_withdrawn": 1,
        "stale_by_another_name": 1,
        "tainted_though_confirmed_by_a_tool": 1,
        "guarded_by_a_word": 1,
        "repeated_across_tasks": 1,
    },
}
#: Stories that need a policy of their own, which would speak of all others too; they are told in their suite alone.
_APART = ("weaker_source", "stronger_source")
LONG = "long"
NAMES = (*SUITES, LONG)

#: How many turns a dialogue has at least, by its level.
_TURNS = {"easy": 40, "medium": 100, "hard": 240, "deep": 240}
LONG_TURNS, _LONG_TURNS_QUICK = 100_000, 1_000
#: How many turns of a long dialogue there are to one story of each kind.
_TURNS_A_STORY = 2_500
#: What follows a name of a recipe that has a number of turns of its own.
_AT = "_"


@attrs.frozen
class Size:
    """How much of the suites is run: on which levels, in which domains and languages, and how often."""

    settings: tuple[tuple[str, str, str], ...]
    seeds: int = 1
    turns: int = LONG_TURNS


FULL = Size(
    (
        *product(("easy", "medium"), DOMAINS, LANGUAGES),
        *(("hard", domain, LANGUAGES[number % 2]) for number, domain in enumerate(DOMAINS)),
        *(("deep", domain, LANGUAGES[number % 2]) for number, domain in enumerate(DOMAINS[:2])),
    )
)
QUICK = Size((("easy", "support", "en"), ("medium", "coding", "zh")), turns=_LONG_TURNS_QUICK)


def names(suite: str, size: Size, seed: int) -> Iterator[str]:
    """The names of the dialogues of a suite, the first with this seed."""
    if suite == LONG:
        yield title(f"{LONG}{_AT}{size.turns}", "hard", *size.settings[0][1:], seed)
        return
    for level, domain, language in size.settings:
        yield from (title(suite, level, domain, language, each) for each in range(seed, seed + size.seeds))


def shorter(name: str) -> str:
    """The name of a dialogue of a tenth of the length of a long one."""
    recipe, level, domain, language, seed = _parts(name)
    suite, _, turns = recipe.partition(_AT)
    return title(f"{suite}{_AT}{max(1, int(turns or LONG_TURNS) // 10)}", level, domain, language, int(seed))


def title(recipe: str, level: str, domain: str, language: str, seed: int) -> str:
    """The name of a dialogue."""
    return f"{recipe}-{level}-{domain}-{language}-{seed}"


def dialogue(name: str) -> Dialogue:
    """The dialogue of a name. Raises `UsageError` where there is none."""
    recipe, level, domain, language, seed = _parts(name)
    return generate(_recipe(recipe, level, domain, language), int(seed))


def recipe_of(name: str) -> Recipe:
    """The recipe of a dialogue. Raises `UsageError` where there is none."""
    return _recipe(*_parts(name)[:4])


def _parts(name: str) -> tuple[str, str, str, str, str]:
    """The parts of a name, each of them known."""
    parts = name.rsplit("-", 4)
    if len(parts) != 5 or not (parts[4].isascii() and parts[4].isdigit()):
        raise UsageError(
            f"no dialogue is called {name!r}: a name is such as {title('basic', 'easy', 'support', 'en', 0)}"
        )
    suite, at, turns = parts[0].partition(_AT)
    if at and not (turns.isascii() and turns.isdigit()):
        raise UsageError(f"no dialogue is called {name!r}: {turns!r} is no number of turns")
    for what, given, known in (
        ("suite", suite, NAMES),
        ("level", parts[1], LEVELS),
        ("domain", parts[2], DOMAINS),
        ("language", parts[3], LANGUAGES),
    ):
        if given not in known:
            raise UsageError(f"no dialogue is called {name!r}: {unknown(what, given, known)}")
    return (parts[0], parts[1], parts[2], parts[3], parts[4])


def unknown(what: str, given: str, known: Iterable[str]) -> str:
    """A sentence that a name is not known, and what may have been meant."""
    names = list(known)
    return f"no {what} is called {given!r}" + (suggestion(given, names) or f"; known are {', '.join(names)}")


def _recipe(name: str, level: str, domain: str, language: str) -> Recipe:
    suite, _, own = name.partition(_AT)
    if suite == LONG:
        turns = int(own or LONG_TURNS)
        each = max(1, turns // _TURNS_A_STORY)
        stories = {one: each for told in SUITES.values() for one in told if one not in _APART}
        return Recipe(name, stories, turns, level, domain, language, defers=True)
    return Recipe(name, SUITES[suite], int(own or _TURNS[level]), level, domain, language)
