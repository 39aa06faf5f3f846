"""Rule 10: what calls of file tools use and define of the files they name."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator
from typing import Any

import attrs

from ....cells import Cell
from ....entries import Entry
from ....instructions import Delete, Derive, Instruction, Operand, Set, Use
from ....origin import Origin
from ...opaque import costed, shortened
from ..calls import LIKELY, SURE, Call, by, inside
from ..distinctive import is_distinctive
from ..entities import Scopes
from ..layers import Layered
from . import commands, texts
from .operations import Delete as Removal
from .operations import Edit, Fragment, Lines, Operation, Read, Rename, Restore, Undo, Write
from .slips import Doubts, Slip
from .texts import Outcome, Shown
from .views import Change, FileViews

_KIND = "file"
#: Tools show so many lines at most if none are asked for; what shows so many may be a part.
_MOST_SHOWN = 1_000


class FileLinker:
    """Builds the instructions of file tools, and knows what was shown of each file."""

    def __init__(self, scopes: Scopes) -> None:
        self._scopes = scopes
        self._files: Layered[Cell, FileViews] = Layered(FileViews.copy)
        self._opened = ""
        self._changing: dict[Cell, frozenset[str]] = {}
        self.doubts = Doubts()

    def copy(self) -> FileLinker:
        """The same knowledge, for a path of its own."""
        other = copy.copy(self)
        other._files = self._files.copy()
        other._changing, other.doubts = dict(self._changing), self.doubts.copy()
        return other

    def learn(self, entry: Entry) -> bool:
        """Take in an entry; False if it is no view of a file."""
        if not isinstance(entry.cell, Cell):
            return False
        views = self._files.own(Cell(entry.cell.scope, entry.cell.path[:2]))
        return views is not None and views.learn(entry.cell, entry.id)

    # calls

    def operations(self, tool: str, arguments: dict[str, Any]) -> tuple[Operation, ...]:
        """What a call does to files; what it does to a file opened last is dropped where none was."""
        found = (self._placed(one) for one in commands.operations(tool, arguments))
        return tuple(one for one in found if one.path or isinstance(one, Restore))

    def _placed(self, operation: Operation) -> Operation:
        if isinstance(operation, Rename):
            operation = attrs.evolve(operation, to=commands.normal(operation.to))
        return attrs.evolve(operation, path=commands.normal(operation.path or self._opened))

    def called(self, call: Call, origin: Origin) -> Iterator[Instruction]:
        """What a call quotes: a use of the view in force that holds it.

        What a view held before is no use yet: the edit may find the text in lines that nobody showed.
        """
        self.doubts.happened(call.operations)
        unseen: list[Edit] = []
        for operation in call.operations:
            held = self._quoted(operation)
            if held is not None:
                field = operation.field if isinstance(operation, Edit) else "start_line"
                cell, rule, confidence = held
                at = by(inside(origin, field), rule, confidence)
                yield Use(operands=(Operand(cell),), purpose=f"{call.tool}({field})", origin=at)
            elif isinstance(operation, Edit):
                unseen.append(operation)
        if len(unseen) == 1 and not self._is_changing(unseen[0], call):
            call.slip = self._slip(unseen[0])
        self._begin(call)

    def _quoted(self, operation: Operation) -> tuple[Cell, str, float] | None:
        """The view in force that an operation rests on, and why."""
        views = self._files.get(self._entity(operation.path))
        if views is None or not isinstance(operation, (Edit, Lines)):
            return None
        if isinstance(operation, Lines):
            held = views.holding_lines(operation.first, operation.end)
            return (held, "10 lines", LIKELY) if held is not None else None
        quoted = texts.unified(operation.old)
        held = views.holding(quoted)
        return (held, "10 quoted", SURE if is_distinctive(quoted) else LIKELY) if held is not None else None

    def _slip(self, edit: Edit) -> Slip | None:
        """What an edit quotes that a view held before: a slip, should the text prove to be missing."""
        views, quoted = self._files.get(self._entity(edit.path)), texts.unified(edit.old)
        old = views.held(quoted) if views is not None and is_distinctive(quoted) else None
        return Slip(edit, old) if old is not None else None

    def _is_changing(self, edit: Edit, call: Call) -> bool:
        """Whether a change of a file has no answer yet: a text that no view holds may be what that change makes."""
        own = call.operations.index(edit)
        return any(one.path == edit.path for one in call.operations[:own]) or bool(
            self._changing.get(self._entity(edit.path))
        )

    def _begin(self, call: Call) -> None:
        """The files that a call changes are being changed until its result comes."""
        for operation in call.operations:
            if not isinstance(operation, (Read, Restore)):
                entity = self._entity(operation.path)
                self._changing[entity] = self._changing.get(entity, frozenset()) | {call.id}

    # results

    def result(self, call: Call, content: Any, origin: Origin, *, failed: bool) -> list[Instruction] | None:
        """What a call did to files by its result; None where the result is to be kept like any other."""
        self.doubts.happened(call.operations)
        found = [one for one in call.operations if not isinstance(one, Restore)]
        if not found:
            self.doubts.printed(content)
            return None
        for entity in {self._entity(one.path) for one in found} & self._changing.keys():
            self._changing[entity] -= {call.id}
        answer = texts.answer(content)
        if isinstance(found[0], Read):
            return None if failed or answer.failed else self._read(call, found[0], answer.text, origin)
        made = texts.outcome(answer.text, failed=failed or answer.failed)
        if made is Outcome.FAILED:
            return None
        return [one for operation in found for one in self._done(call, operation, answer.text, made, origin)]

    def slipped(self, call: Call, content: Any, origin: Origin, *, failed: bool) -> Iterator[Use]:
        """The stale use of a call whose result says that the text it quotes is missing."""
        slip, call.slip = call.slip, None
        if slip is None or self._quoted(slip.edit) is not None:
            return
        if self.doubts.is_proven(slip, texts.answer(content), failed=failed):
            operand = Operand(slip.old.cell, slip.old.entry)
            at = by(attrs.evolve(origin, event=call.id), "10 replaced", LIKELY)  # the call's use; the answer proves it
            yield Use(operands=(operand,), purpose=f"{call.tool}({slip.edit.field})", origin=at)

    def _read(self, call: Call, read: Read, text: str, origin: Origin) -> list[Instruction] | None:
        shown = _shown(read, text)
        if shown is None:
            return None
        if read.opens:
            self._opened = read.path
        is_whole = (read.is_whole and not shown.is_cut and shown.first == 1) or _is_all(shown, text)
        changes = self._views(read.path).show(shown, is_whole=is_whole)
        return list(self._instructions(call, changes, origin, "10 shown"))

    def _done(
        self, call: Call, operation: Operation, text: str, made: Outcome, origin: Origin
    ) -> Iterator[Instruction]:
        views = self._views(operation.path)
        is_sure = made is Outcome.DONE
        changes = self._changes(call, operation, views, is_sure=is_sure)
        yield from self._instructions(call, changes, origin, "10 changed", maybe=not is_sure)
        if not is_sure:
            views.forgive()
        if isinstance(operation, Write) and operation.opens:
            self._opened = operation.path
        if is_sure and isinstance(operation, (Edit, Lines, Fragment, Undo)):
            yield from self._window(call, operation, views, text, origin)

    def _changes(self, call: Call, operation: Operation, views: FileViews, *, is_sure: bool) -> list[Change]:
        """What an operation makes of the views of its file."""
        match operation:
            case Edit(old=old, new=new, everywhere=everywhere):
                old, new = texts.unified(old), texts.unified(new)
                return views.replace(old, new, everywhere=everywhere, is_sure=is_sure) or _added(views, new, call)
            case Lines(first=first, end=end, new=new):
                return views.replace_lines(first, end, texts.unified(new), is_sure=is_sure) or _added(views, new, call)
            case Fragment(text=text):
                return _added(views, text, call)
            case Write(text=text):
                return views.write(texts.unified(text)) if is_sure else _added(views, text, call)
            case Undo() if is_sure:
                return views.undo()
            case Removal() if is_sure:
                return views.delete()
            case Rename(to=to) if is_sure:
                return views.move(self._views(to))
        return []

    def _window(
        self, call: Call, operation: Operation, views: FileViews, text: str, origin: Origin
    ) -> Iterator[Instruction]:
        """The lines that a tool shows after an edit, if no view holds them yet."""
        shown = texts.numbered(text)
        if shown is not None and shown.text.strip() and views.holding(shown.text.strip("\n")) is None:
            yield from self._instructions(call, views.show(shown, is_whole=_is_all(shown, text)), origin, "10 shown")

    def _instructions(
        self, call: Call, changes: Iterable[Change], origin: Origin, rule: str, *, maybe: bool = False
    ) -> Iterator[Instruction]:
        at = by(origin, rule, SURE)
        for change in changes:
            if change.text is None:
                yield Delete(target=change.cell, origin=at, maybe=maybe)
            else:
                yield _defined(call, change, change.text, at, maybe=maybe or change.maybe)

    # the files

    def _entity(self, path: str) -> Cell:
        return self._scopes.entity(_KIND, path)

    def _views(self, path: str) -> FileViews:
        """The views of a file that is shown or changed now."""
        entity = self._entity(path)
        views = self._files.owned(entity, lambda: FileViews(entity))
        views.now = self.doubts.now
        return views


def _shown(read: Read, text: str) -> Shown | None:
    """The lines of a file that an answer shows; None where it shows none, but a directory or an error."""
    found = texts.numbered(text) if read.numbers is not False else None
    if found is not None and read.numbers is None and found.text.count("\n") < text.rstrip("\n").count("\n"):
        found = None
    if found is not None:
        is_long = found.text.count("\n") + 1 >= _MOST_SHOWN
        return found._replace(is_cut=found.is_cut or is_long)
    if read.numbers or not text.strip() or texts.failed_to_show(text):
        return None
    return Shown(text, 1 if read.is_whole else read.first, texts.is_cut(text.split("\n")))


def _is_all(shown: Shown, text: str) -> bool:
    """Whether an editor says that the file has no more lines than it shows."""
    return shown.first == 1 and texts.lines_in_all(text) == shown.text.count("\n") + 1


def _added(views: FileViews, text: str, call: Call) -> list[Change]:
    """The text of an edit of what no view shows; a line or less tells nothing."""
    return views.add(text, call.id) if is_distinctive(text) else []


def _defined(call: Call, change: Change, text: str, origin: Origin, *, maybe: bool) -> Instruction:
    """A text in its cell, from the text it was made of and from what the arguments of the call were linked to."""
    target, value, origin = change.cell, shortened(text), costed(origin, text)
    if change.is_whole:
        target, value = Cell(target.scope, target.path[:2]), {target.path[-1].text: value}
    sources = (Operand(change.source),) if change.source is not None else ()
    premises = tuple(dict.fromkeys((*sources, *call.premises)))
    if premises:
        return Derive(target=target, value=value, premises=premises, origin=origin, maybe=maybe)
    return Set(target=target, value=value, origin=origin, maybe=maybe)
