"""What a frontend is, and how one is found for a log.

A frontend turns the records of one format into programs. It is chosen by content, by name, or comes from another
package through the entry-point group `statemem.frontends`. None guesses with a model, and none drops a record silently:
what cannot be used becomes a located warning.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from datetime import UTC
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import attrs

from ..diagnostics import InputError, Location, Problem, UsageError, suggestion
from ..program import Program
from ..times import zone_named
from .domain import UNKNOWN, Domain, declare
from .reader import Document, read

ENTRY_POINT_GROUP = "statemem.frontends"


@runtime_checkable
class Frontend(Protocol):
    """A log format. `name` selects it, `title` says what it is in one line, `example` is a record of it."""

    name: str
    title: str
    example: str

    def recognises(self, document: Document) -> bool:
        """Whether the records look like this format."""
        ...

    def lower(self, document: Document, problems: list[Problem]) -> Iterator[Program]:
        """The programs of a document, one a conversation, in the order of the log."""
        ...


#: The formats of this package, each where it stands, in the order in which content is tried.
_OWN = (
    "ops:Ops",
    "steps:Steps",
    "coding_session:CodingSession",
    "chat_export:ChatExport",
    "trajectory:Trajectory",
    "tracker:Tracker",
    "dialogue_state:DialogueState",
    "langchain:LangChain",
    "otel:OTel",
    "requests:Requests",
    "anthropic:Anthropic",
    "openai:OpenAI",
    "langgraph:LangGraph",
    "agents_sdk:AgentsSDK",
)


@functools.cache
def frontends() -> Mapping[str, Frontend]:
    """All frontends by name, those of this package first, in the order in which content is tried."""
    found = {frontend.name: frontend for frontend in map(_own, _OWN)}
    for point in sorted(entry_points(group=ENTRY_POINT_GROUP), key=lambda point: point.name):
        found.setdefault(point.name, _installed(point))
    return found


def _installed(point: EntryPoint) -> Frontend:
    """A frontend of another package, which may be broken in any way."""
    try:
        frontend: Frontend = point.load()()
    except Exception as error:
        package = point.dist.name if point.dist is not None else point.value
        reason = f"{type(error).__name__}: {error}"
        raise UsageError(
            f"the format {point.name!r} of {package} cannot be loaded ({reason}); uninstall it or mend it"
        ) from None
    return frontend


def _own(place: str) -> Frontend:
    """A frontend of this package: it is imported here, since each needs what stands in this file."""
    module, _, kind = place.partition(":")
    frontend: Frontend = getattr(import_module(f".{module}", __package__), kind)()
    return frontend


def choose(document: Document, name: str | None = None) -> Frontend:
    """The frontend of that name, or the first that recognises the records."""
    known = frontends()
    if name is not None:
        if name not in known:
            raise UsageError(f"unknown format {name!r}{suggestion(name, known)}; `statemem formats` lists them")
        return known[name]
    for frontend in known.values():
        if frontend.recognises(document):
            return frontend
    raise InputError(
        Problem(
            code="FE010",
            message=f"no frontend knows this format; the first record {_outline(document)}",
            location=document.head[0].location if document.head else Location(file=document.name),
            hint="`statemem formats` shows an example of each; --from NAME reads it as one of them",
        )
    )


def lower(
    source: Any,
    problems: list[Problem],
    *,
    format: str | None = None,
    strict: bool = False,
    zone: str | None = None,
    domain: str | Path | Domain | None = None,
) -> Iterator[Program]:
    """The programs of a source: a path, `-`, messages or records. Warnings are added to `problems` as they are met.

    `zone` is that of times which name none; without it they are taken as UTC. `domain` is what is known of the tools
    and entities of the log, or a TOML file that says it.
    """
    own = UTC if zone is None else zone_named(zone)
    document = attrs.evolve(read(source, problems, strict=strict), zone=own, domain=_known(domain))
    frontend = choose(document, format)
    found = False
    for program in frontend.lower(document, problems):
        found = True
        declare(program, document.domain)
        yield program
        del program  # only one conversation is held at a time
    if not found:
        raise InputError(*problems, _nothing(document, frontend))


def _known(domain: str | Path | Domain | None) -> Domain:
    if domain is None:
        return UNKNOWN
    return domain if isinstance(domain, Domain) else Domain.load(domain)


_KINDS = {int: "a number", float: "a number", str: "a text", list: "a list", bool: "a truth value", type(None): "null"}


#: Fields in which most formats hold what was said.
_HOLDERS = ("messages", "events", "turns", "trajectory", "history")


def _outline(document: Document) -> str:
    value = document.head[0].value if document.head else None
    if document.layout == "database" and isinstance(value, dict):
        return f"says that this is a database, with the tables {', '.join(value['tables'])}"
    empty = next((field for field in _HOLDERS if isinstance(value, dict) and value.get(field) == []), None)
    if empty is not None:
        return f"has no message in its {empty!r}"
    if not isinstance(value, dict):
        return f"is {_KINDS.get(type(value), 'a value')}, not an object"
    fields = ", ".join(list(value)[:6])
    return f"has the fields {fields}" if fields else "is an empty object"


def _nothing(document: Document, frontend: Frontend) -> Problem:
    return Problem(
        code="FE011",
        message=f"no record could be read as {frontend.name}",
        location=Location(file=document.name),
        hint=f"a record of {frontend.name} looks like {frontend.example}",
    )
