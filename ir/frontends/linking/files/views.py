"""What was shown of one file and what edits made of it: views, which hold a text now, and which held one before.

Texts are kept whole here, whatever the cells hold of them. Nothing is known of the lines that no view shows.
"""

from __future__ import annotations

import copy
from collections import deque
from collections.abc import Iterable
from typing import NamedTuple

import attrs

from ....cells import Cell
from .texts import Shown

#: So many views are looked through for a text; older ones are left alone.
_MOST_VIEWS = 64
_MOST_REPLACED = 32


@attrs.frozen
class View:
    """A text in the cell it stands in. `first` is the number of its first line where that is known.

    The number is that of the `edition` in which it was shown: edits that add lines or take some away end an edition.
    `maybe` is what may stand there as well, after a change that perhaps was none; `since` is when the text came there.
    """

    cell: Cell
    text: str
    first: int | None
    edition: int
    entry: str | None = None
    maybe: tuple[str, ...] = ()
    since: int = 0

    def holds(self, text: str) -> bool:
        """Whether a text stands in the view."""
        return text in self.text or any(text in one for one in self.maybe)

    @property
    def end(self) -> int:
        """The number of the line after the last."""
        return (self.first or 0) + self.text.count("\n") + 1


class Replaced(NamedTuple):
    """A view that is known to hold its text no longer, and what was there instead; `since` when to `at` when it did."""

    cell: Cell
    entry: str
    text: str
    instead: str
    since: int
    at: int


class Change(NamedTuple):
    """What becomes of a cell: its text, or None if it is gone; and the cell whose text was changed into it.

    The whole of a file, when it is shown or written, takes all other views of the file with it. `maybe` says that the
    change was perhaps another one.
    """

    cell: Cell
    text: str | None
    source: Cell | None = None
    is_whole: bool = False
    maybe: bool = False


class Edited(NamedTuple):
    """A view, its new text, and whether that is sure."""

    view: View
    text: str
    is_sure: bool


class FileViews:
    """The views of one file, `entity`, in force, the latest last; `now` is when it is, as its linker counts."""

    def __init__(self, entity: Cell) -> None:
        self.entity = entity
        self._views: dict[Cell, View] = {}
        self._replaced: deque[Replaced] = deque(maxlen=_MOST_REPLACED)
        self._before: deque[dict[Cell, str]] = deque(maxlen=_MOST_REPLACED)
        self._edition = 0
        self.now = 0

    def copy(self) -> FileViews:
        """The same views, for a path of their own."""
        other = copy.copy(self)
        other._views, other._replaced = dict(self._views), self._replaced.copy()
        other._before = self._before.copy()
        return other

    @property
    def whole(self) -> Cell:
        """The cell of the whole text."""
        return self.entity.child("text")

    def learn(self, cell: Cell, entry: str) -> bool:
        """The entry that now holds the text of a view; False if the cell is none."""
        if cell not in self._views:
            return False
        self._views[cell] = attrs.evolve(self._views[cell], entry=entry)
        return True

    # what holds a text

    def holding(self, text: str) -> Cell | None:
        """The cell in force that holds a text, the latest first."""
        return next((view.cell for view in reversed(self._views.values()) if view.holds(text)), None)

    def holding_lines(self, first: int, end: int) -> Cell | None:
        """The cell in force that holds these lines, as they were numbered last."""
        return next((view.cell for view in reversed(self._views.values()) if self._has_lines(view, first, end)), None)

    def held(self, text: str) -> Replaced | None:
        """The view that a text was taken out of, if it was not put back in since."""
        latest = next((one for one in reversed(self._replaced) if text in one.text or text in one.instead), None)
        return latest if latest is not None and text not in latest.instead else None

    def forgive(self) -> None:
        """Forget what was replaced: it may be in force again."""
        self._replaced.clear()

    # what changes them

    def show(self, shown: Shown, *, is_whole: bool) -> list[Change]:
        """A part or the whole of the file is shown; other views that it proves outdated are gone."""
        text = shown.text
        if is_whole:
            return self.write(text)
        end = (shown.first or 0) + text.count("\n")
        label = f"{shown.first}-{end}" if shown.first is not None else "part"
        view = View(self.entity.child("lines").at(label), text, shown.first, self._edition)
        outdated = [one for one in self._views.values() if one.cell == view.cell or self._outdates(view, one)]
        for one in outdated:
            del self._views[one.cell]
            if one.text not in text:
                self.forgive()  # the file was changed unseen, so nobody knows what is in it elsewhere
        self._add(view)
        return [*(Change(one.cell, None) for one in outdated if one.cell != view.cell), Change(view.cell, text)]

    def write(self, text: str) -> list[Change]:
        """The file holds a text, and nothing else of what it held."""
        self._edition += 1
        self._set_aside(Edited(view, text, is_sure=True) for view in self._views.values())
        self._views.clear()
        self._before.clear()
        self._add(View(self.whole, text, 1, self._edition))
        return [Change(self.whole, text, is_whole=True)]

    def replace(self, old: str, new: str, *, everywhere: bool, is_sure: bool) -> list[Change]:
        """A text is replaced by another wherever a view holds it; of two places in one, nobody knows which."""
        edited = []
        for view in self._views.values():
            places = view.text.count(old)
            if places:
                text = view.text.replace(old, new, -1 if everywhere else 1)
                edited.append(Edited(view, text, is_sure and (everywhere or places == 1)))
        return self._edited(edited, old.count("\n") != new.count("\n"))

    def replace_lines(self, first: int, end: int, new: str, *, is_sure: bool) -> list[Change]:
        """Lines are replaced by a text in every view that has them all; of views with some, nothing is known."""
        lines = new.removesuffix("\n").split("\n") if new else []
        edited = []
        for view in self._views.values():
            if self._has_lines(view, first, end):
                found, at = view.text.split("\n"), first - (view.first or 0)
                text = "\n".join((*found[:at], *lines, *found[at + end - first :]))
                edited.append(Edited(view, text, is_sure))
        return self._edited(edited, len(lines) != end - first)

    def add(self, text: str, label: str) -> list[Change]:
        """A text stands somewhere in the file, told by an edit of what no view shows."""
        cell = self.entity.child("edit").at(label)
        self._add(View(cell, text, None, self._edition))
        return [Change(cell, text)]

    def undo(self) -> list[Change]:
        """The last edit is taken back."""
        before = self._before.pop() if self._before else {}
        views = [view for view in self._views.values() if view.cell in before]
        changes = self._edited([Edited(view, before[view.cell], is_sure=True) for view in views], moves=True)
        self._before.pop()
        return changes

    def delete(self) -> list[Change]:
        """The file is gone, and all that was known of it."""
        self._set_aside(Edited(view, "", is_sure=True) for view in self._views.values())
        self._views.clear()
        self._before.clear()
        return [Change(self.entity, None)]

    def move(self, other: FileViews) -> list[Change]:
        """The file is called otherwise: `other` has its views now."""
        other.delete()
        changes = []
        for view in self._views.values():
            cell = Cell(other.entity.scope, (*other.entity.path, *view.cell.path[len(self.entity.path) :]))
            other._add(attrs.evolve(view, cell=cell, edition=other._edition, entry=None))
            changes.append(Change(cell, view.text, view.cell))
        return [*changes, *self.delete()]

    # within

    def _edited(self, edited: list[Edited], moves: bool) -> list[Change]:
        self._edition += moves
        self._before.append({view.cell: view.text for view, _, _ in edited})
        self._set_aside(one for one in edited if one.is_sure)
        for view, text, is_sure in edited:
            maybe = () if is_sure else (view.text, *view.maybe)[:_MOST_VIEWS]
            self._add(attrs.evolve(view, text=text, edition=self._edition, maybe=maybe, entry=None))
        return [Change(view.cell, text, view.cell, maybe=not is_sure) for view, text, is_sure in edited]

    def _set_aside(self, edited: Iterable[Edited]) -> None:
        for view, text, _ in edited:
            if view.entry is not None and view.text != text:
                self._replaced.append(Replaced(view.cell, view.entry, view.text, text, view.since, self.now))

    def _add(self, view: View) -> None:
        self._views.pop(view.cell, None)
        self._views[view.cell] = attrs.evolve(view, since=self.now)
        while len(self._views) > _MOST_VIEWS:
            del self._views[next(iter(self._views))]

    def _has_lines(self, view: View, first: int, end: int) -> bool:
        if view.first is None or view.edition != self._edition:
            return False
        return view.first <= first and end <= view.end

    def _outdates(self, new: View, old: View) -> bool:
        """Whether a new view of some lines covers or contradicts an older one."""
        if old.cell == self.whole:
            return not old.holds(new.text.strip("\n"))
        if old.text in new.text:
            return True
        if None in (new.first, old.first) or new.edition != old.edition:
            return False
        return _covers(new, old) or not _agree(new, old)


def _covers(new: View, old: View) -> bool:
    return (new.first or 0) <= (old.first or 0) and old.end <= new.end


def _agree(one: View, other: View) -> bool:
    """Whether two views hold the same in the lines that both show."""
    start, end = max(one.first or 0, other.first or 0), min(one.end, other.end)
    return start >= end or _lines_of(one, start, end) == _lines_of(other, start, end)


def _lines_of(view: View, start: int, end: int) -> list[str]:
    first = view.first or 0
    return view.text.split("\n")[start - first : end - first]
