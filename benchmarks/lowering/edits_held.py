"""What files hold by what a log showed of them: an independent replay of reads, edits and writes."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from benchmarks.lowering.edits_log import Step


@dataclass
class View:
    """A text that was shown, and what edits made of it since; `answers` are the places of the log that made it so."""

    text: str
    first: int | None
    answers: list[str]
    held: list[str] = field(default_factory=list)

    def become(self, text: str, answer: str) -> None:
        """Another text takes the place of this one."""
        self.held.append(self.text)
        self.text = text
        self.answers.append(answer)

    def has_lines(self, first: int, end: int) -> bool:
        """Whether the lines from `first` to before `end` are in the view, as they are numbered now."""
        return self.first is not None and self.first <= first and end <= self.first + self.text.count("\n") + 1


@dataclass
class Held:
    """One file: what was shown of it, and the whole text, where the log has stated it."""

    views: list[View] = field(default_factory=list)
    whole: str | None = None


@dataclass(frozen=True)
class Quote:
    """An edit before it is made: the views that hold what it quotes, whether one held it before, and what comes of it.

    `since` counts the calls since the text was last known to be replaced that may have changed any file.
    """

    step: Step
    holders: tuple[tuple[str, ...], ...]
    was_held: bool
    after: str | None
    results: tuple[str, ...]


class Replay:
    """The files of a log, step by step."""

    def __init__(self) -> None:
        self.files: dict[str, Held] = {}

    def quotes(self, steps: Iterable[Step]) -> Iterator[Quote]:
        """Every change of a file, with what was known of it."""
        for step in steps:
            if step.kind in ("edit", "lines", "write", "insert"):
                yield self._change(step)
            elif step.kind == "read" and step.shown is not None:
                self._show(step)

    def _file(self, path: str) -> Held:
        return self.files.setdefault(path, Held())

    def _show(self, step: Step) -> None:
        assert step.shown is not None
        held, text = self._file(step.path), step.shown.text
        if step.shown.whole:
            for view in held.views:
                view.held.append(view.text)
            before = [one for view in held.views for one in view.held]
            held.views = [View(text, 1, [step.answer], before)]
            held.whole = text
        else:
            held.views.append(View(text, step.shown.first, [step.answer]))

    def _change(self, step: Step) -> Quote:
        held = self._file(step.path)
        holding = [view for view in held.views if _holds(view, step)]
        holders = tuple(tuple(view.answers) for view in holding)
        was_held = any(step.old in text for view in held.views for text in view.held) if step.old else False
        before = step.stated if step.stated is not None else held.whole
        after = _made(before, step) if step.done else before
        if step.done:
            self._make(held, holding, step, after)
        results = tuple(view.text for view in held.views if view.answers and view.answers[-1] == step.answer)
        return Quote(step, holders, was_held, after, results)

    def _make(self, held: Held, holding: list[View], step: Step, after: str | None) -> None:
        held.whole = after
        if step.kind == "write":
            before = [text for view in held.views for text in (*view.held, view.text)]
            held.views = [View(step.new, 1, [step.answer], before)]
        for view in holding:
            made = _made_in(view, step)
            if made is not None:
                view.become(made, step.answer)
        if step.kind in ("lines", "insert") or step.old.count("\n") != step.new.count("\n"):
            for view in held.views:
                view.first = view.first if view.first == 1 else None
        if not holding and step.kind in ("edit", "insert"):
            held.views.append(View(step.new, None, [step.answer]))
        if step.shown is not None and not any(step.shown.text.strip("\n") in view.text for view in held.views):
            self._show(step)


def _holds(view: View, step: Step) -> bool:
    return view.has_lines(step.first, step.end) if step.kind == "lines" else bool(step.old) and step.old in view.text


def _made(before: str | None, step: Step) -> str | None:
    """A whole text after a change."""
    if step.kind == "write":
        return step.new
    if before is None or step.kind != "edit" or step.old not in before:
        return None
    return before.replace(step.old, step.new, -1 if step.everywhere else 1)


def _made_in(view: View, step: Step) -> str | None:
    """A view after a change that reaches into it."""
    if step.kind == "edit":
        return view.text.replace(step.old, step.new, -1 if step.everywhere else 1)
    if step.kind == "lines":
        lines, at = view.text.split("\n"), step.first - (view.first or 0)
        new = step.new.removesuffix("\n").split("\n") if step.new else []
        return "\n".join([*lines[:at], *new, *lines[at + step.end - step.first :]])
    return None
