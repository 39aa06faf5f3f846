"""`steps`: memory entries and the steps that accessed and created them, our simplest log.

An entry: `{entry_id, content, created_step, refs?, keywords?, semantic_fact?, version?, pinned?, generation?, trust?,
metadata?}`. A step: `{step_id, accessed_memory_ids, created_memory_ids?}`. Records come in any order, as JSON Lines, an
array, or one object `{"entries": […], "steps": […]}`.
"""

from __future__ import annotations

import string
import unicodedata
from collections.abc import Iterator
from typing import Any

import attrs

from ..blocks import Block
from ..cells import Cell, Scope, key, name
from ..declarations import Declaration
from ..diagnostics import Location, Problem
from ..instructions import Derive, Instruction, Operand, Set, Use
from ..origin import Actor, Origin
from ..program import Program
from . import fields
from .reader import Document, Record

ASSISTANT = Actor("assistant")
_TELLING = frozenset("+#%&*@<>=~$^|")
_METADATA = ("keywords", "generation", "trust", "metadata")


@attrs.define
class _Entry:
    id: str
    step: int
    version: int | None
    position: int
    record: dict[str, Any]
    location: Location
    cell: Cell


@attrs.define
class _Step:
    number: int
    accessed: list[str]
    location: Location | None
    created: list[_Entry] = attrs.field(factory=list)


class Steps:
    """The frontend of `steps` logs."""

    name = "steps"
    title = "memory entries and the steps that accessed them"
    example = '{"step_id": 3, "accessed_memory_ids": ["m1"]}'

    def recognises(self, document: Document) -> bool:
        """Whether the first records are entries or steps."""
        return any(_is_log(value) for value, _ in document.head)

    def lower(self, document: Document, problems: list[Problem]) -> Iterator[Program]:
        """One program of the whole document."""
        reading = _Reading(document, problems)
        if reading.steps:
            yield _Lowering(document.stem, reading, problems).program


def _is_log(value: Any) -> bool:
    if not isinstance(value, dict):
        return False
    if "entries" in value and "steps" in value:
        return True
    return ("entry_id" in value and "content" in value) or ("step_id" in value and "accessed_memory_ids" in value)


class _Reading:
    """The entries and steps of a document, sorted out and checked."""

    def __init__(self, document: Document, problems: list[Problem]) -> None:
        self._problems = problems
        self.entries: dict[str, _Entry] = {}
        self.steps: dict[int, _Step] = {}
        self.scope = Scope("session", document.stem)
        records = sorted(_flat(document), key=lambda record: _is_step(record.value))
        for record in records:
            self._read(record)
        self._attach()

    def _read(self, record: Record) -> None:
        value, location = record
        if isinstance(value, dict) and "entry_id" in value:
            self._read_entry(value, location)
        elif isinstance(value, dict) and "step_id" in value:
            self._read_step(value, location)
        else:
            self._warn("FE020", "neither an entry nor a step; it is left out", location)

    def _read_entry(self, value: dict[str, Any], location: Location) -> None:
        entry, step = fields.text(value, "entry_id"), fields.number(value, "created_step")
        if entry is None or step is None or "content" not in value:
            self._warn("FE021", "an entry needs entry_id, content and created_step; it is left out", location)
        elif entry in self.entries:
            self._warn("FE022", f"entry {entry!r} was given before; the first one is kept", location)
        else:
            version = fields.number(value, "version")
            cell = self._cell(entry, value)
            self.entries[entry] = _Entry(entry, step, version, len(self.entries), value, location, cell)

    def _cell(self, entry: str, value: dict[str, Any]) -> Cell:
        fact = fields.text(value, "semantic_fact")
        if fact is None:
            return Cell(self.scope, (name("memory"), key(entry)))
        return Cell(self.scope, (name("fact"), key(normalised(fact))))

    def _read_step(self, value: dict[str, Any], location: Location) -> None:
        number = fields.number(value, "step_id")
        if number is None:
            self._warn("FE023", "a step needs a whole number as step_id; it is left out", location)
            return
        if number in self.steps:
            self._warn("FE024", f"step {number} was given before; what it accessed is added to it", location)
        step = self.steps.setdefault(number, _Step(number, [], location))
        for item in fields.items(value, "accessed_memory_ids"):
            step.accessed.append(str(item))
        for item in fields.items(value, "created_memory_ids"):
            self._check_created(str(item), number, location)

    def _check_created(self, entry: str, step: int, location: Location) -> None:
        known = self.entries.get(entry)
        if known is None:
            self._warn("FE027", f"step {step} says it created {entry!r}, which no record gives", location)
        elif known.step != step:
            message = f"step {step} says it created {entry!r}, which says it was created at step {known.step}"
            self._warn("FE025", message, location, "the entry's own created_step is kept")

    def _attach(self) -> None:
        for entry in sorted(self.entries.values(), key=lambda e: (e.step, e.version or 0, e.position)):
            self.steps.setdefault(entry.step, _Step(entry.step, [], None)).created.append(entry)
        self.steps = dict(sorted(self.steps.items()))

    def _warn(self, code: str, message: str, location: Location, hint: str | None = None) -> None:
        self._problems.append(fields.warning(code, message, location, hint))


def _is_step(value: Any) -> bool:
    return isinstance(value, dict) and "step_id" in value


def _flat(document: Document) -> Iterator[Record]:
    """The records, those of an object `{"entries": …, "steps": …}` one by one."""
    for record in document.records:
        value, location = record
        if not (isinstance(value, dict) and "entries" in value and "steps" in value):
            yield record
            continue
        for part in ("entries", "steps"):
            for position, item in enumerate(fields.items(value, part)):
                yield Record(item, attrs.evolve(location, record=None, pointer=f"/{part}/{position}"))


def normalised(fact: str) -> str:
    """A fact key as one segment: case, width, punctuation and runs of blanks do not tell two facts apart.

    >>> normalised("Project: Java-Version "), normalised("project java version")
    ('project java version', 'project java version')
    """
    folded = unicodedata.normalize("NFKC", fact).casefold()
    words = "".join(" " if _is_punctuation(char) else char for char in folded).split()
    return " ".join(words) or fact


def _is_punctuation(char: str) -> bool:
    """Punctuation that tells no two facts apart; `C++` and `C#`, `5 %` and `5` do differ."""
    return char not in _TELLING and (char in string.punctuation or unicodedata.category(char).startswith("P"))


class _Lowering:
    """Blocks from steps: what a step accessed is used, what it created derives from that."""

    def __init__(self, label: str, reading: _Reading, problems: list[Problem]) -> None:
        self._reading = reading
        self._problems = problems
        self._made: set[str] = set()
        self.program = Program(label, reading.scope)
        self.program.add_scope(reading.scope, Scope("user", label))
        self.program.add_scope(Scope("user", label))
        for step in reading.steps.values():
            self._add(step)

    def _add(self, step: _Step) -> None:
        accessed = self._accessed(step)
        earlier = [entry for entry in accessed if entry.id in self._made]
        uses = [self._use(entry, step) for entry in earlier]
        creations = [self._create(entry, earlier) for entry in step.created]
        own = [self._use(entry, step) for entry in accessed if entry.step == step.number]
        instructions = tuple(uses + creations + own)
        self.program.extend(Block(f"s{step.number}", ASSISTANT, step.number, None, instructions))

    def _accessed(self, step: _Step) -> list[_Entry]:
        """The entries a step accessed, each once, without those it cannot have seen."""
        found: list[_Entry] = []
        for item in dict.fromkeys(step.accessed):
            entry = self._reading.entries.get(item)
            if entry is None or entry.step > step.number:
                self._warn_missing(item, step.location or Location(), f"step {step.number} accessed")
            else:
                found.append(entry)
        return found

    def _use(self, entry: _Entry, step: _Step) -> Instruction:
        location = step.location or Location()
        origin = Origin(event=f"step {step.number}", file=location.file, line=location.line, record=location.record)
        return Use(operands=(Operand(entry.cell, entry.id),), origin=origin)

    def _create(self, entry: _Entry, accessed: list[_Entry]) -> Instruction:
        origin = Origin(
            event=entry.id,
            file=entry.location.file,
            line=entry.location.line,
            record=entry.location.record,
            pointer=entry.location.pointer,
            trust=fields.text(entry.record, "trust"),
            version=entry.version,
        )
        self._describe(entry)
        premises = self._premises(entry, accessed)
        self._made.add(entry.id)
        content = entry.record["content"]
        if premises:
            return Derive(target=entry.cell, value=content, premises=premises, id=entry.id, origin=origin)
        return Set(target=entry.cell, value=content, id=entry.id, origin=origin)

    def _premises(self, entry: _Entry, accessed: list[_Entry]) -> tuple[Operand, ...]:
        refs = [str(item) for item in fields.items(entry.record, "refs")]
        named = [self._reading.entries[ref] for ref in refs if ref in self._made and ref in self._reading.entries]
        for ref in refs:
            if ref not in self._made:
                self._warn_missing(ref, entry.location, f"entry {entry.id!r} refers to")
        return tuple(Operand(premise.cell, premise.id) for premise in (named if refs else accessed))

    def _describe(self, entry: _Entry) -> None:
        found = {field: entry.record[field] for field in _METADATA if entry.record.get(field) is not None}
        if found:
            self.program.metadata[entry.id] = found
        if entry.record.get("pinned") is True:
            self.program.declare(Declaration(entry.cell, pinned=True))

    def _warn_missing(self, entry: str, location: Location, what: str) -> None:
        known = self._reading.entries.get(entry)
        state = "which no record gives" if known is None else f"which is created only at step {known.step}"
        message = f"{what} {entry!r}, {state}; it is left out"
        self._problems.append(fields.warning("FE026", message, location, "check the id, or the order of the steps"))
