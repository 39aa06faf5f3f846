"""How hard a dialogue is: how far apart what belongs together stands, how deep it goes, how much stands between."""

from __future__ import annotations

import attrs


@attrs.frozen
class Level:
    """`gap` is how many turns lie between two parts of a story, `depth` how deep chains and digressions go.

    `chatter` is the share of turns on which nothing is remembered, `alike` whether entities share their values, so that
    what is in force of one is what was replaced of another.
    """

    name: str
    gap: tuple[int, int]
    depth: tuple[int, int]
    chatter: float
    alike: bool


LEVELS = {
    one.name: one
    for one in (
        Level("easy", gap=(1, 3), depth=(1, 2), chatter=0.1, alike=False),
        Level("medium", gap=(3, 15), depth=(2, 4), chatter=0.3, alike=False),
        Level("hard", gap=(10, 60), depth=(4, 8), chatter=0.5, alike=True),
        Level("deep", gap=(1, 3), depth=(10, 40), chatter=0.1, alike=False),
    )
}
