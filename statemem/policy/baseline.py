"""Findings that are known already, so that a project with many of them can begin with none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Literal, NamedTuple

import attrs
import msgspec

from statemem.actions import FINDINGS, Action
from statemem.ir.diagnostics import InputError, Location, Problem

SCHEMA: Literal["statemem.baseline/1"] = "statemem.baseline/1"


class Known(NamedTuple):
    """What tells a finding, wherever its log has grown since: not the step, nor the words in which it is told."""

    conversation: str
    code: str
    cell: str
    entry: str | None
    other: str | None

    @classmethod
    def of(cls, action: Action, conversation: str) -> Known:
        """What tells a finding of a conversation."""
        return cls(conversation, action.code, str(action.cell), action.entry, action.other)


@attrs.frozen
class _File:
    schema: Literal["statemem.baseline/1"]
    findings: list[Known]


def _counted(known: Iterable[Known]) -> Counter[Known]:
    return Counter(known)


@attrs.frozen
class Baseline:
    """The findings that were known when the file was written, and how often those that are told alike.

    An effect that is done a third time is told by what told the second: it is known only as often as it was written.
    """

    known: Counter[Known] = attrs.field(factory=Counter, converter=_counted, hash=False)

    @classmethod
    def load(cls, path: str | Path) -> Baseline:
        """The baseline of a file. Raises `InputError` for one that cannot be read."""
        try:
            file = msgspec.json.decode(Path(path).read_bytes(), type=_File)
        except OSError as error:
            raise _refusal(path, f"the baseline cannot be read: {error.strerror}") from None
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise _refusal(path, f"this is no baseline: {error}") from None
        return cls(file.findings)

    def knows(self, action: Action, conversation: str, *, nth: int = 1) -> bool:
        """Whether a finding of a conversation is among them: the first one that is told so, or the nth."""
        return nth <= self.known[Known.of(action, conversation)]


def encoded(findings: Iterable[tuple[str, Action]], before: Baseline | None = None) -> bytes:
    """The file of some findings, each with its conversation, and of those known before; its order does not change.

    Those known before are none of the findings: they were not told.
    """
    found = Counter(Known.of(action, name) for name, action in findings if action.kind in FINDINGS)
    known = sorted((found + before.known if before is not None else found).elements(), key=_order)
    return msgspec.json.format(msgspec.json.encode(_File(SCHEMA, known)), indent=1) + b"\n"


def _order(one: Known) -> tuple[str, ...]:
    return tuple(part or "" for part in one)


def _refusal(path: str | Path, message: str) -> InputError:
    hint = "write it with `statemem analyze LOG --write-baseline FILE`"
    return InputError(Problem(code="PO002", message=message, location=Location(file=str(path)), hint=hint))
