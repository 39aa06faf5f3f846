"""Reading a policy file: every key and value is checked, and every mistake shown with its place."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypeVar

import attrs

from statemem.actions import CODES
from statemem.ir.diagnostics import suggestion
from statemem.ir.origin import Authority
from statemem.passes.trust.rules import (
    FLOW_RULES,
    SOURCES,
    UNKNOWN_PREMISES,
    UNTRUSTED,
    FlowRule,
    Sanitiser,
    Sink,
    SinkKind,
    Source,
    TrustRules,
    Who,
)

from .model import Generation, Guard, Policy, Promotion, Suppression
from .patterns import CellPattern
from .table import Table

T = TypeVar("T")

#: Codes of findings, which alone can be suppressed: faults, conflicts, what is to be looked at again, questions.
_FINDING = re.compile(r"SM(1|2|8|91|93)\d+")
#: The kinds of actors that frontends give.
_KINDS = ("system", "tool", "user", "assistant")
_RULE_CODE = re.compile(r"[A-Z]+[0-9]+")


def load(path: str | Path) -> Policy:
    """The policy of a file. Raises `InputError` with file and line for anything that is not as described."""
    return _policy(Table.load(path))


def _policy(table: Table) -> Policy:
    table.only("generations", "guarded", "trust", "authority", "promotion", "suppress")
    generations = table.table("generations")
    known = Policy().generations
    generations.only(*known)
    trust = _trust(table.table("trust"))
    return Policy(
        generations={name: _generation(generations.table(name), base) for name, base in known.items()},
        guards=tuple(map(_guard, table.tables("guarded"))),
        trust=trust,
        authority=_authority(table.table("authority")) if table.has("authority") else None,
        promotion=_promotion(table.table("promotion")),
        suppressions=tuple(_suppression(one, trust) for one in table.tables("suppress")),
    )


def _generation(table: Table, base: Generation) -> Generation:
    table.only("cold_after", "archive_factor")
    factor = table.number("archive_factor", 1, 1) if table.has("archive_factor") else base.archive_factor
    return attrs.evolve(base, cold_after=table.number("cold_after", base.cold_after, 0), archive_factor=factor)


def _guard(table: Table) -> Guard:
    table.only("cells", "by")
    by = table.texts("by", ("user",))
    for name in by:
        table.parsed("by", name, _who)
    return Guard(cells=_cells(table), by=by)


def _cells(table: Table) -> CellPattern:
    return table.parsed("cells", table.text("cells"), CellPattern.parse)


def _promotion(table: Table) -> Promotion:
    table.only("collections", "every")
    base = Promotion()
    collections = table.number("collections", base.collections, 1)
    return Promotion(collections=collections, every=table.number("every", base.every, 1))


def _authority(table: Table) -> Authority:
    table.only("order", "own")
    base = Authority()
    return Authority(_order(table, "order", base.order), _order(table, "own", base.own))


def _order(table: Table, key: str, default: tuple[str, ...]) -> tuple[str, ...]:
    """Kinds of actors, each once."""
    kinds = table.texts(key, default)
    for kind in kinds:
        table.parsed(key, kind, _check_kind)
        if kinds.count(kind) > 1:
            raise table.wrong(key, f"{kind!r} stands in {key} more than once")
    return kinds


def _suppression(table: Table, trust: TrustRules) -> Suppression:
    table.only("code", "cells", "conversation", "reason")
    code = table.text("code")
    known = [one for one in CODES if _FINDING.fullmatch(one)] + [rule.code for rule in trust.flows]
    if code not in known:
        what = f"{code} is an action and no finding" if code in CODES else f"unknown code {code!r}"
        raise table.wrong("code", f"{what}{suggestion(code, known)}; findings are {', '.join(dict.fromkeys(known))}")
    return Suppression(
        code=code,
        cells=_cells(table) if table.has("cells") else None,
        conversation=table.text("conversation") if table.has("conversation") else None,
        reason=table.text("reason", ""),
    )


# trust


def _trust(table: Table) -> TrustRules:
    table.only("trusted", "standard", "source", "sanitiser", "rule")
    is_standard = table.flag("standard", default=True)
    sources = (*(SOURCES if is_standard else ()), *map(_source, table.tables("source")))
    return TrustRules(
        sources=sources,
        trusted=tuple(_actors(table, "trusted")) if table.has("trusted") else (),
        sanitisers=tuple(map(_sanitiser, table.tables("sanitiser"))),
        flows=(*(FLOW_RULES if is_standard else ()), *_rules(table, _labels(sources))),
    )


def _who(text: str) -> Who:
    """`tool:get_*`, `assistant`, `*`. Logs may have kinds of their own; one that is nearly a known one is a slip."""
    kind, _, name = text.partition(":")
    _check_kind(kind)
    return Who(kind=kind, name=name or "*")


def _check_kind(kind: str) -> None:
    near = "" if kind in _KINDS else suggestion(kind, _KINDS)
    if near:
        raise ValueError(f"no actor is of the kind {kind!r}{near}")


def _actor(table: Table) -> Who:
    return table.parsed("who", table.text("who", "*"), _who)


def _actors(table: Table, key: str) -> Iterator[Who]:
    return (table.parsed(key, text, _who) for text in table.texts(key))


def _source(table: Table) -> Source:
    table.only("label", "who", "cell", "trust")
    return Source(
        label=table.text("label") if table.has("label") or not table.has("trust") else None,
        who=_actor(table),
        cell=table.text("cell", "*"),
        trust=table.text("trust") if table.has("trust") else None,
    )


def _sanitiser(table: Table) -> Sanitiser:
    table.only("labels", "who", "cell")
    if not (table.has("who") or table.has("cell")):
        raise table.wrong("labels", "a sanitiser says who or which cell takes labels off; without either all would")
    return Sanitiser(
        labels=table.texts("labels", Sanitiser().labels),
        who=_actor(table),
        cell=table.text("cell", "*"),
    )


def _labels(sources: Sequence[Source]) -> set[str]:
    """The labels that sources give, and those that come of themselves; a word of trust may be any."""
    return {UNTRUSTED, UNKNOWN_PREMISES, *(one.label for one in sources if one.label is not None)}


def _rules(table: Table, labels: set[str]) -> Iterator[FlowRule]:
    for one in table.tables("rule"):
        one.only("code", "message", "labels", "sinks")
        code = one.text("code")
        if code in CODES or not _RULE_CODE.fullmatch(code):
            raise one.wrong("code", f"{code!r} is taken or no code; write one of your own, as in TR001")
        sinks = tuple(map(_sink, one.tables("sinks")))
        if not sinks:
            raise one.wrong("sinks", "sinks is missing; as in sinks = [{kind = 'effect', what = 'send_*'}]")
        for label in one.texts("labels"):
            if near := "" if label in labels else suggestion(label, labels):
                raise one.wrong("labels", f"no source gives the label {label!r}{near}")
        yield FlowRule(code=code, message=one.text("message"), labels=one.texts("labels"), sinks=sinks)


def _sink(table: Table) -> Sink:
    table.only("kind", "what", "who")
    kinds = [kind.value for kind in SinkKind]
    kind = table.text("kind")
    if kind not in kinds:
        raise table.wrong("kind", f"unknown kind {kind!r}{suggestion(kind, kinds)}; known are {', '.join(kinds)}")
    return Sink(kind=SinkKind(kind), what=table.text("what", "*"), who=_actor(table))
