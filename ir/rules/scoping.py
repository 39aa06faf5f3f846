"""Rules about scopes: which are declared, which can be seen from a block, which may share an entity."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from ..cells import Cell, Place, Scope
from ..instructions import places
from ..program import Program
from ..terminators import Call, Open, Return
from .finding import Finding, Spot, at


class Visibility:
    """Which scopes a block can name: its own, their ancestors, and its turn's."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._declared = {*program.scopes, *program.scopes.values()}
        self._circular = _circular(program.scopes)
        self._chains: dict[Scope, dict[Scope, None]] = {}
        self._hints: dict[Scope, str] = {}

    def chain(self, scope: Scope) -> Collection[Scope]:
        """A scope and its ancestors."""
        if scope not in self._chains:
            chain = {scope: None}
            parent = self._program.scopes.get(scope)
            while parent is not None and parent not in chain:
                chain[parent] = None
                parent = self._program.scopes.get(parent)
            self._chains[scope] = chain
        return self._chains[scope]

    def is_own_ancestor(self, scope: Scope) -> bool:
        """Whether a scope is met again on the way up."""
        return scope in self._circular

    def undeclared(self, scopes: Iterable[Scope], spot: Spot) -> Iterator[Finding]:
        """Scopes that the program does not know."""
        for scope in dict.fromkeys(scopes):
            if scope not in self._declared:
                hint = f"declare it before the tasks: scope {scope}"
                if scope.kind == "turn":
                    hint = "the cells of a turn can be named in its own block only"
                yield Finding("IR004", f"the scope {scope} is not declared", spot, str(scope), hint)

    def hidden(self, scopes: Iterable[Scope], block: int, spot: Spot) -> Iterator[Finding]:
        """Scopes that the program knows and the block cannot see."""
        own, name = self._program.scope_of(block), self._program.blocks[block].name
        for scope in dict.fromkeys(scopes):
            if scope not in self.chain(own) and scope in self._declared:
                message = f"{scope} is not visible from {own}, the scope of block {name!r}"
                yield Finding("IR005", message, spot, str(scope), self._hint(own))

    def _hint(self, own: Scope) -> str:
        if own not in self._hints:
            self._hints[own] = f"visible are {', '.join(map(str, self.chain(own)))}"
        return self._hints[own]


def _circular(parents: Mapping[Scope, Scope | None]) -> set[Scope]:
    """The scopes that are met again on the way up from them; no scope is passed twice."""
    circular: set[Scope] = set()
    passed: set[Scope] = set()
    for scope in parents:
        way: dict[Scope, int] = {}
        above: Scope | None = scope
        while above is not None and above not in passed and above not in way:
            way[above] = len(way)
            above = parents.get(above)
        if above is not None and above in way:
            circular.update(list(way)[way[above] :])
        passed.update(way)
    return circular


def scopes(program: Program) -> Iterator[Finding]:
    """Cells in scopes that are not declared or not visible, and scopes that contain themselves."""
    visible = Visibility(program)
    for number, scope in enumerate(program.scopes):
        if visible.is_own_ancestor(scope):
            yield Finding("IR011", f"{scope} is its own ancestor", Spot("scope", number), str(scope))
    for number, declaration in enumerate(program.declarations):
        named = (cell.scope for cell in (declaration.pattern, *declaration.depends))
        yield from visible.undeclared(named, Spot("declaration", number))
    for number, required in enumerate(program.requirements):
        named = (cell.scope for cell in required.cells if cell.scope != required.scope)
        yield from visible.undeclared(named, Spot("requirement", number))
    for block in range(len(program.blocks)):
        yield from _in_block(program, block, visible)


def _in_block(program: Program, block: int, visible: Visibility) -> Iterator[Finding]:
    one = program.blocks[block]
    for number, instruction in enumerate(one.instructions, program.executed(block).start):
        yield from _seen(places(instruction), program, block, at(number), visible)
    end = Spot("terminator", block)
    if isinstance(one.terminator, Open):  # what comes next may take place in scopes this block cannot see
        yield from visible.undeclared((cell.scope for cell in one.terminator.expected), end)
    elif isinstance(one.terminator, (Call, Return)):
        yield from _seen(one.terminator.places(), program, block, end, visible)


def _seen(named: Iterable[Place], program: Program, block: int, spot: Spot, visible: Visibility) -> Iterator[Finding]:
    turn = program.blocks[block].turn
    found = [place.scope for place in named if isinstance(place, Cell) and place.scope != turn]
    yield from visible.undeclared(found, spot)
    yield from visible.hidden(found, block, spot)
