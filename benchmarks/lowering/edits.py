"""Edits of coding sessions: which view each quotes, whether that was replaced, what the text is afterwards.

An independent replay of the raw logs (`edits_log`, `edits_held`) is compared with the programs. Real sessions hold
hardly any stale quote, so that how many are found is measured on copies in which some were planted (`edits_planted`).
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.lowering.edits_held import Quote, Replay
from benchmarks.lowering.edits_log import Step, load, steps
from benchmarks.lowering.edits_planted import FEWEST, Planted, planted
from benchmarks.lowering.tallies import Tally
from statemem import lower_all
from statemem.ir import Cell, Program, Use
from statemem.ir.entries import Entry
from statemem.ir.frontends.opaque import shortened
from statemem.ir.origin import Origin

FOLDERS = ("claude_code", "swe")
DISTANCES: dict[int | None, str] = {0: "behind the edit", 10: "ten calls later", None: "at the end of the log"}


class Found(NamedTuple):
    """A use of a view: the place of the log that made it so, and whether it is called stale, as its answer shows."""

    answer: str
    is_stale: bool


@dataclass
class Product:
    """What the programs of a file say of files: the uses of each call, the texts that each answer brought about."""

    uses: dict[str, list[Found]] = field(default_factory=dict)
    texts: dict[str, list[str]] = field(default_factory=dict)


def measure(folder: Path) -> list[Tally]:
    """All tables, over every log of the two folders."""
    quoted, stale = Tally("views that edits quote"), Tally("stale quotes of real sessions")
    texts = Tally("texts after edits and writes")
    copies = {later: Tally(f"stale quotes planted {where}") for later, where in DISTANCES.items()}
    for path in sorted(one for name in FOLDERS for one in (folder / name).glob("*.gz")):
        content = load(path)
        done = list(Replay().quotes(steps(content)))
        product = product_of(lower_all(path))
        for tally in (quoted, stale, texts):
            tally.items += bool(done)
        _count_quotes(done, product, quoted, stale)
        _count_texts(done, product, texts)
        for later, tally in copies.items():
            _count_planted(content, tally, later)
    return [quoted, texts, stale, *copies.values()]


def product_of(programs: Iterable[Program]) -> Product:
    """The uses and texts of some programs."""
    found = Product()
    for program in programs:
        latest: dict[Cell, Entry] = {}
        for number, instruction in enumerate(program.instructions):
            rule = instruction.origin.rule or ""
            if isinstance(instruction, Use) and rule.startswith("10"):
                use = _use(program, instruction, latest)
                for key in _keys(instruction.origin):
                    found.uses.setdefault(key, []).append(use)
            if rule == "10 changed":
                values = [str(entry.value) for entry in program.entries_of(number)]
                found.texts.setdefault(_answer(instruction.origin), []).extend(values)
            latest |= {one.cell: one for one in program.entries_of(number) if isinstance(one.cell, Cell)}
    return found


def _use(program: Program, use: Use, latest: dict[Cell, Entry]) -> Found:
    place, was = use.operands[0]
    assert isinstance(place, Cell)
    entry = latest[place] if was is None else next(one for one in program.entries if one.id == was)
    return Found(_answer(program.instructions[entry.instruction].origin), was is not None)


def _keys(origin: Origin) -> Iterator[str]:
    """How the reading may name a call or an answer: by its id, by its place."""
    yield origin.event or ""
    yield _answer(origin)


def _answer(origin: Origin) -> str:
    pointer = origin.pointer or ""
    if origin.line is None or pointer.startswith(("/history/", "/loglines/")):
        return "/".join(pointer.split("/")[:3])
    return f"line {origin.line}"


def _count_quotes(done: Iterable[Quote], product: Product, quoted: Tally, stale: Tally) -> None:
    for one in done:
        if one.step.kind not in ("edit", "lines"):
            continue
        uses = product.uses.get(one.step.call, [])
        held = [use for use in uses if not use.is_stale]
        right = any(use.answer in answers for use in held for answers in one.holders)
        quoted.judge(bool(one.holders), bool(held), right, missed="no view found", surplus=_surplus(one))
        is_stale = one.was_held and not one.holders and not one.step.done
        answered = [*uses, *product.uses.get(one.step.answer, [])]
        called = any(use.is_stale for use in answered)
        stale.judge(is_stale, called, called and is_stale, missed="not called stale", surplus="called stale")


def _surplus(one: Quote) -> str:
    return "another view than any that holds it" if one.holders else "no view holds it"


def _count_texts(done: Iterable[Quote], product: Product, texts: Tally) -> None:
    """What the log states of a file is the truth; where it states nothing, the replay of what it showed."""
    for one in done:
        if not one.step.done or one.step.kind == "insert":
            continue
        found = product.texts.get(one.step.answer, [])
        right = _has_new(found, one) and all(_is_expected(text, _truth(one)) for text in found)
        wrong = "the log states another text" if one.step.stated is not None else "the replay has another text"
        if _has_new(found, one) and all(_is_expected(text, one.results) for text in found):
            wrong = "the file was changed unseen, by a formatter, say: the replay has the same text, the log another"
        texts.judge(True, bool(found), right, missed=wrong if found else "no text", surplus=wrong)


def _has_new(found: list[str], quote: Quote) -> bool:
    """Whether a text holds what the change put in; of a digest nobody can tell."""
    new = quote.step.new.strip("\n")
    return any(new in text or text.startswith("text, ") for text in found)


def _truth(quote: Quote) -> tuple[str, ...]:
    return quote.results if quote.after is None else (quote.after,)


def _is_expected(text: str, known: Iterable[str]) -> bool:
    """Whether a text is one of those known, or lines of it; long ones are digests."""
    both = [text for one in known for text in (one, one.rstrip("\n"))]
    return text in [str(shortened(one)) for one in both] or any(text.strip("\n") in one for one in both)


def _count_planted(content: Any, tally: Tally, later: int | None) -> None:
    """Controls count against precision: a text that is there is never stale."""
    if not _has_ids(steps(content), content):
        return
    copied, plants = planted(content, later)
    if not plants:
        return
    tally.items += 1
    uses = product_of(lower_all(copied)).uses
    for plant in plants:
        called = any(use.is_stale for use in uses.get(plant.id, []))
        tally.controls += plant.is_control
        tally.judge(
            not plant.is_control,
            called,
            called and not plant.is_control,
            missed=_why_missed(plant),
            surplus="control: the text is there",
        )


def _has_ids(done: list[Step], content: Any) -> bool:
    """Whether calls can be planted: in sessions, and in runs whose calls have ids."""
    if isinstance(content, list):
        return "history" not in content[0] and any(step.kind == "edit" for step in done)
    return any(one.get("tool_calls") for one in content.get("history", []) if isinstance(one, dict))


def _why_missed(plant: Planted) -> str:
    if len(plant.quote) < FEWEST:
        return "shorter than sixteen characters"
    if not plant.seen:
        return "the text was never shown"
    return (
        "something ran since, or changed the file unseen, so that the text may be back"
        if plant.others
        else "not called stale"
    )
