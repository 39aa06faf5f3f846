"""Solving the sets of one segment of several blocks as bits of integers.

Each stretch is solved for two problems at once, which lie side by side in one integer: had nothing come into the
segment, and had all come. What holds in both holds for sure; what holds only in the second passes through from before.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import reduce
from operator import and_, or_

from .deltas import Delta, Root
from .meanings import Meanings
from .stretches import Stretches

#: What the ends of stretches put in and take out, of places by their numbers.
Ends = Mapping[int, Mapping[int, bool]]
#: The bit that stands for every place of which the segment does not speak.
_REST = 1


class Bits:
    """The solved sets of one segment, as bits; `ends` are the places that the ends of stretches put in."""

    def __init__(
        self,
        region: Stretches,
        meanings: Meanings,
        ends: Ends,
        *,
        forward: bool,
        union: bool,
    ) -> None:
        self.visits = 0
        self._region = region
        self._forward = forward
        self._union = union
        self._bits = _with_ends(region.places, ends)
        #: The places that only an end within the segment speaks of.
        self.told_by_ends = [place for place in self._bits if place not in region.places]
        self._width = len(self._bits) + 1
        self._all = (_REST << self._width) - 1
        self._masks = [self._masked(meanings, spelled) for spelled in region.spelled]
        self._begins = self._beginning(ends)
        self._come = self._solve()
        self._left = self._leaving()
        self._settled = ~(self._left ^ self._left >> self._width)

    def delta(self, stretch: int) -> Delta:
        """What comes to a stretch, as changes to what comes into the segment, of places by their numbers."""
        return self._told(self._come[stretch])

    @property
    def places(self) -> Iterable[int]:
        """The places that the segment or one of its ends speaks of."""
        return self._bits

    @property
    def root(self) -> Root:
        """Over what that lies which goes on from the segment and is not changed in it."""
        return self._rest(self._left, self._settled)

    def unsettled(self, stretch: int) -> list[int]:
        """The places of which what comes to a stretch is what comes into the segment, whatever the rest lies over."""
        both = self._come[stretch]
        differs = (both ^ both >> self._width) & self._all
        return [place for place, bit in self._bits.items() if differs & bit]

    def stops(self, place: int) -> bool:
        """Whether nothing of what comes in of a place is left behind the segment, which does not say what there is."""
        return self.root is not Root.BASE and (place not in self._bits or self.passing(place) is not None)

    def passing(self, place: int) -> bool | None:
        """Whether a place is in behind the segment; None where it is as before."""
        bit = self._bits[place]
        return self._left & bit != 0 if self._settled & bit else None

    def _both(self, bits: int) -> int:
        """The same bits in both problems."""
        return bits << self._width | bits

    def _masked(self, meanings: Meanings, spelled: list[tuple[int, int]]) -> tuple[int, int]:
        """The bits of the places that a stretch puts in, and of those it leaves as they are."""
        gen = touched = 0
        for word, mask in spelled:
            holds = meanings.of(word)
            if holds is not None:
                touched |= mask
                if holds:
                    gen |= mask
        return self._both(gen), self._both(self._all ^ touched)

    def _beginning(self, ends: Ends) -> dict[int, int]:
        """What comes to stretches from outside: from the next segment nothing and all, from an end what that says."""
        base = self._all << self._width
        if self._forward:
            return dict.fromkeys(self._region.entries, base)
        found = dict.fromkeys(self._region.ends, 0)
        for stretch, effect in ends.items():
            found[stretch] = self._both(sum(self._bits[place] for place, holds in effect.items() if holds))
        return found | dict.fromkeys(self._region.exits, base)

    def _solve(self) -> list[int]:
        """What comes to each stretch: sweeps in the order facts flow, until what goes back against it is settled."""
        region, union, masks, begins = self._region, self._union, self._masks, self._begins
        order = range(len(masks)) if self._forward else range(len(masks))[::-1]
        sources = region.sources if self._forward else region.leads_to
        least = 0 if union else self._both(self._all)
        come, left = [least] * len(masks), [least] * len(masks)
        unsettled = True
        while unsettled:
            unsettled = False
            self.visits += len(masks)
            for number in order:
                comes = begins.get(number, least)
                for source in sources[number]:
                    comes = comes | left[source] if union else comes & left[source]
                come[number] = comes
                gen, keep = masks[number]
                leaves = comes & keep | gen
                if leaves != left[number]:
                    left[number] = leaves
                    unsettled = unsettled or self._returns(number)
        return come

    def _returns(self, number: int) -> bool:
        """Whether facts go on from a stretch to itself or to one that comes earlier in the order they flow."""
        if self._forward:
            return any(target <= number for target in self._region.leads_to[number])
        return any(source >= number for source in self._region.sources[number])

    def _leaving(self) -> int:
        leads = self._region.exits if self._forward else [0]
        left = (self._come[number] & self._masks[number][1] | self._masks[number][0] for number in leads)
        return reduce(or_, left, 0) if self._union else reduce(and_, left, self._both(self._all))

    def _told(self, both: int) -> Delta:
        """Places that hold in both cases or in neither, and over what the rest lies."""
        without = both & self._all
        settled = ~(without ^ both >> self._width)
        changed = {place: without & bit != 0 for place, bit in self._bits.items() if settled & bit}
        return Delta(self._rest(without, settled), changed)

    def _rest(self, without: int, settled: int) -> Root:
        if not settled & _REST:
            return Root.BASE
        return Root.BOUNDARY if self._union or not without & _REST else Root.LEAST


def _with_ends(places: dict[int, int], ends: Ends) -> dict[int, int]:
    """The bits of places, those that only an end speaks of behind the others."""
    others = dict.fromkeys(place for effect in ends.values() for place in effect if place not in places)
    return places | {place: 1 << bit for bit, place in enumerate(others, len(places) + 1)} if others else places
