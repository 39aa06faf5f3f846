"""What conclusions rest on: the facts they read, the sources of these, and what ended them. `freshness` keeps it."""

from __future__ import annotations

from typing import Any, NamedTuple

from statemem.ir import Cell, Definition

from ..framework import Boxed

#: What tells an entry at whatever place it stands: its instruction and leaf.
Key = tuple[int, int]


class Fact(NamedTuple):
    """What is stated at a place: all entries that state it there are its sources."""

    place: Cell
    statement: object


class Link(NamedTuple):
    """What one conclusion, told by its instruction, read at one place and at the second names of that."""

    reader: int
    home: Cell


class Born(NamedTuple):
    """A fact as a conclusion read it: there stand the sources that it had then."""

    reader: int
    fact: Fact


class Kept(NamedTuple):
    """A fact that has ended since a conclusion read it: there stand the sources that it had then."""

    reader: int
    fact: Fact


class Readers(NamedTuple):
    """Some of those who read a place, by number; the first of all lists the groups there are."""

    place: Cell
    group: int


class Gone(NamedTuple):
    """What ended an entry at a place since it was made."""

    definition: Definition


class Made(NamedTuple):
    """A conclusion that was made, with the ids of its entries and the places at which its links are told."""

    ids: tuple[str, ...]
    homes: tuple[Cell, ...]


class Broken(NamedTuple):
    """A premise that is not what it was: where it stood, and the instruction that ended it, by number and id."""

    premise: Key
    place: Cell
    by: int
    told: str


class Sources(NamedTuple):
    """The sources of one fact: on some path, on every path on which it is in force, and whether on some it is not."""

    some: frozenset[Key] = frozenset()
    sure: frozenset[Key] = frozenset()
    absent: bool = False

    def stated(self, by: Key, *, fills: bool = False, confirms: bool = False) -> Sources:
        """With one more source; with `fills` only where the fact is not in force, with `confirms` only where it is."""
        one = frozenset([by])
        there = self if fills else self._with(one)
        there = there._replace(absent=False) if self.some else Sources()
        return there.joined(Sources(absent=True) if confirms else Sources(one, one)) if self.absent else there

    def _with(self, one: frozenset[Key]) -> Sources:
        some = self.some | one
        return Sources(some, some if self.sure is self.some else self.sure | one)

    def joined(self, other: Sources) -> Sources:
        """What is known of both paths."""
        sure = self.sure & other.sure if self.some and other.some else self.sure | other.sure
        return Sources(self.some | other.some, sure, self.absent or other.absent)

    def covers(self, other: Sources) -> bool:
        """Whether this says no more than the other."""
        sure = not self.some or (bool(other.some) and self.sure >= other.sure)
        return self.some <= other.some and sure and self.absent <= other.absent


#: A fact that is not in force.
ABSENT = Sources(absent=True)
#: At a key: the sources of a fact, or a set of whatever else is told there.
Told = frozenset[Any] | Sources
NOTHING: frozenset[Any] = frozenset()

#: What a conclusion needs: a fact, one of several under the names of one entity, or what cannot be had any more.
Clause = frozenset[Fact | Kept | Broken]


class Telling:
    """Sets joined by union, and sources of facts joined path by path; nothing lies below both.

         sources {a, b}, sure {}           {x, y}
              /          \\\\                /    \\\\
         sources {a}   sources {b}       {x}    {y}
              \\\\          /                \\\\    /
                              nothing
    """

    bottom: Told = NOTHING

    def join(self, left: Told, right: Told) -> Told:
        """The union, or what is known of the sources on both paths."""
        if isinstance(left, Sources) and isinstance(right, Sources):
            return left.joined(right)
        if isinstance(left, Sources) or isinstance(right, Sources):
            return left or right
        return left | right

    def leq(self, left: Told, right: Told) -> bool:
        """Whether `right` leaves open all that `left` leaves open."""
        if isinstance(left, Sources):
            return isinstance(right, Sources) and left.covers(right)
        return not left or (not isinstance(right, Sources) and left <= right)

    def open(self, fact: Told) -> Any:
        """A box."""
        return Boxed(fact, self.join)


def unsaid(key: Any) -> Told:
    """What holds of a key of which nothing was said: a fact is not in force."""
    return ABSENT if isinstance(key, Fact) else NOTHING
