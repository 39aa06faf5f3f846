"""From statements to blocks, tasks and programs: what lark calls between statements."""

from __future__ import annotations

from lark import Token, v_args

from ..blocks import Block, Task
from ..cells import Cell, Scope, bare_or_quoted, path_text
from ..declarations import Declaration, Requirement
from ..drafts import Draft
from ..instructions import Instruction
from ..origin import NOWHERE, Actor, Origin
from ..origin_fields import FieldError, from_fields
from ..program import Program
from ..terminators import Terminator
from ..values import Value
from .errors import TextError
from .facts import Fact, split_facts
from .lines import Lines
from .statements import BARE, Leaving, Making, StatementReader


@v_args(inline=True)
class Reader(StatementReader):  # pyright: ignore[reportGeneralTypeIssues]  lark types v_args as a function
    """Builds programs bottom-up. It holds the state of one text: `begin` a new one before each."""

    def __init__(self) -> None:
        super().__init__()
        self.begin()

    def begin(self) -> None:
        """Forget the text read before."""
        self.all_facts: list[Fact] = []
        self.all_lines: list[Lines] = []
        self._draft, self._lines = Draft(""), Lines(0)
        self._task = Task("", Scope("task", ""))
        self._block = Block("")
        self._instructions: list[Instruction] = []
        self._inherited = NOWHERE
        self._known_in = {}
        self._look_in(BARE)

    # programs and what they declare

    def start(self, *programs: Program | Token) -> list[Program]:
        """All programs of the text."""
        return [one for one in programs if isinstance(one, Program)]

    def program(self, *_: object) -> Program:
        """One program, at its end."""
        self._look_in(BARE)
        self.all_lines.append(self._lines)
        draft = self._draft
        if isinstance(draft.at, str) and all(block.name != draft.at for _, block in draft.blocks):
            message = f"the program stands at {draft.at!r}, a block it does not have"
            head = _start_of(self._lines.program)
            raise TextError("TX013", message, head, needle=bare_or_quoted(draft.at), after="at")
        return draft.program()

    def program_head(self, title: str, shape: Token | None, at: str | None, end: Token) -> None:
        """`program "x" workflow`, or `program "x" at t7` where a log stands at another block than its last."""
        self._draft = Draft(title, "workflow" if shape == "workflow" else "trace", at)
        self._lines = Lines(_line(end))

    def scope(self, scope: Scope, parent: Scope | None, end: Token) -> None:
        """`scope session:1/ in user:7/`."""
        if scope in self._draft.scopes:
            message = f"the scope {scope} has been declared before"
            raise TextError("TX009", message, _start_of_line(end), needle=str(scope))
        self._draft.scopes[scope] = parent
        self._lines.scope.append(_line(end))

    def declaration(self, pattern: Cell, marks: frozenset[str], depends: tuple[Cell, ...] | None, end: Token) -> None:
        """`cell user:7/order[*].total sensitive depends on user:7/order[*].items`."""
        for cell in (pattern, *(depends or ())):
            if cell.scope == BARE:
                hint = f"write the scope before it, such as user:7/{path_text(cell.path)}"
                message = "outside of tasks a cell needs its scope"
                raise TextError("TX010", message, _start_of_line(end), hint=hint, needle=path_text(cell.path))
        declared = Declaration(pattern, "sensitive" in marks, "pinned" in marks, depends or ())
        self._draft.declarations.append(declared)
        self._lines.declaration.append(_line(end))

    def marks(self, *words: Token) -> frozenset[str]:
        """`sensitive pinned`."""
        return frozenset(words)

    def requirement(self, kind: str, cells: tuple[Cell, ...], end: Token) -> None:
        """`task return requires address, size`."""
        own = Requirement(kind, ()).scope
        named = tuple(cell._replace(scope=own) if cell.scope == BARE else cell for cell in cells)
        self._draft.declarations.append(Requirement(kind, named))
        self._lines.requirement.append(_line(end))

    def metadata(self, entry: str, _: Token, fields: dict[str, Value], end: Token) -> None:
        """`entry m1 with {"keywords": ["tea"]}`."""
        if entry in self._draft.metadata:
            message = f"the entry {entry!r} has been described before"
            raise TextError("TX009", message, _start_of_line(end), needle=entry)
        self._draft.metadata[entry] = fields

    # tasks and blocks

    def task_head(
        self, name: str, kind: str | None, parameters: tuple[str, ...] | None, scope: Scope | None, end: Token
    ) -> None:
        """`task ship is delivery (address) in user:7/ {`; a task is gone on with by its name alone."""
        task = Task(name, scope or Scope("task", name), kind, parameters or ())
        if name not in self._draft.tasks:
            self._lines.task.append(_line(end))
        known = self._draft.tasks.setdefault(name, task)
        bare = kind is None and parameters is None and scope is None
        if known != task and not bare:
            hint = f"to go on with it write only its name: task {name} {{"
            message = f"the task {name!r} has been described differently"
            raise TextError("TX009", message, _start_of_line(end), hint=hint, needle=name)
        self._task = known

    def parameters(self, *names: str) -> tuple[str, ...]:
        """The parameters of a task."""
        return names

    def block_head(
        self,
        name: str,
        actor: Actor,
        step: int | None,
        task: str | None,
        origin: Origin,
        fact: Token | None,
        end: Token,
    ) -> None:
        """`block t1 user step 1 in f1 {`."""
        self._block = Block(name, actor, step, task, origin=origin)
        self._instructions = []
        self._inherited = origin
        self._look_in(Scope("task", task) if task else self._task.scope)
        self._lines.block.append(_line(end))
        self._lines.statement.append([])
        self._note(fact, -1)

    def block(self, *_: object) -> None:
        """The end of a block."""
        self._inherited = NOWHERE

    def ending(self, terminator: Terminator, fact: Token | None, end: Token) -> None:
        """The terminator, with which a block is complete."""
        head = self._block
        block = Block(head.name, head.actor, head.step, head.task, tuple(self._instructions), terminator, head.origin)
        self._note(fact, len(self._instructions))
        self._draft.blocks.append((self._task.name, block))
        self._lines.terminator.append(_line(end))

    def leaving(self, make: Leaving, entry: str | None, origin: Origin, fact: Token | None, end: Token) -> None:
        """A call or a return, with which a block is complete too."""
        self.ending(make(id=entry, origin=origin), fact, end)

    def actor(self, kind: str, name: str | None) -> Actor:
        """`tool:get_order`."""
        return Actor(kind, name or "")

    # statements

    def statement(
        self, maybe: Token | None, make: Making, entry: str | None, origin: Origin, fact: Token | None, end: Token
    ) -> None:
        """One instruction."""
        self._instructions.append(make(id=entry, origin=origin, maybe=maybe is not None))
        self._note(fact, len(self._instructions) - 1)
        self._lines.statement[-1].append(_line(end))

    def origin(self, event: str | None, word: Token | None, fields: dict[str, Value] | None) -> Origin:
        """`from "evt_1" with {"line": 3}`, over what the block says."""
        if event is None and fields is None:
            return self._inherited
        stated = fields or {}
        try:
            return from_fields(stated if event is None else {**stated, "event": event}, self._inherited)
        except FieldError as error:
            assert word is not None, "only what stands behind `with` can be wrong"
            raise TextError("TX006", str(error), word, hint=error.hint, needle=f'"{error.name}"') from None

    # inside

    def _note(self, fact: Token | None, after: int) -> None:
        if fact is None:
            return
        program, block = len(self.all_lines), len(self._draft.blocks)
        try:
            self.all_facts.extend(Fact(program, block, after, *parts) for parts in split_facts(fact))
        except ValueError as error:
            hint = "write it as ;; after liveness = a, b"
            raise TextError("TX008", f"{str(error)!r} is not an expected fact", fact, hint=hint) from None


def _line(end: Token) -> int:
    return end.line or 1


def _start_of_line(end: Token) -> Token:
    return _start_of(_line(end))


def _start_of(line: int) -> Token:
    return Token("LINE", "", line=line, column=1)
