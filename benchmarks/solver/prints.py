"""Fingerprints of sets of numbers, by which answers are compared: whole answers are too many members to hand around.

Each is the number of members and the sum, modulo 2^64, of a mixed bit pattern of each (the finaliser of splitmix64):
it does not depend on an order. The C++ reference makes the same.
"""

from collections.abc import Iterable, Mapping

MASK = (1 << 64) - 1
#: Up to so many blocks all are compared; of more blocks about so many are.
ALL_COMPARED, MOST_COMPARED = 2_000, 500
#: By block.
Prints = Mapping[int, tuple[int, int]]


def mixed(number: int) -> int:
    """A bit pattern in which no bit of the number is left where it was."""
    pattern = (number + 0x9E3779B97F4A7C15) & MASK
    pattern = (pattern ^ (pattern >> 30)) * 0xBF58476D1CE4E5B9 & MASK
    pattern = (pattern ^ (pattern >> 27)) * 0x94D049BB133111EB & MASK
    return pattern ^ (pattern >> 31)


def compared(blocks: int) -> range:
    """The blocks whose answers are compared: all of a small graph, some all over a large one."""
    return range(0, blocks, 1 if blocks <= ALL_COMPARED else -(-blocks // MOST_COMPARED))


class Printer:
    """Makes fingerprints of sets whose members are below a number."""

    def __init__(self, universe: int) -> None:
        self._mixed = list(map(mixed, range(universe)))

    def of(self, members: Iterable[int]) -> tuple[int, int]:
        """The fingerprint of a set."""
        patterns = list(map(self._mixed.__getitem__, members))
        return len(patterns), sum(patterns) & MASK

    def all(self, sets: Mapping[int, Iterable[int]]) -> Prints:
        """Those of the blocks that are compared."""
        return {block: self.of(sets[block]) for block in compared(len(sets))}


def differing(found: Prints, expected: Prints) -> list[int]:
    """The blocks whose answers are there twice and differ."""
    return [block for block, one in expected.items() if block in found and found[block] != one]
