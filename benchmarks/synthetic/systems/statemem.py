"""statemem itself: what was read so far is written to a file in one of the forms, and analysed."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable
from functools import cached_property, lru_cache
from pathlib import Path

from statemem import analyze
from statemem.actions import Action, Kind
from statemem.ir import Cell, parse_cell
from statemem.ir.cells import path_text
from statemem.ir.entries import Entry
from statemem.ir.frontends.steps import normalised
from statemem.ir.meaning.names import Names
from statemem.passes import Standing, Word
from statemem.passes.chains import UseDefChains, slice_forward, use_def_chains
from statemem.passes.collection.in_force import in_force_at, names_at
from statemem.passes.framework import BlockEnd
from statemem.report import Report

from ..dialogue import SESSION, USER, Dialogue, Question
from ..forms import SUFFIXES, WRITERS, chat, domain, steps
from ..questions import NOTHING, shown
from .base import Seen

#: What is asked of every entry, by the word that statemem has for it.
_WORDS = {"unread": Word.UNREAD, "spent": Word.SPENT, "history": Word.HISTORY}


class Statemem:
    """The reports on a dialogue in one form, each on all that was read when it was asked for.

    `knows` says whether it is told which tools act and which conclude, in a domain file.
    """

    def __init__(self, dialogue: Dialogue, form: str, *, knows: bool = False) -> None:
        self._dialogue = dialogue
        self._form = form
        self._knows = knows
        self._read = 0
        self._answers = lru_cache(maxsize=1)(self._analyzed)

    def read(self, seen: Seen) -> None:
        """Take in a turn."""
        self._read = seen.number

    def answer(self, question: Question) -> Iterable[str]:
        """The answer as the report has it."""
        answers = self._answers(self._read)
        return answers.about(question) if question.about else answers.findings(question.kind)

    def _analyzed(self, turn: int) -> Answers:
        dialogue = self._dialogue.upto(turn)
        report = report_on(dialogue, self._form, knows=self._knows)
        return Answers(report, Labels(dialogue, self._form))


def report_on(dialogue: Dialogue, form: str, *, knows: bool = False) -> Report:
    """The report on what there is of a dialogue, written down in a form.

    With `knows` a domain file says what is to be known of its tools.
    """
    horizon = "closed" if dialogue.is_over else "open"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"log{SUFFIXES[form]}")
        path.write_text(WRITERS[form](dialogue), encoding="utf-8")
        known = Path(folder, "domain.toml")
        known.write_text(domain.text(dialogue.words) if knows else "", encoding="utf-8")
        return analyze(path, horizon=horizon, policy=dialogue.policy, domain=known, show_values=True)


class Labels:
    """What the generator calls the turns, entries and cells of a report."""

    def __init__(self, dialogue: Dialogue, form: str) -> None:
        self._dialogue = dialogue
        self._form = form
        self._turns = chat.turns_of_messages(dialogue) if form == "chat" else None
        self._made = {(one.turn, path_text(one.cell.path)): one.id for one in dialogue.entries.values()}

    @property
    def has_more(self) -> bool:
        """Whether a log of this form holds more than the facts of its dialogue: ids, arguments, what tools answer."""
        return self._form == "chat"

    def turn(self, step: int) -> int:
        """The turn of a step; in a chat each message is one."""
        return step if self._turns is None or step < 1 else self._turns[step - 1]

    def entry(self, standing: Standing) -> str | None:
        """The generator's id of an entry; None for one it has not made."""
        if self._turns is None:
            own = standing.entry.id
            return own if own in self._dialogue.entries else None
        return self._made.get((self.turn(standing.created), path_text(standing.cell.path)))

    def place(self, cell: Cell) -> str:
        """What a cell is called in this form: chats and steps do not know whose it is."""
        if self._form == "steps":
            return path_text(Cell(SESSION, ()).child("fact").at(normalised(steps.fact(cell))).path)
        return path_text(cell.path) if self._form == "chat" else str(cell)

    def told(self, cell: Cell) -> str:
        """A cell of the report as the generator calls it; a chat says only which entity it is about."""
        if self._form != "chat":
            return str(cell)
        return str(Cell(USER, cell.path))

    def written(self, cell: Cell) -> str:
        """The same of a cell of the report."""
        return str(cell) if self._form in ("smir", "ops") else path_text(cell.path)


class Answers:
    """What a report says in answer to questions."""

    def __init__(self, report: Report, labels: Labels) -> None:
        self.report = report
        self._labels = labels
        self._ids = {one.entry.id: own for one in report.entries if (own := labels.entry(one)) is not None}
        self._own = {own: one for one in report.entries if (own := labels.entry(one)) is not None}

    def about(self, question: Question) -> list[str]:
        """The answer on one cell or entry; nothing where nothing is known of it."""
        return _ABOUT[question.kind](self, question.about)

    def findings(self, kind: str) -> list[str]:
        """The findings of a kind."""
        if kind in _WORDS:
            return self._of_word(_WORDS[kind])
        told = (self._told(one) for one in self._actions.get(kind, ()))
        return [one for one in told if one is not None]

    def _of_word(self, word: Word) -> list[str]:
        found = (self._ids.get(one.entry.id, f"? {path_text(one.cell.path)}") for one in self.report.of(word))
        return [one for one in found if one[0] != "?" or not self._labels.has_more]

    # about one

    def _holds(self, about: str) -> list[str]:
        there = [shown(one.value) for place in self._places(about) for one in self._there.get(place, ())]
        return there or ([NOTHING] if self._is_known(about) else [])

    def _presumed(self, about: str) -> list[str]:
        cell, _, value = about.partition(" = ")
        if not self._is_known(cell):
            return []
        return ["yes" if value in self._holds(cell) else "no"]

    def _trusted(self, about: str) -> list[str]:
        standing = self._own.get(about)
        if standing is None:
            return []
        return ["no" if not standing.in_force or _fact(standing) in self._doubted else "yes"]

    def _rests_on(self, about: str) -> list[str]:
        standing = self._own.get(about)
        if standing is None:
            return []
        found = slice_forward(self._chains, standing.entry)
        return [self._ids[one.id] for one in found if one.id in self._ids]

    def _is_known(self, about: str) -> bool:
        """Whether anything was ever known of a cell."""
        return not self._ever.isdisjoint(self._places(about))

    def _places(self, about: str) -> set[str]:
        """A cell under all names that its entity surely has."""
        denoted = self._known_names.denoted(parse_cell(about, SESSION))
        return {self._labels.place(one.cell) for one in denoted if one.definite}

    @cached_property
    def _actions(self) -> dict[str, list[Action]]:
        """The actions by kind."""
        found: dict[str, list[Action]] = {}
        for one in self.report.actions:
            found.setdefault(one.kind.value, []).append(one)
        return found

    @cached_property
    def _chains(self) -> UseDefChains:
        return use_def_chains(self.report.manager)

    @cached_property
    def _known_names(self) -> Names:
        return names_at(self.report.manager, self._end)

    @cached_property
    def _ever(self) -> set[str]:
        return {self._labels.written(one.cell) for one in self.report.entries}

    @cached_property
    def _there(self) -> dict[str, list[Entry]]:
        """What is in force by place."""
        found: dict[str, list[Entry]] = {}
        for one in in_force_at(self.report.manager, self._end):
            entry = self.report.program.entry_of(one)
            if entry is not None:
                found.setdefault(self._labels.written(one.cell), []).append(entry)
        return found

    @cached_property
    def _doubted(self) -> set[tuple[Cell, str]]:
        """The facts that are to be looked at again."""
        told = {one.entry for one in self._actions.get(Kind.REVALIDATE.value, ())}
        return {_fact(one) for one in self.report.entries if one.entry.id in told}

    @property
    def _end(self) -> BlockEnd:
        end = self.report.program.current_end
        return BlockEnd(0 if end is None else end)

    # findings

    def _told(self, action: Action) -> str | None:
        """A finding as answers write it. Of cells that the dialogue has not, what may do harm is told all the same.

        A chat holds more than the facts of its dialogue: ids, arguments, what tools answer. That these are restated
        or replaced is true as far as anybody knows.
        """
        match action.kind:
            case Kind.FLAG_REPEAT:
                return f"at {self._labels.turn(action.step)}"
            case Kind.ASK:
                return self._asked(action)
            case Kind.FLAG_STALE_USE:
                return f"{self._named(action, action.entry)} at {self._labels.turn(action.step)}"
            case Kind.SUPERSEDE | Kind.MERGE | Kind.FLAG_CONFLICT:
                return self._pair(action)
        return self._named(action, action.entry)

    def _named(self, action: Action, entry: str | None) -> str:
        return self._ids.get(entry or "", f"? {path_text(action.cell.path)}")

    def _pair(self, action: Action) -> str | None:
        own, other = (self._named(action, one) for one in (action.entry, action.other))
        if action.kind is not Kind.FLAG_CONFLICT:
            is_beside = {own[0], other[0]} == {"?"} and self._labels.has_more
            return None if is_beside else f"{own} {_BETWEEN[action.kind]} {other}"
        own, other = sorted((own, other), key=lambda one: int(one[1:]) if one[0] != "?" else 0)
        return f"{own} {_BETWEEN[action.kind]} {other}"

    def _asked(self, action: Action) -> str:
        cells = " or ".join(sorted(self._labels.told(one) for one in (action.cell, *action.others)))
        at = f" at {self._labels.turn(action.step)}" if action.code in _ASKED_AT_A_TURN else ""
        return f"{_QUESTIONS[action.code]} {cells}{at}"


_ABOUT: dict[str, Callable[[Answers, str], list[str]]] = {
    "holds": Answers._holds,
    "presumed": Answers._presumed,
    "trusted": Answers._trusted,
    "rests_on": Answers._rests_on,
}
_BETWEEN = {Kind.SUPERSEDE: "by", Kind.MERGE: "into", Kind.FLAG_CONFLICT: "against"}
#: How questions are told, by their codes: what a task needs, what a reference means, what is unknown, what may be one.
_QUESTIONS = {"SM911": "needs", "SM912": "which", "SM913": "which", "SM914": "unknown", "SM915": "same"}
_ASKED_AT_A_TURN = ("SM912", "SM913", "SM914")


def _fact(standing: Standing) -> tuple[Cell, str]:
    """What an entry states of which cell."""
    return standing.cell, shown(standing.entry.value)
