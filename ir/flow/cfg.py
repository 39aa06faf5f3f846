"""The control-flow graph of a program: neighbours by number, an order to visit them in, straight chains, loops.

Nodes are the blocks of the program by their numbers. Every call has one node more, its *landing*, through which
control comes back from the task it calls; landings are numbered behind the blocks.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterable
from functools import cached_property
from itertools import chain as joined
from typing import TYPE_CHECKING

from ..program import Program
from ..terminators import Call, Return, targets
from .loops import Loop, loops_of
from .orders import reverse_post_order

if TYPE_CHECKING:
    import networkx


class ControlFlow:
    """Predecessors and successors of every node of a program, kept up with it by `grow`.

    An edge to a block that does not exist is left out; the verifier reports it. The call of a task without blocks goes
    to its landing at once. `ends` are the nodes from which control goes nowhere: the many ends of a message tree, say.
    """

    def __init__(self, program: Program) -> None:
        self._program = program
        #: How often the order and the chains have become others, not merely longer.
        self.reorderings = 0
        #: The nodes whose edges the last growth made or changed.
        self.changed: set[int] = set()
        self._build()

    # building

    def _build(self) -> None:
        program = self._program
        self.version, self._edits = program.version, program.edits
        self._ends_seen = len(program.ends_moved)
        calls = [number for number, block in enumerate(program.blocks) if isinstance(block.terminator, Call)]
        #: The block of the call behind every landing.
        self.landings: dict[int, int] = dict(enumerate(calls, len(program.blocks)))
        self._landing_of = {call: landing for landing, call in self.landings.items()}
        self.successors: list[list[int]] = []
        self.predecessors: list[list[int]] = []
        self.ends: set[int] = set()
        self._lost: dict[str, set[int]] = {}
        self._forget_orders()
        self._add_nodes(len(program.blocks) + len(calls))
        for number in range(len(program.blocks)):
            self._connect_block(number)
        bodies: dict[str, list[int]] = {}
        for number, task in enumerate(program.body):
            bodies.setdefault(task, []).append(number)
        returns = {task: [one for one in body if self._returns(one)] for task, body in bodies.items()} if calls else {}
        for landing, call in self.landings.items():
            self._connect_call(call, landing, bodies, returns)
        self.ends = set(self.ends)  # a set that was large takes long to go through however little is left in it

    def _add_nodes(self, count: int) -> None:
        self.ends.update(range(len(self.successors), len(self.successors) + count))
        self.successors.extend([] for _ in range(count))
        self.predecessors.extend([] for _ in range(count))

    def _connect_block(self, number: int) -> None:
        terminator = self._program.blocks[number].terminator
        for target in () if isinstance(terminator, Call) else targets(terminator):
            self._connect(number, target)

    def _returns(self, number: int) -> bool:
        return isinstance(self._program.blocks[number].terminator, Return)

    def _connect_call(
        self, call: int, landing: int, bodies: dict[str, list[int]], returns: dict[str, list[int]]
    ) -> None:
        """Into the task, back from each of its returns, and on; no edge into a new landing can be there twice."""
        terminator = self._program.blocks[call].terminator
        assert isinstance(terminator, Call)
        body = bodies.get(terminator.task)
        self._link(call, body[0] if body else landing)
        for number in returns.get(terminator.task, ()):
            self.successors[number].append(landing)
            self.predecessors[landing].append(number)
            self.ends.discard(number)
        self._connect(landing, terminator.then)

    def _connect(self, source: int, target: str) -> None:
        number = self._program.block_named(target)
        if number is None:
            self._lost.setdefault(target, set()).add(source)
        else:
            self._link(source, number)

    def _link(self, source: int, target: int) -> None:
        if target in self.successors[source]:
            return
        self.successors[source].append(target)
        self.ends.discard(source)
        if source not in self.predecessors[target]:
            insort(self.predecessors[target], source)

    # growth

    def grow(self) -> bool:
        """Bring the graph up to its program; whether it was enough to look at what was added.

        Added are blocks, and edges from blocks that were ends or led to a block that did not exist yet. A graph with
        calls, and that of a program that was edited, is built anew. Where new blocks go straight on from ends, the
        chains that end there become longer; else the chains and the loops are made anew when they are asked for.
        """
        program, known = self._program, len(self.successors)
        if self._edits != program.edits or self.landings or self._calls_from(known):
            self._build()
            return False
        found = (self._lost.pop(block.name, ()) for block in program.blocks[known:])
        changed = set(program.ends_moved[self._ends_seen :]).union(*found, range(known, len(program.blocks)))
        self._add_nodes(len(program.blocks) - known)
        for number in changed:
            self.successors[number].clear()
            self._connect_block(number)
        if self._go_straight_on(changed, known):
            self._carry_on(known)
        else:
            self._forget_orders()
        self.version, self._ends_seen, self.changed = program.version, len(program.ends_moved), changed
        return True

    def _calls_from(self, first: int) -> bool:
        return any(isinstance(block.terminator, Call) for block in self._program.blocks[first:])

    def _go_straight_on(self, changed: Iterable[int], first: int) -> bool:
        """Whether chains were made, changed nodes lead to new ones only, and each of these prolongs a line of nodes."""
        return (
            "chains" in self.__dict__
            and all(target >= first for number in changed for target in self.successors[number])
            and all(map(self._prolongs, range(first, len(self.successors))))
        )

    def _prolongs(self, number: int) -> bool:
        """Whether a node comes after a single earlier one, alone; the first one of a task is an entry."""
        before, body = self.predecessors[number], self._program.body
        if len(before) != 1 or before[0] >= number:
            return False
        return self.successors[before[0]] == [number] and body[before[0]] == body[number]

    def _carry_on(self, first: int) -> None:
        """Append each new node to the chain before it: in reverse post-order it stands right behind the end of that.

        What goes on from a node that nothing reaches is in no chain either.
        """
        for number in range(first, len(self.successors)):
            chain = self._chain_to.pop(self.predecessors[number][0], None)
            if chain is not None:
                self.chains[chain].append(number)
                self.carried_on.append((chain, number))
                self._chain_to[number] = chain
        self.__dict__.pop("order", None)

    def _forget_orders(self) -> None:
        self.reorderings += 1
        #: The chains that became longer since they were made, each with the node that was appended, in that order.
        self.carried_on: list[tuple[int, int]] = []
        for name in ("entries", "order", "chains", "_chain_to", "loops"):
            self.__dict__.pop(name, None)

    # orders, made when first asked for

    @cached_property
    def entries(self) -> list[int]:
        """The first block of a log; of a workflow those of the tasks that no other calls, or of the first task."""
        program = self._program
        if program.is_trace:
            return [0] if program.blocks else []
        first: dict[str, int] = {}
        for number, task in enumerate(program.body):
            first.setdefault(task, number)
        called = {block.terminator.task for block in program.blocks if isinstance(block.terminator, Call)}
        return [number for task, number in first.items() if task not in called] or list(first.values())[:1]

    @cached_property
    def order(self) -> list[int]:
        """A reverse post-order of the nodes that can be reached from an entry: one chain after the other."""
        return list(joined.from_iterable(self.chains))

    @cached_property
    def chains(self) -> list[list[int]]:
        """Maximal runs of reachable nodes with one way in and one way out, in reverse post-order."""
        chains: list[list[int]] = []
        for node in reverse_post_order(self.successors, self.entries):
            if chains and self._continues(chains[-1][-1], node):
                chains[-1].append(node)
            else:
                chains.append([node])
        return chains

    @cached_property
    def _chain_to(self) -> dict[int, int]:
        """The number of each chain by its last node."""
        return {nodes[-1]: chain for chain, nodes in enumerate(self.chains)}

    def _continues(self, last: int, node: int) -> bool:
        return self.successors[last] == [node] and self.predecessors[node] == [last] and node not in self.entries

    @cached_property
    def loops(self) -> list[Loop]:
        """The loops among the nodes that can be reached, an outer one before those within."""
        return loops_of(self.successors, self.entries)

    def block_of(self, node: int) -> int:
        """The block a node belongs to: a landing belongs to its call."""
        return self.landings.get(node, node)

    def copies_of(self, node: int) -> list[int]:
        """The nodes that stand for a node under the calls that led to it; here it is the only one."""
        return [node]

    def plain(self, node: int) -> int:
        """The node that all of them stand for."""
        return node

    def sibling(self, node: int, block: int) -> int:
        """The node of another block of the same body, under the same calls."""
        return block

    def node_of(self, instruction: int) -> int:
        """The node at which an instruction is executed."""
        block = self._program.block_of(instruction)
        return block if instruction in self._program.executed(block) else self._landing_of[block]

    def executed(self, node: int) -> range:
        """The numbers of the instructions that are executed at a node."""
        if node in self.landings:
            return self._program.landed(self.landings[node])
        return self._program.executed(node)

    def to_networkx(self) -> networkx.DiGraph[int]:
        """The graph for anyone's graph tools: nodes with `name`, `actor` and `step`; landings with that of their call.

        >>> from statemem.ir import build
        >>> graph = ControlFlow(build().block("user").set("x", 1).block("assistant").use("x").program).to_networkx()
        >>> graph.nodes[1]["actor"], list(graph.edges)
        ('assistant', [(0, 1)])
        """
        import networkx

        program = self._program
        graph: networkx.DiGraph[int] = networkx.DiGraph(name=program.name)
        for node, following in enumerate(self.successors):
            number = self.block_of(node)
            block, is_landing = program.blocks[number], node in self.landings
            graph.add_node(
                node, name=block.name, actor=str(block.actor), step=program.step_of(number), landing=is_landing
            )
            graph.add_edges_from((node, target) for target in following)
        return graph
