"""Reading a policy file: every key and value is checked, and every mistake shown with its place."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

import attrs

from statemem.actions import CODES
from statemem.ir import PathError
from statemem.ir.diagnostics import InputError, Location, Problem, suggestion
from statemem.ir.origin import Authority
from statemem.passes.trust_rules import (
    FLOW_RULES,
    SOURCES,
    FlowRule,
    Sanitiser,
    Sink,
    SinkKind,
    Source,
    TrustRules,
    Who,
)

from . import lines
from .model import Generation, Guard, Policy, Promotion, Suppression
from .patterns import CellPattern

T = TypeVar("T")

#: Codes of findings, which alone can be suppressed: faults, conflicts, what is to be looked at again, questions.
_FINDING = re.compile(r"SM(1|2|8|91|93)\d+")
_RULE_CODE = re.compile(r"[A-Z]+[0-9]+")


def load(path: str | Path) -> Policy:
    """The policy of a file. Raises `InputError` with file and line for anything that is not as described."""
    name = str(path)
    try:
        text = Path(path).read_text(encoding="utf-8")
        table = tomllib.loads(text)
    except OSError as error:
        raise _refusal(name, f"the policy cannot be read: {error.strerror}", None, "check the path") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        hint = "the page on the policy file in the docs has an example"
        raise _refusal(name, f"the policy is not TOML: {error}", _line_of(error), hint) from None
    return _policy(_Table(name, lines.Lines(text), (), table))


def _line_of(error: Exception) -> int | None:
    found = re.search(r"line (\d+)", str(error))
    return int(found[1]) if found else None


def _refusal(name: str, message: str, line: int | None, hint: str) -> InputError:
    return InputError(Problem(code="PO001", message=message, location=Location(file=name, line=line), hint=hint))


class _Table:
    """A table of a policy file, with where it stands."""

    def __init__(self, file: str, known_lines: lines.Lines, path: lines.Path, values: Mapping[str, Any]) -> None:
        self._file = file
        self._lines = known_lines
        self._path = path
        self._values = values

    def only(self, *known: str) -> None:
        """Refuse keys other than these."""
        for key in self._values:
            if key not in known:
                near = suggestion(key, known)
                raise self.wrong(key, f"unknown key {key!r}{near}; known are {', '.join(known)}")

    def has(self, key: str) -> bool:
        """Whether a key is given."""
        return key in self._values

    def table(self, key: str) -> _Table:
        """The table of a key; an empty one where it is not given."""
        value = self._values.get(key, {})
        if not isinstance(value, dict):
            raise self.wrong(key, f"{key} is a table, not {value!r}")
        return _Table(self._file, self._lines, (*self._path, key), value)

    def tables(self, key: str) -> list[_Table]:
        """The tables of an array of them."""
        value = self._values.get(key, [])
        if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
            raise self.wrong(key, f"{key} are tables, each written [[{key}]] or as an inline table")
        paths = ((*self._path, key, number) for number in range(len(value)))
        return [_Table(self._file, self._lines, path, one) for path, one in zip(paths, value, strict=True)]

    def text(self, key: str, default: str | None = None) -> str:
        """A text."""
        value = self._values.get(key, default)
        if not isinstance(value, str):
            raise self.wrong(key, f"{key} is a text, not {value!r}" if key in self._values else f"{key} is missing")
        return value

    def texts(self, key: str, default: tuple[str, ...] | None = None) -> tuple[str, ...]:
        """One text or a list of them."""
        value = self._values.get(key, list(default) if default is not None else None)
        found = [value] if isinstance(value, str) else value
        if not isinstance(found, list) or not all(isinstance(one, str) for one in found) or not found:
            raise self.wrong(key, f"{key} is a list of texts, not {value!r}" if self.has(key) else f"{key} is missing")
        return tuple(found)

    def number(self, key: str, default: int, least: int) -> int:
        """A whole number of at least `least`."""
        value = self._values.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int) or value < least:
            raise self.wrong(key, f"{key} is a whole number of at least {least}, not {value!r}")
        return value

    def flag(self, key: str, *, default: bool) -> bool:
        """True or false."""
        value = self._values.get(key, default)
        if not isinstance(value, bool):
            raise self.wrong(key, f"{key} is true or false, not {value!r}")
        return value

    def parsed(self, key: str, text: str, parse: Callable[[str], T]) -> T:
        """What a text says, as something else reads it."""
        try:
            return parse(text)
        except (PathError, ValueError) as error:
            raise self.wrong(key, str(error)) from None

    def wrong(self, key: str, message: str) -> InputError:
        """A mistake at a key."""
        hint = "the page on the policy file in the docs shows every key"
        return _refusal(self._file, message, self._lines.of((*self._path, key)), hint)


def _policy(table: _Table) -> Policy:
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


def _generation(table: _Table, base: Generation) -> Generation:
    table.only("cold_after", "archive_factor")
    factor = table.number("archive_factor", 1, 1) if table.has("archive_factor") else base.archive_factor
    return attrs.evolve(base, cold_after=table.number("cold_after", base.cold_after, 0), archive_factor=factor)


def _guard(table: _Table) -> Guard:
    table.only("cells", "by")
    return Guard(cells=_cells(table), by=table.texts("by", ("user",)))


def _cells(table: _Table) -> CellPattern:
    return table.parsed("cells", table.text("cells"), CellPattern.parse)


def _promotion(table: _Table) -> Promotion:
    table.only("collections", "every")
    base = Promotion()
    collections = table.number("collections", base.collections, 1)
    return Promotion(collections=collections, every=table.number("every", base.every, 1))


def _authority(table: _Table) -> Authority:
    table.only("order", "own")
    base = Authority()
    return Authority(table.texts("order", base.order), table.texts("own", base.own))


def _suppression(table: _Table, trust: TrustRules) -> Suppression:
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


def _trust(table: _Table) -> TrustRules:
    table.only("trusted", "standard", "source", "sanitiser", "rule")
    is_standard = table.flag("standard", default=True)
    return TrustRules(
        sources=(*(SOURCES if is_standard else ()), *map(_source, table.tables("source"))),
        trusted=tuple(map(_who, table.texts("trusted", ()) if table.has("trusted") else ())),
        sanitisers=tuple(map(_sanitiser, table.tables("sanitiser"))),
        flows=(*(FLOW_RULES if is_standard else ()), *_rules(table)),
    )


def _who(text: str) -> Who:
    """`tool:get_*`, `assistant`, `*`."""
    kind, _, name = text.partition(":")
    return Who(kind=kind, name=name or "*")


def _source(table: _Table) -> Source:
    table.only("label", "who", "cell", "trust")
    return Source(
        label=table.text("label") if table.has("label") or not table.has("trust") else None,
        who=_who(table.text("who", "*")),
        cell=table.text("cell", "*"),
        trust=table.text("trust") if table.has("trust") else None,
    )


def _sanitiser(table: _Table) -> Sanitiser:
    table.only("labels", "who", "cell")
    if not (table.has("who") or table.has("cell")):
        raise table.wrong("labels", "a sanitiser says who or which cell takes labels off; without either all would")
    return Sanitiser(
        labels=table.texts("labels", Sanitiser().labels),
        who=_who(table.text("who", "*")),
        cell=table.text("cell", "*"),
    )


def _rules(table: _Table) -> Iterator[FlowRule]:
    for one in table.tables("rule"):
        one.only("code", "message", "labels", "sinks")
        code = one.text("code")
        if code in CODES or not _RULE_CODE.fullmatch(code):
            raise one.wrong("code", f"{code!r} is taken or no code; write one of your own, as in TR001")
        sinks = tuple(map(_sink, one.tables("sinks")))
        if not sinks:
            raise one.wrong("sinks", "sinks is missing; as in sinks = [{kind = 'effect', what = 'send_*'}]")
        yield FlowRule(code=code, message=one.text("message"), labels=one.texts("labels"), sinks=sinks)


def _sink(table: _Table) -> Sink:
    table.only("kind", "what", "who")
    kinds = [kind.value for kind in SinkKind]
    kind = table.text("kind")
    if kind not in kinds:
        raise table.wrong("kind", f"unknown kind {kind!r}{suggestion(kind, kinds)}; known are {', '.join(kinds)}")
    return Sink(kind=SinkKind(kind), what=table.text("what", "*"), who=_who(table.text("who", "*")))
