"""Facts as a picture: the control-flow graph with what holds before and after each block, and what changes in it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from statemem.ir.text import dot
from statemem.ir.text.dot import Note, Notes

from ..framework.pipeline import label
from .facts import Found, NodeFacts, node_facts

_WIDTH = 72
#: How many facts a node tells at its start and its end.
_MOST = 12
_HOLDS, _GAINED, _LOST, _FOUND, _QUIET = "#1f4e79", "#1b7f3b", "#a33030", "#b00020", "#707070"


def to_dot(found: Found) -> str:
    """The graph for Graphviz (`dot -Tsvg`): in each node the facts at its start, what its instructions change, its end.

    Blocks that nothing reaches are grey and say so. What other passes found stands above, and behind the instruction
    that it names.
    """
    return dot.to_dot(found.view.program, notes=_Notes(found).of, title=_title(found))


def _title(found: Found) -> Iterator[str]:
    """What the picture shows: the program, the analyses with their directions, and all findings."""
    yield found.view.program.name
    for solution in found.solutions:
        yield f"{label(solution.analysis)}: {solution.analysis.direction.value}, {found.horizon.name} horizon"
    for one, _, texts in found.others:
        yield f"{label(one)}: {len(texts)} found"
        yield from (f"  {_cut(found.view.text, text)}" for text in texts[:_MOST])
        if len(texts) > _MOST:
            yield f"  … and {len(texts) - _MOST} more"


def _cut(shown: Callable[[str], str], text: str) -> str:
    """A text as readers see it, not longer than a line; Graphviz refuses very long ones."""
    whole = shown(text)
    return whole if len(whole) <= _WIDTH else f"{whole[:_WIDTH]}…"


class _Notes:
    """The notes at the nodes of one program."""

    def __init__(self, found: Found) -> None:
        self._text = partial(_cut, found.view.text)
        self._solutions = found.solutions
        self._several = len(found.solutions) > 1
        self._marks: dict[int, list[str]] = {}
        for _, result, texts in found.others:
            for number, text in _marks(result, texts):
                self._marks.setdefault(number, []).append(text)
        self._graph = found.graph

    def of(self, node: int) -> Notes:
        """The notes at a node."""
        if node not in self._graph.segments:
            return Notes(start=[Note("no control leads here", _QUIET)], faint=True)
        facts = {label(one.analysis): node_facts(one, node) for one in self._solutions}
        known = {name: one for name, one in facts.items() if one is not None}
        return Notes(
            start=[line for name, one in known.items() for line in self._holds(name, one.start)],
            behind={at: self._behind(number, at, known) for at, number in enumerate(self._graph.flow.executed(node))},
            end=[line for name, one in known.items() for line in self._holds(name, one.end)],
        )

    def _holds(self, name: str, texts: list[str]) -> Iterator[Note]:
        """All facts at a point, as lines; of many the first."""
        shown = list(map(self._text, texts[:_MOST]))
        more = [f"… and {len(texts) - _MOST} more"] if len(texts) > _MOST else []
        lead = f"{name}: " if self._several else ""
        lines = _filled([*shown, *more] or ["nothing"], len(lead))
        for number, line in enumerate(lines):
            yield Note((" " * len(lead) if number else lead) + line, _HOLDS if texts else _QUIET)

    def _behind(self, number: int, at: int, known: dict[str, NodeFacts]) -> Sequence[Note]:
        """What an instruction changes, and what was found of it."""
        notes = [Note(f"    ! {self._text(text)}", _FOUND) for text in self._marks.get(number, ())]
        for name, facts in known.items():
            of = f"  ({name})" if self._several else ""
            change = facts.changes[at]
            notes += (Note(f"    + {self._text(text)}{of}", _GAINED) for text in change.gained)
            notes += (Note(f"    - {self._text(text)}{of}", _LOST) for text in change.lost)
        return notes


def _marks(result: Any, texts: list[str]) -> Iterator[tuple[int, str]]:
    """The findings that name their instruction, with their texts."""
    if isinstance(result, list) and len(result) == len(texts):
        pairs = ((getattr(one, "instruction", None), text) for one, text in zip(result, texts, strict=True))
        yield from ((number, text) for number, text in pairs if isinstance(number, int))


def _filled(texts: Iterable[str], indent: int) -> list[str]:
    """Texts between commas on lines of some width."""
    lines: list[str] = []
    for text in texts:
        if lines and len(lines[-1]) + len(text) + 2 + indent <= _WIDTH:
            lines[-1] += f", {text}"
        else:
            lines = [*lines[:-1], f"{lines[-1]},", text] if lines else [text]
    return lines
