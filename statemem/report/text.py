"""The report as text: the faults people pay for first, then what each entry is, then what was carried for nothing."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from rich.cells import cell_len

from statemem.actions import Action, Kind
from statemem.ir import Cell, Definition
from statemem.ir.entries import Entry
from statemem.ir.values import dumps
from statemem.passes import Conflict, StaleUse, Standing, Word
from statemem.passes.endings import How
from statemem.planning import purpose_of
from statemem.selectors import slashed

from .layout import count, cut, cut_front, pad, plural, told_apart, wrapped
from .model import Findings
from .record import OTHERS

WIDTH = 120
_MOST_ROWS = 5
_LABEL, _COUNT, _TOKENS = 11, 6, 13
_VALUE = 32
_CELL, _CHANGE = 34, 14
_SENTENCE = 20


def render(report: Findings, width: int = WIDTH) -> str:
    """The whole report, no line wider than `width` columns."""
    lines = [heading(report), "", *_rows(report, width), "", *_closing(report)]
    return "\n".join(cut(line, width).rstrip() for line in lines)


def heading(report: Findings) -> str:
    """Which conversation this is and what is known of its future."""
    blocks = report.blocks
    noun = "message" if any(block.actor.is_user or block.actor.is_tool for block in blocks) else "step"
    parts = [report.masker.text(report.name), plural(len(blocks), noun)]
    if report.tool_results:
        parts.append(plural(report.tool_results, "tool result"))
    parts.append(f"{plural(len(report.entries), 'entry')}, {plural(report.tokens_of(report.entries), 'token')}")
    if report.at is not None:
        parts.append(f"as of step {report.at}" + (f", log ends at {report.last}" if report.at > report.last else ""))
    parts.append(f"end of log: {report.end}")
    return " · ".join(parts)


def _rows(report: Findings, width: int) -> Iterator[str]:
    stale, conflicts = report.stale_uses, report.conflicts
    yield from _listed("stale use", len(stale), None, (_stale(report, use) for use in stale), width)
    yield from _listed("conflict", len(conflicts), None, (_conflict(report, one) for one in conflicts), width)
    for kind in OTHERS:
        findings = [action for action in report.actions if action.kind is kind]
        if findings:
            rows = map(_finding, findings)
            yield from _listed(_verb(kind).removeprefix("flag "), len(findings), None, rows, width)
    superseded = report.of(Word.SUPERSEDED)
    yield from _listed("superseded", len(superseded), report.tokens_of(superseded), _superseded(report, superseded))
    for word in (Word.ENDED, Word.HISTORY, Word.LIVE, Word.UNKNOWN, Word.SPENT, Word.UNREAD):
        found = report.of(word)
        if found or word in (Word.LIVE, Word.UNKNOWN):
            yield _start(word.value, len(found), report.tokens_of(found)) + _told(report, word, found)


def _start(label: str, number: int, tokens: int | None) -> str:
    spent = f"{count(tokens)} tokens" if tokens else ""
    return f"{pad(label, _LABEL)}{count(number):>{_COUNT}}{spent:>{_TOKENS}}   "


def _listed(
    label: str, number: int, tokens: int | None, details: Iterable[str], width: int | None = None
) -> Iterator[str]:
    """A count with the first few of what it counts, each on a line of its own; sentences go on below, to a width."""
    start = _start(label, number, tokens)
    rows = list(details)
    lines = [line for row in rows[:_MOST_ROWS] for line in _lines(row, start, width)]
    yield start + (lines[0] if lines else "")
    yield from (" " * len(start) + line for line in lines[1:])
    if len(rows) > _MOST_ROWS:
        yield f"{' ' * len(start)}… and {len(rows) - _MOST_ROWS} more"


def _lines(row: str, start: str, width: int | None) -> list[str]:
    return [row] if width is None else wrapped(row, max(width - len(start), _SENTENCE))


def _stale(report: Findings, use: StaleUse) -> str:
    step = report.program.step_of(report.program.block_of(use.instruction))
    value = cut(report.masker.shown(use.cell, use.entry.value), _VALUE)
    act = _act(purpose_of(report.program, use.instruction), value, use.entry.id)
    told = f"step {step}  {report.masker.text(act)}"
    if use.ended.how is How.OUTRANKED:
        return f"{told}, outranked when it came"
    ended = report.program.step_of(report.program.block_of(use.ended.by.instruction))
    successor = report.program.entry_of(use.ended.by)
    if successor is None:
        return f"{told}, {use.ended.how.value} at step {ended}"
    return f"{told}, replaced at step {ended} by {_whole_id(report, use.ended.by)}"


def _act(purpose: str | None, value: str, entry: str) -> str:
    """What was done with an entry: `refund(payment_id="card_12") used e3`, `reply, "card_12", used e3`, `used e3`."""
    if purpose is None:
        return f"used {entry} = {value}"
    return f"{f'{purpose[:-1]}={value})' if purpose.endswith(')') else f'{purpose}, {value},'} used {entry}"


def _whole_id(report: Findings, definition: Definition) -> str:
    """The id of the instruction behind an entry: at one cell, its leaf need not be named again."""
    return report.masker.text(report.program.instructions[definition.instruction].id or "")


def _conflict(report: Findings, conflict: Conflict) -> str:
    sides = [report.program.entry_of(side) for side in (conflict.left, conflict.right)]
    values = [_side(report, conflict.right.cell, one) for one in sides]
    cell = report.masker.text(slashed(conflict.right.cell))
    return f"{cell}   {' against '.join(values)}   {conflict.rule.value}"


def _side(report: Findings, cell: Cell, entry: Entry | None) -> str:
    """One side of a conflict: a value, or that the cell was emptied."""
    return "nothing" if entry is None else cut(report.masker.shown(cell, entry.value), _VALUE)


def _finding(action: Action) -> str:
    """The sentence of a finding, and what may answer a question."""
    answers = f"; may be {' or '.join(action.candidates)}" if action.candidates else ""
    return f"{action.reason}{answers}"


def _superseded(report: Findings, standings: Sequence[Standing]) -> Iterator[str]:
    """Replaced values first, in the order they were replaced; then what was deleted or went with a whole object."""
    replaced = [one for one in standings if one.ending is not None and one.ending.how is How.REPLACED]
    rows = [(_cell(report, one.cell), _change(report, one), _when(report, one)) for one in replaced]
    rows += [
        (_cell(report, root), _loss(report, lost), _when(report, lost[0])) for root, lost in _lost(standings).items()
    ]
    rows = list(dict.fromkeys(rows))  # a value and its copy were replaced at once
    widths = [max((cell_len(row[column]) for row in rows[:_MOST_ROWS]), default=0) for column in (0, 1)]
    return (f"{pad(cell, widths[0])}  {pad(change, widths[1])}  {when}" for cell, change, when in rows)


def _lost(standings: Sequence[Standing]) -> dict[Cell, list[Standing]]:
    """What was deleted or went, by the entity or element it belongs to: its fields are told of together."""
    found: dict[Cell, list[Standing]] = {}
    for one in standings:
        if one.ending is not None and one.ending.how is not How.REPLACED:
            ends = [n for n, segment in enumerate(one.cell.path, 1) if segment.kind == "key"]
            root = Cell(one.cell.scope, one.cell.path[: ends[-1]]) if len(ends) > 1 else one.cell
            found.setdefault(root, []).append(one)
    return found


def _loss(report: Findings, lost: list[Standing]) -> str:
    return _change(report, lost[0]) if len(lost) == 1 else f"{plural(len(lost), 'entry')} gone"


def _cell(report: Findings, cell: Cell) -> str:
    return cut_front(report.masker.text(slashed(cell)), _CELL)


def _change(report: Findings, standing: Standing) -> str:
    ending = standing.ending
    old = _bare(report, standing.cell, standing.entry.value)
    successor = report.program.entry_of(ending.by) if ending is not None else None
    if successor is None:
        how = "deleted" if ending is not None and ending.how is How.DELETED else "gone"
        return f"{cut(old, _CHANGE)} → {how}"
    return " → ".join(told_apart(old, _bare(report, standing.cell, successor.value), _CHANGE))


def _bare(report: Findings, cell: Cell, value: object) -> str:
    """A value on one line, without the breaks and indents of a text."""
    shown = report.masker.value(cell, value)
    return " ".join(shown.split()) if isinstance(shown, str) else dumps(shown)


def _when(report: Findings, standing: Standing) -> str:
    if standing.ending is None:
        return ""
    block = report.program.block_of(standing.ending.by.instruction)
    actor = report.program.blocks[block].actor
    return f"step {report.program.step_of(block)}, {report.masker.text(actor.name or actor.kind)}"


def _told(report: Findings, word: Word, found: list[Standing]) -> str:
    unused = [one for one in found if one.last_used is None]
    oldest = f", oldest since step {min(one.created for one in unused)}" if unused else ""
    never = f"{count(len(unused))} never used{oldest}"
    match word:
        case Word.LIVE:
            return _live(report, found)
        case Word.UNKNOWN:
            return f"not spoken of by the horizon; {never}" if found else "not spoken of by the horizon"
        case Word.SPENT:
            return "used, and nothing reads them any more"
        case Word.UNREAD:
            return "never used, and nothing will read them"
        case Word.ENDED:
            return "ended with their task or turn"
        case _:
            return "outranked when they came"


def _live(report: Findings, found: list[Standing]) -> str:
    observed = sum(one.observed for one in found)
    parts = [f"{observed} used later in the log"] if observed else []
    expected = len(found) - observed
    if report.end == "open" or report.manager.horizon.future is not None:
        only = "" if report.manager.horizon.future is not None else ": pinned cells only"
        rest = f"{expected} expected by the horizon" if expected else f"expected by the horizon{only}"
        parts.append(rest)
    return "; ".join(parts)


def _closing(report: Findings) -> Iterator[str]:
    kinds = Counter(action.kind for action in report.actions)
    plan = ", ".join(f"{_verb(kind)} {count(kinds[kind])}" for kind in Kind if kinds[kind])
    if plan:
        yield f"plan: {plan}"
    if report.hidden:
        yield f"{plural(report.hidden, 'finding')} not told: suppressed by the policy, or known from the baseline"
    carried = report.carried
    share = f" ({carried.share:.0%})".replace("%", " %")
    yield (
        f"carried {count(carried.token_steps)} token-steps, "
        f"{count(carried.before_last_use)} of them before a last use{share}"
    )


def _verb(kind: Kind) -> str:
    """The words of a kind: `flag stale use`, `keep`."""
    return re.sub(r"(?<!^)(?=[A-Z])", " ", kind.value).lower()


def flagged(report: Findings, actions: Iterable[Action]) -> Iterator[str]:
    """A line for each of some actions, as `--check` prints them."""
    for action in actions:
        cell = report.masker.text(slashed(action.cell))
        yield f"{report.masker.text(report.name)}: {action.code} {action.kind.value} {cell}: {action.reason}"
