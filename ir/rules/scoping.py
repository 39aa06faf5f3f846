"""Rules about scopes: which are declared, which can be seen from a block, which may share an entity."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..cells import Cell, Scope
from ..instructions import places
from ..program import Program
from ..terminators import Open
from .finding import Finding, Spot, at


class Visibility:
    """Which scopes a block can name: its own, their ancestors, and its turn's."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._declared = {*program.scopes, *program.scopes.values()}
        self._chains: dict[Scope, list[Scope]] = {}

    def chain(self, scope: Scope) -> list[Scope]:
        """A scope and its ancestors."""
        if scope not in self._chains:
            chain = [scope]
            while (parent := self._program.scopes.get(chain[-1])) is not None and parent not in chain:
                chain.append(parent)
            self._chains[scope] = chain
        return self._chains[scope]

    def is_own_ancestor(self, scope: Scope) -> bool:
        """Whether a scope is met again on the way up."""
        return self._program.scopes.get(self.chain(scope)[-1]) == scope

    def undeclared(self, scopes: Iterable[Scope], spot: Spot) -> Iterator[Finding]:
        """Scopes that the program does not know."""
        for scope in dict.fromkeys(scopes):
            if scope not in self._declared:
                hint = f"declare it before the tasks: scope {scope}"
                yield Finding("IR004", f"the scope {scope} is not declared", spot, str(scope), hint)

    def hidden(self, scopes: Iterable[Scope], block: int, spot: Spot) -> Iterator[Finding]:
        """Scopes that the program knows and the block cannot see."""
        own, name = self._program.scope_of(block), self._program.blocks[block].name
        for scope in dict.fromkeys(scopes):
            if scope not in self.chain(own) and scope in self._declared and scope != Scope("turn", name):
                message = f"{scope} is not visible from {own}, the scope of block {name!r}"
                hint = f"visible are {', '.join(map(str, self.chain(own)))}"
                yield Finding("IR005", message, spot, str(scope), hint)


def scopes(program: Program) -> Iterator[Finding]:
    """Cells in scopes that are not declared or not visible, and scopes that contain themselves."""
    visible = Visibility(program)
    for number, scope in enumerate(program.scopes):
        if visible.is_own_ancestor(scope):
            yield Finding("IR011", f"{scope} is its own ancestor", Spot("scope", number), str(scope))
    for number, declaration in enumerate(program.declarations):
        yield from visible.undeclared([declaration.pattern.scope], Spot("declaration", number))
    for block in range(len(program.blocks)):
        yield from _in_block(program, block, visible)


def _in_block(program: Program, block: int, visible: Visibility) -> Iterator[Finding]:
    turn = Scope("turn", program.blocks[block].name)
    for number, instruction in program.numbered(block):
        named = [cell.scope for cell in places(instruction) if isinstance(cell, Cell) and cell.scope != turn]
        yield from visible.undeclared(named, at(number))
        yield from visible.hidden(named, block, at(number))
    last = program.blocks[block].terminator
    if isinstance(last, Open):  # what comes next may take place in scopes this block cannot see
        yield from visible.undeclared((cell.scope for cell in last.expected), Spot("terminator", block))
