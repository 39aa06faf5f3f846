"""The control-flow graph of a program: neighbours by number, an order to visit them in, straight chains."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .program import Program
from .terminators import targets

if TYPE_CHECKING:
    import networkx


class ControlFlow:
    """Predecessors and successors of every block of one version of a program.

    Blocks are numbered as in the program; `order` is a reverse post-order of those that can be reached
    from an entry, a list beside the numbers. An edge to a block that does not exist is left out; the verifier
    reports it.
    """

    def __init__(self, program: Program) -> None:
        self.version = program.version
        count = len(program.blocks)
        self.successors: list[list[int]] = [[] for _ in range(count)]
        self.predecessors: list[list[int]] = [[] for _ in range(count)]
        for number, block in enumerate(program.blocks):
            for target in targets(block.terminator):
                self._connect(number, program.block_named(target))
        self.entries = _entries(program)
        self.order = self._reverse_postorder()
        self.chains = self._chains()

    def _connect(self, source: int, target: int | None) -> None:
        if target is not None and target not in self.successors[source]:
            self.successors[source].append(target)
            self.predecessors[target].append(source)

    def _reverse_postorder(self) -> list[int]:
        """Iterative, since a log can be a million blocks deep."""
        seen: set[int] = set()
        postorder: list[int] = []
        for entry in self.entries:
            if entry in seen:
                continue
            seen.add(entry)
            work = [(entry, iter(self.successors[entry]))]
            while work:
                _block, rest = work[-1]
                following = next((n for n in rest if n not in seen), None)
                if following is None:
                    postorder.append(work.pop()[0])
                else:
                    seen.add(following)
                    work.append((following, iter(self.successors[following])))
        return postorder[::-1]

    def _chains(self) -> list[list[int]]:
        """Maximal runs of reachable blocks with one way in and one way out, in reverse post-order."""
        chains: list[list[int]] = []
        for block in self.order:
            if chains and self._continues(chains[-1][-1], block):
                chains[-1].append(block)
            else:
                chains.append([block])
        return chains

    def _continues(self, last: int, block: int) -> bool:
        return self.successors[last] == [block] and self.predecessors[block] == [last] and block not in self.entries

    def to_networkx(self, program: Program) -> networkx.DiGraph[int]:
        """The graph for anyone's graph tools: nodes are block numbers with `name`, `actor` and `step`."""
        import networkx

        graph: networkx.DiGraph[int] = networkx.DiGraph(name=program.name)
        for number, block in enumerate(program.blocks):
            graph.add_node(number, name=block.name, actor=str(block.actor), step=program.step_of(number))
        for number, following in enumerate(self.successors):
            graph.add_edges_from((number, target) for target in following)
        return graph


def _entries(program: Program) -> list[int]:
    """The first block of a log, or of every body of a workflow."""
    if program.is_trace:
        return [0] if program.blocks else []
    first: dict[str, int] = {}
    for number, task in enumerate(program.body):
        first.setdefault(task, number)
    return list(first.values())
