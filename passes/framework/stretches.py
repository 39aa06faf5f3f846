"""A segment of several blocks, whatever analysis asks: its stretches, the ways between them, their words as bits."""

from __future__ import annotations

from collections.abc import Callable

from statemem.ir import ControlFlow

Spell = Callable[[list[int]], dict[int, int]]


class Stretches:
    """Stretches of blocks that follow one another, in the order of control, and how control goes between them.

    `places` gives each place that is spoken of a bit; `spelled` are, of each stretch, the words with the bits of the
    places that have it there. Stretches are numbers: `sources` and `leads_to` are of the same segment, from `exits`
    control goes on to the next one, at `ends` the program ends.
    """

    def __init__(self, flow: ControlFlow, nodes: list[int], beyond: int | None, spell: Spell) -> None:
        self.stretches = _stretches(flow, nodes)
        self.stretch_of = {node: number for number, stretch in enumerate(self.stretches) for node in stretch}
        words = [spell(stretch) for stretch in self.stretches]
        met = dict.fromkeys(place for found in words for place in found)
        self.places = {place: 1 << bit for bit, place in enumerate(met, 1)}
        self.spelled = [self._by_word(found) for found in words]
        first = {stretch[0]: number for number, stretch in enumerate(self.stretches)}
        following = [flow.successors[stretch[-1]] for stretch in self.stretches]
        self.leads_to = [[first[node] for node in after if node in first] for after in following]
        self.sources: list[list[int]] = [[] for _ in self.stretches]
        for number, after in enumerate(self.leads_to):
            for target in after:
                self.sources[target].append(number)
        self.exits = [number for number, after in enumerate(following) if beyond in after]
        self.ends = [number for number, after in enumerate(following) if not after]
        self.entries = sorted({0, *(first[node] for node in flow.entries if node in first)})

    def _by_word(self, found: dict[int, int]) -> list[tuple[int, int]]:
        masks: dict[int, int] = {}
        for place, word in found.items():
            masks[word] = masks.get(word, 0) | self.places[place]
        return list(masks.items())


def _stretches(flow: ControlFlow, nodes: list[int]) -> list[list[int]]:
    """Blocks between which control has no other way in or out; the way into the segment begins one."""
    begins = {nodes[0], *flow.entries}
    found: list[list[int]] = []
    ending: dict[int, int] = {}
    for node in nodes:
        before = flow.predecessors[node]
        stretch = ending.pop(before[0], None) if len(before) == 1 and node not in begins else None
        if stretch is None or flow.successors[before[0]] != [node]:
            stretch = len(found)
            found.append([])
        found[stretch].append(node)
        ending[node] = stretch
    return found
