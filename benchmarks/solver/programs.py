"""Graphs as programs: an instruction for an instruction, a block for a block, cells `c0`, `c1` … of one scope.

An instruction that writes derives from what it reads, or sets where it reads nothing; one that only reads uses. Each
states a value of its own, so that none confirms another. A block from which nothing follows is an open end.
"""

from collections.abc import Iterator, Sequence

from benchmarks.solver.graphs import Graph, Op
from statemem.ir import Arm, Block, Branch, Cell, Derive, Goto, Instruction, Operand, Program, Scope, Set, Use
from statemem.ir import name as named
from statemem.ir.terminators import OPEN, Terminator

SCOPE = Scope("session", "1")


def program_of(graph: Graph) -> Program:
    """The program of a graph, appended block by block."""
    program = Program(graph.name, SCOPE)
    for block in blocks_of(graph):
        program.append(block)
    return program


def blocks_of(graph: Graph) -> Iterator[Block]:
    """The blocks of a program, made one by one."""
    cells = cells_of(graph)
    for number, ops in enumerate(graph.blocks):
        made = tuple(_instruction(op, one, cells) for one, op in enumerate(ops, graph.first[number]))
        yield Block(_name(number), instructions=made, terminator=terminator(graph.successors[number]))


def cells_of(graph: Graph) -> list[Cell]:
    """The cells by their numbers."""
    return [Cell(SCOPE, (named(f"c{number}"),)) for number in range(graph.cells)]


def terminator(following: Sequence[int]) -> Terminator:
    """Where control goes on to, as a terminator."""
    if not following:
        return OPEN
    if len(following) == 1:
        return Goto(_name(following[0]))
    return Branch(tuple(Arm(_name(target)) for target in following))


def _name(number: int) -> str:
    return f"b{number}"


def _instruction(op: Op, number: int, cells: list[Cell]) -> Instruction:
    reads, write = op
    operands = tuple([Operand(cells[cell]) for cell in reads])
    if write is None:
        return Use(operands=operands)
    if not operands:
        return Set(target=cells[write], value=number, id=f"e{number}")
    return Derive(target=cells[write], value=number, premises=operands, id=f"e{number}")
