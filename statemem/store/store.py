"""The store: applying logs to it, and asking it what is in force and how that came to be."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from types import TracebackType

import attrs
from sqlalchemy import Connection

from statemem.actions import Action
from statemem.ir import Cell, PathError, Program, Scope, parse_cell, parse_scope
from statemem.ir.diagnostics import UsageError, suggestion

from . import history, log, schema, tables
from .apply import Applied, new_drafts
from .database import Database
from .events import Draft, Event, Kind, canonical
from .facts import Fact, StoredEntry
from .history import Change
from .moments import At, moment
from .tiers import DOUBTFUL
from .verify import Verified, verify

_ANY = Scope("session", "")


class Store:
    """An event log with what follows from it, in one file. It may be used by several threads and processes at once.

    >>> import tempfile
    >>> from statemem.ir import build
    >>> program = build("session:1/").block("user").set("color", "black").block("user").set("color", "white").program
    >>> with tempfile.TemporaryDirectory() as folder, Store.open(f"{folder}/memory.db", create=True) as store:
    ...     applied = store.apply(program, (), now=2)
    ...     print(applied.operations, store.apply(program, (), now=2).changed)
    ...     print([(str(fact.cell), fact.value, fact.version) for fact in store.state()])
    ...     print([fact.value for fact in store.state(at="step 1")])
    2 False
    [('session:1/color', 'white', 2)]
    ['black']
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._untouched = True

    @classmethod
    def open(cls, path: str | Path, *, create: bool = False) -> Store:
        """The store in a file; with `create` an empty one is made where there is none.

        Raises `InputError` where the file is no store, is damaged, of a later version, or cannot be opened.
        """
        return cls(Database.open(Path(path), create=create))

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        self._database.close()

    @property
    def path(self) -> Path:
        """The file."""
        return self._database.path

    # writing

    def apply(self, program: Program, actions: Sequence[Action] = (), *, now: int) -> Applied:
        """Add what a log says beyond what the store holds of its conversation, and the plan made at its end.

        `now` is the step the plan counts ages to. All is written or nothing. Before the first change the store is
        copied to FILE.bak. Raises `InputError` where the earlier part of the log is not the one stored, at the first
        difference.
        """
        with self._database.writing() as connection:
            drafts, behind = new_drafts(connection, program, actions, now)
            if not drafts:
                return Applied(conversation=program.name, behind=behind)
            copy = self._backed_up(connection)
            added = log.extend(connection, program.name, drafts)
            tables.refresh(connection, program, cells=any(draft.kind != Kind.PLAN for draft in drafts))
        return attrs.evolve(_applied(program.name, drafts), events=tuple(added), backup=copy)

    def preview(self, program: Program, actions: Sequence[Action] = (), *, now: int) -> Applied:
        """What `apply` would add, without adding it; it refuses what `apply` refuses."""
        with self._database.reading() as connection:
            drafts, behind = new_drafts(connection, program, actions, now)
        return attrs.evolve(_applied(program.name, drafts), behind=behind)

    def backup(self, target: str | Path) -> Path:
        """Copy the store to a file, which appears as a whole or not at all."""
        return self._database.backup(Path(target))

    def rebuild(self) -> None:
        """Make the tables that follow from the event log again."""
        with self._database.writing() as connection:
            tables.rebuild(connection)

    def _backed_up(self, connection: Connection) -> Path | None:
        """Once while open: the store before this session changes it. The lock is held and nothing written yet."""
        if not self._untouched:
            return None
        self._untouched = False
        return self._database.backup(self.path.with_name(f"{self.path.name}.bak")) if log.head(connection)[0] else None

    # asking

    def conversations(self) -> list[str]:
        """The conversations in the order in which they were first applied."""
        with self._database.reading() as connection:
            return log.conversation_names(connection)

    def events(self, conversation: str | None = None) -> list[Event]:
        """The event log, or the part of one conversation."""
        with self._database.reading() as connection:
            return self._events(connection, conversation)

    def program(self, conversation: str) -> Program:
        """The program that was applied; places in files are not kept."""
        with self._database.reading() as connection:
            self._check_known(connection, conversation)
            return tables.conversation(connection, conversation).program

    def state(self, *, at: At | None = None, scope: Scope | str | None = None) -> list[Fact]:
        """What is in force, by cell: now, or as it was at the end of a step or after an event."""
        wanted = None if scope is None else _scope(scope)
        with self._database.reading() as connection:
            found = tables.current(connection) if at is None else self._as_of(connection, at)
        return [fact for fact in found if wanted is None or fact.cell.scope == wanted]

    def history(self, cell: Cell | str) -> list[Change]:
        """Every operation that wrote or ended a cell or something below it, oldest first, with what was left."""
        wanted = _cell(cell)
        with self._database.reading() as connection:
            return history.changes(tables.naming(connection, wanted.scope), wanted)

    def entries(self, conversation: str | None = None) -> list[StoredEntry]:
        """The memory entries with the tiers and marks that plans gave them."""
        with self._database.reading() as connection:
            self._check_known(connection, conversation)
            return list(tables.current_entries(connection, conversation))

    def doubts(self, facts: Iterable[Fact]) -> dict[Cell, list[str]]:
        """What the last plans say against showing facts as they are, by cell: `quarantined`, `stale`, say."""
        marks = {(one.conversation, one.entry): one.mark for one in self.entries()}
        found = {fact.cell: [marks.get((fact.conversation, entry)) for entry in fact.entries] for fact in facts}
        return {cell: [mark for mark in dict.fromkeys(own) if mark in DOUBTFUL] for cell, own in found.items()}

    def verify(self) -> Verified:
        """Check that the event log is as it was written, and that the tables follow from it.

        Raises `InputError` naming the first event that was changed, left out or cut off.
        """
        with self._database.reading() as connection:
            return verify(connection)

    def dump(self) -> Iterator[str]:
        """The canonical text of the store, a JSON object a line: two stores of the same logs have the same."""
        with self._database.reading() as connection:
            for event in log.events(connection):
                yield canonical({"table": "events", **attrs.asdict(event)})
            for table in (schema.conversations, schema.entries, schema.cells):
                for row in tables.rows(connection, table):
                    yield canonical({"table": table.name, **row})

    def _events(self, connection: Connection, conversation: str | None = None) -> list[Event]:
        self._check_known(connection, conversation)
        if conversation is None:
            return list(log.events(connection))
        return list(log.events(connection, schema.events.c.conversation == conversation))

    def _check_known(self, connection: Connection, conversation: str | None) -> None:
        names = log.conversation_names(connection)
        if conversation is not None and conversation not in names:
            raise UsageError(f"the store has no conversation {conversation!r}{suggestion(conversation, names)}")

    def _as_of(self, connection: Connection, at: At) -> list[Fact]:
        events = self._events(connection)
        then = moment(at, events)
        kept: dict[str, list[Event]] = {name: [] for name in log.conversation_names(connection)}
        for event in events:
            kept[event.conversation].append(event)
        happened = {name: then.select(own) for name, own in kept.items()}
        return tables.in_force([tables.Conversation.of(name, own) for name, own in happened.items() if own])


def _applied(conversation: str, drafts: Sequence[Draft]) -> Applied:
    kinds = [draft.kind for draft in drafts]
    return Applied(
        conversation=conversation,
        blocks=kinds.count(Kind.BLOCK),
        operations=kinds.count(Kind.OPERATION),
        actions=kinds.count(Kind.PLAN),
        statements=sum(map(kinds.count, (Kind.PREAMBLE, Kind.TERMINATOR, Kind.STANDING))),
    )


def _scope(scope: Scope | str) -> Scope:
    if isinstance(scope, Scope):
        return scope
    try:
        return parse_scope(scope if scope.endswith("/") else f"{scope}/")
    except PathError as error:
        raise UsageError(f"{scope!r} is no scope: {error}") from None


def _cell(cell: Cell | str) -> Cell:
    if isinstance(cell, Cell):
        return cell
    try:
        found = parse_cell(cell, _ANY)
    except PathError as error:
        raise UsageError(str(error)) from None
    if found.scope == _ANY:
        raise UsageError(f"{cell!r} names no scope; write it in full, such as user:7/{cell}")
    return found
