"""What a user knows of a domain and logs do not say: entities, tools that act, fields to keep or hide.

The default knowledge of tools comes from their names; what a domain file says goes before it.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Literal, Self

import attrs

from ...cells import ANY, Cell, Scope, name
from ...declarations import Declaration
from ...identity import is_id_name, is_scalar_id, words

#: How much of its entity the result of a tool tells.
Extent = Literal["whole", "part", "none"]
#: How much of its form a call states.
Form = Literal["whole", "part"]
Names = tuple[str, ...]


@attrs.frozen(kw_only=True)
class ToolRule:
    """What is said of the tools of a name, in which `*` stands for anything; None where nothing is said.

    `entity` is the kind of entity a result is about, `id` the field of the result or the argument that names it,
    `effect` the name of what a call does to the world, `effect_key` the argument that tells two such acts apart, `form`
    how much a call states of the form that all calls of the tool fill in. What a tool that `concludes` answers follows
    from what it is given, and has to be looked at again when that changes.
    """

    name: str
    entity: str | None = None
    id: str | None = None
    result: Extent | None = None
    writes: bool | None = None
    effect: str | None = None
    effect_key: str | None = None
    form: Form | None = None
    concludes: bool = False
    ignore: bool = False

    def covers(self, tool: str) -> bool:
        """Whether a tool is meant."""
        return fnmatchcase(tool, self.name)


@attrs.frozen(kw_only=True)
class EntityRule:
    """What is said of a kind of entity: the fields that name one, those to hide, those to keep for good."""

    kind: str
    ids: Names = ()
    sensitive: Names = ()
    lasting: Names = ()

    def declarations(self, scope: Scope) -> Iterable[Declaration]:
        """What is true of the fields of every entity of the kind."""
        for field in dict.fromkeys((*self.sensitive, *self.lasting)):
            pattern = Cell(scope, (name(self.kind), ANY, name(field)))
            yield Declaration(pattern, sensitive=field in self.sensitive, pinned=field in self.lasting)


@attrs.frozen(kw_only=True)
class Domain:
    """All that a domain file says; an empty one says nothing.

    >>> domain = Domain(tools=(ToolRule(name="pay*", writes=True), ToolRule(name="pay_out", effect="payout")))
    >>> domain.tool("pay_out").effect, domain.tool("payroll").writes, domain.tool("get_order").writes
    ('payout', True, None)
    """

    tools: tuple[ToolRule, ...] = ()
    entities: tuple[EntityRule, ...] = ()
    sensitive: Names = ()
    lasting: Names = ()
    names: tuple[tuple[str, str], ...] = ()
    said: tuple[tuple[str, re.Pattern[str]], ...] = ()

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """The domain of a TOML file. Raises `InputError` that says where for anything that is not as described."""
        from .file import read

        return cls(**read(path))

    def tool(self, called: str) -> ToolRule:
        """The rule of a tool: the one that writes its name out, else the first pattern that covers it."""
        return _rule(self.tools, called)

    @functools.cached_property
    def kinds(self) -> dict[str, str]:
        """The kind of entity that each id field names."""
        return {field: entity.kind for entity in self.entities for field in entity.ids}

    def id_fields(self, fields: Mapping[str, Any]) -> list[str]:
        """The fields that name a thing, by what is said here or by their own names, in the order given."""
        return [
            field
            for field, value in fields.items()
            if (field in self.kinds or is_id_name(field)) and is_scalar_id(value)
        ]

    def is_sensitive(self, field: str) -> bool:
        """Whether a field is one to hide, whatever it belongs to."""
        return _folded(field) in self._hidden

    def is_lasting(self, field: str) -> bool:
        """Whether a field is one to keep for good, whatever it belongs to."""
        return _folded(field) in self._kept

    @functools.cached_property
    def _hidden(self) -> frozenset[tuple[str, ...]]:
        return frozenset(map(_folded, self.sensitive))

    @functools.cached_property
    def _kept(self) -> frozenset[tuple[str, ...]]:
        return frozenset(map(_folded, self.lasting))

    @functools.cached_property
    def synonyms(self) -> dict[str, str]:
        """What the attribute of a name is really called."""
        return dict(self.names)

    def resolved(self, value: Any) -> tuple[Any, dict[str, str]]:
        """A value with the real names of its fields, and what those were called that were synonyms.

        A synonym beside its real name stays what it is, lest one of the two values be lost.
        """
        found: dict[str, str] = {}
        return (self._resolved(value, found), found) if self.names else (value, found)

    def _resolved(self, value: Any, found: dict[str, str]) -> Any:
        if isinstance(value, list):
            return [self._resolved(item, found) for item in value]
        if not isinstance(value, dict):
            return value
        names = {field: self.synonyms.get(field, field) for field in value}
        taken = list(names.values())
        kept = {str(field): str(field if taken.count(real) > 1 else real) for field, real in names.items()}
        found.update((real, field) for field, real in kept.items() if real != field)
        return {kept[field]: self._resolved(item, found) for field, item in value.items()}


#: The domain of which nothing is said.
UNKNOWN = Domain()


@functools.lru_cache(maxsize=4_096)
def _rule(rules: tuple[ToolRule, ...], called: str) -> ToolRule:
    found = [rule for rule in rules if rule.covers(called)]
    found.sort(key=lambda rule: rule.name != called)
    return found[0] if found else ToolRule(name=called)


def _folded(field: str) -> tuple[str, ...]:
    return tuple(words(field))
