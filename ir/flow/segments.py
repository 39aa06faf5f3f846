"""The order of a graph, cut into segments wherever no edge jumps over.

At a *cut* control that goes on passes through one node, and nothing after it leads back. A log is
a line of segments, most of them single blocks; a loop, a branch with its join, or a fork is one segment. What holds at
a cut needs to be kept once, what lies behind a cut never has to be looked at again when a log grows.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from itertools import pairwise

from .cfg import ControlFlow
from .orders import reverse_post_order


class Segments:
    """The nodes of a graph that can be reached, in a reverse post-order, and where it is cut.

    >>> from statemem.ir import build
    >>> program = build().block().set("x", 1).block().use("x").block().use("x").program
    >>> segments = Segments(ControlFlow(program))
    >>> [list(segments.nodes(number)) for number in range(len(segments))]
    [[0], [1], [2]]
    """

    def __init__(self, flow: ControlFlow) -> None:
        self._flow = flow
        self.order: list[int] = []
        self._nodes: list[list[int]] = []  # of each segment
        self._straight: list[bool] = []  # of each segment: whether it is a block that does not lead back to itself
        self._segment: dict[int, int] = {}  # of each node that can be reached
        self._position: dict[int, int] = {}
        self._extend(0)

    def __len__(self) -> int:
        return len(self._nodes)

    def __contains__(self, node: int) -> bool:
        return node in self._segment

    def of(self, node: int) -> int:
        """The segment a node lies in. Raises KeyError for a node that nothing reaches."""
        return self._segment[node]

    def nodes(self, segment: int) -> list[int]:
        """The nodes of a segment in order; the first is the only way in."""
        return self._nodes[segment]

    def first(self, segment: int) -> int | None:
        """The node a segment begins with; None behind the last segment."""
        return self._nodes[segment][0] if segment < len(self._nodes) else None

    def is_straight(self, segment: int) -> bool:
        """Whether a segment is a single node that does not lead back to itself."""
        return self._straight[segment]

    def cut(self, segment: int) -> None:
        """Forget the segments from one on."""
        gone = [node for nodes in self._nodes[segment:] for node in nodes]
        for node in gone:
            del self._segment[node], self._position[node]
        del self.order[len(self.order) - len(gone) :]
        del self._nodes[segment:], self._straight[segment:]

    def grow(self, changed: Set[int]) -> int:
        """Take in what the graph was grown by; `changed` are the nodes whose edges are new.

        Returns the first segment that is not as it was. All before it are: nothing in them leads anywhere new.
        """
        first = min(map(self.of, self._met(changed)), default=len(self))
        self.cut(first)
        self._extend(first)
        return first

    def _met(self, changed: Set[int]) -> Iterator[int]:
        """The known nodes that changed, and those to which control comes from them through nodes not known so far."""
        work = [node for node in changed if node in self._segment]
        seen = set(work)
        for node in work:
            if node in self._segment:
                yield node
                if node not in changed:
                    continue
            new = [following for following in self._flow.successors[node] if following not in seen]
            seen.update(new)
            work.extend(new)

    def _extend(self, first: int) -> None:
        """Order what lies behind the kept segments and cut it."""
        begin = len(self.order)
        self.order += reverse_post_order(self._flow.successors, self._roots(first), self._position)
        for position in range(begin, len(self.order)):
            self._position[self.order[position]] = position
        cuts = [*self._cuts(begin), len(self.order)]
        for segment, (start, end) in enumerate(pairwise(cuts), first):
            nodes = self.order[start:end]
            self._nodes.append(nodes)
            self._straight.append(len(nodes) == 1 and nodes[0] not in self._flow.successors[nodes[0]])
            self._segment.update(dict.fromkeys(nodes, segment))

    def _roots(self, first: int) -> list[int]:
        """Where what is ordered anew begins: the entries, or the node to which the last kept segment leads on."""
        if first == 0:
            return self._flow.entries
        known = self._position
        leads = (n for node in self.nodes(first - 1) for n in self._flow.successors[node] if n not in known)
        return list(dict.fromkeys(leads))

    def _cuts(self, begin: int) -> Iterator[int]:
        """The positions from `begin` on over which no edge jumps; several entries lie in one segment."""
        jumped = [0] * (len(self.order) - begin + 2)
        for source, target in self._jumps(begin):
            jumped[source - begin] += 1
            jumped[target - begin] -= 1
        over = 0
        for position in range(begin, len(self.order)):
            over += jumped[position - begin]
            if over == 0:
                yield position

    def _jumps(self, begin: int) -> Iterator[tuple[int, int]]:
        """The positions that edges jump over, as ranges."""
        if begin == 0 and len(self._flow.entries) > 1:
            yield 1, max(self._position[entry] for entry in self._flow.entries) + 1
        for position in range(begin, len(self.order)):
            for following in self._flow.successors[self.order[position]]:
                target = self._position[following]
                if target > position + 1:
                    yield position + 1, target
                elif target < position:
                    yield target + 1, position + 1
