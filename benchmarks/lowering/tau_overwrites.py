"""Fields of the tau logs that a later result overwrote, as the raw JSON has them, against the superseded entries.

Two gold lists are taken. By the rules of value linking (`tau_held`), a value leaves its field where a message lets the
field hold another or none. By a reference of its own notions (`tau_facts`), which keys lines by product and flights by
day, only where another result left something else there; what the programs have besides counts as too much here, with
the cause that is proved on the case itself (`tau_causes`).
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

from benchmarks.lowering.tallies import Tally
from benchmarks.lowering.tau_causes import Case, Cause, cases
from benchmarks.lowering.tau_compare import load
from benchmarks.lowering.tau_facts import overwritten, replaced_arguments
from benchmarks.lowering.tau_held import Field, Reading, as_text
from benchmarks.lowering.tau_log import Conversation
from benchmarks.lowering.tau_losses import superseded
from benchmarks.lowering.tau_product import Lowered
from benchmarks.lowering.tau_state import field_of, names_of
from statemem.passes import StaleUses

Gone = tuple[int, Field, str]
"""A message, the field that lost its value there, and the value as JSON."""

ARGUMENTS = (Cause.RESTATED, Cause.STALE)
"""Causes of cases that are arguments, not values lost."""


def measure(folder: Path) -> list[Tally]:
    """The overwritten fields of each domain, and the arguments that equal a replaced value."""
    tallies, stale = [], Tally("stale uses (tau)")
    for domain, logs in load(folder / "tau").items():
        tallies += [_left(domain, logs), _overwrites(domain, logs)]
        _stale(stale, logs)
    return [*tallies, stale]


def _left(domain: str, logs: Iterable[Lowered]) -> Tally:
    tally = Tally(f"values that left their field (tau, {domain})")
    for one in logs:
        tally.items += 1
        gold, found = set(_gone(one.raw)), set(_superseded(one))
        for each in gold | found:
            tally.judge(each in gold, each in found, each in gold & found, missed="in force still", surplus="not gone")
    return tally


def _gone(raw: Conversation) -> Iterator[Gone]:
    """What the reading held before a message and does not hold after it."""
    reading = Reading()
    before: dict[Field, str] = {}
    for message in raw.messages:
        reading.take(message)
        held = {name: as_text(value) for name, value in reading.held().items()}
        yield from ((message.index, name, value) for name, value in before.items() if held.get(name) != value)
        before = held


def _superseded(one: Lowered) -> Iterator[Gone]:
    names = names_of(one.program, one.raw)
    for loss in superseded(one):
        yield loss.message, field_of(loss.cell, names), as_text(loss.value)


def _overwrites(domain: str, logs: Iterable[Lowered]) -> Tally:
    """Several entries of a program may be one overwrite of the reference: entry for entry on one side, there listed."""
    tally = Tally(f"overwritten, by other notions (tau, {domain})")
    for one in logs:
        tally.items += 1
        tally.gold += len(overwritten(one.raw))
        for case in cases(one):
            if case.cause not in ARGUMENTS:
                _judge(tally, case, one)
    tally.recalled = tally.gold - tally.missed.total()
    return tally


def _judge(tally: Tally, case: Case, one: Lowered) -> None:
    if case.cause is Cause.UNEXPLAINED and _is_listed(case, one):
        tally.missed["no entry is superseded"] += 1
        return
    tally.found += 1
    if case.cause.value.startswith("in both"):
        tally.right += 1
    else:
        tally.surplus[case.cause.value.removeprefix("product only: ")] += 1


def _is_listed(case: Case, one: Lowered) -> bool:
    """Whether a case is one of the reference alone."""
    return any((each.message, each.fact.path) == (case.message, case.path) for each in overwritten(one.raw))


def _stale(tally: Tally, logs: Iterable[Lowered]) -> None:
    """By the rules an argument is stale only where nothing in force states its value; where something does, never."""
    for one in logs:
        listed = replaced_arguments(one.raw)
        tally.items += 1
        tally.gold += sum(not each.in_force for each in listed)
        tally.controls += sum(each.in_force for each in listed)
        tally.found += len(one.manager.result(StaleUses))
        tally.right += sum(case.cause is Cause.STALE for case in cases(one))
